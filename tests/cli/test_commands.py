"""The commands as users call them, in a process of their own only where that matters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie import Recoverer, __version__
from cijie.cli.main import cijie
from cijie.segmenters import LIBRARIES
from cijie.signatures import short

# One word a character, so that no model is loaded.
CHARACTERS = ("--segmenter", "builtins:list")


def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(cijie, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "1\t么什\t什么\n2\t天气\t没有错误\n3\t旅行困\t旅行者\t旅行团\n", encoding="utf-8"
    )
    return path


def test_recover_writes_records_and_a_summary(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    method = ("--method", "p2", "--glyph-table", "identity")
    result = run("recover", pairs, "-o", out, *CHARACTERS, *method)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    first, second = map(orjson.loads, out.read_bytes().splitlines())
    assert first == {
        "id": "1",
        "source": "么什",
        "target": "什么",
        "words": ["么", "什"],
        "spans": [[0, 1], [1, 2]],
        "initial_spans": [[0, 1], [1, 2]],
        "target_spans": [[0, 1], [1, 2]],
        "links": [[0, 1, "anchor", None]],
        "changes": [],
    }
    assert second["target"] == "旅行者"
    assert result.stderr.splitlines() == [
        "2 pairs; 1 row without error left out",
        (
            "coverage 60.00% of 5 source characters, 60.00% of 5 target characters; "
            "no residual links"
        ),
        "0 boundaries inserted and 0 removed, in 0 pairs",
        short(Recoverer("builtins:list", "p2", glyph_table="identity").signature),
    ]


def test_recover_for_review_gives_the_least_sure_first(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    words = {"source_tokens": ["不", "会", "去"], "target_tokens": ["不要", "去"]}
    records = [
        {"id": "sure", "source": "好", "target": "好"},
        {"id": "unsure", "source": "不会去", "target": "不要去", **words},
    ]
    path.write_bytes(b"\n".join(map(orjson.dumps, records)))
    result = run("recover", path, "--method", "p3", "--review", 1, "--to", "tsv", *CHARACTERS)
    _, row = result.stdout.splitlines()
    assert row.startswith("unsure\t")
    assert result.stderr.startswith("2 pairs")
    for others in (["--to", "tsv", "--method", "p2"], ["--to", "jsonl"], []):
        assert run("recover", path, "--review", 1, *others, *CHARACTERS).exit_code == 2


def test_recover_from_standard_input_to_text() -> None:
    stdin = '{"source": "旅行困", "target": "旅行团", "target_tokens": ["旅行", "团"]}'
    result = run("recover", "-", "--from", "jsonl", "--to", "text", *CHARACTERS, stdin=stdin)
    assert result.stdout == "旅行 困\n"
    assert (
        run(
            "recover", "-", "--from", "jsonl", "--to", "text", "-q", *CHARACTERS, stdin=stdin
        ).stderr
        == ""
    )


def test_recover_two_files_of_lines(tmp_path: Path) -> None:
    source, target, out = (tmp_path / name for name in ("S.txt", "T.txt", "out.txt"))
    source.write_text("甲乙\n\n丙丁\n", encoding="utf-8")
    target.write_text("甲乙\n\n丁\n", encoding="utf-8")
    for option in ("-", "--"):
        options = (f"{option}orig", source, f"{option}cor", target)
        assert run("recover", *options, "-o", out, *CHARACTERS).exit_code == 0
        assert out.read_text(encoding="utf-8") == "甲 乙\n\n丙 丁\n"
        out.unlink()


def test_its_output_can_be_its_input(pairs: Path, tmp_path: Path) -> None:
    once, twice = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert run("recover", pairs, "-o", once, *CHARACTERS).exit_code == 0
    assert run("recover", once, "-o", twice, "--segmenter", "builtins:str").exit_code == 0
    assert once.read_bytes() == twice.read_bytes()


def test_align(pairs: Path) -> None:
    result = run("align", pairs, "--method", "p1", "--signature", "long")
    assert orjson.loads(result.stdout.splitlines()[0]) == {
        "id": "1",
        "source": "么什",
        "target": "什么",
        "links": [[0, 1, "anchor", None]],
        "source_coverage": 0.5,
        "target_coverage": 0.5,
        "crossings": 0,
    }
    assert result.stderr.splitlines()[-1] == f"cijie:{__version__}|method:p1"


def test_segment() -> None:
    result = run("segment", *CHARACTERS, stdin="我 去\n\n好".encode())
    assert result.stdout == "我 去\n\n好\n"
    result = run("segment", *CHARACTERS, "--to", "jsonl", stdin="我 去".encode())
    assert orjson.loads(result.stdout) == {
        "id": "1",
        "source": "我 去",
        "words": ["我", "去"],
        "spans": [[0, 1], [2, 3]],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["recover"], "give either PAIRS or --orig and --cor"),
        (["recover", "no-such-file.tsv"], "'no-such-file.tsv' does not exist"),
        (["recover", "{pairs}", "--orig", "{pairs}"], "--orig and --cor must be given together"),
        (["recover", "{pairs}", "--from", "parallel"], "'parallel' is not one of"),
        (["recover", "{pairs}", "--method", "p9"], "'p9' is not one of"),
        (["recover", "{pairs}", "--weights", "glyf=1"], "unknown weight 'glyf'"),
        (["recover", "{pairs}", "--weights", "glyph"], "weight glyph"),
        (["recover", "{pairs}", "--glyph-table", "no.csv"], "file not found: 'no.csv'"),
        (["recover", "{pairs}", "--segmenter", "jiba"], "unknown segmenter 'jiba'"),
        (["recover", "{pairs}", "--segmenter", "no.such:thing"], "No module named 'no'"),
        (["recover", "{pairs}", "--segmenter-option", "hmm"], "expected NAME=VALUE, got 'hmm'"),
        (["recover", "{pairs}", "-o", "{pairs}"], "is an input"),
        (["recover", "{pairs}", "-o", "no/such/out.jsonl"], "the folder no/such does not exist"),
        (
            ["recover", "{pairs}", "--method", "p1", "--threshold", "1"],
            "--threshold has no effect on p1",
        ),
        (["recover", "{pairs}", "--context", "embedded"], "context has no effect"),
        (["recover", "{pairs}", "--weights", "pos=1,pos=0"], "duplicate weight pos"),
        (
            ["recover", "{pairs}", "--segmenter-option", "a=1", "--segmenter-option", "a=2"],
            "is given twice",
        ),
        (
            ["recover", "{pairs}", "--join-rule", "contiguous"],
            "--join-rule has no effect on p3",
        ),
        (
            ["recover", "{pairs}", "--method", "p1", "--glyph-table", "identity"],
            "--glyph-table has no effect on p1",
        ),
        (["recover", "{pairs}", "--ibm-model", "{pairs}"], "--ibm-model has no effect on p3"),
        (
            ["recover", "x*", "-o", "x", "--scheduler", "x", "--workers", "2"],
            "--workers has no effect with --scheduler",
        ),
        (
            ["recover", "--orig", "{pairs}", "--cor", "{pairs}", "--ids", "any"],
            "--ids has no effect on lines",
        ),
        (["align", "{pairs}", "--join-rule", "contiguous"], "--join-rule has no effect on links"),
        (["m2", "{pairs}", "--level", "char", "--method", "p1"], "no effect with --level char"),
        (["similarity", "困", "团", "-n", "3"], "-n has no effect without --near"),
        (["similarity", "--near", "困", "-n", "0"], "0 is not in the range"),
        (["tune", "{pairs}", "--gold", "{pairs}", "--best", "{pairs}"], "is an input"),
        (["tune", "{pairs}", "--gold", "{pairs}", "--best", "x", "--figure", "x"], "twice"),
        (["segment", "no-such-file.txt"], "does not exist"),
        (["m2", "-orig", "-", "-cor", "-"], "only one file can be standard input"),
        (["recover", "--orig", "-", "--cor", "-"], "only one file can be standard input"),
        (["recovr"], "No such command 'recovr'"),
    ],
)
def test_wrong_usage_is_code_2(pairs: Path, arguments: list[str], message: str) -> None:
    result = run(*(argument.format(pairs=pairs) for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.mark.parametrize("command", ["recover", "align"])
def test_bad_data_is_code_1_and_leaves_no_file(command: str, tmp_path: Path) -> None:
    bad, out = tmp_path / "bad.tsv", tmp_path / "out.jsonl"
    bad.write_bytes("1\t甲\t乙\n2\tcaf\xe9\t丁\n".encode("latin-1", "replace"))
    options = CHARACTERS if command == "recover" else ()
    result = run(command, bad, "-o", out, *options)
    assert result.exit_code == 1
    assert f"{bad}:2: not UTF-8: byte 0xe9 at column 6" in result.stderr
    assert list(tmp_path.iterdir()) == [bad]


def test_bad_words_name_the_line(tmp_path: Path) -> None:
    result = run("segment", "--segmenter", "builtins:reversed", stdin="好了\n".encode())
    assert result.exit_code == 1
    message = (
        "-:1: id 1: function:builtins:reversed: at offset 0: expected '好' (U+597D), found '了'"
    )
    assert message in result.stderr


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("recover {empty} --segmenter builtins:list", None),
        ("align {empty}", None),
        ("segment {empty} --segmenter builtins:list", None),
        ("m2 {empty} --segmenter builtins:list", None),
        ("convert {empty} - --from jsonl --to para", None),
        ("evaluate {empty} {empty}", "no sentence to score"),
        ("view {empty} --gold {empty} -o {out}", "no sentence to show"),
        (
            "tune {pairs} --gold {empty} --segmenter builtins:list -q",
            "no pair has gold: the ids of the pairs and of gold do not match",
        ),
        (
            "ablate {empty} --gold {empty} --segmenter builtins:list -q",
            "no pair has gold: the ids of the pairs and of gold do not match",
        ),
        ("train-ibm {empty} -o {out} --segmenter builtins:list", "no pair with characters"),
        ("bench synthetic {empty} -o {out} --from text", "{empty}: found no sentence"),
        ("bench learner {empty} -o {out}", "{empty}: no sentence has a correction"),
        ("bench learner {pairs} -o {out} --gold {empty}", "{empty}: no sentence"),
        (
            "annotate start {empty} -o {out} --annotators A --segmenter builtins:list",
            "nothing to annotate",
        ),
    ],
)
def test_nothing_in_is_nothing_out_but_no_result(
    command: str, message: str | None, pairs: Path, tmp_path: Path
) -> None:
    names = {"pairs": pairs, "empty": tmp_path / "empty.jsonl", "out": tmp_path / "out.html"}
    names["empty"].touch()
    result = run(*command.format(**names).split())
    assert result.stdout == ""
    if message is None:
        assert result.exit_code == 0, result.stderr
    else:
        assert result.exit_code == 1
        assert result.stderr.startswith("Error: " + message.format(**names))
    assert not names["out"].exists()


@pytest.mark.parametrize(
    "command", [[], ["recover"], ["align"], ["segment"], ["demo"], ["info"], ["similarity"]]
)
def test_every_command_has_help(command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert "Usage: cijie" in result.stdout


def test_similarity_of_two_characters_and_the_nearest_of_one() -> None:
    result = run("similarity", "困", "困")
    assert [line.split()[:2] for line in result.stdout.splitlines()[1:]] == [
        ["glyph", "1.000"],
        *([name, "1.000"] for name in ("pinyin-marks", "pinyin-numbers", "tone-aware")),
        ["emb", "1.000"],
        ["pos", "-"],
    ]
    nearest = run("similarity", "--near", "困", "-n", 3, "--glyph-table", "builtin").stdout
    assert len(nearest.splitlines()) == 3
    for arguments in (
        ["困"],
        ["困难", "团"],
        [],
        ["困", "团", "--near", "困"],
        ["团", "--near", "困"],
    ):
        assert run("similarity", *arguments).exit_code == 2


def test_info_lists_the_segmenters() -> None:
    result = run("info")
    assert result.exit_code == 0
    for name in ("wapic", "rjieba", "jieba", "numpy", "glyph table"):
        assert name in result.stdout
    for name, library in LIBRARIES.items():
        assert library.installed() or f"cijie[{library.extra or name}]" in result.stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, click.testing, cijie.cli.main as main;"
        "click.testing.CliRunner().invoke(main.cijie, ['--help'], catch_exceptions=False);"
        "print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "rapidfuzz", "regex", "pypinyin", "rich", "orjson"} & set(loaded)


@pytest.mark.parametrize(
    "command", [["--help"], ["info"], ["segment"], ["segment", "-o", "{full}"]]
)
def test_a_full_device_is_told_in_one_line(command: list[str]) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no full device")
    options = CHARACTERS if "segment" in command else ()
    with full.open("wb") as stdout:
        done = subprocess.run(
            [sys.executable, "-m", "cijie", *(x.format(full=full) for x in command), *options],
            input="我\n".encode(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"Error: No space left on device\n")


def test_standard_output_is_utf_8_in_every_locale() -> None:
    command = [sys.executable, "-m", "cijie", "similarity", "--near", "困", "-n", "1"]
    for environment in ({"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "gb2312"}):
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == "睏\t0.970\n"


def test_a_closed_pipe_ends_silently() -> None:
    command = [sys.executable, "-m", "cijie", "segment", *CHARACTERS]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.communicate("我\n".encode() * 9999)[1] == b""


def test_results_are_the_same_in_every_process(pairs: Path) -> None:
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), *CHARACTERS]
    outputs = {
        subprocess.run(
            command,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("name", ["pairs.tsv", "../{folder}/pairs.tsv", "link", "hard", "{here}"])
def test_inputs_are_not_written_over_by_any_name(
    name: str, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pairs.read_bytes()
    monkeypatch.chdir(pairs.parent)
    Path("link").symlink_to(pairs)
    Path("hard").hardlink_to(pairs)
    result = run("align", pairs, "-o", name.format(folder=pairs.parent.name, here=pairs))
    assert result.exit_code == 2
    assert "is an input" in result.stderr
    assert pairs.read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ("recover", "{pairs}", *CHARACTERS, "-o", "loop"),
        ("recover", "{pairs}", *CHARACTERS, "-o", "loop", "--resume"),
        ("recover", "*.jsonl", *CHARACTERS, "-o", "loop"),
        ("convert", "{pairs}", "loop", "--to", "jsonl"),
        ("bench", "synthetic", "{pairs}", "--from", "text", "-o", "loop"),
    ],
)
def test_an_output_that_links_to_itself_is_an_error(
    command: tuple[str, ...], pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pairs.parent)
    Path("loop").symlink_to("loop")
    result = run(*(argument.format(pairs=pairs) for argument in command))
    assert result.exit_code == 1
    assert "loop: Too many levels of symbolic links" in result.stderr


@pytest.mark.parametrize(
    ("command", "content"),
    [
        (("recover", "{pairs}", *CHARACTERS, "--user-words"), "旅行团\n"),
        (("recover", "{pairs}", *CHARACTERS, "--glyph-table"), "CharA,CharB,similarity\n"),
        (("recover", "{pairs}", *CHARACTERS, "--config"), 'method = "p1"\n'),
        (("align", "{pairs}", "--method", "p1", "--ibm-model"), "no model"),
        (("segment", *CHARACTERS), "我去\n"),
        (("evaluate", "{pairs}"), "我 去\n"),
        (("m2", *CHARACTERS, "--level", "char"), "1\t我\t我们\n"),
    ],
)
def test_no_input_of_any_kind_is_written_over(
    command: tuple[str, ...], content: str, pairs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "x.txt"
    path.write_text(content, encoding="utf-8")
    result = run(*(argument.format(pairs=pairs) for argument in command), path, "-o", path)
    assert result.exit_code == 2
    assert "is an input" in result.stderr
    assert path.read_text(encoding="utf-8") == content


def test_a_file_of_settings_does_not_say_which_code_is_run(pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('segmenter = "os:system"\n')
    result = run("recover", pairs, "--config", tmp_path / "x.toml")
    assert result.exit_code == 2
    assert "name os:system on the command line" in result.stderr
