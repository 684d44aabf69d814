"""Sentences that are hard on a page, with gold and the results of three methods."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from click.testing import CliRunner

from cijie import Recoverer
from cijie.cli.main import cijie
from cijie.corpora.segmentations import source_checksum
from cijie.text.segmentation import Segmentation

SYSTEMS = {"D": "direct", "P1": "p1", "P2": "p2"}

# Of each sentence: the source as a segmenter cuts it, gold, the target's words.
SENTENCES = {
    "1": ("我 参加 了 旅行 困 。", "我 参加 了 旅行困 。", "我 参加 了 旅行团 。"),
    "2": ("你 喜欢 吃 么 什 ？", "你 喜欢 吃 么什 ？", "你 喜欢 吃 什么 ？"),
    "emoji": ("今天 👩‍🏫 很 开 心 🙂 吗", "今天 👩‍🏫 很 开心 🙂 吗", "今天 👩‍🏫 很 开心 🙂 吗"),
    "𠮷": ("𠮷田 先生 来了", "𠮷田 先生 来 了", "吉田 先生 来 了"),
    "</script><b>&amp;": (
        "< / script > <script> alert ( 1 ) < / script > <!-- 好吗",
        "< / script > <script> alert ( 1 ) < / script > <!-- 好 吗",
        "< / script > 好 吗",
    ),
    "bidi": ("他 说 \u202eabc\u202c 好的", "他 说 \u202eabc\u202c 好 的", "他 说 abc 好 的"),
    "blank": ("老师 ：\u3000 明天 放 假", "老师 ：\u3000 明天 放假", "老师 ：\u3000 明天 放假"),
    "right": ("我们 都 好", "我们 都 好", "我们 都 好"),
    "drift": ("中国 人民 的", "中 国人民 的", "中国 人民 的"),
}


def split(joined: str) -> tuple[str, list[str]]:
    """A text and its words; U+3000 after a word is white space of the text."""
    return joined.replace(" ", ""), [word.strip() for word in joined.split(" ")]


def dump(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


def write_corpus(folder: Path) -> None:
    """Gold in the stand-off form, and what the methods make of the same sentences."""
    gold = []
    for id, (_, joined, _) in SENTENCES.items():
        text, words = split(joined)
        spans = Segmentation.from_tokens(text, words).spans
        gold.append({"id": id, "source_sha256": source_checksum(text), "tokens": spans})
    dump(folder / "gold.jsonl", gold)
    for name, method in SYSTEMS.items():
        recoverer = Recoverer(list, method)
        records = []
        for id, (initial, _, target) in SENTENCES.items():
            source, source_tokens = split(initial)
            text, target_tokens = split(target)
            recovery = recoverer.recover(
                source, text, source_tokens=source_tokens, target_tokens=target_tokens
            )
            records.append(recovery.as_record(id))
        dump(folder / f"{name}.jsonl", records)


def write_view(corpus: Path, out: Path, *options: str) -> Path:
    """The viewer's page of the corpus."""
    systems = [str(corpus / f"{name}.jsonl") for name in ("D", "P1", "P2")]
    gold = str(corpus / "gold.jsonl")
    arguments = ["view", *systems, "--gold", gold, "-o", str(out), "--trials", "20", "-q", *options]
    result = CliRunner().invoke(cijie, arguments)
    assert result.exit_code == 0, result.output
    return out
