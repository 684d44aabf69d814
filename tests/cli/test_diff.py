from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cijie
from cijie.cli.main import cijie as command

from learners import SENTENCES, write_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_corpus(tmp_path)
    return tmp_path


def _diff(*arguments: object) -> Result:
    return CliRunner().invoke(command, ["diff", *map(str, arguments)])


def test_what_differs_with_reasons(corpus: Path) -> None:
    result = _diff(corpus / "D.jsonl", corpus / "P2.jsonl")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[:3] == [
        "1  我参加了旅行困。",
        "  4–7  D 旅行|困  P2 旅行困",
        "    P2: 旅行困 is one word, because 旅行团 is, and 困 looks like 团 (similarity .89).",
    ]
    assert "right" not in result.stdout  # a sentence that both cut alike
    found = list(cijie.diff(corpus / "D.jsonl", corpus / "P2.jsonl"))
    regions, sentences = len(found), len({each.id for each in found})
    assert result.stderr == f"{regions} regions in {sentences} sentences\n"
    in_chinese = _diff(corpus / "D.jsonl", corpus / "P2.jsonl", "--lang", "zh").stdout.splitlines()
    assert in_chinese[2] == (
        "    P2: “旅行困”是一个词，因为“旅行团”是一个词，且“困”形似“团”（相似度 .89）。"
    )
    refused = _diff(corpus / "D.jsonl", corpus / "P2.jsonl", "--lang", "zh", "--format", "tsv")
    assert "--lang has no effect on --format tsv" in refused.stderr


def test_rows(corpus: Path) -> None:
    result = _diff(corpus / "D.jsonl", corpus / "P2.jsonl", "--format", "tsv", "-q")
    head, first, *_ = [line.split("\t") for line in result.stdout.splitlines()]
    assert head == ["id", "start", "end", "D", "P2", "reasons of D", "reasons of P2"]
    assert first[:5] == ["1", "4", "7", "旅行|困", "旅行困"]
    assert first[5] == ""
    same = _diff(corpus / "D.jsonl", corpus / "D.jsonl", "--format", "tsv")
    assert (same.stdout.count("\n"), same.stderr) == (1, "0 regions in 0 sentences\n")


def test_a_page_is_made_by_view(corpus: Path) -> None:
    result = _diff(corpus / "D.jsonl", corpus / "P2.jsonl", "-o", corpus / "page.html")
    assert result.exit_code == 2
    assert "`cijie view A B` makes a page" in result.stderr


def test_sentences_that_one_lacks(corpus: Path) -> None:
    (corpus / "one.jsonl").write_bytes((corpus / "D.jsonl").read_bytes().split(b"\n")[0])
    result = _diff(corpus / "P2.jsonl", corpus / "one.jsonl")
    message = "P2 has this sentence, but one does not; --intersection skips it\n"
    assert (result.exit_code, result.stderr.endswith(message)) == (1, True)
    lacks = f"P2: {len(SENTENCES) - 1} sentences left out"
    for arguments in (("P2", "one", "--intersection"), ("one", "P2")):
        files = [corpus / f"{name}.jsonl" for name in arguments[:2]]
        result = _diff(*files, *arguments[2:])
        assert result.stderr.splitlines() == ["1 region in 1 sentence", lacks]


def test_nothing_is_written_over(corpus: Path) -> None:
    assert _diff(corpus / "D.jsonl", corpus / "P2.jsonl", "-o", corpus / "D.jsonl").exit_code == 2
    assert _diff("-", "-").exit_code == 2
