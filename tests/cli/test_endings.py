"""What the name of an output decides, and inputs that are URLs."""

from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.signatures import short

from recovered import SUBSTITUTED, recovered

CUT = ("--segmenter", "builtins:list")
SHOW = ("show", "我去学较", "我去学校", *CUT)
EVALUATE = ("evaluate", "r.jsonl", "r.jsonl", "--trials", "1")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cijie, arguments)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    result = orjson.dumps(recovered(*SUBSTITUTED).as_record("1"))
    Path("r.jsonl").write_bytes(result + b"\n")
    Path("p.tsv").write_text("1\t我去学较\t我去学校\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "output", "begins"),
    [
        (SHOW, "x.svg", "<svg"),
        (SHOW, "x.HTML", "<!DOCTYPE html>"),
        (SHOW, "x.txt", "S "),
        (("diff", "r.jsonl", "r.jsonl"), "x.tsv", "id\t"),
        (EVALUATE, "x.json", "{\n"),
        (EVALUATE, "x.tex", "% cijie"),
        (EVALUATE, "x.md", "Token scores (micro-averaged) and other scores\n\n| system |"),
        (("score", "p.tsv", "p.tsv", "--trials", "1", *CUT), "x.json", "{\n"),
    ],
)
def test_the_ending_of_the_output_says_what_is_written(
    command: tuple[str, ...], output: str, begins: str
) -> None:
    assert run(*command, "-o", output).exit_code == 0
    assert Path(output).read_text(encoding="utf-8").startswith(begins)


@pytest.mark.parametrize(
    ("command", "output", "known"),
    [
        (
            SHOW,
            "a.pdf",
            ".svg, .png, .html, .json, .jsonl, .txt. Browsers and drawing programs make PDF",
        ),
        (SHOW, "a.xyz", ".svg, .png"),
        (EVALUATE, "t.xlsx", ".json, .tsv, .tex, .md, .txt."),
        (("score", "p.tsv", "p.tsv", *CUT), "t.pdf", ".json"),
    ],
)
def test_other_endings_are_refused(command: tuple[str, ...], output: str, known: str) -> None:
    result = run(*command, "-o", output)
    assert result.exit_code == 2
    assert f"cannot write {Path(output).suffix}: the output ends in {known}" in result.stderr
    assert not Path(output).exists()


def test_a_signature_is_short_unless_it_is_kept() -> None:
    shown = run(*EVALUATE).stdout.splitlines()[-1]
    assert re.fullmatch(r"cijie \S+, token-f1, #[0-9a-f]{8}", shown)
    long = run(*EVALUATE, "--signature", "long").stdout.splitlines()[-1]
    assert long.endswith("|score:token-f1|average:micro|sentences:1")
    assert short(long) == shown
    run(*EVALUATE, "-o", "x.txt")
    assert Path("x.txt").read_text(encoding="utf-8").splitlines()[-1] == long


def test_a_format_that_is_named_overrules_it() -> None:
    assert run(*SHOW, "-o", "x.svg", "--format", "text").exit_code == 0
    assert Path("x.svg").read_text(encoding="utf-8").startswith("S ")


@pytest.mark.parametrize(
    "command",
    [
        ("recover", "{}", "--method", "p1", *CUT),
        ("align", "{}", "--method", "p1"),
        ("info", "{}"),
        ("convert", "{}", "-", "--to", "jsonl"),
    ],
)
def test_inputs_may_be_urls(command: tuple[str, ...], files: Path) -> None:
    by_path, by_url = (
        run(*(part.format(name) for part in command)) for name in ("p.tsv", f"file://{files}/p.tsv")
    )
    assert by_url.exit_code == 0, by_url.output
    assert by_url.stdout == by_path.stdout


NO_TEXT = {
    "M2: 'S 我 去'; --from errant": "S 我 去\nA 0 1|||S|||你|||REQUIRED|||-NONE-|||0\n\n",
    """JSON lines: '{"source":"我去"}'; --from jsonl""": '{"source":"我去"}\n',
    "CoNLL-U: '# sent_id = 1'; --from conllu": "# sent_id = 1\n1\t我\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
    r"CoNLL-U: '1\t我\t_\t_\t_\t_\t_\t_\t_\t_'; --from conllu": "1\t我" + 8 * "\t_" + "\n\n",
}


@pytest.mark.parametrize("said", NO_TEXT)
@pytest.mark.parametrize("name", ["-", "s.txt"])
def test_what_is_no_text_is_not_cut(said: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text(NO_TEXT[said], encoding="utf-8")
    source = name if name == "-" else str(tmp_path / name)
    result = CliRunner().invoke(cijie, ["segment", source, *CUT], input=NO_TEXT[said])
    assert result.exit_code == 1
    assert f"this looks like {said} reads it" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("line", ['{"我"}', "{我去}", "# 标题", "SOS 我 去", "1 我"])
def test_text_like_another_format_is_cut(line: str) -> None:
    result = CliRunner().invoke(cijie, ["segment", "-", *CUT], input=f"{line}\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.replace(" ", "") == f"{line}\n".replace(" ", "")
