"""Pharaoh links: `0-0 1-2`, the links of one pair per line, offsets from 0."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cijie.errors import FormatError
from cijie.files.lines import read_lines
from cijie.files.opening import Source, name_of
from cijie.recovery.sentence import Sentence

_LINK = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")


def read_pharaoh(source: Source) -> Iterator[list[tuple[int, int]]]:
    """Read the links of each line as `(source, target)`.

    They say neither what they link nor how it came about; `cijie.alignment.Link` does.

    Raises:
        FormatError: not two numbers with a hyphen, or not UTF-8.
    """
    for line, text in read_lines(source):
        links = text.split()
        if not all(map(_LINK.fullmatch, links)):
            raise FormatError(
                f"expected links such as 0-0 1-1, got {text!r}", path=name_of(source), line=line
            )
        yield [(int(i), int(j)) for i, j in (link.split("-") for link in links)]


def lines(sentence: Sentence, _: str) -> str:
    """Format the links between characters as code-point offsets, without kinds and scores."""
    if sentence.alignment is None:
        raise FormatError("has no links; `cijie align` finds them")
    return " ".join(f"{i}-{j}" for i, j, _, _ in sentence.alignment.as_tuples()) + "\n"
