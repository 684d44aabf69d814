"""The picture of the view page for docs/; test_walk_through.py says where it goes."""

from __future__ import annotations

import os
from pathlib import Path

from click.testing import CliRunner

from cijie.choices import Method
from cijie.cli.main import cijie
from cijie.recovery.recoverer import Recoverer

from annotators import OpenPage
from learners import dump, split

# Of each sentence: the source as a segmenter cuts it, and the target's words.
SENTENCES = {
    "1": ("我 参加 了 旅行 困 ， 吃 么 什 都 好 。", "我 参加 了 旅行团 ， 吃 什么 都 好 。"),
    "2": ("他 昨天 来了 图书 官 。", "他 昨天 来 了 图书馆 。"),
    "3": ("周 未 我们 一 起去 爬山 。", "周末 我们 一起 去 爬山 。"),
}
METHODS: tuple[Method, ...] = ("direct", "p2", "p3")
MOST_BYTES = 200_000


def test_a_picture_of_the_page(open_page: OpenPage, tmp_path: Path) -> None:
    pairs = []
    for initial, target in SENTENCES.values():
        (source, source_tokens), (text, target_tokens) = split(initial), split(target)
        words = {"source_tokens": source_tokens, "target_tokens": target_tokens}
        pairs.append({"source": source, "target": text, **words})
    results = []
    for method in METHODS:
        recovered = Recoverer(list, method).recover_all(pairs)
        records = [each.as_record(id) for id, each in zip(SENTENCES, recovered, strict=True)]
        results.append(str(dump(tmp_path / f"{method}.jsonl", records)))
    out = tmp_path / "page.html"
    arguments = ["view", *results, "-o", str(out), "--title", "three methods", "-q"]
    assert CliRunner().invoke(cijie, arguments).exit_code == 0
    page = open_page(out, viewport={"width": 1160, "height": 720})
    page.get_by_role("button", name="Links of \u2068p3\u2069").first.click()
    page.locator(".links").wait_for(state="attached")
    page.mouse.move(0, 0)
    path = Path(os.environ.get("CIJIE_PICTURES", tmp_path)) / "view-page.png"
    page.screenshot(path=path)
    assert path.stat().st_size < MOST_BYTES
