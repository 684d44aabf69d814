"""Files of lines, as ERRANT takes them: line n of one is the source of line n of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from cijie.errors import FormatError
from cijie.files.lines import StrPath, read_lines
from cijie.recovery.pair import Corrected, Pair


def read_parallel(
    sources: StrPath, targets: StrPath, *, encoding: str | None = None
) -> Iterator[Pair]:
    """Read pairs from two files with equally many lines; the line number is the id.

    An empty line is an empty text, so that pair n always is line n.

    Raises:
        FormatError: one file is shorter, or bytes that are not UTF-8.
    """
    for line, (source, target) in side_by_side([sources, targets], encoding):
        yield Pair(str(line), source, target)


def read_references(
    sources: StrPath, targets: Sequence[StrPath], *, encoding: str | None = None
) -> Iterator[Corrected]:
    """Read sources with a target from each of `targets`, line by line as `read_parallel`.

    Raises:
        FormatError: one file is shorter, or bytes that are not UTF-8.
    """
    for line, (source, *references) in side_by_side([sources, *targets], encoding):
        yield Corrected(str(line), source, tuple(references))


def side_by_side(
    paths: Sequence[StrPath], encoding: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Read files of lines together: the number of each line, and the texts in all files.

    Raises:
        FormatError: one file is shorter, or bytes that are not in the encoding.
    """
    files = [read_lines(path, encoding=encoding) for path in paths]
    for number, lines in enumerate(zip_longest(*files), start=1):
        texts = [line[1] for line in lines if line is not None]
        if None in lines:
            ended = next(path for path, line in zip(paths, lines, strict=True) if line is None)
            longer = next(path for path, line in zip(paths, lines, strict=True) if line is not None)
            raise FormatError(
                f"{ended} ends before this line: {texts[0]!r}", path=longer, line=number
            )
        yield number, texts
