"""Print what pyproject.toml asks for, in a form that pip takes.

    python scripts/requirements.py lowest [EXTRA ...] > constraints.txt
    python scripts/requirements.py linux-arm64 [EXTRA ...] > requirements.txt

`lowest` are the lowest versions that are allowed, for this platform; with the oldest Python that is
supported they all have wheels. `linux-arm64` is what is asked for there, whatever this platform is.
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
    """What cijie with these extras asks for on a platform, `{}` being this one."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    for requirement in map(Requirement, sorted({*wanted})):
        if requirement.marker is None or requirement.marker.evaluate(platform):
            requirement.marker = None
            yield requirement


def main() -> None:
    """Print them."""
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
