"""Texts in pieces, for models that see no white space and only so many characters at once."""

from __future__ import annotations

import re


def pieces(text: str, window: int | None = None) -> list[str]:
    """The parts of `text` between white space, cut up further where they exceed `window`.

    A part that is too long is cut after the last mark that ends a sentence within the window, else
    after the last comma or colon, else at the window's end, so that pieces are as long as they can
    be. Where pieces meet, words end.

    >>> pieces("我学 deep learning课")
    ['我学', 'deep', 'learning课']
    >>> pieces("他来了。你呢？我们一起走吧", window=8)
    ['他来了。你呢？', '我们一起走吧']
    """
    if window is None:
        return text.split()
    part = rf"\S{{1,{window}}}"
    return re.findall(rf"{part}(?:(?!\S)|(?<=[。！？!?；;…]))|{part}(?<=[，、,：:])|{part}", text)
