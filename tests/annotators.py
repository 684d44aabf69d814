"""Sheets for annotators, their pages, and what is to be seen on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import orjson

from cijie.gold import sheets
from cijie.gold.annotation import Annotation, Versions
from cijie.gold.learner import Ranking, voting_item
from cijie.gold.sheets import Mode, adjudication_item, annotation_item
from cijie.gold.shipped import read_guidelines
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from learners import SENTENCES, split

OpenPage = Callable[..., Any]


def segmentation(joined: str) -> Segmentation:
    return Segmentation.from_tokens(*split(joined))


@dataclass(frozen=True)
class Sheet:
    """Sentences to be filled in on a page, which is written into a folder."""

    folder: Path
    mode: Mode
    items: Callable[[str], list[Any]]


def adjudication_sheet(folder: Path, sentences: Iterable[Versions]) -> Sheet:
    chosen = [each for each in sentences if each.is_contested]
    return Sheet(folder, "adjudicate", lambda _: list(map(adjudication_item, chosen)))


def make_proposals(folder: Path) -> Sheet:
    sentences = []
    for id, (initial, gold, target) in SENTENCES.items():
        cut = segmentation(target)
        pair = Sentence(
            id, segmentation(initial).text, cut.text, reference=2, target_segmentations=(cut,)
        )
        by = {"D": initial, "P1": initial, "gold": gold}
        sentences.append(Versions(pair, {name: _annotation(x) for name, x in by.items()}))
    return _proposals(folder, sentences)


def make_plain(folder: Path, ids: Iterable[str]) -> Sheet:
    by = {"D": _annotation("旅行 困")}
    return _proposals(folder, [Versions(Sentence(id, "旅行困", "旅行团"), by) for id in ids])


def _proposals(folder: Path, sentences: list[Versions]) -> Sheet:
    return Sheet(folder, "annotate", lambda start: [annotation_item(x, start) for x in sentences])


def make_adjudication(folder: Path) -> Sheet:
    sentences = []
    for id, (initial, gold, target) in SENTENCES.items():
        pair = Sentence(id, segmentation(initial).text, split(target)[0], reference=1)
        by = {
            "A": _annotation(initial),
            "B": _annotation(gold, comment="<i>why</i>"),
            "C": _annotation(gold, flag=initial != gold),
        }
        sentences.append(Versions(pair, by))
    return adjudication_sheet(folder, sentences)


def _annotation(joined: str, **said: Any) -> Annotation:
    return Annotation(segmentation(joined), **said)


def make_votes(folder: Path) -> Sheet:
    rankings = [
        Ranking(Sentence(id, source, (source, "旅行团 <i>", target)), (1, 3, 2), (3, 1, 2))
        for id, source, target in [("1", "我参加了旅行困", "我参加了旅行团"), ("2", "么什", "什么")]
    ]
    return Sheet(folder, "vote", lambda _: list(map(voting_item, rankings)))


def write_page(
    made: Sheet,
    *,
    start: str = "agreed",
    guideline: Path | None = None,
    annotator: str = "小王 <A>",
) -> Path:
    out = made.folder / f"{made.mode}-{len(list(made.folder.glob('*.html')))}.html"
    shown = sheets.Sheet(made.mode, made.items(start), start)
    shown.write(out, annotator, read_guidelines(guideline))
    return out


def exported(page: Any, folder: Path) -> list[dict[str, Any]]:
    """What the page exports."""
    with page.expect_download() as download:
        page.click("#export")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def wait_until(page: Any, condition: str) -> None:
    """Wait until an expression of JavaScript holds.

    Playwright's `wait_for_function` would do, if the policy of the pages did not forbid `eval`.
    """
    end = monotonic() + 30
    while not page.evaluate(condition):
        assert monotonic() < end, condition
        page.wait_for_timeout(20)


def reload(page: Any) -> None:
    """Load a page again when what it has stored has arrived.

    Chromium sends what a page stores to another process, from which every page that is opened reads
    it. Under load the page that is loaded again may be quicker, and it does not learn of it later.
    What the first page of the context sees has arrived; `open_page` opens that page for this.
    """
    stored = """JSON.stringify(Object.entries(localStorage).sort()
        .map(([key, text]) => [key, text.length, text.slice(0, 5000)]))"""
    witness, *_ = page.context.pages
    expected = orjson.dumps(page.evaluate(stored)).decode()
    wait_until(witness, f"{stored} === {expected}")
    page.reload()


def give(page: Any, *records: Any) -> None:
    """Give the page a file to import; what is no record is a line as it is."""
    lines = [x if isinstance(x, bytes) else orjson.dumps(x) for x in records]
    name, kind = "a.jsonl", "application/x-ndjson"
    page.set_input_files(
        "#file", {"name": name, "mimeType": kind, "buffer": b"\n".join([*lines, b""])}
    )
    page.locator("#importing").wait_for()


def take(page: Any, choice: str) -> None:
    """Choose what to take of that file, and wait until the page has taken it."""
    page.locator("#status").evaluate("status => { status.textContent = ''; }")
    page.click(f"#importing button[value={choice}]")
    page.locator("#status", has_text="imported").wait_for()


def words(page: Any) -> str:
    """The words as the page shows them in its first line."""
    return " ".join(page.locator(".row.source .word").all_inner_texts()).replace("\n", "")


def shown(page: Any, selector: str) -> str:
    """The text of an element, without the marks that isolate names in it."""
    return str(page.inner_text(selector)).replace("\u2068", "").replace("\u2069", "")


def current(page: Any) -> str | None:
    """The id of the sentence in work."""
    return str(page.locator("#item").get_attribute("data-id"))


def go(page: Any, id: str) -> None:
    page.fill("#go", str(1 + list(SENTENCES).index(id)))
    page.press("#go", "Enter")
    assert current(page) == id
