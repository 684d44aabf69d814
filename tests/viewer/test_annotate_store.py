"""What the annotation page keeps in the browser: nothing is lost, and nothing silently."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from annotators import (
    OpenPage,
    current,
    exported,
    make_plain,
    make_proposals,
    reload,
    shown,
    wait_until,
    words,
    write_page,
)
from learners import SENTENCES

FILL = """(rest) => {
    let [size, n] = [1 << 20, 0];
    while (size) {
        try { localStorage.setItem(`filler ${n}`, "x".repeat(size)); n += 1; } catch { size >>= 1; }
    }
    const last = `filler ${n - 1}`;
    while (rest > 0) {
        const key = Object.keys(localStorage).find((key) => key.startsWith("filler"));
        const text = localStorage.getItem(key);
        if (text.length > rest) localStorage.setItem(key, text.slice(rest));
        else localStorage.removeItem(key);
        rest -= text.length;
    }
}"""
EMPTY = """() => {
    for (const key of Object.keys(localStorage))
        if (key.startsWith("filler")) localStorage.removeItem(key);
}"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_page(make_proposals(tmp_path), start="D")


def second_window(page: Any, path: Path) -> Any:
    other = page.context.new_page()
    other.goto(path.as_uri())
    return other


def wait_for(page: Any, selector: str) -> None:
    """Wait until there is an element, in a window that another one may cover, where nothing is
    painted, so that Playwright would wait for ever."""
    wait_until(page, f"document.querySelector({orjson.dumps(selector).decode()}) !== null")


def stored(page: Any) -> dict[str, Any]:
    """The answers that are kept, by key."""
    kept = page.evaluate("Object.entries(localStorage)")
    start = 'cijie:["answers"'
    return {key: orjson.loads(text) for key, text in kept if key.startswith(start)}


def comment(page: Any, text: str) -> None:
    page.click("#comment")
    page.keyboard.press("End")
    page.keyboard.type(text)


def leave(page: Any) -> list[str]:
    """Close a page as its user would; the kinds of what it asks before."""
    asked: list[str] = []

    def dismiss(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.close(run_before_unload=True)
    with suppress(Exception):  # that of Playwright, which need not be installed: it is closed
        page.wait_for_timeout(1000)
    return asked


def test_work_is_there_again(open_page: OpenPage, path: Path, tmp_path: Path) -> None:
    page = open_page(path)
    assert page.inner_text("#saved") == "Nothing to save yet"
    assert "keeps nothing of 小王 <A>" in shown(page, ".notice.empty")
    page.locator('.gap[data-end="5"]').click()
    page.keyboard.press("Enter")
    assert page.locator(".notice.empty").count() == 0
    assert shown(page, "#saved").startswith("Saved ")
    reload(page)
    assert current(page) == "2"
    assert "1 of 9 done" in page.inner_text("#counts")
    assert shown(page, "#saved").startswith("Saved ")
    page.keyboard.press("p")
    assert words(page) == "我 参加 了 旅 行 困 。"


def test_a_comment_that_is_not_left_survives_a_reload(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    comment(page, "typed")
    reload(page)
    assert page.input_value("#comment") == "typed"
    devtools = page.context.new_cdp_session(page)
    page.click("#comment")
    page.keyboard.press("End")
    composition = {"text": "kun", "selectionStart": 3, "selectionEnd": 3}
    devtools.send("Input.imeSetComposition", composition)
    assert page.input_value("#comment") == "typedkun"
    reload(page)
    assert page.input_value("#comment") == "typed"  # without what is no text yet


def test_what_is_not_saved_is_said_until_it_is(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    comment(page, "short")
    page.evaluate(FILL, 600)
    page.keyboard.insert_text("long" * 400)
    assert shown(page, "#saved") == "1 not saved"
    assert "1 sentence is not saved: 1." in shown(page, ".notice.unsaved")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.keyboard.press("f")  # there is room for this
    assert len(stored(page)) == 2
    assert shown(page, "#saved") == "1 not saved"
    assert leave(page) == ["beforeunload"]
    assert not page.is_closed()
    assert shown(page, "#saved") == "1 not saved"
    # In one go: the page tries by itself every few seconds.
    page.get_by_text("Try now").evaluate(f"button => {{ ({EMPTY})(); button.click(); }}")
    assert page.locator(".notice.unsaved").count() == 0
    reload(page)
    wait_for(page, "#work:not([inert])")
    page.keyboard.press("p")
    assert page.input_value("#comment") == "short" + "long" * 400
    assert leave(page) == []


def test_what_is_not_saved_is_tried_again(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    page.evaluate(FILL, 0)
    page.keyboard.press("f")
    assert shown(page, "#saved") == "1 not saved"
    page.evaluate(EMPTY)
    page.locator("#saved.unsaved").wait_for(state="detached")  # within seconds, by itself
    assert page.locator(".notice.unsaved").count() == 0
    assert [kept["value"]["flag"] for kept in stored(page).values()] == [True]


def test_a_browser_that_keeps_nothing(open_page: OpenPage, path: Path, tmp_path: Path) -> None:
    page = open_page(path)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no'); }; }")
    page.locator('.gap[data-end="5"]').click()
    assert "1 sentence is not saved" in shown(page, ".notice.unsaved")
    page.keyboard.press("u")
    assert words(page) == SENTENCES["1"][0]
    comment(page, "kept in the export")
    assert exported(page, tmp_path)[0]["comment"] == "kept in the export"
    assert leave(page) == ["beforeunload"]


def test_one_window_writes_and_others_show_it(open_page: OpenPage, path: Path) -> None:
    one = open_page(path)
    two = second_window(one, path)
    wait_for(two, ".notice.elsewhere")
    assert "open in another window" in two.inner_text("#notices")
    one.bring_to_front()
    one.locator('.gap[data-end="5"]').click()
    comment(one, "one")
    wait_for(two, '.gap[data-end="5"][aria-pressed=true]')
    wait_until(two, "document.querySelector('#comment').value === 'one'")
    two.bring_to_front()
    for key in ("f", "Enter", "n", "u"):
        two.keyboard.press(key)
    assert not two.evaluate("document.activeElement.matches('.gap')")
    assert current(two) == "1"
    assert [kept["value"]["flag"] for kept in stored(two).values()] == [False]
    # When the first is closed, another one goes on.
    one.close()
    wait_for(two, "#work:not([inert])")
    assert two.locator(".notice.elsewhere").count() == 0
    two.keyboard.press("f")
    [kept] = stored(two).values()
    assert (kept["value"]["flag"], kept["value"]["comment"]) == (True, "one")


def test_undo_after_a_reload(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    page.locator('.gap[data-end="5"]').click()
    comment(page, "typed")
    reload(page)
    wait_for(page, "#work:not([inert])")
    page.click("#undo")
    assert page.input_value("#comment") == ""
    page.click("#undo")
    assert words(page) == SENTENCES["1"][0]
    page.click("#redo")
    assert words(page) == "我 参加 了 旅 行 困 。"


def test_undo_leaves_what_another_window_has_done_since(open_page: OpenPage, path: Path) -> None:
    one = open_page(path)
    one.locator('.gap[data-end="5"]').click()
    two = second_window(one, path)
    one.goto("about:blank")
    wait_for(two, "#work:not([inert])")
    two.bring_to_front()
    two.locator('.gap[data-end="2"]').click()
    two.close()
    one.go_back()
    wait_for(one, "#work:not([inert])")
    one.click("#undo")
    assert "another window has changed it since" in one.inner_text("#status")
    assert words(one) == "我 参 加 了 旅 行 困 。"


def test_without_locks_a_window_stops_when_another_one_writes(
    open_page: OpenPage, path: Path
) -> None:
    path.write_text(path.read_text("utf-8").replace("navigator?.locks", "nothing"), "utf-8")
    one = open_page(path, bypass_csp=True)
    two = second_window(one, path)
    wait_for(two, "#work:not([inert])")
    two.bring_to_front()
    two.locator('.gap[data-end="2"]').click()
    wait_for(one, ".notice.elsewhere")
    assert words(one) == words(two)


def test_two_studies_of_the_same_pairs(open_page: OpenPage, tmp_path: Path) -> None:
    sheet = make_proposals(tmp_path)
    agreed, none = write_page(sheet, start="agreed"), write_page(sheet, start="none")
    one = open_page(agreed)
    one.keyboard.press("f")
    two = second_window(one, none)
    wait_for(two, "#work:not([inert])")  # at once, beside the other
    assert two.locator("#flag[aria-pressed=true]").count() == 0
    assert two.locator(".notice.empty").count() == 1
    two.bring_to_front()
    two.keyboard.press("Space")
    assert {record["start"] for record in exported(two, tmp_path)} == {"none"}
    one.bring_to_front()
    assert [record["flag"] for record in exported(one, tmp_path)].count(True) == 1
    assert len(stored(one)) == 2


def test_copies_of_a_page(open_page: OpenPage, path: Path, tmp_path: Path) -> None:
    page = open_page(path)
    page.keyboard.press("f")
    copies = [tmp_path / "mine" / path.name, tmp_path / "not mine" / path.name]
    for copy in copies:
        copy.parent.mkdir()
        copy.write_bytes(path.read_bytes())
    page.close()
    mine, other = (second_window(page, copy) for copy in copies[:1] + copies[1:])
    wait_for(mine, ".notice.copy")
    assert f"another copy of this page ({path})" in shown(mine, ".notice.copy")
    mine.get_by_text("They are mine").click()
    assert mine.locator(".notice.copy").count() == 0
    mine.close()
    wait_for(other, "#work:not([inert])")
    other.bring_to_front()
    other.get_by_text("Start without them").click()
    wait_for(other, "#work:not([inert])")
    assert other.locator("#flag[aria-pressed=true]").count() == 0
    assert other.locator(".notice.copy").count() == 0
    other.keyboard.press("c")
    other.keyboard.type("apart")
    assert sorted(kept["value"]["comment"] for kept in stored(other).values()) == ["", "apart"]


def test_what_is_cleared_away_is_written_again(open_page: OpenPage, path: Path) -> None:
    one = open_page(path)
    two = second_window(one, path)
    one.bring_to_front()
    one.keyboard.press("f")
    before = stored(one)
    two.evaluate("localStorage.clear()")
    wait_until(one, "localStorage.length > 0")
    assert stored(one) == before


def test_keys_do_not_collide(open_page: OpenPage, tmp_path: Path) -> None:
    ids = ["1", "B:1", '"],["1', "set aside", '1","set aside']
    sheet = make_plain(tmp_path, ids)
    annotators = ["A", "A:B", 'A"', '"A', "A,1"]
    pages = {name: write_page(sheet, annotator=name) for name in annotators}
    first, *others = annotators
    page = open_page(pages[first])
    for k, id in enumerate(ids):
        wait_for(page, f"#item[data-id='{id}']")
        comment(page, f"{first} {k}")
        page.keyboard.press("Escape")
        page.keyboard.press("n")
    for name in others:
        other = second_window(page, pages[name])
        assert other.locator(".notice.empty").is_visible()
        comment(other, name)
    reload(page)
    said = [x["comment"] for x in exported(page, tmp_path)]
    assert said == [f"{first} {k}" for k in range(len(ids))]
    assert len(stored(page)) == len(ids) + len(others)


ANSWER = {"flag": False, "comment": "", "done": True, "boundaries": [8], "decided": [], "start": ""}
RUBBISH = [
    "{}",
    "null",
    "7",
    "{",
    *(
        orjson.dumps({"value": value, "changed": "2026-01-01T00:00:00.000Z"}).decode()
        for value in ({}, ANSWER | {"boundaries": [9]}, ANSWER | {"flag": 1})
    ),
]


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_stored_rubbish_is_set_aside(
    open_page: OpenPage, path: Path, tmp_path: Path, rubbish: str
) -> None:
    page = open_page(path)
    page.keyboard.press("f")
    page.evaluate(
        """(text) => {
            const key = Object.keys(localStorage).find((key) => key.startsWith('cijie:["answers'));
            localStorage.setItem(key, text);
        }""",
        rubbish,
    )
    reload(page)
    assert words(page) == SENTENCES["1"][0]
    assert "1 stored answer could not be read and is set aside. Sentence: 1." in shown(
        page, ".notice.strange"
    )
    page.keyboard.press("f")  # which does not overwrite it
    reload(page)
    with page.expect_download() as download:
        page.get_by_text("Save it to a file").click()
    download.value.save_as(tmp_path / "aside.jsonl")
    assert orjson.loads((tmp_path / "aside.jsonl").read_bytes()) == ["1", rubbish]
    page.get_by_text("Discard").click()
    assert page.locator(".notice.strange").count() == 0
    reload(page)
    assert page.locator(".notice.strange").count() == 0
    assert page.locator("#flag").get_attribute("aria-pressed") == "true"


def test_rubbish_that_there_is_no_room_to_set_aside(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    page.keyboard.press("f")
    [key] = stored(page)
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, "{" * 300])
    page.evaluate(FILL, 0)
    reload(page)
    assert "1 stored answer could not be read" in shown(page, ".notice.strange")
    page.keyboard.press("f")
    assert shown(page, "#saved") == "1 not saved"
    assert page.evaluate("(key) => localStorage.getItem(key)", key) == "{" * 300
    page.get_by_text("Discard").click()
    assert page.locator(".notice.strange, .notice.unsaved").count() == 0
    assert stored(page)[key]["value"]["flag"]


def test_rubbish_in_what_is_remembered_besides(open_page: OpenPage, path: Path) -> None:
    page = open_page(path)
    page.get_by_text("Yes, count").click()
    page.keyboard.press("n")
    page.evaluate(
        """() => {
            for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"x": -1e999}');
        }"""
    )
    reload(page)
    assert current(page) == "1"
    page.keyboard.press("n")
    assert current(page) == "2"
