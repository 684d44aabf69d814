"""The page of `cijie show`, on a phone."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from cijie.cli.main import cijie

from annotators import OpenPage


def test_a_long_sentence_on_a_phone(open_page: OpenPage, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    long = "我们昨天参加了旅行" * 6
    pairs.write_text(f"1\t{long}困\t{long}团\n2\t旅行困\t旅行团\n", encoding="utf-8")
    path = tmp_path / "show.html"
    arguments = ["show", str(pairs), "--id", "1", "--id", "2", "-o", str(path)]
    result = CliRunner().invoke(cijie, [*arguments, "--segmenter", "rjieba"])
    assert result.exit_code == 0, result.stderr
    page = open_page(path, viewport={"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    first, second = page.locator("svg").all()
    # Characters have the size that they are drawn in, and the lines of a sentence a rule between.
    assert first.evaluate("svg => svg.clientWidth === svg.viewBox.baseVal.width")
    assert first.locator("[stroke-dasharray='2 4']").count() == 2
    assert second.locator("[stroke-dasharray='2 4']").count() == 0
    assert page.locator("h2").all_inner_texts() == ["id 1", "id 2"]
