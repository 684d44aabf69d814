"""Annotating by keyboard: where keys lead, what is held down, and that nothing moves meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cijie.gold.annotation import Annotation, Versions
from cijie.gold.sheets import annotation_item
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from annotators import (
    OpenPage,
    Sheet,
    current,
    exported,
    make_adjudication,
    make_plain,
    make_proposals,
    words,
    write_page,
)
from learners import SENTENCES


def place(page: Any) -> int:
    """The place that the keyboard is at."""
    return int(page.evaluate("document.activeElement.dataset.end"))


def hold(page: Any, key: str, times: int = 40) -> None:
    page.keyboard.down(key)
    for _ in range(times):
        page.keyboard.down(key)  # which Playwright sends as a repeat
    page.keyboard.up(key)


def test_to_a_place(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(write_page(make_proposals(tmp_path), start="D"))
    press = page.keyboard.press
    assert place(page) == 6  # where proposals differ
    for key, end in (
        ("Home", 1),
        ("End", 7),
        ("Control+ArrowLeft", 6),
        ("Control+ArrowLeft", 4),
        ("Control+ArrowRight", 6),
        ("ArrowLeft", 5),
        ("ArrowDown", 6),
        ("ArrowDown", 6),
        ("ArrowRight", 7),
        ("ArrowUp", 6),
    ):
        press(key)
        assert place(page) == end, key
    press("Space")
    assert words(page) == SENTENCES["1"][1]
    assert place(page) == 6


@pytest.mark.parametrize("key", ["Enter", "n", "Space", "u", "f", "PageDown"])
def test_a_key_that_is_held_down_decides_once(
    open_page: OpenPage, tmp_path: Path, key: str
) -> None:
    page = open_page(write_page(make_plain(tmp_path, map(str, range(31)))))
    page.keyboard.press("f")
    page.keyboard.press("f")
    hold(page, key)
    assert current(page) == ("1" if key in ("Enter", "n", "PageDown") else "0")
    records = exported(page, tmp_path)
    assert sum(record["done"] for record in records) == (key == "Enter")
    page.locator("#finish").focus()
    hold(page, "Enter")  # on a button, too
    assert sum(record["done"] for record in exported(page, tmp_path)) <= 2


def test_held_arrows_move(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(write_page(make_proposals(tmp_path)))
    page.keyboard.press("Home")
    hold(page, "ArrowRight", 3)
    assert place(page) == 5


def test_the_last_sentence_says_so(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(write_page(make_plain(tmp_path, ["b", "a", "7"])))
    page.fill("#go", "7")
    page.press("#go", "Enter")
    assert page.inner_text("#finish") == "Done"
    page.keyboard.press("n")
    assert page.inner_text("#status") == "This is the last sentence"
    page.keyboard.press("Enter")
    assert page.inner_text("#status") == "This is the last sentence; 2 are still open"
    page.fill("#go", "1")  # no id, so a number
    page.press("#go", "Enter")
    assert current(page) == "b"
    page.fill("#go", "99")
    page.press("#go", "Enter")
    assert "There is no sentence" in page.inner_text("#status")
    assert (current(page), page.input_value("#go")) == ("b", "b")


@pytest.mark.parametrize("made", [make_proposals, make_adjudication])
def test_nothing_moves_while_one_works(open_page: OpenPage, tmp_path: Path, made: Any) -> None:
    top = "document.querySelector('.row.source').getBoundingClientRect().top"
    page = open_page(write_page(made(tmp_path)), viewport={"width": 1200, "height": 700})
    before = page.evaluate(top)
    for act in ("Space", "2", "Yes, count", "f", "u", "Enter", "p"):
        if len(act) > 5:
            page.get_by_text(act).click()
        else:
            page.keyboard.press(act)
        assert page.evaluate("scrollY") == 0
        assert page.evaluate(top) == before
    assert place(page)  # the keyboard is where it was


def test_choices_are_beside_the_sentence(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(
        write_page(make_adjudication(tmp_path)), viewport={"width": 1200, "height": 600}
    )
    while True:
        for choice in page.locator(".choices button").all():
            box = choice.bounding_box()
            assert 0 < box["y"] < box["y"] + box["height"] < 600
        assert page.locator(".row.source .differs.current:not(.decided)").count()
        page.keyboard.press("1")  # may be what is in place already: seen and said all the same
        assert page.locator(".row.source .differs.decided").count()
        assert "decided" in page.inner_text("#status")
        box = page.locator("#finish").bounding_box()
        assert box["y"] + box["height"] <= 600
        if page.locator("#next").is_disabled():
            break
        page.keyboard.press("Enter")


def test_a_cut_of_the_adjudicators_own(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(write_page(make_adjudication(tmp_path)))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")  # 旅|行困, which nobody has
    assert page.inner_text(".choices > bdi") == "旅|行困"
    assert page.locator(".choices button[aria-pressed=true]").count() == 0
    page.keyboard.press("Enter")
    first, *_ = exported(page, tmp_path)
    assert first["done"]
    assert [5, 7] in first["spans"]


def test_a_word_joined_over_the_end_of_a_line_is_in_one_line(
    open_page: OpenPage, tmp_path: Path
) -> None:
    text = "昨天晚上我跟朋友一起去学校旁边的饭馆吃了很多好吃的东西，回家以后马上就睡着了。" * 2
    by = {"D": Annotation(Segmentation.from_tokens(text, list(text)))}
    items = [annotation_item(Versions(Sentence("1", text, text), by), "D")]
    page = open_page(
        write_page(Sheet(tmp_path, "annotate", lambda _: items), start="D"),
        viewport={"width": 390, "height": 844},
    )
    page.evaluate(
        "[...document.querySelectorAll('.line')].forEach((x, k) => { x.id = `line${k}` })"
    )
    lines = page.locator("#item .line")
    count = lines.count()
    assert count > 4
    end = lines.nth(1).locator(".gap").last.get_attribute("data-end")
    page.click(f".gap[data-end='{end}']")
    assert page.locator(".row.source .continues, .row.source .continued").count() == 0
    assert page.evaluate("document.activeElement.dataset.end") == end
    joined = text[int(end) - 1 : int(end) + 1]
    assert joined in words(page).split(" ")
    # Only what moved is drawn anew.
    assert lines.first.get_attribute("id") == "line0"
    before = page.locator("#item .line").all_inner_texts()
    page.keyboard.press("Space")
    assert page.locator("#item .line").all_inner_texts() == before
    assert page.locator(".row.source .word").count() == len(text)
