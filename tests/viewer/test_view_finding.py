"""Finding sentences on the view page: search, addresses, the browser's history; copying, paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotators import OpenPage, shown, wait_until
from learners import SENTENCES


def ids(page: object) -> list[str]:
    cards = page.locator(".card").all()  # type: ignore[attr-defined]
    return [card.get_attribute("data-id") for card in cards]


def test_two_words_are_both_looked_for(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.fill("#query", "  旅行 我 ")
    assert ids(page) == ["1"]
    assert page.locator(".row.source .cell.hit").all_inner_texts() == ["我", "旅", "行"]
    page.select_option("#field", "token")
    assert ids(page) == ["1"]
    page.fill("#query", "旅行困 我")  # both are words, though not of one system
    assert ids(page) == ["1"]
    page.fill("#query", "旅 我")
    assert ids(page) == []
    page.fill("#query", "旅行 不在")
    assert page.locator("#nothing").is_visible()


def test_clear_clears_everything(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    assert page.locator("#clear").is_disabled()
    page.check("#pattern")
    page.select_option("#field", "source")
    page.fill("#query", "^我")
    page.locator('#filters [data-filter="right:D=no"]').check()
    page.click("#clear")
    assert not page.is_checked("#pattern")
    assert (page.input_value("#query"), page.input_value("#field")) == ("", "all")
    assert len(ids(page)) > 3
    assert page.evaluate("location.hash") == ""


def test_back_undoes_a_search_or_a_filter(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.click("#query")
    page.keyboard.type("我们")  # one step, though two letters
    page.locator('#filters [data-filter="right:D=yes"]').check()
    assert page.inner_text("#count").startswith("1 of")
    page.go_back()
    wait_until(page, "!document.querySelector('#filters [data-filter=\"right:D=yes\"]').checked")
    assert page.input_value("#query") == "我们"
    page.go_back()
    wait_until(page, "document.querySelector('#query').value === ''")
    assert page.inner_text("#count") == f"{len(SENTENCES)} of {len(SENTENCES)} sentences"
    page.go_forward()
    wait_until(page, "document.querySelector('#query').value === '我们'")


@pytest.mark.parametrize(
    ("address", "message", "action"),
    [
        ("#at=nowhere", "does not have the sentence nowhere", "Leave it out"),
        ("#q=我们&at=1", "hides the sentence 1", "Show it"),
        (
            "#f=right:P9=no",
            "does not have what the address filters by: right:P9=no",
            "Leave it out",
        ),
    ],
)
def test_an_address_that_leads_nowhere(
    open_page: OpenPage, viewer: Path, address: str, message: str, action: str
) -> None:
    page = open_page(viewer, address)
    assert message in shown(page, "#lost")
    page.locator("#lost button", has_text=action).click()
    assert page.inner_text("#lost") == ""
    assert "1" in ids(page)
    assert page.inner_text("#count").startswith(f"{len(SENTENCES)} of")


def test_what_is_copied_has_its_boundaries(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer, permissions=["clipboard-read", "clipboard-write"])
    row = page.locator('.card[data-id="1"] .row.gold')
    row.evaluate("row => getSelection().selectAllChildren(row)")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == "Gold\t我 参加 了 旅行困 。"


def test_ways_past_the_head(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.id") == "1"
    phone = open_page(viewer, viewport={"width": 390, "height": 800})
    phone.click("#filter-panel summary")
    phone.click("#to-list")
    assert phone.evaluate("document.activeElement.dataset.id") == "1"
    assert not phone.evaluate("document.querySelector('#filter-panel').open")


def test_paper(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer, color_scheme="dark")
    page.click("#theme")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    blocks = page.locator("#printed .printed:visible")
    assert blocks.count() == len(SENTENCES)
    first = blocks.first.inner_text()
    assert "Gold 我 参加 了 旅行困 。" in first
    assert "旅行|困" in first
    assert page.locator("#printed .cell").count() == 0
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(colour) == "rgb(255, 255, 255)"
    assert page.inner_text("#printed > p") == f"{len(SENTENCES)} sentences"


def test_text_in_chinese_is_marked_as_such(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    unmarked = page.evaluate(
        """() => {
            const found = [];
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const { parentElement, textContent } = walk.currentNode;
                const marked = "script, style, [lang^=zh], #language, #title, h3";
                if (parentElement.closest(marked)) continue;
                if (/\\p{sc=Han}/u.test(textContent)) found.push(textContent);
            }
            return found;
        }"""
    )
    assert unmarked == []
