"""Scores of correction systems, as values and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, get_args

from cijie.choices import Detail
from cijie.edits.counting import By, EditCounts, Match, Scoring, compared, counts_by
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
        """Return the counts for each type or operation, sorted by name."""
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
        for what in get_args(By):
            record[f"by_{what}"] = {name: x.scores(beta) for name, x in self.by(what).items()}
        return record


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

    def as_record(self) -> dict[str, Any]:
        """Return the scores as plain, unrounded values, as the page of `cijie score` takes them."""
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
        return record

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
        beta, several = self.scoring.beta, len(self.systems) > 1
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
                rows: list[tuple[Cell, ...]] = [
                    (f"{key} {system}" if several else key, *found.scores(beta).values())
                    for system, its in self.systems.items()
                    for key, found in its.by(what).items()
                ]
                yield Table(f"{what}s", f"Corrections by {what}", what, counts, sorted(rows))
        if self.tests:
            yield differences_table(self.tests, f"F{beta:g} of corrections")
