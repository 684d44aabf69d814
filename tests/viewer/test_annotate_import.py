"""What the annotation page takes from a file: checked, said, and asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotators import OpenPage, exported, give, go, make_proposals, shown, take, words, write_page
from learners import SENTENCES

CUT = "我 参加 了 旅 行 困 。"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_page(make_proposals(tmp_path), start="D")


@pytest.fixture
def records(open_page: OpenPage, path: Path, tmp_path: Path) -> list[dict[str, Any]]:
    """What an annotator exports in one browser: the first sentence done, the others not begun."""
    page = open_page(path)
    page.locator('.gap[data-end="5"]').click()
    page.keyboard.press("Enter")
    return exported(page, tmp_path)


def choices(page: Any) -> list[str]:
    return list(page.locator("#importing button:not(:disabled)").all_inner_texts())


def test_in_another_browser(
    open_page: OpenPage, path: Path, records: list[dict[str, Any]], tmp_path: Path
) -> None:
    page = open_page(path)
    assert page.locator(".notice.empty").is_visible()
    give(page, *records)
    assert shown(page, "#importing-text").splitlines() == [
        "1 sentence that is not begun here",
        "8 sentences that are the same here",
    ]
    page.keyboard.press("u")  # no command while the page asks
    take(page, "all")
    page.get_by_text("1 of 9 done").wait_for()
    assert words(page) == CUT
    first, *_ = exported(page, tmp_path)
    assert first | {"changed": None} == records[0] | {"changed": None}
    page.click("#undo")  # all of it
    assert words(page) == SENTENCES["1"][0]
    assert "0 of 9 done" in page.inner_text("#counts")


def test_nothing_is_taken_unless_it_is_wanted(
    open_page: OpenPage, path: Path, records: list[dict[str, Any]]
) -> None:
    page = open_page(path)
    for action in (
        lambda: page.keyboard.press("Escape"),
        lambda: page.get_by_text("Take nothing").click(),
    ):
        give(page, *records)
        action()
        page.locator("#importing").wait_for(state="hidden")
        assert "0 of 9 done" in page.inner_text("#counts")
        assert page.locator(".notice.empty").is_visible()


def test_an_old_export_over_newer_work(
    open_page: OpenPage, path: Path, records: list[dict[str, Any]], tmp_path: Path
) -> None:
    page = open_page(path)
    page.click("#comment")
    page.keyboard.type("newer")
    page.keyboard.press("Escape")
    begun = [record | {"flag": True} for record in records[1:3]]
    give(page, records[0], *begun)
    said = shown(page, "#importing-text")
    assert "1 sentence that was not changed later than here: it would replace newer work" in said
    assert choices(page) == [
        "Take the 2 that are newer or not begun here",
        "Take all 3",
        "Take nothing",
    ]
    take(page, "newer")
    assert page.input_value("#comment") == "newer"
    assert words(page) == SENTENCES["1"][0]
    newer = records[0] | {"changed": "2999-01-01T00:00:00Z", "comment": "later"}
    give(page, newer, begun[0])
    said = shown(page, "#importing-text")
    assert said.splitlines() == [
        "1 sentence that is the same here",
        "1 sentence that was changed later than here",
    ]
    take(page, "all")
    assert page.input_value("#comment") == "later"
    assert words(page) == CUT


def test_the_answers_of_somebody_else(
    open_page: OpenPage, path: Path, records: list[dict[str, Any]], tmp_path: Path
) -> None:
    page = open_page(path)
    nobody = {key: value for key, value in records[1].items() if key != "annotator"}
    give(page, records[0] | {"annotator": "小李"}, nobody)
    said = shown(page, "#importing-text")
    assert "These answers are by 小李. If you take them, they count as 小王 <A>'s." in said
    assert "The file does not say whose answers these are." in said
    page.get_by_text("Take nothing").click()
    assert not any(record["done"] for record in exported(page, tmp_path))


def test_what_cannot_be_taken(
    open_page: OpenPage, path: Path, records: list[dict[str, Any]]
) -> None:
    page = open_page(path)
    a, b, c, *_ = records
    spoilt = [
        (b | {"spans": [[0, 3], [4, 6]], "tokens": None}, "not a segmentation of the source"),
        (c | {"source_sha256": "0" * 16}, "another source"),
        (c | {"target_sha256": "0" * 16}, "made with another correction"),
        (c | {"reference": 1}, "made with a correction of another number"),
        (c | {"id": "unknown"}, "no such sentence here"),
        (a, "the same sentence again"),
        (b"{", "not a JSON object"),
        (b"7", "not a JSON object"),
        (c | {"flag": "yes"}, "not a segmentation of the source"),
    ]
    give(page, a, *(record for record, _ in spoilt[:5]))
    said = shown(page, "#importing-text").splitlines()
    assert said == [
        "1 sentence that is not begun here",
        *(f"1 line cannot be taken, {why}: {k}" for k, (_, why) in enumerate(spoilt[:5], 2)),
    ]
    take(page, "all")
    assert words(page) == CUT
    assert "1 of 9 done" in page.inner_text("#counts")
    give(page, a, *(record for record, _ in spoilt[5:]))
    said = shown(page, "#importing-text").splitlines()
    assert said == [
        "1 sentence that is the same here",
        "1 line cannot be taken, the same sentence again: 2",
        "2 lines cannot be taken, not a JSON object: 3, 4",
        "1 line cannot be taken, not a segmentation of the source: 5",
    ]


def test_what_is_no_export(open_page: OpenPage, path: Path, records: list[dict[str, Any]]) -> None:
    page = open_page(path)
    result = {"id": "1", "source": "旅行困", "words": ["旅行", "困"]}
    for lines, said in (
        ([], ["The file is empty."]),
        ([result], ["not an export of this page, because it has no checksum of the source: 1"]),
        ([b"id,source"], ["not a JSON object: 1", "nothing in it can be taken"]),
        ([records[0] | {"study": "x"}], ["1 sentence that is not begun", "in another study"]),
    ):
        give(page, *lines)
        text = shown(page, "#importing-text")
        assert all(part in text for part in said), text
        page.get_by_text("Take nothing").click()


def test_words_of_a_file_of_gold(
    open_page: OpenPage, path: Path, records: list[dict[str, Any]]
) -> None:
    old = ("id", "source_sha256", "reference", "target_sha256", "annotator", "comment", "done")
    record = {key: records[0][key] for key in old}
    page = open_page(path)
    give(page, record | {"tokens": records[0]["spans"], "flag": True})
    take(page, "all")
    go(page, "1")
    assert words(page) == CUT
    assert page.locator("#flag").get_attribute("aria-pressed") == "true"


def test_regions_of_what_is_done_are_decided(open_page: OpenPage, tmp_path: Path) -> None:
    from annotators import make_adjudication

    path = write_page(make_adjudication(tmp_path))
    page = open_page(path)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    done, *_ = exported(page, tmp_path)
    other = open_page(path)
    give(other, done)
    take(other, "all")
    assert "✓ decided" in other.inner_text(".regions")
    assert other.inner_text("#finish") == "Next"
