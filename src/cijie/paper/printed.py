"""The figures that the paper reports, to be shown beside those of a run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import orjson

from cijie.evaluation.tables import Column, Table


@cache
def printed() -> Mapping[str, Table]:
    """The paper's tables by exhibit and name of the table of a run that they belong beside.

    All are copied from Wang, Li, Yuan and Park, "Chinese Word Boundary Recovery through Character
    Alignment Projection", and are about all 1,079 pairs of its learner benchmark. Nothing here is
    computed, and nothing that a run computes depends on it. Rows are called as those of the run,
    columns are those that the paper reports, captions say where.
    """
    tables = orjson.loads((files(__package__) / "printed.json").read_bytes())
    return {
        name: Table(
            name,
            table["caption"],
            tuple(Column(*column) for column in table["columns"].items()),
            tuple(map(tuple, table["rows"])),
        )
        for name, table in tables.items()
    }
