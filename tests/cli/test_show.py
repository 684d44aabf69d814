from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.cli.show import PictureOutput

from learners import dump

PAIR = "我参加了旅行困", "我参加了旅行团"


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    rows = ["1\t他来\t她来", f"26\t{PAIR[0]}\t{PAIR[1]}\t我参加了旅游", "7\t好\t没有错误"]
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def show(*arguments: object) -> Result:
    command = ["show", *map(str, arguments), "--segmenter", "builtins:list"]
    return CliRunner().invoke(cijie, command)


def test_one_pair() -> None:
    result = show(*PAIR, "--methods", "d=direct,p2")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:5] == [
        "S    我│参│加│了│旅│行│困",
        "     │  │  │  │  │  │  ┊",
        "T    我│参│加│了│旅│行│团",
        "d    我│参│加│了│旅│行│困",
        "p2   我│参│加│了│旅│行│困",
    ]


def test_several_targets() -> None:
    result = show(*PAIR, "我参加了旅游")
    assert result.stdout.count("S    我") == 2


def test_a_sentence_of_a_file(pairs: Path) -> None:
    first = show(pairs)
    assert first.stdout.startswith("id 1\nS    他│来\n")
    result = show(pairs, "--id", "26")
    assert result.stdout.count("id 26\n") == 2  # it has two corrections
    assert show(pairs, "--id", "9").exit_code == 1
    assert "pairs.tsv: no sentence has the id '9'" in show(pairs, "--id", "9").stderr


def test_a_sentence_of_standard_input(pairs: Path) -> None:
    command = ["show", "-", "--id", "26", "--segmenter", "builtins:list", "--from", "mucgec"]
    result = CliRunner().invoke(cijie, command, input=pairs.read_bytes())
    assert result.stdout == show(pairs, "--id", "26").stdout != ""


def test_results_are_shown_as_they_are(tmp_path: Path) -> None:
    record = {
        "id": "5",
        "source": "旅行困",
        "target": "旅行团",
        "tokens": [[0, 3]],
        "initial_spans": [[0, 2], [2, 3]],
        "target_tokens": [[0, 3]],
        "links": [[0, 0, "anchor", None], [1, 1, "anchor", None], [2, 2, "residual", 0.7]],
        "changes": [{"at": 2, "kind": "remove", "by": [0, 3]}],
    }
    path = dump(tmp_path / "mine.jsonl", [record])
    assert "mine   旅 行‿困" in show(path).stdout
    # Asked for methods, it is recovered anew, from the words that it started from.
    again = show(path, "--methods", "p1").stdout
    assert "S    旅 行│困" in again
    assert "p1   旅 行│困" in again


@pytest.mark.parametrize("form", ["svg", "html"])
def test_pictures_to_a_file(tmp_path: Path, form: str) -> None:
    out = tmp_path / f"x.{form}"
    result = show(*PAIR, "--format", form, "-o", out)
    assert (result.exit_code, result.output) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert "<svg" in text
    assert text.startswith("<svg" if form == "svg" else "<!DOCTYPE html>")


def test_png_is_the_svg_at_twice_its_size(tmp_path: Path) -> None:
    out, svg = tmp_path / "x.png", tmp_path / "x.svg"
    assert show(*PAIR, "-o", out).exit_code == show(*PAIR, "-o", svg).exit_code == 0
    png = out.read_bytes()
    assert png.startswith(b"\x89PNG")
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    assert f'viewBox="0 0 {width // 2} {height // 2}"' in svg.read_text(encoding="utf-8")
    dark = show(*PAIR, "-o", out, "--style", "dark")
    assert dark.exit_code == 0
    assert out.read_bytes() != png


def test_png_without_a_chinese_font_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resvg_py

    convert = resvg_py.svg_to_bytes
    monkeypatch.setattr(
        "resvg_py.svg_to_bytes", lambda **given: convert(**given, skip_system_fonts=True)
    )
    result = show(*PAIR, "-o", tmp_path / "x.png")
    assert result.exit_code == 1
    assert "no font has Chinese characters" in result.stderr
    assert not list(tmp_path.iterdir())


def test_the_picture_of_the_readme_is_current(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    made = root / "docs" / "pictures" / "show.svg"
    [command] = [
        line.split()
        for line in (root / "Makefile").read_text(encoding="utf-8").splitlines()
        if "cijie show" in line
    ]
    out = tmp_path / made.name
    assert command[-2:] == ["-o", made.relative_to(root).as_posix()]
    assert CliRunner().invoke(cijie, [*command[1:-1], str(out)]).exit_code == 0
    assert out.read_bytes() == made.read_bytes()  # else: make pictures


def test_methods_take_options_as_in_recover() -> None:
    shared = ["--methods", "d=direct,p2", "--threshold", ".99"]
    for given in (["--method", "p2:threshold=.99"], shared):
        # Nothing but anchors exceeds the threshold, so 困 has no link.
        assert show(*PAIR, *given).stdout.splitlines()[1].split() == ["│"] * 6
    assert "┊" in show(*PAIR, "--methods", "d=direct,p2").stdout
    unused = show(*PAIR, "--methods", "d=direct,p1", "--threshold", ".99")
    assert "--threshold has no effect on d=direct,p1" in unused.stderr
    twice = show(*PAIR, "--methods", "p2:threshold=.8", "--threshold", ".99")
    assert "--threshold has no effect on p2:threshold=.8" in twice.stderr
    assert (unused.exit_code, twice.exit_code) == (2, 2)


def test_a_file_says_how_many_sentences_follow(pairs: Path) -> None:
    more = f"more in {pairs}; --id ID shows one, `cijie view {pairs} -o page.html` all\n"
    assert show(pairs).stderr == f"1 {more}"
    assert show(pairs, "--lang", "zh").stderr.startswith(f"{pairs} 中还有 1 句；")
    assert show(pairs, "--id", "1").stderr == ""
    with pairs.open("a", encoding="utf-8") as stream:
        stream.writelines(f"n{k}\t他来\t她来\n" for k in range(1000))
    assert show(pairs).stderr == f"1,000+ {more}"


def test_a_bad_row_behind_the_sentence_shown_changes_nothing(pairs: Path) -> None:
    rows = pairs.read_text(encoding="utf-8").splitlines(keepends=True)
    pairs.write_text(f"{rows[0]}8\t好\n", encoding="utf-8")
    result = show(pairs)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("id 1\n")
    assert show(pairs, "--id", "8").exit_code == 1


@pytest.mark.parametrize("form", ["text", "svg", "html"])
def test_pictures_in_chinese(form: str) -> None:
    shown = show("旅行困", "旅行团", "--methods", "p2", "--format", form, "--lang", "zh").stdout
    assert "词界不变；“困”形似“团”（相似度 .89）。" in shown
    assert "形近或音近" in shown


@pytest.mark.parametrize(
    ("variables", "output", "terminal", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "-", True, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "-", True, "en"),
        ({"LANG": "C", "LC_ALL": "zh_TW", "LC_MESSAGES": "en_GB.UTF-8"}, "-", True, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "-", True, "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "-", False, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "x.svg", True, "en"),
        ({}, "-", True, "en"),
    ],
)
def test_the_locale_chooses_the_language_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    output: str,
    terminal: bool,
    language: str,
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    chosen = {each: PictureOutput(output=output, lang=each).language() for each in (None, "en")}
    assert chosen == {None: language, "en": "en"}


def test_json(pairs: Path) -> None:
    result = show(pairs, "--id", "26", "--methods", "p1,p3", "--format", "json")
    records = [orjson.loads(line) for line in result.stdout.splitlines()]
    assert [(x["id"], x["method"]) for x in records] == [("26", "p1"), ("26", "p3")] * 2
    assert records[0]["reasons"] == []
    refused = show(*PAIR, "--format", "json", "--style", "dark")
    assert "--style has no effect on --format json" in refused.stderr


def test_usage_errors(pairs: Path) -> None:
    for arguments in (["好"], [*PAIR, "--id", "1"], [*PAIR, "--methods", "p9"]):
        assert show(*arguments).exit_code == 2
    assert show(pairs, "-o", pairs).exit_code == 2


@pytest.mark.parametrize(
    ("language", "stop", "asked"),
    [
        ("en", "An empty line ends.\n", "Source: Target: "),
        ("zh", "空行结束。\n", "源句：改正句："),
    ],
)
def test_a_terminal_is_asked_for_pairs_until_a_line_is_empty(
    language: str, stop: str, asked: str
) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cijie", "show", "--segmenter", "builtins:list"]
    command += ["--lang", language]
    os.write(ours, "\n".join([*PAIR, "好", "很好", "他", "", ""]).encode())
    done = subprocess.run(command, stdin=theirs, capture_output=True, timeout=60, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0
    shown = done.stdout.decode()
    assert shown.count("p3 ") == 2
    assert shown.startswith("S    我")  # it may be piped: prompts are elsewhere
    assert done.stderr.decode() == stop + 3 * asked
    without = CliRunner().invoke(cijie, ["show"])
    assert (without.exit_code, "expected SOURCE and TARGET" in without.stderr) == (2, True)
