"""Where things are on the view page: with names of every length, in windows of every width."""

from __future__ import annotations

from pathlib import Path

import pytest

from cijie.viewer.view import view

from annotators import OpenPage
from learners import SYSTEMS

WIDTHS = (1440, 1024, 768, 390)
NAMES = {
    "real": [f"MuCGEC_dev.wapic.{method}" for method in ("direct", "p1", "p2")],
    "5": ["sys-1", "sys-2", "sys-3"],
    "30": ["aa-learner-corpus-recovered-by", "bb-learner-corpus-corrected-at", "c" * 30],
    "120 with blanks": [f"{letter} " * 60 for letter in "abc"],
    "120 without": [letter * 120 for letter in "abc"],
}
# What cannot be reached by a pointer, and what lies on something else.
FAULTS = """() => {
  const found = [];
  for (const control of document.querySelectorAll("button, input, select, summary")) {
    if (control.disabled || control.closest("dialog") || control.id === "skip") continue;
    control.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    if (right - left < 1) continue;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const label = control.closest("label");
    if (!hit || !(control.contains(hit) || (label && label.contains(hit))))
      found.push(`${control.outerHTML.slice(0, 80)} is under ${hit?.outerHTML.slice(0, 60)}`);
  }
  const seen = (element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    for (let up = element.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowX === "visible") continue;
      const clip = up.getBoundingClientRect();
      [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    }
    return { element, left, right, top, bottom };
  };
  scrollTo(0, 0);
  const shown = "#dashboard :is(.name, td), .figure, .verdict, .card-tools button, #filters .name";
  const boxes = [...document.querySelectorAll(shown)].map(seen);
  boxes.forEach((a, k) => boxes.slice(k + 1).forEach((b) => {
    if (a.element.contains(b.element) || b.element.contains(a.element)) return;
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (width > 1 && height > 1)
      found.push(`${a.element.textContent} lies on ${b.element.textContent}`);
  }));
  const { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth ? [...found, `${scrollWidth} pixels wide`] : found;
}"""


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("has_gold", [True, False])
def test_names_of_every_length(
    open_page: OpenPage, corpus: Path, tmp_path: Path, kind: str, has_gold: bool
) -> None:
    names = NAMES[kind]
    results = {
        name: corpus / f"{system}.jsonl" for name, system in zip(names, SYSTEMS, strict=True)
    }
    out = tmp_path / "page.html"
    view(results, out, gold=corpus / "gold.jsonl" if has_gold else None, trials=9)
    page = open_page(out)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert page.evaluate(FAULTS) == [], width
    # What is cut short differs, and stands somewhere in full.
    labels = page.locator(".card >> nth=0 >> .row.system .label").all_inner_texts()
    assert len(set(labels)) == len(names)
    if kind != "5":
        full = page.locator(".card >> nth=0 >> .row.system .label")
        assert [each.get_attribute("title") for each in full.all()] == names
    if kind == "real":
        assert labels == ["direct", "p1", "p2"]
        assert page.locator("#dashboard .whole").all_inner_texts() == names


def test_a_name_and_its_figure_stay_together(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer, viewport={"width": 390, "height": 800})
    figures = page.locator("#shown-scores .figure")
    assert figures.count() == 3
    assert all(figure.bounding_box()["height"] < 30 for figure in figures.all())


def test_the_card_at_the_top_stays_there(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer, "#at=blank", viewport={"width": 1200, "height": 500})
    page.evaluate("scrollBy(0, -60)")

    def top() -> tuple[str, float]:
        x, y = page.evaluate(
            """() => {
                const tools = document.getElementById("tools").getBoundingClientRect();
                const under = Math.max(0, tools.bottom) + 8;
                const cards = [...document.querySelectorAll(".card")];
                const card = cards.find((card) => card.getBoundingClientRect().bottom > under);
                return [card.dataset.id, card.getBoundingClientRect().top - under];
            }"""
        )
        return str(x), float(y)

    page.wait_for_timeout(300)
    before = top()
    for width in (1000, 700, 390, 1200):
        page.set_viewport_size({"width": width, "height": 500})
        page.wait_for_timeout(300)
        now = top()
        assert now[0] == before[0], width
        assert abs(now[1] - before[1]) < 60 or width < 640, (width, before, now)
