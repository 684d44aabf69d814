"""Files that would be misread, or written as what nobody asked for: what users are told instead."""

from __future__ import annotations

import os
from io import BufferedReader, BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie

CHARACTERS = ("--segmenter", "builtins:list", "--method", "p1")
ROWS = "1\t我去学较\t我去学校\n2\t他喜欢书\t他喜欢看书\n"


def run(*arguments: object, stdin: str = "") -> Result:
    # As a pipe has it: what is to come cannot be looked into.
    stream = BufferedReader(BytesIO(stdin.encode()))
    return CliRunner().invoke(cijie, [str(argument) for argument in arguments], input=stream)


def recover(*arguments: object, stdin: str = "") -> Result:
    return run("recover", *arguments, *CHARACTERS, stdin=stdin)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("ID\tSource\tTarget", "id=ID,source=Source,target=Target"),
        ("\ufeffid\tlearner\tcorrected", "source=learner,target=corrected"),
        ("sent_id\t原文\t改正", "id=sent_id,source=原文,target=改正"),
        ("nr\tTarget\tlearner text", "id=nr,source=learner text,target=Target"),
    ],
)
@pytest.mark.parametrize("name", ["x.tsv", "x.txt"])
def test_a_header_of_other_names_is_no_sentence(
    name: str, header: str, columns: str, folder: Path
) -> None:
    (folder / name).write_text(f"{header}\n{ROWS}", encoding="utf-8")
    result = recover(name)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert f"{name}:1: this looks like a header without a column 'source'" in result.stderr
    assert "--columns" in result.stderr
    assert recover(name, "--columns", columns).stdout.count("\n") == 2
    assert recover(name, "--from", "mucgec").stdout.count("\n") == 3


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("id\tsource\ttarget", ("--from", "tsv")),
        ("ID\tlearner\ttarget", ("--from", "tsv", "--columns", "id=ID,source=learner")),
        ("source\ttarget\tid", ("--from", "tsv")),
    ],
)
def test_a_header_on_standard_input_is_no_sentence(header: str, named: tuple[str, ...]) -> None:
    for command in ("recover", "align", "m2"):
        result = run(command, "-", "--method", "p1", stdin=f"{header}\n{ROWS}")
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "standard input:1: this looks like a header" in result.stderr
    result = recover("-", *named, stdin=f"{header}\n{ROWS}")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 2
    assert recover("-", stdin=ROWS).stdout.count("\n") == 2
    assert run("segment", "-", stdin=f"id,source\n{ROWS}").exit_code == 1


@pytest.mark.parametrize(
    "row", ["source1\tSource of life\t生命", "A1\tOK\tOK了", "said\tsource!\tx", "我会\tid\tID"]
)
def test_rows_that_are_no_header(row: str, folder: Path) -> None:
    (folder / "x.tsv").write_text(f"{row}\n{ROWS}", encoding="utf-8")
    assert recover("x.tsv").stdout.count("\n") == (0 if row.startswith("said") else 3)


@pytest.mark.parametrize(
    "rows",
    [
        "我去学较\t我去学校\n他喜欢书\t他喜欢看书\n",
        "我去学较\t我去学校\t我去学院\n好\t好的\t好啊\n他喜欢书\t他喜欢看书\t他爱看书\n",
    ],
)
@pytest.mark.parametrize("name", ["x.tsv", "x.txt"])
def test_sentences_are_no_ids(name: str, rows: str, folder: Path) -> None:
    (folder / name).write_text(rows, encoding="utf-8")
    result = recover(name)
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"{name}:1: rows begin with sentences, not with ids: '我去学较'" in result.stderr
    assert "--columns source=1,target=2 reads them" in result.stderr
    by_number = recover(name, "--columns", "source=1,target=2")
    assert by_number.stdout.count("\n") == rows.count("\n"), by_number.stderr
    given = recover(name, "--from", "mucgec")
    assert given.exit_code == (0 if rows.count("\t") > 2 else 1)
    (folder / name).write_text(f"source\ttarget\tother\n{rows}", encoding="utf-8")
    assert recover(name, "--from", "tsv").exit_code == 0


def test_ids_may_be_chinese(folder: Path) -> None:
    (folder / "x.tsv").write_text(
        "作文一\t我去学较\t我去学校\n作文二\t好\t好的\n", encoding="utf-8"
    )
    assert recover("x.tsv").stdout.count("\n") == 2


def test_two_columns_want_an_id(folder: Path) -> None:
    (folder / "x.tsv").write_text("我\t你\n", encoding="utf-8")
    result = recover("x.tsv")
    assert result.exit_code == 1
    assert "got '我\\t你'; --columns source=1,target=2 reads rows without ids" in result.stderr


def test_rows_are_not_cut_as_lines(folder: Path) -> None:
    (folder / "x.txt").write_text(ROWS, encoding="utf-8")
    segment = ("segment", "--segmenter", "builtins:list")
    result = run(*segment, "x.txt", "-o", "words.txt")
    assert (result.exit_code, (folder / "words.txt").exists()) == (1, False)
    assert "x.txt:1: has a tab: '1\\t我去学较\\t我去学校'; --from mucgec" in result.stderr
    assert run(*segment, "x.txt", "--from", "mucgec").stdout.startswith("我 去 学 较\n")
    assert run(*segment, "x.txt", "--from", "lines").stdout.startswith("1 我 去 学 较 我")


@pytest.mark.parametrize("output", ["x.xlsx", "x.pdf", "x.json", "x.conllu.zip", "x.v2"])
def test_outputs_of_other_kinds_are_refused(output: str, folder: Path) -> None:
    (folder / "x.tsv").write_text(ROWS, encoding="utf-8")
    result = recover("x.tsv", "-o", output)
    assert result.exit_code == 2
    assert f"the name {output} does not say which format to write" in result.stderr
    assert "use --to FORMAT" in result.stderr
    assert not (folder / output).exists()
    assert recover("x.tsv", "-o", output, "--to", "jsonl").exit_code == 0


@pytest.mark.parametrize("output", ["x", "x.jsonl", "x.gz"])
def test_outputs_without_an_ending_are_json_lines(output: str, folder: Path) -> None:
    (folder / "x.tsv").write_text(ROWS, encoding="utf-8")
    assert recover("x.tsv", "-o", output).exit_code == 0
    assert run("info", "--from", "jsonl", output).stdout.startswith("jsonl: JSON lines\n2 ")


@pytest.mark.parametrize("ending", ["seg", "bmes", "errant", "jsonl"])
def test_ids_that_are_left_out_are_said(ending: str, folder: Path) -> None:
    for id, lost in (("1", False), ("s1", ending != "jsonl")):
        (folder / "x.jsonl").write_text(
            f'{{"id":"{id}","source":"我去","words":["我","去"],"target":"你去","target_tokens":'
            '["你","去"]}\n',
            encoding="utf-8",
        )
        to = {"errant": ("x.m2", "--to", "errant")}.get(ending, (f"y.{ending}",))
        result = run("convert", "x.jsonl", *to)
        assert result.exit_code == 0, result.stderr
        assert ("cannot hold them): ids" in result.stderr) == lost


def test_another_encoding_is_named_and_converted(folder: Path) -> None:
    (folder / "x.tsv").write_text(ROWS, encoding="gb18030")
    result = run("show", "x.tsv")
    assert result.stderr.endswith("this may be GB 18030: --encoding gb18030\n")
    result = run("bench", "learner", "x.tsv", "-o", "out")
    assert result.exit_code == 1
    assert "gb18030; `cijie bench learner` has no --encoding: convert the file" in result.stderr
    assert run("convert", "x.tsv", "y.tsv", "--encoding", "gb18030").exit_code == 0
    show = ("show", "x.tsv", "--encoding", "gb18030", "--segmenter", "builtins:list")
    result = run(*show)
    assert result.exit_code == 0, result.stderr
    assert "学" in result.stdout
    assert run("show", "我", "你", "--encoding", "gb18030").exit_code == 2
    assert run(*show, "--columns", "source=x").exit_code == 2


def test_show_takes_other_columns(folder: Path) -> None:
    (folder / "x.data").write_text("learner,better\n我去学较,我去学校\n", encoding="utf-8")
    columns = ("--columns", "source=learner,target=better")
    result = run("show", "x.data", "--from", "csv", *columns, "--segmenter", "builtins:list")
    assert result.exit_code == 0, result.stderr
    assert "较" in result.stdout


@pytest.mark.parametrize(
    ("header", "columns", "message"),
    [
        (
            "id,Source,Target",
            "",
            "no column 'source': ['id', 'Source', 'Target']; name it with --columns sou",
        ),
        (
            "id,source,Target",
            "",
            "no column 'target': ['id', 'source', 'Target']; name it with --columns tar",
        ),
        ("id,source,target", "target=better", "no column 'better'"),
        ("id;source;target", "", "the separator of CSV must be a comma"),
    ],
)
def test_headers_of_csv(header: str, columns: str, message: str, folder: Path) -> None:
    (folder / "x.csv").write_text(f"{header}\n1,我,你\n", encoding="utf-8")
    result = recover("x.csv", *(("--columns", columns) if columns else ()))
    assert result.exit_code == 1
    assert "x.csv:1: the header has " in result.stderr
    assert message in result.stderr


def test_options_that_a_command_lacks_are_those_of_convert(folder: Path) -> None:
    (folder / "x.tsv").write_text(f"id\tSource\tTarget\n{ROWS}", encoding="utf-8")
    lacks = "has no --from and no --columns: convert the file first, with `cijie convert`"
    result = run("bench", "learner", "x.tsv", "-o", "out")
    assert f"`cijie bench learner` {lacks}" in result.stderr
    assert "has no" not in recover("x.tsv").stderr.replace("has no column", "")


def test_only_the_treebank_is_a_folder(folder: Path) -> None:
    result = run("info", ".")
    assert result.exit_code == 1
    assert "found no treebank file (chtb_…) in this folder" in result.stderr
    (folder / "chtb_001.seg").write_text("<S ID=1>\n我 去\n</S>\n", encoding="utf-8")
    assert run("info", ".").stdout.startswith("ctb: ")


@pytest.mark.parametrize(
    "content", ['[{"source": "我", "target": "你"}]', '[\n{"source": "我"}\n]']
)
def test_arrays_are_no_json_lines(content: str, folder: Path) -> None:
    (folder / "x.jsonl").write_text(content, encoding="utf-8")
    result = recover("x.jsonl")
    assert result.exit_code == 1
    assert "--from json reads an array of objects, or an object of objects" in result.stderr
    assert run("info", "x.jsonl", "--from", "json").exit_code == 0


def test_folders_and_texts_where_files_are_expected(folder: Path) -> None:
    assert f"'{folder}/*.tsv', in quotes, stands for the files" in recover(str(folder)).stderr
    assert "echo TEXT | cijie segment" in run("segment", "我参加了旅行团").stderr


def test_a_file_of_unknown_kind_is_to_be_named(folder: Path) -> None:
    (folder / "demo.input").write_text("我去学校\n", encoding="utf-8")
    result = run("info", "demo.input")
    assert result.exit_code == 1
    assert "unknown format: name it with --from NAME" in result.stderr


def test_archives_and_workbooks_are_no_sentences(folder: Path) -> None:
    (folder / "x.tsv").write_text(ROWS, encoding="utf-8")
    with ZipFile("x.zip", "w") as archive:
        archive.write("x.tsv", "dev/x.tsv")
    with ZipFile("x.xlsx", "w") as workbook:
        workbook.writestr("[Content_Types].xml", "<Types/>")
    for command in (("info",), ("segment", "--segmenter", "builtins:list"), ("recover",)):
        for name, said in (
            ("x.zip", "a zip archive: name a file in it, zip://MEMBER::"),
            ("x.xlsx", "a file of an office program (.xlsx, .docx): save it as CSV"),
        ):
            result = run(*command, name)
            assert (result.exit_code, result.stdout) == (1, "")
            assert f"{name}: this is {said}" in result.stderr
    in_archive = recover("zip://dev/x.tsv::x.zip")
    assert (in_archive.exit_code, in_archive.stdout) == (0, recover("x.tsv").stdout)
    missing = recover("zip://x.tsv::x.zip")
    assert (missing.exit_code, "dev/x.tsv" in missing.stderr) == (1, True)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no names for open files")
def test_a_pipe_is_not_read_twice(folder: Path) -> None:
    line = '{"id":"1","source":"我去学较","target":"我去学校","words":["我","去","学较"]}\n'

    def piped(*arguments: str) -> Result:
        """What a shell does for `<(cat x.jsonl)`."""
        reading, writing = os.pipe()
        os.write(writing, line.encode())
        os.close(writing)
        try:
            return run(*(argument.format(f"/dev/fd/{reading}") for argument in arguments))
        finally:
            os.close(reading)

    assert piped("recover", "{}", "--from", "jsonl", *CHARACTERS).stdout.count("\n") == 1
    viewed = piped("view", "{}", "--from", "jsonl", "-o", "x.html", *CHARACTERS[:2])
    assert viewed.exit_code == 0, viewed.stderr
    assert (folder / "x.html").exists()
