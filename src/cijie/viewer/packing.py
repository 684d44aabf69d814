"""Words and links as short strings and flat lists, which a browser reads fast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from cijie.text.characters import characters, is_plain
from cijie.text.segmentation import Span

_MOST = 26


def pack_spans(spans: Iterable[Span]) -> str:
    """Ascending half-open spans as one string, in nearly every case a letter each.

    A small letter is a span of 1 (`a`) to 26 (`z`) code points that starts where the one before it
    ended; each `+` before it adds 26. A capital letter skips 1 to 26 code points, several more.

    >>> pack_spans([(0, 2), (2, 3), (4, 31)])
    'baA+a'
    """
    packed: list[str] = []
    at = 0
    for start, end in spans:
        skipped, length = start - at, end - start
        while skipped > 0:
            packed.append(chr(64 + min(skipped, _MOST)))
            skipped -= _MOST
        more, rest = divmod(length - 1, _MOST)
        packed.append("+" * more + chr(97 + rest))
        at = end
    return "".join(packed)


def pack_characters(text: str) -> str:
    """The characters of a text as `pack_spans` does, white space skipped; nothing for plain text.

    >>> pack_characters("好"), pack_characters("👩‍🏫 好")
    ('', 'cAa')
    """
    if is_plain(text):
        return ""
    split = characters(text)
    return pack_spans(
        (start, end)
        for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True)
        if not blank
    )


def flat(rows: Iterable[Sequence[int | float]]) -> list[int | float]:
    """Rows of numbers one after another.

    >>> flat([(1, 2), (3, 4)])
    [1, 2, 3, 4]
    """
    return list(chain.from_iterable(rows))
