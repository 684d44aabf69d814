"""The annotation page in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.corpora.segmentations import read_to_compare, source_checksum
from cijie.evaluation.regions import differing_regions
from cijie.text.segmentation import Segmentation

from learners import SENTENCES, dump, split

OpenPage = Callable[..., Any]


def segmentation(joined: str) -> Segmentation:
    return Segmentation.from_tokens(*split(joined))


def write_page(sheet: Path, *options: str) -> Path:
    out = sheet.with_suffix(".html")
    arguments = ["annotate", "page", sheet, "-o", out, "--annotator", "小王 <A>", *options]
    result = CliRunner().invoke(cijie, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return out


@pytest.fixture
def proposals(tmp_path: Path) -> Path:
    records = [
        {
            "id": id,
            "source": split(initial)[0],
            "target": split(target)[0],
            "reference": 2,
            "target_spans": segmentation(target).spans,
            "proposals": {"D": segmentation(initial).spans, "gold": segmentation(gold).spans},
        }
        for id, (initial, gold, target) in SENTENCES.items()
    ]
    return dump(tmp_path / "proposals.jsonl", records)


@pytest.fixture
def adjudication(tmp_path: Path) -> Path:
    records = []
    for id, (initial, gold, target) in SENTENCES.items():
        a, b = segmentation(initial), segmentation(gold)
        regions = [span for span, _ in differing_regions(a, b)]
        record = {"id": id, "source": a.text, "target": split(target)[0], "reference": 1}
        if regions:
            versions = {"A": a.spans, "B": b.spans}
            comments = {"B": "<i>why</i>"}
            records.append(
                record | {"proposals": versions, "regions": regions, "comments": comments}
            )
    return dump(tmp_path / "adjudication.jsonl", records)


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    records = [
        {
            "id": id,
            "source": source,
            "references": [source, "旅行团 <i>", target],
            "ranking": {"levenshtein": [1, 3, 2], "context": [3]},
            "choices": [1, 3],
        }
        for id, source, target in [("1", "我参加了旅行困", "我参加了旅行团"), ("2", "么什", "什么")]
    ]
    return dump(tmp_path / "votes.jsonl", records)


def exported(page: Any, tmp_path: Path) -> list[dict[str, Any]]:
    with page.expect_download() as download:
        page.keyboard.press("e")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def words(page: Any) -> str:
    """The words as the page shows them in its first line."""
    return " ".join(page.locator(".row.source .word").all_inner_texts()).replace("\n", "")


def test_by_keyboard_alone(
    open_page: OpenPage, proposals: Path, corpus: Path, tmp_path: Path
) -> None:
    page = open_page(write_page(proposals))
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
    assert page.locator("#item").get_attribute("data-id") == "2"
    press("2")  # the second proposal, gold
    press("Enter")
    for _ in range(len(SENTENCES) - 2):
        press("2")
        press("n")
    first, second, *others = exported(page, tmp_path)
    source = split(SENTENCES["1"][0])[0]
    assert first == {
        "id": "1",
        "source_sha256": source_checksum(source),
        "reference": 2,
        "target_sha256": source_checksum(split(SENTENCES["1"][2])[0]),
        "spans": [list(span) for span in segmentation(SENTENCES["1"][1]).spans],
        "annotator": "小王 <A>",
        "flag": True,
        "comment": "困 for 团 fn",
        "done": True,
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
    agreed, sheet = tmp_path / "agreed.jsonl", tmp_path / "sheet.jsonl"
    arguments = ["annotate", "merge", proposals, file, other, "-o", agreed, "--sheet", sheet]
    result = CliRunner().invoke(cijie, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    assert "1 unanimous; 1 to adjudicate, 1 of them flagged only" in result.output
    # A sentence in which nothing differs can be adjudicated all the same.
    page = open_page(write_page(sheet))
    assert "困 for 团 fn" in page.inner_text(".comments")
    page.keyboard.press("Enter")
    assert "1 of 1 done" in page.inner_text("#counts")


def test_by_mouse_with_undo_and_redo(open_page: OpenPage, proposals: Path) -> None:
    page = open_page(write_page(proposals))
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
    assert page.locator("#item").get_attribute("data-id") == "1"
    assert words(page) == "我 参加 了 旅 行 困 。"


def test_work_is_kept_and_imported(open_page: OpenPage, proposals: Path, tmp_path: Path) -> None:
    path = write_page(proposals)
    page = open_page(path)
    page.locator('.gap[data-end="5"]').click()
    page.keyboard.press("Enter")
    page.reload()
    assert page.locator("#item").get_attribute("data-id") == "2"
    assert "1 of 9 done" in page.inner_text("#counts")
    records = exported(page, tmp_path)
    # Another browser knows nothing of it, until it is imported.
    other = open_page(path)
    assert "0 of 9 done" in other.inner_text("#counts")
    spoilt = [
        records[1] | {"spans": [[0, 3], [4, 6]]},
        records[2] | {"source_sha256": "0" * 16},
        records[3] | {"id": "unknown"},
    ]
    before = {"tokens": records[0]["spans"], **records[0]}  # as version 0.1 wrote it
    del before["spans"]
    lines = b"".join(orjson.dumps(record) + b"\n" for record in [before, *spoilt]) + b"{\n"
    other.set_input_files(
        "#file", {"name": "a.jsonl", "mimeType": "application/x-ndjson", "buffer": lines}
    )
    other.get_by_text("1 of 9 done").wait_for()
    status = other.inner_text("#status")
    assert "1 answers imported, 4 refused" in status
    assert "Line 2: not a segmentation of the source" in status.replace("\u2068", "").replace(
        "\u2069", ""
    )
    assert words(other) == "我 参加 了 旅 行 困 。"
    again = exported(other, tmp_path)
    assert again[0] == records[0]
    assert again[1:] == records[1:]


def test_starts(open_page: OpenPage, proposals: Path) -> None:
    assert words(open_page(write_page(proposals, "--start", "gold"))) == SENTENCES["1"][1]
    assert words(open_page(write_page(proposals, "--start", "none"))) == "我参加了旅行困。"


def test_hints_and_guideline(open_page: OpenPage, proposals: Path, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# Cut <b>words</b>", encoding="utf-8")
    page = open_page(write_page(proposals, "--guideline", str(tmp_path / "guide.md")))
    assert page.locator(".row.version").count() == 2
    page.keyboard.press("h")
    assert page.locator(".row.version").count() == 0
    assert page.locator(".row.target .word").count() == 0
    assert page.locator(".row.target").inner_text()
    page.keyboard.press("g")
    assert page.inner_text("#guideline-text") == "# Cut <b>words</b>"
    page.reload()
    assert page.locator(".row.version").count() == 0


def test_adjudication(open_page: OpenPage, adjudication: Path, tmp_path: Path) -> None:
    page = open_page(write_page(adjudication))
    assert page.locator(".row.version").count() == 2
    assert page.locator(".row.source .differs").all_inner_texts() == ["旅", "行", "困"]
    assert page.inner_text(".comments") == "B <i>why</i>"
    page.keyboard.press("Enter")
    assert "still open" in page.inner_text("#status")
    page.keyboard.press("2")
    assert words(page) == SENTENCES["1"][1]
    page.keyboard.press("Enter")
    assert page.locator("#item").get_attribute("data-id") == "2"
    page.locator(".regions button").first.click()
    page.keyboard.press("Enter")
    first, second, *_ = exported(page, tmp_path)
    assert first["spans"] == [list(span) for span in segmentation(SENTENCES["1"][1]).spans]
    assert second["spans"] == [list(span) for span in segmentation(SENTENCES["2"][0]).spans]
    assert [first["done"], second["done"]] == [True, True]


def test_votes(open_page: OpenPage, votes: Path, tmp_path: Path) -> None:
    path = write_page(votes)
    page = open_page(path)
    page.keyboard.press("Enter")
    assert "Choose a correction first" in page.inner_text("#status")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    records = exported(page, tmp_path)
    assert records == [
        {
            "id": "1",
            "source_sha256": source_checksum("我参加了旅行困"),
            "reference": 3,
            "annotator": "小王 <A>",
            "comment": "",
        }
    ]
    other = open_page(path)
    lines = b"".join(orjson.dumps(x) + b"\n" for x in [*records, records[0] | {"reference": 2}])
    other.set_input_files(
        "#file", {"name": "v.jsonl", "mimeType": "application/x-ndjson", "buffer": lines}
    )
    other.get_by_text("1 of 2 done").wait_for()
    assert "1 answers imported, 1 refused" in other.inner_text("#status")


def test_white_space_and_clusters(open_page: OpenPage, proposals: Path) -> None:
    page = open_page(write_page(proposals))

    def places(id: str) -> list[int]:
        page.fill("#go", str(1 + list(SENTENCES).index(id)))
        page.press("#go", "Enter")
        page.locator(f'#item[data-id="{id}"]').wait_for()
        return page.locator(".gap").evaluate_all("x => x.map(e => Number(e.dataset.end))")

    # 今 天 👩‍🏫 很 开 心 🙂 吗: none inside the cluster of three code points.
    assert places("emoji") == [1, 2, 5, 6, 7, 8, 9]
    # 老 师 ： and U+3000: a place before the white space, none behind it.
    assert places("blank") == [1, 2, 3, 5, 6, 7]


def test_work_that_cannot_be_kept_is_said_not_to_be(open_page: OpenPage, proposals: Path) -> None:
    page = open_page(write_page(proposals))
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    page.locator('.gap[data-end="5"]').click()
    assert page.locator("#warning").is_visible()
    page.keyboard.press("u")
    assert words(page) == SENTENCES["1"][0]


@pytest.mark.parametrize("sheet", ["proposals", "adjudication", "votes"])
def test_narrow_windows_and_chinese(
    open_page: OpenPage, sheet: str, request: pytest.FixtureRequest
) -> None:
    path = write_page(request.getfixturevalue(sheet))
    viewport = {"width": 390, "height": 800}
    page = open_page(path, viewport=viewport, color_scheme="dark", locale="zh-CN")
    assert page.inner_text("#export") == "导出"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()


def test_messages_are_there_in_both_languages(open_page: OpenPage, votes: Path) -> None:
    page = open_page(write_page(votes))
    keys = page.evaluate("[Object.keys(messages.en), Object.keys(messages.zh)]")
    english, chinese = ({key for key in each if not key.endswith(".one")} for each in keys)
    assert english == chinese
