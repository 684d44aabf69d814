"""Texts in pieces, for models that see no white space and only so many characters at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cijie.text.characters import characters


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


def with_unseen(piece: str, words: Sequence[str]) -> Sequence[str]:
    """The words of a piece together with what an encoder dropped at its edges.

    That may be combining marks, zero-width and control characters. If anything else is missing,
    the words stay as they are, for the check of every segmenter's words to find.

    >>> with_unseen("\\u200b没有\\ufeff", ["没有"])
    ['\\u200b', '没有', '\\ufeff']
    >>> with_unseen("没有错", ["没有"])
    ['没有']
    """
    covered = "".join(words)
    start = piece.find(covered)
    end = start + len(covered)
    split = characters(piece)
    visible = (
        core
        for core, blank in zip(split.cores, split.blank, strict=True)
        if not blank and piece[core].isprintable()
    )
    if start < 0 or any(not start <= core < end for core in visible):
        return words
    return [piece[:start], *words, piece[end:]]
