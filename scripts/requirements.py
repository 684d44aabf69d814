"""Print the requirements in pyproject.toml, in a form that pip accepts.

    python scripts/requirements.py lowest [EXTRA ...] > constraints.txt
    python scripts/requirements.py linux-arm64 [EXTRA ...] > requirements.txt

`lowest` prints the lowest allowed versions, for this platform; for the oldest supported Python all
of them have wheels. `linux-arm64` prints the requirements there, on any platform.
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
ARM64 = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "aarch64"}


def requirements(extras: list[str], platform: dict[str, str]) -> Iterator[Requirement]:
    """Yield the requirements of cijie with these extras on a platform; `{}` is this one."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    for requirement in map(Requirement, sorted({*wanted})):
        if requirement.marker is None or requirement.marker.evaluate(platform):
            requirement.marker = None
            yield requirement


def main() -> None:
    """Run the command line."""
    form, *extras = sys.argv[1:] or [""]
    if form == "lowest":
        for requirement in requirements(extras, {}):
            for each in requirement.specifier:
                if each.operator in (">=", "=="):
                    print(f"{requirement.name}=={each.version}")
    elif form == "linux-arm64":
        print(*requirements(extras, ARM64), sep="\n")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
