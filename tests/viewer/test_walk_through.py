"""From pairs to gold as people do it in browsers; pictures for docs/annotation.md are made here.

`CIJIE_PICTURES` names the folder that they are written to, else they go to a temporary one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.text.segmentation import Segmentation

from annotators import OpenPage, current, words
from learners import dump, split

# Of each sentence: the source as a segmenter cuts it, and the target's words.
SENTENCES = {
    "1": ("我 昨天 去 图书 官 看 书 。", "我 昨天 去 图书馆 看 书 。"),
    "2": ("他 的 新 房间 很 便 方 。", "他 的 新 房间 很 方便 。"),
    "3": ("我们 参加 了 旅行 困 。", "我们 参加 了 旅行团 。"),
}
MOST_BYTES = 150_000
VIEWPORT = {"width": 960, "height": 660}


def run(*arguments: object) -> str:
    result = CliRunner().invoke(cijie, ["annotate", *map(str, arguments)])
    assert result.exit_code == 0, result.stderr
    return result.stderr


def picture(page: Any, name: str, folder: Path) -> None:
    path = folder / name
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.locator("#status.shown").wait_for(state="detached")
    page.screenshot(path=path)
    assert path.stat().st_size < MOST_BYTES


def download(page: Any, folder: Path) -> None:
    with page.expect_download() as found:
        page.click("#export")
    found.value.save_as(folder / found.value.suggested_filename)


def test_from_pairs_to_gold(open_page: OpenPage, tmp_path: Path) -> None:
    pictures = Path(os.environ.get("CIJIE_PICTURES", tmp_path))
    records = []
    for id, (initial, target) in SENTENCES.items():
        cut = [Segmentation.from_tokens(*split(joined)) for joined in (initial, target)]
        texts = {"source": cut[0].text, "target": cut[1].text}
        spans = {"initial_spans": cut[0].spans, "target_spans": cut[1].spans}
        records.append({"id": id, **texts, **spans})
    pairs = dump(tmp_path / "pairs.jsonl", records)
    study = tmp_path / "study"
    run("start", pairs, "--annotators", "A,B", "-o", study, "--segmenter", "builtins:list")

    for name, comment in (("A", ""), ("B", "方便 and 便方: one word?")):
        page = open_page(study / f"annotate-{name}.html", viewport=VIEWPORT)
        page.get_by_text("Yes, count").click()
        assert words(page) == "我 昨天 去 图书官 看 书 。"  # where proposals differ, nothing is cut
        page.keyboard.press("1")
        if name == "A":
            picture(page, "annotate-page.png", pictures)
        page.keyboard.press("2")  # what p2 and p3 propose
        page.keyboard.press("Enter")
        assert current(page) == "2"
        page.keyboard.press("2" if name == "A" else "1")
        if comment:
            page.keyboard.press("f")
            page.keyboard.press("c")
            page.keyboard.type(comment)
            page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert "All sentences are done" in page.inner_text("#status")
        download(page, study)

    assert "2 unanimous; 1 to adjudicate" in run("merge", study)
    page = open_page(study / "adjudicate.html", viewport=VIEWPORT)
    page.get_by_text("No", exact=True).click()
    assert comment in page.inner_text(".remarks")
    page.keyboard.press("1")
    picture(page, "adjudicate-page.png", pictures)
    page.keyboard.press("Enter")
    download(page, study)

    run("agreement", study)
    page = open_page(study / "agreement.html", viewport=VIEWPORT)
    assert page.locator(".sentence").count() == 1
    picture(page, "agreement-page.png", pictures)

    run("adjudicate", study)
    gold = {
        record["id"]: [tuple(span) for span in record["spans"]]
        for record in map(orjson.loads, (study / "gold.jsonl").read_bytes().splitlines())
    }
    wanted = ("我 昨天 去 图书官 看 书 。", "他 的 新 房间 很 便方 。", "我们 参加 了 旅行困 。")
    assert gold == {
        id: Segmentation.from_tokens(*split(joined)).spans
        for id, joined in zip(SENTENCES, wanted, strict=True)
    }


def test_work_of_an_adjudicator_outlives_another_merge(open_page: OpenPage, tmp_path: Path) -> None:
    record = {"source": "旅行困", "target": "旅行团", "target_spans": [[0, 3]]}
    pairs = dump(tmp_path / "pairs.jsonl", [record | {"id": id} for id in "123"])
    study = tmp_path / "study"
    run("start", pairs, "--annotators", "A,B", "-o", study, "--segmenter", "builtins:list")

    def annotate(name: str, *cuts: list[list[int]]) -> None:
        answers = [{"id": id, "spans": spans} for id, spans in zip("123", cuts, strict=True)]
        dump(study / f"annotation-{name}.jsonl", [x | {"annotator": name} for x in answers])

    whole, cut, late = [[0, 3]], [[0, 2], [2, 3]], [[0, 1], [1, 3]]
    annotate("A", whole, whole, whole)
    annotate("B", cut, whole, cut)
    run("merge", study)
    page = open_page(study / "adjudicate.html")
    assert page.locator("#progress").get_attribute("max") == "2"
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    annotate("B", cut, late, cut)
    run("merge", study)
    page.reload()
    page.locator("#counts", has_text="1 of 3 done").wait_for()
    page.fill("#go", "1")
    page.press("#go", "Enter")
    assert words(page) == "旅行 困"
