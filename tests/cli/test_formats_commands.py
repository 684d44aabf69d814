"""`cijie m2` and `cijie convert`."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie

CHARACTERS = ("--segmenter", "builtins:list", "--method", "p1")


def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cijie, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "S.txt": "我去学较\n\n好\n",
        "T.txt": "我去学校\n你\n好\n",
        "T2.txt": "我来学校\n\n好的\n",
        "pairs.tsv": "a\t我去学较\t我去学校\t我来学校\nb\t好\t没有错误\nc\t好好\t无法标注\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_m2_takes_files_as_errant_does(folder: Path) -> None:
    arguments = ("-orig", "S.txt", "-cor", "T.txt", "T2.txt", "-out", "X.m2")
    result = run("m2", *arguments, "--dialect", "errant", *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    assert (folder / "X.m2").read_text(encoding="utf-8") == (
        "S 我 去 学 较\n"
        "A 3 4|||R:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||R:OTHER|||来|||REQUIRED|||-NONE-|||1\n"
        "A 3 4|||R:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||1\n"
        "\n"
        "S\n"
        "A 0 0|||M:OTHER|||你|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n"
        "\n"
        "S 好\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A 1 1|||M:OTHER|||的|||REQUIRED|||-NONE-|||1\n"
        "\n"
    )
    summary = "3 blocks: 2 M:OTHER, 1 R:OTHER, 2 R:SPELL:SHAPE-SOUND, 2 noop"
    assert result.stderr.splitlines()[0] == summary
    assert "builtins:list, p1, #" in result.stderr
    twice = run(
        "m2",
        "-orig",
        "S.txt",
        "-cor",
        "T.txt",
        "-cor",
        "T2.txt",
        "--dialect",
        "errant",
        "-q",
        *CHARACTERS,
    )
    assert twice.stdout == (folder / "X.m2").read_text(encoding="utf-8")


def test_m2_of_pairs_by_character(folder: Path) -> None:
    result = run("m2", "pairs.tsv", "--dialect", "cherrant", "--level", "char")
    assert result.stdout == (
        "S 我 去 学 较\n"
        "T0-A0 我 去 学 校\n"
        "A 3 4|||S:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||0\n"
        "T1-A0 我 来 学 校\n"
        "A 1 2|||S:OTHER|||来|||REQUIRED|||-NONE-|||1\n"
        "A 3 4|||S:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||1\n"
        "\n"
        "S 好\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S 好 好\nT0 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    )
    assert (
        result.stderr.splitlines()[0] == "3 blocks: 1 NA, 1 S:OTHER, 2 S:SPELL:SHAPE-SOUND, 1 noop"
    )


def test_m2_of_json_lines_takes_their_words_and_all_references(folder: Path) -> None:
    words = {"source_tokens": ["我", "去", "学较"], "target_tokens": ["我", "去", "学校"]}
    record = {"id": "a", "source": "我去学较", "references": ["我来学校呢", "我去学校"]}
    text = orjson.dumps(record | words).decode()
    (folder / "pairs.jsonl").write_text(text, encoding="utf-8")
    result = run("m2", "pairs.jsonl", "-q", *CHARACTERS)
    assert result.stdout == (
        "S 我 去 学较\n"
        "T0-A0 我 来 学 校 呢\n"
        "A 1 3|||S:OTHER|||来 学 校 呢|||REQUIRED|||-NONE-|||0\n"
        "T1-A0 我 去 学校\n"
        "A 2 3|||S:SPELL:SHAPE-SOUND|||学校|||REQUIRED|||-NONE-|||1\n"
        "\n"
    )
    again = run("m2", "-", "--from", "jsonl", "-q", *CHARACTERS, stdin=text)
    assert again.stdout == result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--dialect", "errant"),
        ("-orig", "S.txt", "--dialect", "errant"),
        ("-cor", "T.txt", "--dialect", "errant"),
        ("S.txt", "T.txt", "--dialect", "errant"),
        ("pairs.tsv", "--dialect", "errant", "-out", "pairs.tsv"),
        ("pairs.tsv", "--from", "parallel"),
        ("-orig", "S.txt", "-cor", "T.txt", "--from", "jsonl"),
    ],
)
def test_m2_wrong_usage(folder: Path, arguments: tuple[str, ...]) -> None:
    assert run("m2", *arguments, *CHARACTERS).exit_code == 2


def test_m2_of_files_of_different_length(folder: Path) -> None:
    (folder / "T2.txt").write_text("我来学校\n", encoding="utf-8")
    result = run(
        "m2",
        "-orig",
        "S.txt",
        "-cor",
        "T.txt",
        "T2.txt",
        "--dialect",
        "errant",
        *CHARACTERS,
        "-out",
        "X.m2",
    )
    assert result.exit_code == 1
    assert "S.txt:2: T2.txt ends before this line" in result.stderr
    assert not (folder / "X.m2").exists()


def test_convert_there_and_back(folder: Path) -> None:
    assert run("recover", "pairs.tsv", "-o", "r.jsonl", *CHARACTERS).exit_code == 0
    result = run("convert", "r.jsonl", "r.csv")
    assert (result.exit_code, result.stderr) == (0, "1 sentence, jsonl to csv-bom\n")
    assert (folder / "r.csv").read_bytes().splitlines() == [
        b"\xef\xbb\xbfid,source,words,target,target_words,initial_words,links,changes",
        "a,我去学较,我 去 学 较,我去学校,我 去 学 校,我 去 学 较,".encode()
        + b'"[[0,0,""anchor"",null],[1,1,""anchor"",null],[2,2,""anchor"",null]]",[]',
    ]
    assert run("convert", "r.csv", "words", "--to", "text", "--side", "target", "-q").stderr == ""
    assert (folder / "words").read_text(encoding="utf-8") == "我 去 学 校\n"
    assert (
        run("convert", "r.jsonl", "-", "--to", "para", "-q").stdout
        == "a\t我 去 学 较\t我 去 学 校\n"
    )
    assert run("convert", "r.jsonl", "-", "--to", "pharaoh", "-q").stdout == "0-0 1-1 2-2\n"
    assert run("convert", "r.jsonl", "x.bmes", "--side", "source").exit_code == 0
    assert run("convert", "x.bmes", "-", "--to", "text", "-q").stdout == "我 去 学 较\n"


@pytest.mark.parametrize("name", ["jsonl", "csv", "para", "bmes", "parquet"])
def test_convert_standard_input(folder: Path, name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    options = ("--from", "para", "--to", name, "-q")
    (folder / "p.para").write_text("1\t我 去\t我 去 了\n", encoding="utf-8")
    assert run("convert", "p.para", "x", *options).exit_code == 0
    content = (folder / "x").read_bytes()
    result = run("convert", "-", "-", "--from", name, "--to", "text", "-q", stdin=content)
    assert (result.exit_code, result.stdout) == (0, "我 去\n"), result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("pairs.tsv", "x.txt"), 1, "id a: has no words"),
        (("pairs.tsv", "x.para"), 1, "has targets without words; `cijie recover` finds them"),
        (("pairs.tsv", "x"), 2, "does not say which format to write"),
        (("pairs.tsv", "x.m2"), 2, "use --to cherrant or --to errant"),
        (("pairs.tsv", "x", "--to", "xml"), 2, "'xml' is not one of 'jsonl', 'json'"),
        (("pairs.tsv", "x", "--to", "ctb"), 2, "cijie reads ctb, but does not write it"),
        (("S.txt", "x.jsonl"), 1, "unknown format"),
        (("pairs.tsv", "pairs.tsv", "--to", "jsonl"), 2, "is an input"),
        (("-", "x", "--to", "jsonl"), 2, "name the format of standard input with --from"),
    ],
)
def test_convert_that_cannot_be(
    folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    result = run("convert", *arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert not (folder / "x").exists()
