"""Counts over the pairs of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from cijie.errors import counted
from cijie.evaluation.coverage import Coverage
from cijie.recovery.recovery import Recovery


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over the pairs of a run; they add up with `+`, in any grouping.

    Attributes:
        coverage: of the pairs that were recovered.
        inserted, removed: boundaries.
        changed: pairs with a change.
        quarantined: records that could not be read or recovered.
    """

    coverage: Coverage = field(default_factory=Coverage)
    inserted: int = 0
    removed: int = 0
    changed: int = 0
    quarantined: int = 0

    @property
    def records(self) -> int:
        """How many records that is, those that were set apart included."""
        return self.coverage.pairs + self.quarantined

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.coverage + other.coverage,
            self.inserted + other.inserted,
            self.removed + other.removed,
            self.changed + other.changed,
            self.quarantined + other.quarantined,
        )

    @classmethod
    def of(cls, recoveries: Sequence[Recovery], quarantined: int = 0) -> Tally:
        """The counts of some recoveries."""
        changes = [change.kind for recovery in recoveries for change in recovery.changes]
        return cls(
            Coverage.total([recovery.alignment for recovery in recoveries]),
            inserted=changes.count("insert"),
            removed=changes.count("remove"),
            changed=sum(bool(recovery.changes) for recovery in recoveries),
            quarantined=quarantined,
        )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Tally:
        """The inverse of `as_dict`.

        Raises:
            KeyError, TypeError: other values.
        """
        tally = cls(**{**values, "coverage": Coverage(**values["coverage"])})
        for name, count in {**values, **values["coverage"]}.items():
            if name != "coverage" and not isinstance(count, int):
                raise TypeError(f"{name} is not a count: {count!r}")
        return tally

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.coverage}\n{counted(self.inserted, 'boundaries')} inserted and "
            f"{self.removed:,} removed, in {counted(self.changed, 'pairs')}"
        )
