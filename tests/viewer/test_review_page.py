"""Decisions about doubtful places, made on the page of results."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cijie import Recoverer
from cijie.cli.main import cijie

from annotators import reload
from learners import dump

OpenPage = Callable[..., Any]

PAIRS = [
    ("1", "我们因该走", ["我们", "因", "该", "走"], ["我们", "应该", "走"]),
    ("2", "旅行困去", ["旅行", "困", "去"], ["旅行团", "去"]),
    ('3,"x"', "我已前来过", ["我", "已", "前来", "过"], ["我", "以前", "来", "过"]),
]


def run(*arguments: object) -> str:
    result = CliRunner().invoke(cijie, [str(each) for each in arguments])
    assert result.exit_code == 0, result.output
    return result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs, their recoveries by P3 and by D, and the pages of both."""
    folder = tmp_path_factory.mktemp("review")
    records = [
        {
            "id": id,
            "source": source,
            "target": "".join(target),
            "source_tokens": words,
            "target_tokens": target,
        }
        for id, source, words, target in PAIRS
    ]
    pairs = dump(folder / "pairs.jsonl", records)
    for method in ("p3", "direct"):
        found = Recoverer(list, method).recover_all(records)
        out = dump(
            folder / f"{method}.jsonl",
            [each.as_record(str(x["id"])) for each, x in zip(found, records, strict=True)],
        )
        run("view", out, "-o", folder / f"{method}.html")
    assert pairs.exists()
    return folder


def exported(page: Any) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.click("#export")
    assert download.value.suggested_filename == "review.csv"
    raw = Path(download.value.path()).read_bytes()
    assert raw.startswith("\ufeff".encode())
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))


def decide(page: Any, id: str, label: str) -> Any:
    card = page.locator(".card").filter(has=page.locator("h3", has_text=id))
    found = card.get_by_role("button", name=label, exact=True)
    found.click()
    return found


def test_what_is_decided_on_a_page_is_applied(
    open_page: OpenPage, folder: Path, tmp_path: Path
) -> None:
    page = open_page(folder / "p3.html")
    assert page.inner_text("#export") == "Export review (0 of 4 decided)"
    rejected = decide(page, "1", "reject, take: 因 该")
    assert rejected.get_attribute("aria-pressed") == "true"
    decide(page, "3", "accept: 已前 来")
    assert page.inner_text("#export") == "Export review (2 of 4 decided)"
    rows = exported(page)
    known = run(
        *("recover", folder / "pairs.jsonl", "--segmenter", "builtins:list"),
        *("--review", 9, "-o", tmp_path / "known.csv"),
    )
    assert "the 4 least sure places written" in known
    with (tmp_path / "known.csv").open(encoding="utf-8-sig", newline="") as stream:
        by_place = {(row["id"], row["place"]): row for row in csv.DictReader(stream)}
    for row in rows:  # the same rows, and the decisions
        assert by_place[row["id"], row["place"]] == {**row, "decision": ""}
    decided = {(row["id"], row["place"]): row["decision"] for row in rows if row["decision"]}
    assert decided == {("1", "3"): "reject", ('3,"x"', "3"): "accept"}
    with page.expect_download() as download:
        page.click("#export")
    download.value.save_as(tmp_path / "review.csv")
    said = run(
        *("recover", folder / "pairs.jsonl", "--segmenter", "builtins:list"),
        *("--decisions", tmp_path / "review.csv", "-o", tmp_path / "out.txt"),
    )
    assert "2 of 4 places decided, 1 for other words\n  1  因该 → 因 该\n" in said


def test_decisions_are_kept_and_can_be_taken_back(open_page: OpenPage, folder: Path) -> None:
    page = open_page(folder / "p3.html")
    decide(page, "1", "reject, take: 因 该")
    reload(page)
    again = page.get_by_role("button", name="reject, take: 因 该", exact=True)
    assert again.get_attribute("aria-pressed") == "true"
    decide(page, "1", "accept: 因该")
    assert again.get_attribute("aria-pressed") == "false"
    decide(page, "1", "accept: 因该")
    assert page.inner_text("#export") == "Export review (0 of 4 decided)"


def test_decisions_by_keyboard_go_from_place_to_place(open_page: OpenPage, folder: Path) -> None:
    page = open_page(folder / "p3.html")
    page.keyboard.press("j")
    for key in "xaax":
        page.keyboard.press(key)
    assert page.inner_text("#export") == "Export review (4 of 4 decided)"
    assert "Nothing is undecided here" in page.inner_text("#status")
    rows = exported(page)
    assert [row["decision"] for row in rows] == ["reject", "accept", "accept", "reject"]
    # A key decides the place in use, also one that is decided.
    page.get_by_role("button", name="reject, take: 因 该", exact=True).focus()
    page.keyboard.press("a")
    assert exported(page)[0]["decision"] == "accept"


def test_what_is_decided_stays_in_use_beside_the_same_words(
    open_page: OpenPage, tmp_path: Path
) -> None:
    words, target = ["旅行", "困", "和"], ["旅行团", "和"]
    pair = {"source": "".join(words * 2), "target": "".join(target * 2)}
    recovery = Recoverer(list).recover(**pair, source_tokens=words * 2, target_tokens=target * 2)
    run("view", dump(tmp_path / "p3.jsonl", [recovery.as_record("1")]), "-o", tmp_path / "p.html")
    page = open_page(tmp_path / "p.html")
    page.get_by_role("button", name="accept: 旅行困", exact=True).nth(1).click()
    page.keyboard.press("x")
    assert [row["decision"] for row in exported(page)] == ["", "reject"]


def test_pages_of_other_texts_share_no_decisions(open_page: OpenPage, tmp_path: Path) -> None:
    for folder, end in (("a", "去"), ("b", "来")):
        words, target = ["旅行", "困", end], ["旅行团", end]
        recovery = Recoverer(list).recover(
            "".join(words), "".join(target), source_tokens=words, target_tokens=target
        )
        (tmp_path / folder).mkdir()
        results = dump(tmp_path / folder / "p3.jsonl", [recovery.as_record("1")])
        run("view", results, "-o", tmp_path / folder / "page.html")
    page = open_page(tmp_path / "a/page.html", own=tmp_path)
    decide(page, "1", "accept: 旅行困")
    page.goto((tmp_path / "b/page.html").as_uri())
    assert page.inner_text("#export") == "Export review (0 of 1 decided)"
    page.goto((tmp_path / "a/page.html").as_uri())
    assert page.inner_text("#export") == "Export review (1 of 1 decided)"


def test_a_key_that_is_held_decides_once(open_page: OpenPage, folder: Path) -> None:
    page = open_page(folder / "p3.html")
    page.keyboard.press("j")
    page.keyboard.down("a")
    page.keyboard.down("a")
    page.keyboard.up("a")
    assert page.inner_text("#export") == "Export review (1 of 4 decided)"


def test_two_windows_do_not_write_over_each_other(open_page: OpenPage, folder: Path) -> None:
    page = open_page(folder / "p3.html")
    other = page.context.new_page()
    other.goto((folder / "p3.html").as_uri())
    held = "async (kind) => (await navigator.locks.query())[kind].length === 1"
    other.wait_for_function(held, arg="pending")
    decide(other, "1", "accept: 因该")
    assert "Another window" in other.inner_text("#status")
    assert other.inner_text("#export") == "Export review (0 of 4 decided)"
    decide(page, "1", "accept: 因该")
    other.locator("#export", has_text="1 of 4").wait_for()
    page.close()
    other.wait_for_function("async () => !(await navigator.locks.query()).pending.length")
    decide(other, "2", "accept: 旅行困")
    assert other.inner_text("#export") == "Export review (2 of 4 decided)"


def test_what_is_not_kept_is_said(open_page: OpenPage, folder: Path) -> None:
    page = open_page(folder / "p3.html")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full') } }")
    decide(page, "1", "accept: 因该")
    assert "Export before you close the page" in page.inner_text("#status")
    assert exported(page)[0]["decision"] == "accept"


def test_without_confidences_there_is_nothing_to_review(open_page: OpenPage, folder: Path) -> None:
    page = open_page(folder / "direct.html")
    assert not page.locator("#export").is_visible()
    assert page.locator(".decide").count() == 0
