"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

    python scripts/lowest_versions.py [EXTRA ...] > lowest.txt

They are those of the dependencies, and of the extras that are named. Run it with the oldest Python
that is supported: newer ones have no wheels of some lowest versions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def lowest(extras: list[str]) -> Iterator[str]:
    """`name==version` for each dependency that has a floor here."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    for requirement in map(Requirement, sorted({*wanted})):
        if requirement.marker and not requirement.marker.evaluate():
            continue
        for each in requirement.specifier:
            if each.operator in (">=", "=="):
                yield f"{requirement.name}=={each.version}"


if __name__ == "__main__":
    print(*lowest(sys.argv[1:]), sep="\n")
