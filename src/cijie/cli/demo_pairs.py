"""A handful of learner sentences, recovered by each method and explained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cijie.choices import Method
from cijie.projection.boundaries import Change
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery
from cijie.segmenters import Segmenter

METHODS: tuple[Method, ...] = ("direct", "p1", "p2", "p3")

PAIRS = (
    ("我参加了旅行困。", "我参加了旅行团。"),
    ("你喜欢吃么什？", "你喜欢吃什么？"),
    ("我的爱好是听音月和看电彭。", "我的爱好是听音乐和看电影。"),
    ("周未我要和朋友一起去商店。", "周末我要和朋友一起去商店。"),
    ("你为十么不来上课？", "你为什么不来上课？"),
    ("我毕业一后想当老师。", "我毕业以后想当老师。"),
)


@dataclass(frozen=True, slots=True)
class Example:
    """One pair with what each method made of it, by method."""

    recoveries: dict[Method, Recovery]

    @property
    def target(self) -> str:
        """The target's words, joined by spaces."""
        return str(self.recoveries["direct"].target_segmentation)

    def why(self, method: Method) -> list[str]:
        """One sentence for each boundary that a method changed."""
        recovery = self.recoveries[method]
        return [explain(change, recovery) for change in recovery.changes]


def examples(segmenter: Segmenter, pairs: Sequence[tuple[str, str]] = PAIRS) -> Iterator[Example]:
    """Recover `pairs` by every method."""
    streams = [Recoverer(segmenter, method).recover_all(pairs) for method in METHODS]
    for recoveries in zip(*streams, strict=True):
        yield Example(dict(zip(METHODS, recoveries, strict=True)))


def explain(change: Change, recovery: Recovery) -> str:
    """Why a boundary changed, in a sentence.

    >>> from cijie import Recoverer
    >>> recovery = Recoverer(list, "p1").recover("好吃了", "好吃", target_tokens=["好吃"])
    >>> explain(recovery.changes[0], recovery)
    'joined 好|吃: 好吃 is one word of T'
    """
    around = recovery.source[change.at - 1 : change.at], recovery.source[change.at :][:1]
    if change.kind == "remove":
        return f"joined {'|'.join(around)}: {change.word} is one word of T"
    return f"cut {'|'.join(around)}: {change.word} is a word of T that ends there"
