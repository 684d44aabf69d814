"""Word lists: one word per line, as in jieba's user dictionaries."""

from __future__ import annotations

import re
from collections import Counter

from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.text.characters import characters
from cijie.text.word_list import WordList

_TAG = re.compile(  # those of jieba's dictionary, and `eng`
    "a|ad|ag|an|b|c|df?|dg|eng|[e-l]|mg?|mq|n|ng|nr|nrfg|nrt|ns|nt|nz|[op]|q|r|rg|rr|rz|s|tg?|u"
    "|ud|ug|uj|ul|un|uv|uz|v|vd|vg|vi|vn|vq|w|x|y|zg?"
)


def read_words(path: StrPath, *, skipped: Counter[str] | None = None) -> WordList:
    """Read a word list: each line has a word and, optionally, its frequency and tag.

    Frequency and tag have no effect here; see `without_tag` for their form. Blank lines are
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
        word, left_out = without_tag(line.strip())
        skipped.update(left_out)
        if len(characters(word)) > 1:
            words.append(word)
        elif word:
            skipped["user words of one character"] += 1
    return WordList(words)


def without_tag(line: str) -> tuple[str, list[str]]:
    """Split a line of jieba's form, `word frequency tag`, into the word and the rest.

    Frequency and tag may be missing. As words may have blanks in them, a number alone is a
    frequency, and a tag of jieba's alone is a tag, only behind Chinese characters.

    >>> without_tag("云计算 5 n")
    ('云计算', ['frequencies of user words', 'tags of user words'])
    >>> [without_tag(line)[0] for line in ("凱特琳 nz", "李小福 2", "Edu Trust认证 2000")]
    ['凱特琳', '李小福', 'Edu Trust认证']
    >>> [without_tag(line)[0] for line in ("leap motion", "iPhone 15", "iPhone 15 pro", "扫码 app")]
    ['leap motion', 'iPhone 15', 'iPhone 15 pro', '扫码 app']
    """
    parts = line.rsplit(None, 2)
    if len(parts) == 3 and re.fullmatch("[0-9]+", parts[1]) and re.fullmatch("[a-z]+", parts[2]):
        if _TAG.fullmatch(parts[2]) or not parts[0].isascii():
            return parts[0], ["frequencies of user words", "tags of user words"]
        return line, []
    word, last = line.rsplit(None, 1) if len(parts) > 1 else (line, "")
    if word and not word[-1].isascii():
        if re.fullmatch("[0-9]+", last):
            return word, ["frequencies of user words"]
        if _TAG.fullmatch(last):
            return word, ["tags of user words"]
    return line, []
