"""Word lists: one word per line, as in jieba's user dictionaries."""

from __future__ import annotations

import re
from collections import Counter

from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.text.characters import characters
from cijie.text.word_list import WordList

_TAG = "[a-z]{1,2}|eng|nrt|nrfg"  # those of jieba's dictionary, and `eng`
_ENTRY = re.compile(
    rf"(.+) [0-9]+ (?:{_TAG})|(.*[^\x00-\x7f]) (?:[0-9]+(?: [a-z]+)?|{_TAG})", re.DOTALL
)


def read_words(path: StrPath, *, skipped: Counter[str] | None = None) -> WordList:
    """Read a word list: each line has a word and, optionally, its frequency and tag.

    Frequency and tag have no effect here; see `word_in` for their form. Blank lines are
    ignored. Words of one character are left out, for a word list cannot do anything with them.

    Args:
        path: the file; `-` is standard input.
        skipped: counts skipped sentences, by reason.

    Raises:
        FormatError: bytes that are not UTF-8.
    """
    skipped = Counter() if skipped is None else skipped
    words = []
    for _, line in read_lines(path):
        word = word_in(line.strip())
        if word != line.strip():
            skipped["additions to user words (frequency, tag)"] += 1
        if len(characters(word)) > 1:
            words.append(word)
        elif word:
            skipped["user words of one character"] += 1
    return WordList(words)


def word_in(line: str) -> str:
    """Return the word of a line of jieba's form, `word frequency tag`.

    Frequency and tag may be missing. As words may have blanks in them, a number or a tag alone is
    one only behind Chinese characters.

    >>> [word_in(line) for line in ("云计算 5 n", "凱特琳 nz", "李小福 2", "Edu Trust认证 2000")]
    ['云计算', '凱特琳', '李小福', 'Edu Trust认证']
    >>> [word_in(line) for line in ("leap motion", "iPhone 15", "iPhone 15 pro", "扫码 app")]
    ['leap motion', 'iPhone 15', 'iPhone 15 pro', '扫码 app']
    """
    match = _ENTRY.fullmatch(" ".join(line.rsplit(None, 2)))
    return line if match is None else match[1] or match[2]
