"""Scores of correction systems, as values and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from operator import attrgetter
from typing import Any

from cijie.choices import Detail
from cijie.edits.counting import KEYS, By, EditCounts, Match, Scoring, compared, counts_by
from cijie.errors import counted, located
from cijie.evaluation.report import difference_records, differences_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Format, Table, render_tables
from cijie.signatures import signed


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

    def as_record(self) -> dict[str, Any]:
        """Return the score as plain, unrounded values, without the individual sentences."""
        beta = self.scoring.beta
        record: dict[str, Any] = {**self.counts.scores(beta), "interval": self.interval}
        for what in KEYS:
            record[f"by_{what}"] = {name: x.scores(beta) for name, x in self.by(what).items()}
        return record


@dataclass(frozen=True)
class SystemScore(EditScore):
    """The scores of one system's corrections, of which both place and words must be right.

    Attributes:
        detection: the score where only the place of an edit must be right.
        deleted: the number of sentences that the system deletes completely.
    """

    detection: EditScore
    deleted: int


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
        details: Sequence[Detail] = ("level", *KEYS) if format == "tsv" else by
        record = self.as_record() if format == "json" else {}  # which takes more tests than tables
        return render_tables(list(self._tables(details)), record, self.signature, format)

    def as_record(self) -> dict[str, Any]:
        """Return the scores as plain, unrounded values, as `cijie score --format json` writes."""
        record: dict[str, Any] = {
            "signature": self.signature,
            "sentences": self.sentences,
            "not_scored": self.not_scored,
            "systems": [
                {
                    "name": name,
                    "correction": score.as_record(),
                    "detection": score.detection.as_record(),
                    "deleted": score.deleted,
                }
                for name, score in self.systems.items()
            ],
        }
        if self.tests:
            record["differences"] = difference_records(self.tests)
            for what in KEYS:
                record[f"differences_by_{what}"] = difference_records(self.tests_by(what), what)
        return record

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
        for later, earlier in self.tests:
            sides = counts[later], counts[earlier]
            for part in sorted(set().union(*sides[0], *sides[1])):
                a, b = ([each.get(part, EditCounts()) for each in side] for side in sides)
                found[later, earlier, part] = compared(a, b, self.scoring)
        return found

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

    def sentence_rows(self) -> Iterator[list[str]]:
        """Yield the sentences as rows of a table without the edits, header first.

        Words have blanks between them.
        """
        for number, record in enumerate(self.sentence_records()):
            row: dict[str, str] = {}
            for name, value in record.items():
                if isinstance(value, dict):
                    row |= {f"{name} {measure}": str(x) for measure, x in value.items()}
                elif name != "edits":
                    row[name] = " ".join(value) if isinstance(value, list) else str(value)
            if not number:
                yield list(row)
            yield list(row.values())

    def _tables(self, details: Sequence[Detail]) -> Iterator[Table]:
        beta = self.scoring.beta
        shares = "precision", "recall", f"F{beta:g}", "low", "high"
        columns = dict.fromkeys(("TP", "FP", "FN"), ",d") | dict.fromkeys(shares, ".4f")
        values = attrgetter(
            *("counts.tp", "counts.fp", "counts.fn", "counts.precision", "counts.recall"),
            "f",
        )
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
                    columns,
                    [(system, *values(score), *score.interval) for system, score in scores.items()],
                )
        for what in KEYS:
            if what in details:
                yield self._by(what, beta)
                if self.tests:
                    caption = f"F{beta:g} of corrections by {what}"
                    yield differences_table(self.tests_by(what), caption, f"{what}-differences")
        if self.tests:
            yield differences_table(self.tests, f"F{beta:g} of corrections")

    def _by(self, what: By, beta: float) -> Table:
        """Build the table of corrections by operation, type or length, systems side by side."""
        found = [score.by(what) for score in self.systems.values()]
        several = len(found) > 1
        # The columns omitted for many systems follow from the others.
        omitted = {} if several else {"precision": "precision", "recall": "recall"}
        shown = {"tp": "TP", "fp": "FP", "fn": "FN", **omitted, "f": f"F{beta:g}"}
        columns = {
            f"{system} {head}" if several else head: ",d" if len(name) == 2 else ".4f"
            for system in self.systems
            for name, head in shown.items()
        }
        rows: list[list[Cell]] = []
        for key in sorted(set().union(*found)):
            scores = [counts.get(key, EditCounts()).scores(beta) for counts in found]
            rows.append([key, *(each[name] for each in scores for name in shown)])
        return Table(f"{what}s", f"Corrections by {what}", what, columns, rows)
