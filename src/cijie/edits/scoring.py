"""Score system corrections against references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, repeat
from typing import Any

from cijie.edits.annotate import Corrections, SentenceBlocks, edit_blocks
from cijie.edits.correction_scores import CorrectionScores, EditScore, SystemScore
from cijie.edits.counting import (
    MEASURES,
    EditCounts,
    Match,
    Measure,
    Rules,
    Scoring,
    best_match,
)
from cijie.edits.types import Level, Tagger
from cijie.errors import CijieError, UsageError, counted, located
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation


def score(
    sources: Iterable[str],
    systems: Mapping[str, Iterable[str]] | Iterable[str],
    references: Iterable[Sequence[str]],
    *,
    level: Level = "word",
    beta: float = 0.5,
    rules: Rules = "cherrant",
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
    scoring = Scoring(beta, rules, trials, seed)
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
