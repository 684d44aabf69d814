"""The scores of systems that correct sentences, as values and as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any

from cijie.edits.counting import EditCounts, Match, counts_by
from cijie.evaluation.report import difference_records, differences_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Column, Format, Table, render_tables


@dataclass(frozen=True, slots=True)
class EditScore:
    """How right the edits of one system are, by one measure.

    Attributes:
        matches: the match of each sentence by its id, in order; None where it is not scored.
        beta: how much recall weighs in `f`.
        low: the lower end of the 95 % interval of `f`, by the bootstrap over sentences.
        high: the upper end of it.
    """

    matches: Mapping[str, Match | None]
    beta: float
    low: float
    high: float

    @property
    def scored(self) -> list[Match]:
        """The matches of the sentences that are scored."""
        return [match for match in self.matches.values() if match]

    @property
    def counts(self) -> EditCounts:
        """How many edits are right, wrong and missing."""
        return sum((match.counts for match in self.scored), EditCounts())

    @property
    def by_type(self) -> dict[str, EditCounts]:
        """The same for each type, in alphabetical order."""
        return counts_by(self.scored)

    @property
    def by_operation(self) -> dict[str, EditCounts]:
        """The counts by what stands before the colon of a type, in alphabetical order."""
        return counts_by(self.scored, lambda edit: edit.type.partition(":")[0])

    @property
    def precision(self) -> float:
        """The share of the system's edits that are right."""
        return self.counts.precision

    @property
    def recall(self) -> float:
        """The share of the references' edits that the system has."""
        return self.counts.recall

    @property
    def f(self) -> float:
        """The mean of both, in which recall weighs `beta` times as much as precision."""
        return self.counts.f(self.beta)

    def as_dict(self) -> dict[str, Any]:
        """The score as plain values, unrounded, without the single sentences."""
        return {
            **counts_record(self.counts, self.beta),
            "interval": [self.low, self.high],
            "by_operation": self._records(self.by_operation),
            "by_type": self._records(self.by_type),
        }

    def _records(self, found: Mapping[str, EditCounts]) -> dict[str, Any]:
        return {type: counts_record(counts, self.beta) for type, counts in found.items()}


@dataclass(frozen=True, slots=True)
class SystemScore(EditScore):
    """The scores of one system: of its corrections, whose place and words must be right.

    Attributes:
        detection: the score where only the place of an edit must be right.
        deleted: how many sentences the system deletes altogether.
    """

    detection: EditScore
    deleted: int

    @property
    def correction(self) -> EditScore:
        """The score where the place of an edit and its correction must be right."""
        return self


@dataclass(frozen=True, slots=True)
class CorrectionScores:
    """The scores of systems against the same references; `str()` of it is the tables.

    Attributes:
        systems: the scores of each system, by name, in the order given.
        tests: the significance tests of each pair of systems, `(later, earlier)` in that order, by
            F of the corrections; a difference is positive where the later one is better.
        sentences: how many sentences were scored.
        not_scored: how many were not, as they could not be annotated.
        signature: what the scores are, of what, by which version, and what they depend on.
    """

    systems: Mapping[str, SystemScore]
    tests: Mapping[tuple[str, str], PairedTest]
    sentences: int
    not_scored: int
    signature: str

    def __str__(self) -> str:
        return self.render("text").rstrip("\n")

    def render(self, format: Format) -> str:
        """The scores in a format of `cijie score`: `text`, `json`, `tsv` or `latex`.

        Raises:
            UsageError: an unknown format.
        """
        return render_tables(list(self._tables()), self.as_dict(), self.signature, format)

    def as_dict(self) -> dict[str, Any]:
        """The scores as plain values, unrounded: what `cijie score --format json` writes."""
        record: dict[str, Any] = {
            "signature": self.signature,
            "sentences": self.sentences,
            "not_scored": self.not_scored,
            "systems": [
                {
                    "name": name,
                    "correction": score.correction.as_dict(),
                    "detection": score.detection.as_dict(),
                    "deleted": score.deleted,
                }
                for name, score in self.systems.items()
            ],
        }
        if self.tests:
            record["differences"] = difference_records(self.tests)
        return record

    def sentence_records(self) -> Iterator[dict[str, Any]]:
        """Each sentence of each system as plain values, sentence by sentence.

        `correction` and `detection` are counts and scores of the sentence alone; `reference` is
        the number, from 1, of the reference that its corrections were compared with; `edits` are
        those of system and reference, in the order of their places.
        """
        first = next(iter(self.systems.values()))
        for id in first.correction.matches:
            for name, score in self.systems.items():
                match, detection = score.correction.matches[id], score.detection.matches[id]
                if match is None or detection is None:
                    continue
                beta = score.correction.beta
                yield {
                    "id": id,
                    "system": name,
                    "reference": match.reference + 1,
                    "correction": counts_record(match.counts, beta),
                    "detection": counts_record(detection.counts, beta),
                    "edits": list(_edit_records(match)),
                }

    def sentence_rows(self) -> Iterator[list[str]]:
        """The same as rows of a table without the edits, the header first."""
        measures = "correction", "detection"
        for number, record in enumerate(self.sentence_records()):
            if not number:
                heads = [f"{measure} {name}" for measure in measures for name in record[measure]]
                yield ["id", "system", "reference", *heads]
            values = [value for measure in measures for value in record[measure].values()]
            yield [
                *(str(record[name]) for name in ("id", "system", "reference")),
                *map(str, values),
            ]

    @property
    def _beta(self) -> float:
        return next(iter(self.systems.values())).correction.beta

    def _tables(self) -> Iterator[Table]:
        for name, what in (("correction", "Corrections"), ("detection", "Detection")):
            scores = {system: getattr(both, name) for system, both in self.systems.items()}
            yield Table(
                name,
                f"{what} in {self.sentences:,} sentences, with the 95% interval of F",
                (*self._columns("system"), Column("low", ".4f"), Column("high", ".4f")),
                tuple(
                    (system, *_row(score.counts, self._beta), score.low, score.high)
                    for system, score in scores.items()
                ),
            )
        yield self._by_type("operations", attrgetter("by_operation"))
        yield self._by_type("types", attrgetter("by_type"))
        if self.tests:
            yield differences_table(self.tests, f"F{self._beta:g} of corrections")

    def _by_type(self, name: str, of: Callable[[EditScore], Mapping[str, EditCounts]]) -> Table:
        found = {system: of(score.correction) for system, score in self.systems.items()}
        rows = tuple(
            (
                type if len(found) == 1 else f"{type}, {system}",
                *_row(counts.get(type, EditCounts()), self._beta),
            )
            for type in sorted({type for counts in found.values() for type in counts})
            for system, counts in found.items()
        )
        return Table(name, f"Corrections by {name}", self._columns(name), rows)

    def _columns(self, first: str) -> tuple[Column, ...]:
        return (
            *map(Column, (first, "TP", "FP", "FN")),
            *(Column(name, ".4f") for name in ("precision", "recall", f"F{self._beta:g}")),
        )


def counts_record(counts: EditCounts, beta: float) -> dict[str, Any]:
    """Counts and what follows from them, as plain values."""
    scores = {"precision": counts.precision, "recall": counts.recall, "f": counts.f(beta)}
    return asdict(counts) | scores


def _row(counts: EditCounts, beta: float) -> tuple[Cell, ...]:
    return tuple(counts_record(counts, beta).values())


def _edit_records(match: Match) -> Iterator[dict[str, Any]]:
    outcomes = {"hit": match.hits, "wrong": match.wrong, "missed": match.missed}
    found = [(edit, outcome) for outcome, edits in outcomes.items() for edit in edits]
    for edit, outcome in sorted(found, key=lambda item: (item[0].start, item[0].end, item[1])):
        yield {
            "start": edit.start,
            "end": edit.end,
            "correction": list(edit.correction),
            "type": edit.type,
            "outcome": outcome,
        }
