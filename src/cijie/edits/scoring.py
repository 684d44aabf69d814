"""Score system corrections against references: the scores as values and as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, count, repeat
from typing import Any, get_args

from cijie.choices import Detail
from cijie.edits.annotate import Corrections, SentenceBlocks, edit_blocks
from cijie.edits.counting import (
    MEASURES,
    By,
    EditCounts,
    Ignored,
    Match,
    Measure,
    Rules,
    Scoring,
    best_match,
    compared,
    counts_by,
)
from cijie.edits.types import Level, Tagger
from cijie.errors import CijieError, UsageError, counted, located
from cijie.evaluation.report import differences_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Format, Table, render_tables
from cijie.recovery.sentence import Sentence
from cijie.signatures import signed
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True)
class EditScore:
    """The score of one system's edits by one measure.

    Attributes:
        matches: the match of each sentence by id, in order; None for sentences not scored.
        scoring: the settings of the score.
    """

    matches: Mapping[str, Match | None]
    scoring: Scoring

    @property
    def scored(self) -> list[Match]:
        """The matches of the scored sentences."""
        return [match for match in self.matches.values() if match]

    @property
    def counts(self) -> EditCounts:
        """The numbers of right, wrong and missing edits."""
        return sum((match.counts for match in self.scored), EditCounts())

    def by(self, what: By) -> dict[str, EditCounts]:
        """Return the counts for each type, operation or length, sorted by name."""
        return counts_by(self.scored, what)

    @property
    def f(self) -> float:
        """F-beta: the mean of both in which recall has `beta` times the weight of precision."""
        return self.counts.f(self.scoring.beta)

    @cached_property
    def interval(self) -> list[float]:
        """The ends of the 95 % confidence interval of `f`, by bootstrap over sentences."""
        nothing = EditCounts(fn=1)  # the difference from F = 0 is F itself
        counts = [match.counts for match in self.scored]
        test = compared(counts, [nothing] * len(counts), self.scoring)
        return [test.low, test.high]


@dataclass(frozen=True)
class SystemScore(EditScore):
    """The scores of one system's corrections, of which both place and words must be right.

    Attributes:
        detection: the score where only the place of an edit must be right.
    """

    detection: EditScore

    @property
    def deleted(self) -> int:
        """The number of scored sentences that the system deletes completely."""
        return sum(
            any(
                not edit.correction and edit.end - edit.start == len(match.source)
                for edit in (*match.hits, *match.wrong)
            )
            for match in self.scored
        )


@dataclass(frozen=True)
class CorrectionScores:
    """The scores of systems against the same references; `str()` returns the tables.

    Attributes:
        systems: the scores of each system, by name, in the order given.
        scoring: the settings of the score.
        basis: the origin of the edits, for the signature.
    """

    systems: Mapping[str, SystemScore]
    scoring: Scoring
    basis: str

    @property
    def sentences(self) -> int:
        """The number of sentences scored."""
        return len(next(iter(self.systems.values())).scored)

    @property
    def not_scored(self) -> int:
        """The number of sentences not scored because they could not be annotated."""
        return len(next(iter(self.systems.values())).matches) - self.sentences

    @property
    def signature(self) -> str:
        """The score, its settings, the number of sentences and the version."""
        scoring, sentences = self.scoring, f"sentences:{self.sentences}"
        tests = f"trials:{scoring.trials}", f"seed:{scoring.seed}"
        return signed("score:edits", scoring.signature, self.basis, sentences, *tests)

    @cached_property
    def tests(self) -> Mapping[tuple[str, str], PairedTest]:
        """The significance test of each pair of systems, by F of the corrections.

        Keys are `(later, earlier)`, so a difference is positive where the later system is better.
        """
        counts = {name: [x.counts for x in its.scored] for name, its in self.systems.items()}
        return {
            (b, a): compared(counts[b], counts[a], self.scoring) for a, b in combinations(counts, 2)
        }

    def tests_by(self, what: By) -> dict[tuple[str, str, str], PairedTest]:
        """Test each pair of systems in each type, operation or length of edits.

        Keys are `(later, earlier, name)`. The p-values are not corrected for the number of tests;
        see `cijie.evaluation.significance.holm`.
        """
        counts = {
            name: [counts_by([match], what) for match in its.scored]
            for name, its in self.systems.items()
        }
        found = {}
        for pair in self.tests:
            sides = [counts[name] for name in pair]
            for part in sorted({part for side in sides for each in side for part in each}):
                a, b = ([each.get(part, EditCounts()) for each in side] for side in sides)
                found[(*pair, part)] = compared(a, b, self.scoring)
        return found

    def __str__(self) -> str:
        return self.render("text").rstrip("\n")

    def render(self, format: Format, by: Sequence[Detail] = ()) -> str:
        """Render the scores in a format of `cijie score`.

        Args:
            format: the format; `json` and `tsv` have all details.
            by: the details to show in other formats.

        Raises:
            UsageError: the format is unknown.
        """
        details = get_args(Detail) if format in ("json", "tsv") else by
        return render_tables(list(self._tables(details)), self.signature, format)

    def sentence_records(self) -> Iterator[dict[str, Any]]:
        """Yield each sentence of each system as plain values, sentence by sentence.

        `correction` and `detection` are counts and scores of the single sentence; `reference` is
        the number, from 1, of the reference compared with; `source`, `target` and `expected` are
        the words of the source, the system's correction and this reference; `edits` are the edits
        of system and reference, ordered by place.

        Raises:
            CijieError: edits of M2 that overlap.
        """
        first = next(iter(self.systems.values()))
        for id in first.matches:
            for name, score in self.systems.items():
                match, detection = score.matches[id], score.detection.matches[id]
                if match is None or detection is None:
                    continue
                with located(id=id):
                    target = match.output.corrected(match.source)
                    expected = match.reference.corrected(match.source)
                yield {
                    "id": id,
                    "system": name,
                    "reference": match.reference.annotator + 1,
                    "correction": match.counts.scores(score.scoring.beta),
                    "detection": detection.counts.scores(score.scoring.beta),
                    "source": list(match.source),
                    "target": target,
                    "expected": expected,
                    "edits": [
                        {
                            "start": edit.start,
                            "end": edit.end,
                            "correction": list(edit.correction),
                            "type": edit.type,
                            "outcome": outcome,
                        }
                        for edit, outcome in match.judged
                    ],
                }

    def _tables(self, details: Sequence[Detail]) -> Iterator[Table]:
        beta = self.scoring.beta
        counts = dict.fromkeys(("TP", "FP", "FN"), ",d")
        counts |= dict.fromkeys(("precision", "recall", f"F{beta:g}"), ".4f")
        detections = {name: score.detection for name, score in self.systems.items()}
        for name, what, scores in (
            ("correction", "Corrections", self.systems),
            ("detection", "Detection", detections),
        ):
            if name == "correction" or "level" in details:
                yield Table(
                    name,
                    f"{what} in {counted(self.sentences, 'sentences')}, with the 95% interval of F",
                    "system",
                    counts | {"low": ".4f", "high": ".4f"},
                    [
                        (system, *its.counts.scores(beta).values(), *its.interval)
                        for system, its in scores.items()
                    ],
                )
        for what in get_args(By):
            if what in details:
                yield self._by(what, counts)
                if self.tests:
                    caption = f"F{beta:g} of corrections by {what}"
                    yield differences_table(self.tests_by(what), caption, f"{what}-differences")
        if self.tests:
            yield differences_table(self.tests, f"F{beta:g} of corrections")

    def _by(self, what: By, columns: Mapping[str, str]) -> Table:
        """Build the table of corrections by type, operation or length; systems side by side."""
        found = {name: its.by(what) for name, its in self.systems.items()}
        several = len(found) > 1
        # Precision and recall of several follow from the other columns.
        heads = [head for k, head in enumerate(columns) if not several or k not in (3, 4)]
        rows: list[list[Cell]] = []
        for key in sorted(set().union(*found.values())):
            scores = [
                its.get(key, EditCounts()).scores(self.scoring.beta) for its in found.values()
            ]
            cells = [dict(zip(columns, each.values(), strict=True)) for each in scores]
            rows.append([key, *(each[head] for each in cells for head in heads)])
        shown = {
            f"{name} {head}" if several else head: columns[head] for name in found for head in heads
        }
        return Table(f"{what}s", f"Corrections by {what}", what, shown, rows)


def score(
    sources: Iterable[str],
    systems: Mapping[str, Iterable[str]] | Iterable[str],
    references: Iterable[Sequence[str]],
    *,
    level: Level = "word",
    beta: float = 0.5,
    rules: Rules = "cherrant",
    ignore: Ignored | None = None,
    source_words: Iterable[Sequence[str]] | None = None,
    tagger: Tagger | str | None = None,
    trials: int = 10_000,
    seed: int = 0,
    **options: Any,
) -> CorrectionScores:
    """Score system outputs against references.

    All texts of a sentence are segmented like the source, whose words are recovered from its
    nearest reference; see `cijie.edits.annotate.cut_words`. Identical texts therefore have
    identical edits.

    Args:
        sources: the sentences to be corrected.
        systems: the output of each system, by name; or the output of a single system.
        references: the references of each sentence. The reference of a sentence without error is
            the sentence itself; a sentence that could not be annotated has none.
        level: the unit of edits, `word` or `char`.
        beta: the weight of recall relative to precision in F.
        rules: the scorer whose rules apply; see `cijie.edits.counting.Rules`.
        ignore: the edits that do not count, on either side.
        source_words: the words of the sources, instead of recovered ones.
        tagger: adds parts of speech to the types of edits; see `cijie.edits.types.EditTyper`.
        trials: the number of random trials in each significance test.
        seed: the seed of the trials.
        options: options of `Recoverer`, for edits of words: `segmenter`, `method` and others.

    Raises:
        CijieError: numbers of sentences differ; or, with the number of the sentence, its words do
            not spell the source, or it cannot be segmented.
        UsageError: an option is unknown, `beta` is not positive, there are no trials, or the seed
            is negative.

    >>> scores = score(["他去学较"], ["他也去学校"], [["他去学校"]], segmenter=list)
    >>> scores.systems["system"].counts
    EditCounts(tp=1, fp=1, fn=0)
    """
    named = systems if isinstance(systems, Mapping) else {"system": systems}
    given = source_words is not None
    columns = {"sources": sources, "lists of references": references}
    columns |= {f"sentences of {name}": texts for name, texts in named.items()}
    texts = _equally_long(columns | ({"lists of words": source_words} if given else {}))
    words = texts.pop() if given else repeat(None)
    sentences = map(_sentence, count(1), words, *texts)
    blocks, basis = edit_blocks(sentences, level=level, tagger=tagger, given=given, **options)
    scoring = Scoring(beta, rules, ignore, trials, seed)
    return score_blocks(list(named), blocks, scoring, basis)


def score_blocks(
    names: Sequence[str], sentences: Iterable[SentenceBlocks], scoring: Scoring, basis: str = "m2"
) -> CorrectionScores:
    """Score sentences with known edits.

    Args:
        names: the names of the systems, in the order of each sentence's outputs.
        sentences: the sentences, one by one.
        scoring: the settings of the score.
        basis: the origin of the edits, for the signature.

    Raises:
        CijieError: no sentence can be scored.
        UsageError: there is no system, there are no trials, or the seed is negative.
    """
    if not names:
        raise UsageError("no system to score")
    found: dict[tuple[str, Measure], dict[str, Match | None]] = {
        (name, measure): {} for name in names for measure in MEASURES
    }
    so_far = dict.fromkeys(found, EditCounts())
    for sentence in sentences:
        outputs = dict(zip(names, sentence.outputs, strict=True))
        for (name, measure), matches in found.items():
            before = so_far[name, measure]
            match = best_match(outputs[name], sentence.references, before, scoring, measure)
            matches[sentence.id] = match
            so_far[name, measure] = before + match.counts if match else before
    systems = {}
    for name in names:
        detection = EditScore(found[name, "detection"], scoring)
        systems[name] = SystemScore(found[name, "correction"], scoring, detection)
    scores = CorrectionScores(systems, scoring, basis)
    if not scores.sentences:
        raise CijieError("no sentence to score")
    return scores


def _equally_long(columns: Mapping[str, Any]) -> list[list[Any]]:
    """Convert columns of the same length, by the plural name of their items, to lists."""
    for what, column in columns.items():
        if isinstance(column, str):
            raise TypeError(f"expected a list of {what}, got a string: {column!r}")
    (first, items), *others = found = [(what, list(column)) for what, column in columns.items()]
    for what, other in others:
        if len(other) != len(items):
            expected = f"expected {counted(len(items), what)}, as many as {first}"
            raise CijieError(f"{expected}, got {len(other):,}")
    return [items for _, items in found]


def _sentence(
    number: int, words: Sequence[str] | None, source: str, references: Any, *outputs: str
) -> Corrections:
    if isinstance(references, str) or not isinstance(references, Iterable):
        raise TypeError(f"sentence {number}: expected a list of references, got {references!r}")
    references = tuple(references)
    for text in (source, *references, *outputs):
        if not isinstance(text, str):
            raise TypeError(f"sentence {number}: expected a text, got {text!r}")
    with located(id=number):
        initial = None if words is None else Segmentation.from_tokens(source, words)
    return Sentence(str(number), source, references, initial=initial), outputs
