"""What users say about files, where names and content do not: the same for every command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie

RECORDS = """\
{"id":"a","source":"我去学较","words":["我","去","学较"],"target":"我去学校"}
{"id":"b","source":"他喜欢书","words":["他","喜欢","书"],"target":"他喜欢看书"}
"""
CUT = ("--segmenter", "builtins:list")
LINES = ("--source", "s", "--system", "s", "--reference", "s")
TOLD = ("--from", "csv", "--encoding", "gb18030")
COLUMNS = ("--columns", "id=nr,source=learner,words=cut,target=better")
COMMANDS = {
    "align": ("{0}", "--method", "p1"),
    "bench": ("synthetic", "{0}", "-o", "{1}", "--ratios", "10"),
    "diff": ("{0}", "{0}", "--format", "tsv"),
    "evaluate": ("{0}", "{0}", "--trials", "1"),
    "m2": ("{0}", "--method", "p1", *CUT),
    "recover": ("{0}", "--method", "p1", *CUT),
    "score": ("{0}", "{0}", "--trials", "1", *CUT),
    "segment": ("{0}", *CUT),
    "show": ("{0}", *CUT),
    "train-ibm": ("{0}", "-o", "{1}", "--iterations", "1", *CUT),
    "view": ("{0}", "{0}", "-o", "{1}", "--title", "x"),
}


def run(command: str, *arguments: str) -> Result:
    return CliRunner().invoke(cijie, [command, *arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("x.jsonl").write_text(RECORDS, encoding="utf-8")
    assert run("convert", "x.jsonl", "x.csv").exit_code == 0
    head, _, rows = Path("x.csv").read_text(encoding="utf-8-sig").partition("\n")
    assert head == "id,source,words,target"
    Path("there").mkdir()
    Path("there/x").write_text(f"nr,learner,cut,better\n{rows}", encoding="gb18030")
    return tmp_path


def made(path: Path) -> list[bytes]:
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [file.read_bytes() for file in files if file.is_file()]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_is_what_users_say(command: str, folder: Path) -> None:
    arguments = COMMANDS[command]
    known = run(command, *(x.format("x.csv", "known") for x in arguments))
    assert known.exit_code == 0, known.stderr
    told = [x.format("there/x", "told") for x in arguments]
    for missing in ((*TOLD[:2], *COLUMNS), TOLD):
        assert run(command, *told, *missing).exit_code == 1
    result = run(command, *told, *TOLD, *COLUMNS)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == known.stdout
    if "{1}" in arguments:
        assert made(folder / "told") == made(folder / "known")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_so_is_wrong_usage(command: str, folder: Path) -> None:
    (folder / "x.m2").write_text("S 我 去 学较\n\n", encoding="utf-8")
    (folder / "x.conllu").write_text("1\t我\t_\t_\t_\t_\t_\t_\t_\t_\n\n", encoding="utf-8")
    words = command in ("bench", "diff", "evaluate", "view")
    arguments = [x.format("x.conllu" if words else "x.m2", "told") for x in COMMANDS[command]]
    for wrong, message in (
        (("--encoding", "nope"), "unknown encoding: nope"),
        (COLUMNS, "takes no names of columns"),
    ):
        result = run(command, *arguments, *wrong)
        assert result.exit_code == 2, result.output
        assert message in result.stderr


def test_a_column_is_named_once(folder: Path) -> None:
    (folder / "x.csv").write_text("source,target\n我,你\n", encoding="utf-8")
    result = run("align", "x.csv", "--columns", "target=source,target=target")
    assert result.exit_code == 2
    assert "target is given twice: 'target=source,target=target'" in result.stderr


@pytest.mark.parametrize("arguments", [("m2", "-orig", "s", "-cor", "s"), ("score", *LINES)])
def test_lines_of_an_unknown_encoding(arguments: tuple[str, ...], folder: Path) -> None:
    (folder / "s").write_text("我\n", encoding="utf-8")
    result = run(*arguments, *CUT, "--encoding", "nope")
    assert result.exit_code == 2
    assert "unknown encoding: nope" in result.stderr


def test_what_is_said_is_not_about_what_cijie_ships(folder: Path) -> None:
    (folder / "there/x").write_text(
        "nr,learner,cut,better\nx,我去,我 去,我来\n", encoding="gb18030"
    )
    result = run("evaluate", "builtin", "there/x", "--intersection", *TOLD, *COLUMNS)
    assert result.exit_code == 1
    assert "no sentence to score" in result.stderr


def test_files_of_lines_have_an_encoding_and_no_columns(folder: Path) -> None:
    for name, text in {"s": "我去学较", "t": "我去学校"}.items():
        (folder / name).write_text(f"{text}\n", encoding="utf-16")
    files = ("--source", "s", "--system", "t", "--reference", "t", *CUT, "--trials", "1")
    assert run("score", *files).exit_code == 1
    result = run("score", *files, "--encoding", "utf-16")
    assert result.exit_code == 0, result.stderr
    for refused, why in (
        (("--from", "csv"), "csv is no format of lines side by side"),
        (COLUMNS, "has no effect on files of lines"),
    ):
        result = run("score", *files, *refused)
        assert result.exit_code == 2
        assert why in result.stderr


def test_m2_has_an_encoding(folder: Path) -> None:
    block = "S 我 去 学较\nA 2 3|||S|||学校|||REQUIRED|||-NONE-|||0\n\n"
    (folder / "x.m2").write_text(block, encoding="gb18030")
    assert run("score", "x.m2", "x.m2").exit_code == 1
    result = run("score", "x.m2", "x.m2", "--encoding", "gb18030", "--trials", "1")
    assert result.exit_code == 0, result.stderr
    (folder / "x.data").write_text(block, encoding="utf-8")
    result = run("score", "x.data", "x.data", "--from", "errant", "--trials", "1")
    assert result.exit_code == 0, result.stderr
