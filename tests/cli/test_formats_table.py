"""Which command reads and writes which format: every cell is tried, and docs/formats.md has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.corpora.formats import FORMATS, Format

from readers import NEEDS, example

DOCS = Path(__file__).parents[2] / "docs" / "formats.md"
CUT = ("--segmenter", "builtins:list", "-q")
METHOD = (*CUT, "--method", "p1")

READ = {
    "convert": ("convert", "{file}", "{out}.jsonl", "-q"),
    "info": ("info", "{file}"),
    "show": ("show", "{file}", "-o", "{out}.txt", "--segmenter", "builtins:list"),
    "segment": ("segment", "{file}", "-o", "{out}.jsonl", *CUT),
    "recover": ("recover", "{file}", "-o", "{out}.jsonl", *METHOD),
    "align": ("align", "{file}", "-o", "{out}.jsonl", "--method", "p1", "-q"),
    "m2": ("m2", "{file}", "-o", "{out}.m2", *METHOD),
    "score": ("score", "{file}", "{file}", "--trials", "1", "-q"),
    "train-ibm": ("train-ibm", "{file}", "-o", "{out}.npz", "--iterations", "1", *CUT),
    "annotate": ("annotate", "start", "{file}", "-o", "{out}", "--annotators", "1", *CUT),
    "bench": ("bench", "synthetic", "{file}", "-o", "{out}", "--ratios", "0", "-q"),
    "evaluate": ("evaluate", "{file}", "{file}", "--trials", "1", "-q"),
    "diff": ("diff", "{file}", "{file}"),
    "view": ("view", "{file}", "--gold", "{file}", "-o", "{out}.html", "--trials", "1", "-q"),
}
WRITE = {
    "convert": ("convert", "{recovered}", "{out}", "--to", "{name}", "-q"),
    "segment": ("segment", "{lines}", "-o", "{out}", "--to", "{name}", *CUT),
    "recover": ("recover", "{pairs}", "-o", "{out}", "--to", "{name}", *METHOD),
    "align": ("align", "{pairs}", "-o", "{out}", "--to", "{name}", "--method", "p1", "-q"),
}
# What a command needs that it reads, and what it has to write.
NEEDED = dict.fromkeys(
    ("show", "recover", "align", "m2", "score", "train-ibm", "annotate"), "target"
) | dict.fromkeys(("bench", "evaluate", "diff", "view"), "words")
EDITS_ASIDE = ("evaluate", "diff", "view")  # the edits of M2 are for `cijie score`
RESULTS = {
    "convert": (),
    "segment": ("words",),
    "recover": ("words", "target", "target words", "links"),
    "align": ("links", "target"),
}


def file_of(format: Format, folder: Path) -> Path:
    """A file in that format."""
    path = folder / f"{'chtb_001' if format.name == 'ctb' else 'x'}{''.join(format.endings[:1])}"
    path.write_bytes(example(format.name))
    return path


def run(arguments: tuple[str, ...], **values: object) -> int:
    """The exit code; an exception that is none of cijie's is raised."""
    result = CliRunner().invoke(cijie, [argument.format(**values) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code


@pytest.mark.parametrize("command", READ)
@pytest.mark.parametrize("name", FORMATS)
def test_what_commands_read(name: str, command: str, tmp_path: Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    format = FORMATS[name]
    if not format.reads:
        pytest.skip("written only")
    needed = NEEDED.get(command)
    read = needed is None or needed in format.holds
    if format.module == "m2" and command in EDITS_ASIDE:
        read = False
    assert (cell("read", command, name) == "yes") is read
    # Several formats are called .txt, and files of some may be called anything.
    named = ("--from", name) if name in ("lines", "text") or not format.endings else ()
    code = run((*READ[command], *named), file=file_of(format, tmp_path), out=tmp_path / "out")
    assert code == (0 if read else 1)


@pytest.mark.parametrize("command", WRITE)
@pytest.mark.parametrize("name", FORMATS)
def test_what_commands_write(name: str, command: str, tmp_path: Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    format = FORMATS[name]
    files = {other: file_of(FORMATS[other], tmp_path) for other in ("jsonl", "lines", "mucgec")}
    result = RESULTS[command]
    written = format.writes and (
        not result or (result[0] in format.holds and {*format.needs} <= {*result})
    )
    assert (cell("write", command, name) == "yes") is written
    code = run(
        WRITE[command],
        recovered=files["jsonl"],
        lines=files["lines"],
        pairs=files["mucgec"],
        out=tmp_path / "out",
        name=name,
    )
    assert code == (0 if written else 2)
    assert (tmp_path / "out").exists() is written


def cell(verb: str, command: str, name: str) -> str:
    """What the table in the documentation says."""
    text = DOCS.read_text("utf-8")
    table = text[text.index(f"| to {verb} |") :].partition("\n\n")[0].splitlines()
    head, _, *rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in table]
    [row] = [row for row in rows if row[0] == f"`{name}`"]
    return row[head.index(f"`{command}`")]
