"""`cijie demo`."""

from __future__ import annotations

from typing import Any

from cijie.choices import Method
from cijie.cli.options import command, make_segmenter, segmenter_options

_METHODS: dict[str, Method] = {"D": "direct", "P1": "p1", "P2": "p2", "P3": "p3"}
_PAIRS = (
    ("我参加了旅行困。", "我参加了旅行团。"),
    ("你喜欢吃么什？", "你喜欢吃什么？"),
    ("我的爱好是听音月和看电彭。", "我的爱好是听音乐和看电影。"),
    ("周未我要和朋友一起去商店。", "周末我要和朋友一起去商店。"),
    ("你为十么不来上课？", "你为什么不来上课？"),
    ("我毕业一后想当老师。", "我毕业以后想当老师。"),
)


@command()
@segmenter_options
def demo(segmenter_options: dict[str, Any]) -> None:
    """Recover a handful of learner sentences and show what changed, and why.

    S is the learner's sentence and T its correction, both as the segmenter cuts them. D is S again;
    P1, P2 and P3 project T's word boundaries onto S. `cijie show` does this with your sentences.
    """
    from cijie.pictures.terminal import print_lines
    from cijie.recovery.recoverer import Recoverer
    from cijie.viewer.render import text_lines

    segmenter = make_segmenter(**segmenter_options)
    recovered = (Recoverer(segmenter, method).recover_all(_PAIRS) for method in _METHODS.values())
    pictures = [dict(zip(_METHODS, each, strict=True)) for each in zip(*recovered, strict=True)]
    print_lines(lambda width: text_lines(pictures, width))
