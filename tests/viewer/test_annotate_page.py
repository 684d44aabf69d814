"""The annotation page in a browser: annotating, adjudicating and voting."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cijie.corpora.segmentations import read_to_compare, source_checksum
from cijie.gold.annotation import read_annotations, shared_sentences
from cijie.recovery.sentence import Sentence

from annotators import (
    OpenPage,
    Sheet,
    adjudication_sheet,
    current,
    exported,
    give,
    go,
    make_adjudication,
    make_proposals,
    make_votes,
    reload,
    segmentation,
    shown,
    take,
    words,
    write_page,
)
from learners import SENTENCES, dump, split


@pytest.fixture
def proposals(tmp_path: Path) -> Sheet:
    return make_proposals(tmp_path)


@pytest.fixture
def adjudication(tmp_path: Path) -> Sheet:
    return make_adjudication(tmp_path)


@pytest.fixture
def votes(tmp_path: Path) -> Sheet:
    return make_votes(tmp_path)


def test_by_keyboard_alone(
    open_page: OpenPage, proposals: Sheet, corpus: Path, tmp_path: Path
) -> None:
    page = open_page(write_page(proposals, start="D"))
    press = page.keyboard.press
    assert words(page) == SENTENCES["1"][0]
    for _ in range(6):
        press("ArrowRight")
    press("Space")  # between 困 and the stop
    assert words(page) == "我 参加 了 旅行 困。"
    press("u")
    press("ArrowLeft")
    press("Space")
    assert words(page) == SENTENCES["1"][1]
    press("f")
    press("c")
    page.keyboard.type("困 for 团 fn")
    press("Escape")
    press("Enter")
    assert current(page) == "2"
    press("2")  # the second proposal, gold
    press("Enter")
    for _ in range(len(SENTENCES) - 2):
        press("2")
        press("n")
    first, second, *others = exported(page, tmp_path)
    source = split(SENTENCES["1"][0])[0]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", first.pop("changed"))
    assert first == {
        "id": "1",
        "source_sha256": source_checksum(source),
        "reference": 2,
        "target_sha256": source_checksum(split(SENTENCES["1"][2])[0]),
        "spans": [list(span) for span in segmentation(SENTENCES["1"][1]).spans],
        "start": "D",
        "annotator": "小王 <A>",
        "flag": True,
        "comment": "困 for 团 fn",
        "done": True,
        "effort": None,
        "study": first["study"],
    }
    assert second["done"]
    assert not any(other["done"] or other["flag"] for other in others)
    # What comes back is the stand-off form of gold; its offsets are code points.
    [file] = tmp_path.glob("annotation-*.jsonl")
    annotation, _ = read_to_compare(file, [corpus / "D.jsonl"])
    for id, (_, gold, _) in SENTENCES.items():
        assert annotation[id] == segmentation(gold), id
    # And it is what annotations are merged from: the first sentence is flagged, most are not done.
    other = dump(tmp_path / "B.jsonl", [record | {"annotator": "B"} for record in (first, second)])
    pairs = {
        id: Sentence(id, split(initial)[0], split(target)[0], reference=2)
        for id, (initial, _, target) in SENTENCES.items()
    }
    annotated = shared_sentences(pairs, read_annotations([file, other], pairs))
    assert [each.is_contested for each in annotated] == [True, False]
    # A sentence in which nothing differs can be adjudicated all the same.
    page = open_page(write_page(adjudication_sheet(tmp_path, annotated)))
    said = page.locator(".remarks li").all_inner_texts()
    assert said == ["小王 <A> ⚑ flagged 困 for 团 fn", "B ⚑ flagged 困 for 团 fn"]
    page.keyboard.press("Enter")
    assert "1 of 1 done" in page.inner_text("#counts")


def test_by_mouse_with_undo_and_redo(open_page: OpenPage, proposals: Sheet) -> None:
    page = open_page(write_page(proposals, start="D"))
    gap = page.locator('.gap[data-end="5"]')
    assert gap.get_attribute("aria-pressed") == "false"
    gap.click()
    assert words(page) == "我 参加 了 旅 行 困 。"
    assert "cut" in gap.get_attribute("aria-label")
    page.click("#undo")
    assert words(page) == SENTENCES["1"][0]
    page.click("#redo")
    assert words(page) == "我 参加 了 旅 行 困 。"
    page.keyboard.press("Control+z")
    assert words(page) == SENTENCES["1"][0]
    page.keyboard.press("n")
    page.keyboard.press("Control+Shift+z")  # goes back to where the change was
    assert current(page) == "1"
    assert words(page) == "我 参加 了 旅 行 困 。"


def test_a_comment_is_undone_as_a_whole(open_page: OpenPage, proposals: Sheet) -> None:
    page = open_page(write_page(proposals))
    for comment in ("one", " two"):
        page.locator("#comment").focus()
        page.keyboard.press("End")
        page.keyboard.type(comment)
        page.keyboard.press("Escape")
    page.keyboard.press("u")
    assert page.input_value("#comment") == "one"
    page.keyboard.press("u")
    assert page.input_value("#comment") == ""
    assert page.locator("#undo").is_disabled()
    page.keyboard.press("r")
    assert page.input_value("#comment") == "one"


def test_a_click_that_ends_a_comment_is_a_click(open_page: OpenPage, proposals: Sheet) -> None:
    page = open_page(write_page(proposals, start="D"))
    page.click("#comment")
    page.keyboard.type("x")
    page.locator('.gap[data-end="5"]').click()
    assert words(page) == "我 参加 了 旅 行 困 。"
    page.click("#undo")
    page.click("#undo")
    assert page.input_value("#comment") == ""


def test_a_window_that_is_resized_leaves_the_comment_alone(
    open_page: OpenPage, proposals: Sheet, tmp_path: Path
) -> None:
    page = open_page(write_page(proposals))
    page.click("#comment")
    page.keyboard.type("fine")
    page.keyboard.press("Home")
    page.set_viewport_size({"width": 700, "height": 500})
    page.keyboard.type("but ")  # n and f are no commands here
    page.set_viewport_size({"width": 1200, "height": 800})
    assert page.input_value("#comment") == "but fine"
    assert page.evaluate("document.activeElement.selectionStart") == 4
    assert current(page) == "1"
    [first, *_] = exported(page, tmp_path)
    assert (first["comment"], first["flag"]) == ("but fine", False)
    # The same with what is only composed yet.
    page.click("#comment")
    devtools = page.context.new_cdp_session(page)
    composition = {"text": "kun", "selectionStart": 3, "selectionEnd": 3}
    devtools.send("Input.imeSetComposition", composition)
    page.set_viewport_size({"width": 700, "height": 500})
    devtools.send("Input.insertText", {"text": "困"})
    assert sorted(page.input_value("#comment")) == sorted("but fine困")


@pytest.mark.parametrize(
    ("start", "begun"),
    [
        ("gold", SENTENCES["1"][1]),
        ("none", "我参加了旅行困。"),
        ("agreed", SENTENCES["1"][1]),
    ],
)
def test_starts(
    open_page: OpenPage, proposals: Sheet, tmp_path: Path, start: str, begun: str
) -> None:
    page = open_page(write_page(proposals, start=start))
    assert words(page) == begun
    assert {record["start"] for record in exported(page, tmp_path)} == {start}


def test_equal_proposals_are_shown_once_with_their_names(
    open_page: OpenPage, proposals: Sheet
) -> None:
    page = open_page(write_page(proposals))
    assert page.locator(".row.version .label").all_inner_texts() == ["1 D P1", "2 gold"]
    # Where they differ, the place is marked.
    contested = page.locator(".gap.contested")
    assert [gap.get_attribute("data-end") for gap in contested.all()] == ["6"]
    go(page, "right")
    assert page.locator(".row.version .label").all_inner_texts() == ["1 D P1 gold"]
    assert contested.count() == 0


def test_hints(open_page: OpenPage, proposals: Sheet) -> None:
    page = open_page(write_page(proposals))
    assert page.locator(".row.version").count() == 2
    page.keyboard.press("h")
    assert page.locator(".row.version, .gap.contested").count() == 0
    assert page.locator(".row.target .word").count() == 0
    assert page.locator(".row.target").inner_text()
    reload(page)
    assert page.locator(".row.version").count() == 0


def test_the_guideline_is_rendered_in_the_language_of_the_page(
    open_page: OpenPage, proposals: Sheet, tmp_path: Path
) -> None:
    page = open_page(write_page(proposals))
    page.keyboard.press("g")
    heading = page.locator("#guideline h1:visible")
    assert heading.inner_text() == "Where the words of a learner sentence end"
    assert page.locator("#guideline table:visible").count() == 2
    page.click("#language")
    assert heading.inner_text() == "学习者句子的分词规范"
    guide = tmp_path / "guide.md"
    guide.write_text("# Cut <b>words</b>\n\n- one\n\n[x](javascript:alert(1))", encoding="utf-8")
    page = open_page(write_page(proposals, guideline=guide), locale="zh-CN")
    page.keyboard.press("g")
    assert page.inner_text("#guideline h1") == "Cut <b>words</b>"
    assert page.inner_text("#guideline li") == "one"
    assert page.locator("#guideline a").count() == 0


def test_adjudication(open_page: OpenPage, adjudication: Sheet, tmp_path: Path) -> None:
    page = open_page(write_page(adjudication))
    assert page.locator(".row.version .label").all_inner_texts() == ["1 A", "2 B C"]
    assert page.locator(".row.source .differs").all_inner_texts() == ["旅", "行", "困"]
    assert page.locator(".remarks li").all_inner_texts() == ["B <i>why</i>", "C ⚑ flagged"]
    page.keyboard.press("Enter")
    assert "still open" in page.inner_text("#status")
    page.keyboard.press("2")
    assert words(page) == SENTENCES["1"][1]
    page.keyboard.press("Enter")
    assert current(page) == "2"
    page.locator(".choices button").first.click()
    page.keyboard.press("Enter")
    first, second, *_ = exported(page, tmp_path)
    assert first["spans"] == [list(span) for span in segmentation(SENTENCES["1"][1]).spans]
    assert second["spans"] == [list(span) for span in segmentation(SENTENCES["2"][0]).spans]
    assert [first["done"], second["done"]] == [True, True]


def test_votes(open_page: OpenPage, votes: Sheet, tmp_path: Path) -> None:
    path = write_page(votes)
    page = open_page(path)
    assert page.inner_text("#task") == "Which corrections are best?"
    assert "grammatical" in page.inner_text(".criteria")
    assert "what the learner meant" in page.inner_text(".criteria")
    assert page.locator(".vote").count() == 4  # all three corrections, and none
    assert not page.locator(".ranks").first.is_visible()
    page.keyboard.press("Enter")
    assert "Tick a correction first" in page.inner_text("#status")
    page.keyboard.press("3")
    page.keyboard.press("1")  # equally good
    page.keyboard.press("2")
    page.keyboard.press("2")  # not so
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    page.keyboard.press("0")  # none after all
    ticked = page.locator(".vote[aria-pressed=true]")
    assert [vote.get_attribute("data-reference") for vote in ticked.all()] == ["0"]
    records = exported(page, tmp_path)
    assert [(record["id"], record["references"]) for record in records] == [
        ("1", [1, 3]),
        ("2", []),
    ]
    assert (tmp_path / "votes-小王-A-.jsonl").exists()
    other = open_page(path)
    least = {key: records[1][key] for key in ("id", "source_sha256", "annotator")}
    give(other, records[0], least | {"references": [3]}, records[0] | {"references": [4]})
    assert "1 line cannot be taken, not the numbers of corrections: 3" in shown(other, "#importing")
    take(other, "all")
    other.get_by_text("2 of 2 done").wait_for()
    assert [x["references"] for x in exported(other, tmp_path)] == [[1, 3], [3]]
    other.keyboard.press("Escape")
    other.keyboard.press("h")
    assert shown(other, ".ranks >> nth=0") == "levenshtein 1 · context 2"


def test_white_space_and_clusters(open_page: OpenPage, proposals: Sheet) -> None:
    page = open_page(write_page(proposals))

    def places(id: str) -> list[int]:
        go(page, id)
        return list(page.locator(".gap").evaluate_all("x => x.map(e => Number(e.dataset.end))"))

    # 今 天 👩‍🏫 很 开 心 🙂 吗: none inside the cluster of three code points.
    assert places("emoji") == [1, 2, 5, 6, 7, 8, 9]
    # 老 师 ： and U+3000: a place before the white space, none behind it.
    assert places("blank") == [1, 2, 3, 5, 6, 7]


def test_effort_is_counted_only_if_the_annotator_agrees(
    open_page: OpenPage, proposals: Sheet, tmp_path: Path
) -> None:
    page = open_page(write_page(proposals))
    page.keyboard.press("f")
    assert exported(page, tmp_path)[0]["effort"] is None
    page.clock.install()
    reload(page)
    page.locator(".notice.effort").get_by_text("Yes, count").click()
    page.clock.fast_forward(10_000)
    page.keyboard.press("Space")
    page.clock.fast_forward(600_000)  # a break of ten minutes counts as one minute
    page.keyboard.press("n")
    page.clock.fast_forward(5_000)
    page.locator(".gap").first.click()
    first, second, *others = exported(page, tmp_path)
    assert first["effort"]["keys"] == 2
    assert first["effort"]["seconds"] == pytest.approx(70, abs=2)
    assert second["effort"]["keys"] == 0
    assert second["effort"]["seconds"] == pytest.approx(5, abs=2)
    assert {other["effort"] for other in others} == {None}
    reload(page)
    assert page.locator(".notice.effort").count() == 0
    page.click("#help-button")
    page.click("#effort")  # not agreed any more: what was counted is thrown away
    page.keyboard.press("Escape")
    assert {record["effort"] for record in exported(page, tmp_path)} == {None}
    assert not page.evaluate("Object.keys(localStorage).some((key) => key.includes('effort'))")


@pytest.mark.parametrize("sheet", ["proposals", "adjudication", "votes"])
def test_narrow_windows_and_chinese(
    open_page: OpenPage, sheet: str, request: pytest.FixtureRequest
) -> None:
    path = write_page(request.getfixturevalue(sheet))
    viewport = {"width": 390, "height": 800}
    page = open_page(path, viewport=viewport, color_scheme="dark", locale="zh-CN")
    assert page.inner_text("#export") == "导出"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.mouse.wheel(0, 2000)
    assert page.locator("#saved").is_visible()
    box: dict[str, Any] = page.locator("#saved").bounding_box()
    assert 0 <= box["y"] < 800
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
