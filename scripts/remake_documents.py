"""Run the commands in documents, and write what they print where it stands.

A block ```console has commands, each after `$ `, and what they print on standard output. They run in
order, in an empty folder with a copy of `examples/`. What nobody needs to see may be left out: a
command without a line below it keeps none, and a line `…` ends what is shown.

    python scripts/remake_documents.py README.md docs/start.md          # write
    python scripts/remake_documents.py --check README.md docs/start.md  # compare; exit code 1 if not
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_CUT = "…\n"


def remade(text: str) -> str:
    """The document with what its commands print now.

    Raises:
        ValueError: a command that is not one of cijie, or fails.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(PROJECT / "examples", folder / "examples")

        def again(match: re.Match[str]) -> str:
            line, before = match[1], match[2]
            printed = run(line, folder)
            if before.endswith(_CUT):
                kept = before.count("\n") - 1
                printed = "".join(printed.splitlines(keepends=True)[:kept]) + _CUT
            return f"$ {line}\n{printed if before else ''}"

        return _BLOCK.sub(lambda block: _COMMAND.sub(again, block[0]), text)


def run(line: str, folder: Path) -> str:
    """What a command prints on standard output, without blanks at the ends of lines."""
    name, *arguments = shlex.split(line)
    if name != "cijie":
        raise ValueError(f"not a command of cijie: {line}")
    result = subprocess.run(
        [sys.executable, "-m", "cijie", *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if result.returncode:
        raise ValueError(f"{line}: {result.stderr}")
    return "".join(f"{row.rstrip()}\n" for row in result.stdout.rstrip().splitlines())


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a document, each with what it prints there."""
    for block in _BLOCK.findall(text):
        yield from _COMMAND.findall(block)


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the commands in documents.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("documents", nargs="+", type=Path)
    arguments = parser.parse_args()
    for path in arguments.documents:
        before = path.read_text(encoding="utf-8")
        after = remade(before)
        if arguments.check and after != before:
            old, new = dict(commands(before)), dict(commands(after))
            changed = [line for line in new if new[line] != old.get(line)]
            raise SystemExit(
                f"{path}: {changed[0]} prints\n{new[changed[0]]}instead of\n{old[changed[0]]}"
            )
        if after != before:
            path.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
