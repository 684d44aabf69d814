"""Word lists: one word a line, as jieba's user dictionaries have them."""

from __future__ import annotations

import re
from collections import Counter

from cijie.files.lines import StrPath, read_lines
from cijie.segmenters.word_list import WordList
from cijie.text.characters import characters


def read_words(path: StrPath, *, skipped: Counter[str] | None = None) -> WordList:
    """Read a word list: lines of a word and, where there are, its frequency and its tag.

    Frequency and tag have no effect here. Blank lines are ignored. Words of one character are left
    out, for a word list cannot do anything with them.

    Args:
        path: the file; `-` is standard input.
        skipped: counts what was left out, by reason.

    Raises:
        FormatError: bytes that are not UTF-8.
    """
    skipped = Counter() if skipped is None else skipped
    words = []
    for _, line in read_lines(path):
        word = line.strip()
        if not word:
            continue
        for pattern in ("[a-z]+", "[0-9]+"):  # from the end: a tag, a frequency
            before, *last = word.rsplit(None, 1)
            if last and re.fullmatch(pattern, last[0]):
                word = before
        if len(characters(word)) > 1:
            words.append(word)
        else:
            skipped["user words of one character"] += 1
    return WordList(words)
