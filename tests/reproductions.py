"""A small run of the paper's experiments: six sentences, gold for five, words that are given."""

from __future__ import annotations

from fractions import Fraction

from cijie import Sentence
from cijie.noise.conditions import Corpus
from cijie.paper.grid import simplex
from cijie.paper.reproduction import Plan
from cijie.segmenters import load_segmenter
from cijie.similarity.features import GlobalPosition
from cijie.similarity.glyph import GlyphTable

from strategies import cut, words

# Gold, and target words; the last pair has no gold.
SENTENCES = [
    ("我 参加 了 旅行困", "我 参加 了 旅行团"),
    ("因为 下雨 我 昨天 没 去", "我 昨天 因为 下雨 没 去"),
    ("他 么什 都 好", "他 什么 都 好"),
    ("弟弟 在 何边 玩", "弟弟 在 河边 玩"),
    ("我们 己经 走 了", "我们 已经 走 了"),
    ("天气 狠 好", "天气 很 好"),
]
KNOWN = {target.replace(" ", ""): target.split() for _, target in SENTENCES}
NAME = "<b>名字</b> & \"'"


def segment(text: str) -> list[str]:
    """Targets are cut as they should be, sources into characters."""
    return KNOWN.get(text, list(text))


PAIRS = [
    Sentence(str(n), *(side.replace(" ", "") for side in sentence))
    for n, sentence in enumerate(SENTENCES)
]
GOLD = {str(n): words(gold) for n, (gold, _) in enumerate(SENTENCES[:-1])}
CORPUS = Corpus(NAME, "", tuple(cut(str(n), target) for n, (_, target) in enumerate(SENTENCES)))
GLYPHS = GlyphTable.builtin()
PLAN = Plan(
    load_segmenter(segment),
    {"glyph": GLYPHS, "pos": GlobalPosition()},
    {"context": "none"},
    vectors=tuple(simplex(2)),
    ratios=(Fraction(1, 10), Fraction(3, 10)),
    trials=19,
)
