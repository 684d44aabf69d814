"""The rules of axe over all pages, in both colours and languages; what a screen reader is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.edits.scoring import score
from cijie.viewer.correction_data import correction_data
from cijie.viewer.pages import render_page

from annotators import OpenPage, make_adjudication, make_proposals, make_votes, write_page

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`);
}"""


def agreement(folder: Path) -> Path:
    pairs = folder / "pairs.tsv"
    pairs.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    study = folder / "study"
    start = ["start", str(pairs), "--annotators", "2", "-o", str(study), "--segmenter", "rjieba"]
    for arguments in (start, ["agreement", str(study)]):
        for name, words in (("A", '["旅行困"]'), ("B", '["旅行", "困"]')):
            if study.exists():
                line = f'{{"id": "1", "words": {words}, "flag": true, "comment": "？"}}\n'
                (study / f"annotation-{name}.jsonl").write_text(line, encoding="utf-8")
        result = CliRunner().invoke(cijie, ["annotate", *arguments])
        assert result.exit_code == 0, result.stderr
    return study / "agreement.html"


def corrections(folder: Path) -> Path:
    systems = {"A": ["我去学校"], "B": ["我学较"]}
    scores = score(["我去学较"], systems, [["我去学校"]], segmenter=list, trials=9)
    path = folder / "corrections.html"
    path.write_bytes(render_page("view", correction_data(scores)))
    return path


PAGES = {
    "corrections": corrections,
    "annotate": lambda folder: write_page(make_proposals(folder)),
    "adjudicate": lambda folder: write_page(make_adjudication(folder)),
    "vote": lambda folder: write_page(make_votes(folder)),
    "agreement": agreement,
}


def check(page: Any) -> None:
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []


@pytest.mark.parametrize("look", [("light", "en-US", 1280), ("dark", "zh-CN", 390)])
@pytest.mark.parametrize("name", [*PAGES, "view", "show"])
def test_rules(
    open_page: OpenPage, viewer: Path, tmp_path: Path, name: str, look: tuple[str, str, int]
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (npm install)")
    if name == "show":
        path = tmp_path / "show.html"
        shown = CliRunner().invoke(cijie, ["show", "旅行困", "旅行团", "-o", str(path)])
        assert shown.exit_code == 0, shown.stderr
    else:
        path = viewer if name == "view" else PAGES[name](tmp_path)
    colours, locale, width = look
    viewport = {"width": width, "height": 900}
    page = open_page(path, viewport=viewport, color_scheme=colours, locale=locale, bypass_csp=True)
    if name == "view":
        page.locator(".card button[aria-pressed]").first.click()
    check(page)


def test_what_a_place_is_called(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(write_page(make_proposals(tmp_path)))
    snapshot = page.locator("#item .row.source").aria_snapshot()
    tree = snapshot.replace("\u2068", "").replace("\u2069", "")
    assert 'button "我 | 参: cut" [pressed]' in tree
    assert 'button "行困: not cut"' in tree
