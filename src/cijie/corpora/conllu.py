"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cijie.corpora.reading import Reading, Unit
from cijie.corpora.records import Record
from cijie.corpora.writing import LineWriter
from cijie.errors import FormatError, located
from cijie.extras import library
from cijie.text.segmentation import Segmentation

_COLUMNS = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]


def units(reading: Reading) -> Iterator[Unit]:
    """Its sentences. Blocks of comments alone are none, and are counted.

    Raises:
        MissingExtraError: the library `conllu` is not installed.
    """
    library("conllu", "conllu")
    number = 0
    for line, lines in reading.blocks():
        if all(text.startswith("#") for text in lines):
            reading.skipped["blocks of comments"] += 1
            continue
        number += 1
        yield line, number, lines


def record(content: list[str], id: str, _: Reading) -> Record:
    """The record of a sentence.

    The text is that of `# text`, or the forms with the white space that `SpaceAfter` leaves. A
    multi-word token is one word, as it is in the text; empty nodes are in no text. The id is that
    of `# sent_id`, or the sentence's number.

    Raises:
        FormatError: it is not CoNLL-U.
        SegmentationError: forms that are not those of `# text`.
    """
    conllu = library("conllu", "conllu")
    id = _comment(content, "sent_id") or id
    columns = _comment(content, r"global\.columns")
    if columns is not None and columns.split() != _COLUMNS:
        raise FormatError(f"not CoNLL-U: it has other columns: {columns}", id=id)
    try:
        [sentence] = conllu.parse("\n".join(content))
        tokens = list(_surface(sentence))
    except (conllu.exceptions.ParseException, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"not CoNLL-U: {error}", id=id) from error
    text = _comment(content, "text")
    if text is None:
        text = "".join(form + " " * space for form, space in tokens).rstrip(" ")
    with located(id=id):
        return Record(id, text, Segmentation.from_tokens(text, [form for form, _ in tokens]))


def writer(_: str, __: frozenset[str]) -> ConlluWriter:
    """What writes it."""
    return ConlluWriter()


class ConlluWriter(LineWriter):
    """Writes the words of the sources, with `# sent_id`, `# text`, `SpaceAfter`, the rest `_`."""

    def lines(self, record: Record) -> str:
        """A record as lines, with an empty one behind."""
        segmentation = record.cut()
        text, spans = segmentation.text, segmentation.spans
        words = segmentation.tokens
        if not record.id:
            raise FormatError("has an empty id, which CoNLL-U cannot tell from none", id=record.id)
        if not words:
            raise FormatError("CoNLL-U has no sentence without words", id=record.id)
        if len(f"{record.id}{text}.".splitlines()) > 1 or any(
            mark in word for word in words for mark in ("\t", "  ")
        ):
            raise FormatError(f"CoNLL-U cannot express {text!r}", id=record.id)
        lines = [f"# sent_id = {record.id}", f"# text = {text}"]
        ends = [end for _, end in spans]
        starts = [start for start, _ in spans[1:]] + [len(text)]
        for number, (word, end, start) in enumerate(zip(words, ends, starts, strict=True), start=1):
            misc = "SpaceAfter=No" if end == start else "_"
            lines.append("\t".join((str(number), word, *"_" * 7, misc)))
        return "\n".join([*lines, "", ""])


def _comment(lines: list[str], name: str) -> str | None:
    """What a comment says, with the white space at its edges, which the library leaves out."""
    for line in lines:
        if match := re.fullmatch(rf"#\s*{name}\s*= ?(.*)", line, re.DOTALL):
            return match[1]
    return None


def _surface(sentence: Any) -> Iterator[tuple[str, bool]]:
    """The tokens that are in the text, each with whether white space follows it."""
    covered = 0  # the last word that a multi-word token stands for
    for token in sentence:
        if len(token) != 10:
            raise ValueError(f"ten columns are wanted, not {len(token)}")
        number = token["id"]
        if number is None:
            raise ValueError("a word without a number")
        if isinstance(number, tuple):
            if number[1] != "-":
                continue  # an empty node
            covered = number[2]
        elif number <= covered:
            continue
        yield token["form"], (token["misc"] or {}).get("SpaceAfter") != "No"
