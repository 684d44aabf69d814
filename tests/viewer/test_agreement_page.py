"""The page of an agreement in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie

from annotators import OpenPage, shown
from learners import dump

CHARACTERS = ("--segmenter", "builtins:list")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three annotators: C differs in 1, B and C in 2, nobody in 3 and 4, which B flags."""
    record = {"source": "旅行困", "target": "旅行团 <i>", "target_spans": [[0, 3], [4, 7]]}
    pairs = dump(tmp_path / "pairs.jsonl", [record | {"id": id} for id in ("1", "2", "<b>", "4")])
    whole, cut, late = [[0, 3]], [[0, 2], [2, 3]], [[0, 1], [1, 3]]
    versions = {
        "A": (whole, whole, whole, whole),
        "<b>B": (whole, cut, whole, whole),
        "C": (cut, late, whole, whole),
    }
    study = tmp_path / "study"
    _annotate("start", pairs, "--annotators", ",".join(versions), "-o", study, *CHARACTERS)
    for k, (name, cuts) in enumerate(versions.items()):
        records = [
            {"id": id, "spans": spans, "annotator": name}
            | ({"flag": True, "comment": "<i>why</i>"} if (id, k) == ("<b>", 1) else {})
            for id, spans in zip(("1", "2", "<b>", "4"), cuts, strict=True)
        ]
        dump(study / f"annotation-{k}.jsonl", records)
    _annotate("agreement", study)
    return study / "agreement.html"


def _annotate(*arguments: object) -> None:
    result = CliRunner().invoke(cijie, ["annotate", *map(str, arguments)])
    assert result.exit_code == 0, result.output


def test_side_by_side(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    sentences = page.locator(".sentence")
    assert sentences.locator("h2").all_text_contents() == ["1", "2", "<b>"]
    first = sentences.first
    assert first.locator(".row.version .label").all_inner_texts() == ["A <b>B", "C"]
    rows = [row.locator(".word").all_inner_texts() for row in first.locator(".row.version").all()]
    assert ["".join(words.split()) for words in rows[1]] == ["旅行", "困"]
    assert first.locator(".gap").count() == 0
    assert page.inner_text(".remarks li") == "<b>B ⚑ flagged <i>why</i>"
    assert shown(page, "#counts") == "3 of 4"
    page.click("summary")
    assert "pairwise F1" in page.inner_text("#tables")


def test_what_is_shown_can_be_chosen(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    ids = page.locator(".sentence h2")
    for choice, wanted in (
        ("flagged", ["<b>"]),
        ("alone 0", ["2"]),
        ("alone 1", ["2"]),
        ("alone 2", ["1", "2"]),
        ("all", ["1", "2", "<b>"]),
    ):
        page.select_option("#choose", choice)
        assert ids.all_text_contents() == wanted
    page.select_option("#choose", "flagged")
    page.click("#language")  # what is chosen stays chosen
    assert ids.all_text_contents() == ["<b>"]


def test_narrow_windows_and_chinese(open_page: OpenPage, path: Path) -> None:
    viewport = {"width": 390, "height": 800}
    page = open_page(path, viewport=viewport, color_scheme="dark", locale="zh-CN")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
