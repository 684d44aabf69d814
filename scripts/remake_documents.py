"""Run the commands and notebooks in the documentation, and update their output there.

A block ```console has commands, each after `$ `, followed by their standard output, and with `2>&1`
their standard error. Commands are cijie's, or `cp`. They run in order, in an empty folder with a
copy of `examples/`. Output may be shortened: a command without a line below it stays without
output, and a line `…` ends the output shown. Notebooks run the same way, in the folder `docs`
beside `examples`.

    python scripts/remake_documents.py                     # write
    python scripts/remake_documents.py --check             # compare; exit code 1 if they differ
    python scripts/remake_documents.py docs/start.md ...   # these documents alone
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import nbformat
import wapic
from click.testing import CliRunner
from nbclient import NotebookClient

from cijie.cli.main import cijie

PROJECT = Path(__file__).resolve().parent.parent
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_CUT = "…\n"


def documents() -> list[Path]:
    """List the documents with commands, and the notebooks."""
    every = [*PROJECT.glob("README*.md"), *PROJECT.glob("docs/**/*.md")]
    # The recipes need other files; they have their own test.
    others = [path for path in every if path.name != "recipes.md"]
    found = [path for path in others if _BLOCK.search(path.read_text(encoding="utf-8"))]
    return sorted([*found, *PROJECT.glob("docs/**/*.ipynb")])


def remade(text: str) -> str:
    """Return a document with the current output of its commands.

    Raises:
        ValueError: a command that fails or is not one of cijie's.
    """
    with _examples():
        return _BLOCK.sub(lambda block: _COMMAND.sub(_again, block[0]), text)


def remade_notebook(text: str) -> str:
    """Return a notebook with the current output of its cells.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails.
    """
    notebook = nbformat.reads(text, as_version=4)
    with _examples() as folder:
        (folder / "docs").mkdir()
        client = NotebookClient(notebook, kernel_name="python3", record_timing=False)
        client.execute(cwd=folder / "docs")
    notebook.metadata["language_info"] = {"name": "python"}  # without the version that ran it
    return f"{nbformat.writes(notebook)}\n"


@contextmanager
def _examples() -> Iterator[Path]:
    """Change into a temporary folder with a copy of the examples."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PROJECT / "examples", Path(folder, "examples"))
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(here)


def run(line: str) -> str:
    """Return the output of a command, without trailing blanks."""
    environment = {"NO_COLOR": "1", "COLUMNS": "100"}
    words = shlex.split(line)
    while "=" in words[0]:
        name, _, environment[name] = words.pop(0).partition("=")
    if words[0] == "cp":
        for path in words[1:-1]:
            shutil.copy(path, words[-1])
        return ""
    if words.pop(0) != "cijie":
        raise ValueError(f"not a command of cijie: {line}")
    if merged := words[-1] == "2>&1":
        words.pop()
    result = CliRunner().invoke(cijie, words, prog_name="cijie", env=environment)
    if result.exit_code:
        raise ValueError(f"{line}: {result.stderr}") from result.exception
    printed = result.output if merged else result.stdout
    return "".join(f"{row.rstrip()}\n" for row in printed.rstrip().splitlines())


def _again(command: re.Match[str]) -> str:
    line, before = command[1], command[2]
    printed = run(line)
    if before.endswith(_CUT):
        kept = before.count("\n") - 1
        printed = "".join(printed.splitlines(keepends=True)[:kept]) + _CUT
    return f"$ {line}\n{printed if before else ''}"


def _shown(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a document, each with its output there."""
    for block in _BLOCK.findall(text):
        yield from _COMMAND.findall(block)


def _shown_by_cells(text: str) -> Iterator[tuple[str, str]]:
    """Yield the cells of a notebook, each with its output there; tables as text."""
    for cell in nbformat.reads(text, as_version=4).cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {"text/plain": output.get("text")})
            html = data.get("text/html", "")
            yield cell.source, html if html.startswith("<figure") else data["text/plain"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the commands in the documentation.")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("documents", nargs="*", type=Path, help="all, if none is named")
    arguments = parser.parse_args()
    wapic.Segmenter = cache(wapic.Segmenter)  # loading the model takes seconds
    for path in arguments.documents or documents():
        remake, shown = (
            (remade_notebook, _shown_by_cells) if path.suffix == ".ipynb" else (remade, _shown)
        )
        before = path.read_text(encoding="utf-8")
        after = remake(before)
        if arguments.check:
            for (line, old), (_, new) in zip(shown(before), shown(after), strict=True):
                if old != new:
                    raise SystemExit(f"{path}: {line} prints\n{new}instead of\n{old}")
        elif after != before:
            path.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
