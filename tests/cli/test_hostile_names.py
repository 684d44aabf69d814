"""Names, ids, types and settings that would do something to a terminal, or end a row."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from cijie.choices import FormatName
from cijie.cli.main import cijie

HOSTILE = ["e\x1b[31mv\x07", "n\nl\r", "t\tb", "c\x9b2J", "u\u202ev", "q\udcff"]
OBEYED = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]"
TABLES = ("text", "json", "tsv", "latex", "markdown")
CHARACTERS = ["--method", "p1", "--segmenter", "builtins:list"]


def run(*arguments: object) -> Result:
    """Run a command, and see to it that all of what it shows is harmless, and tables are whole."""
    result = CliRunner().invoke(cijie, list(map(str, arguments)))
    assert result.exception is None or isinstance(result.exception, SystemExit), arguments
    assert not re.search(rf"{OBEYED}|\t", result.stderr), arguments
    assert not re.search(OBEYED if "tsv" in arguments else rf"{OBEYED}|\t", result.stdout)
    if "tsv" in arguments:
        check_rows(result.stdout)
    return result


def check_rows(text: str) -> None:
    assert len({line.count("\t") for line in text.split("\n")[:-1]}) <= 1
    assert not re.search(OBEYED, text)


@pytest.fixture(params=HOSTILE, ids=ascii)
def hostile(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    try:
        (tmp_path / request.param).touch()
    except (OSError, ValueError):
        pytest.skip("no file can have this name here")
    return str(request.param)


@pytest.fixture
def results(hostile: str, tmp_path: Path) -> list[Path]:
    """Pairs, and what two systems make of them, in files of such names."""
    pairs, *found = (tmp_path / f"{k}{hostile}{x}" for k, x in enumerate((".tsv", ".jsonl", ".m2")))
    pairs.write_text("1\t旅行困\t旅行团\n2\t我门去\t我们去\n", encoding="utf-8")
    assert run("recover", pairs, *CHARACTERS, "-o", found[0]).exit_code == 0
    assert run("m2", pairs, *CHARACTERS, "-o", found[1]).exit_code == 0
    return [pairs, *found]


def test_names_of_files_and_systems(results: list[Path], hostile: str, tmp_path: Path) -> None:
    pairs, recovered, m2 = results
    other = tmp_path / f"other{hostile}.jsonl"
    assert run("recover", pairs, "--method", "direct", "--segmenter", "builtins:str.split",
               "-o", other).exit_code == 0  # fmt: skip
    for table in TABLES:
        given = ["--format", table]
        assert run("evaluate", recovered, recovered, other, "--trials", 9, *given).exit_code == 0
        assert run("score", m2, m2, *given).exit_code == 0
    for table in ("text", "tsv"):
        assert run("diff", recovered, other, "--format", table).exit_code == 0
    assert run("view", recovered, other, "-o", tmp_path / f"{hostile}.html").exit_code == 0
    for file in results:
        run("info", file)
    corpus = tmp_path / f"corpus{hostile}.txt"
    corpus.write_text("我们 去 旅行\n他 今天 不 来\n" * 20, encoding="utf-8")
    assert run("bench", "synthetic", corpus, "-o", tmp_path / "bench").exit_code == 0
    for format in get_args(FormatName):
        run("convert", recovered, tmp_path / f"to{hostile}", "--to", format)
        run("info", tmp_path / f"to{hostile}", "--from", format)


def test_messages(results: list[Path], hostile: str, tmp_path: Path) -> None:
    pairs, *_ = results
    missing, broken = tmp_path / f"missing{hostile}", tmp_path / f"broken{hostile}.jsonl"
    broken.write_text(json.dumps({"id": hostile, "source": 1}), encoding="utf-8")
    commands = [
        "recover",
        "align",
        "segment",
        "show",
        "info",
        "m2",
        "tune",
        "ablate",
        "reproduce",
    ]
    for command, file in product(commands, (missing, broken)):
        assert run(command, file).exit_code in (1, 2)
    for command in ("evaluate", "score", "diff", "view"):
        assert run(command, broken, broken).exit_code in (1, 2)
    options = "segmenter method weights context glyph-table habits columns from to encoding config"
    for name in options.split():
        assert run("recover", pairs, f"--{name}", hostile).exit_code in (1, 2)
    for output in (tmp_path / f"no{hostile}" / "x", tmp_path):
        assert run("recover", pairs, *CHARACTERS, "-o", output).exit_code == 2
    for name in ("segmenter", "context", "method", "weights", hostile):
        (tmp_path / "c.toml").write_text(f"{json.dumps(name)} = {json.dumps(hostile)}")
        assert run("recover", pairs, "--config", tmp_path / "c.toml").exit_code in (1, 2)


@pytest.mark.parametrize("given", HOSTILE[:-1])
def test_ids_and_types(given: str, tmp_path: Path) -> None:
    pairs, recovered, rows = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "s.jsonl"))
    record = {"id": f"1{given}", "source": "旅行困", "target": "旅行团"}
    pairs.write_text(json.dumps(record), encoding="utf-8")
    assert run("recover", pairs, *CHARACTERS, "-o", recovered).exit_code == 0
    for table in TABLES:
        run("score", pairs, pairs, *CHARACTERS, "--format", table)
        run("evaluate", recovered, recovered, "--format", table)
    run("show", pairs, "--methods", "p1", "--segmenter", "builtins:list")
    run("info", recovered)
    assert run("score", pairs, pairs, *CHARACTERS, "--sentences", rows).exit_code == 0
    assert len(list(map(json.loads, rows.read_bytes().splitlines()))) == 1
    m2 = tmp_path / "x.m2"
    kind = given.replace("\n", "").replace("\r", "")
    m2.write_text(f"S 旅 困\nA 1 2|||S{kind}|||团|||REQUIRED|||-NONE-|||0\n\n", encoding="utf-8")
    for table in TABLES:
        assert run("score", m2, m2, "--format", table).exit_code == 0
    assert run("score", m2, m2, "--sentences", rows).exit_code == 0
    assert len(list(map(json.loads, rows.read_bytes().splitlines()))) == 1
