"""Sheets for annotators, their pages, and what is to be seen on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import orjson
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.evaluation.regions import differing_regions
from cijie.text.segmentation import Segmentation

from learners import SENTENCES, dump, split

OpenPage = Callable[..., Any]


def segmentation(joined: str) -> Segmentation:
    return Segmentation.from_tokens(*split(joined))


def write_proposals(folder: Path) -> Path:
    records = [
        {
            "id": id,
            "source": split(initial)[0],
            "target": split(target)[0],
            "reference": 2,
            "target_spans": segmentation(target).spans,
            "proposals": {
                "D": segmentation(initial).spans,
                "P1": segmentation(initial).spans,
                "gold": segmentation(gold).spans,
            },
        }
        for id, (initial, gold, target) in SENTENCES.items()
    ]
    return dump(folder / "proposals.jsonl", records)


def write_adjudication(folder: Path) -> Path:
    records = []
    for id, (initial, gold, target) in SENTENCES.items():
        a, b = segmentation(initial), segmentation(gold)
        regions = [span for span, _ in differing_regions(a, b)]
        record = {"id": id, "source": a.text, "target": split(target)[0], "reference": 1}
        if regions:
            versions = {"A": a.spans, "B": b.spans, "C": b.spans}
            said = {"comments": {"B": "<i>why</i>"}, "flags": ["C"]}
            records.append(record | {"proposals": versions, "regions": regions} | said)
    return dump(folder / "adjudication.jsonl", records)


def write_votes(folder: Path) -> Path:
    records = [
        {
            "id": id,
            "source": source,
            "references": [source, "旅行团 <i>", target],
            "ranking": {"levenshtein": [1, 3, 2], "context": [3, 1, 2]},
        }
        for id, source, target in [("1", "我参加了旅行困", "我参加了旅行团"), ("2", "么什", "什么")]
    ]
    return dump(folder / "votes.jsonl", records)


def write_page(sheet: Path, *options: str, annotator: str = "小王 <A>") -> Path:
    out = sheet.with_name(f"{sheet.stem}-{len(list(sheet.parent.glob('*.html')))}.html")
    arguments = ["annotate", "page", sheet, "-o", out, "--annotator", annotator, *options]
    result = CliRunner().invoke(cijie, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
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
