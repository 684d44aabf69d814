"""Two files of lines, as ERRANT takes them: line n of one is the source of line n of the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from cijie.corpora.files import StrPath, read_lines
from cijie.corpora.pair import Pair
from cijie.errors import FormatError


def read_parallel(sources: StrPath, targets: StrPath) -> Iterator[Pair]:
    """Read pairs from two files with equally many lines; the line number is the id.

    An empty line is an empty text, so that pair n always is line n.

    Raises:
        FormatError: one file is shorter, or bytes that are not UTF-8.
    """
    for source, target in zip_longest(read_lines(sources), read_lines(targets)):
        if source is None or target is None:
            (line, text), shorter = (target, sources) if source is None else (source, targets)
            longer = targets if source is None else sources
            raise FormatError(f"{shorter} ends before this line: {text!r}", path=longer, line=line)
        yield Pair(str(source[0]), source[1], target[1])
