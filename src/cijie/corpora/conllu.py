"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from cijie.corpora.records import Record
from cijie.errors import CijieError, FormatError
from cijie.extras import library
from cijie.files.lines import StrPath, read_blocks
from cijie.text.segmentation import Segmentation

_COLUMNS = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]


def read_records(path: StrPath) -> Iterator[Record]:
    """Read sentences with their words.

    The text is that of `# text`, or the forms with the white space that `SpaceAfter` leaves. A
    multi-word token is one word, as it is in the text; empty nodes are in no text. The id is that
    of `# sent_id`, or the sentence's number.

    Raises:
        MissingExtraError: the library `conllu` is not installed.
        FormatError: a sentence that is not CoNLL-U, bytes that are not UTF-8.
        SegmentationError: forms that are not those of `# text`.
    """
    conllu = library("conllu", "conllu")
    for number, (line, lines) in enumerate(read_blocks(path), start=1):
        id = str(number)
        try:
            columns = _comment(lines, r"global\.columns")
            if columns is not None and columns.split() != _COLUMNS:
                raise ValueError(f"it has other columns: {columns}")
            [sentence] = conllu.parse("\n".join(lines))
            id = _comment(lines, "sent_id") or id
            yield _record(id, _comment(lines, "text"), list(_surface(sentence)))
        except (conllu.exceptions.ParseException, ValueError) as error:
            if isinstance(error, CijieError):
                raise type(error)(error.message, path=path, line=line, id=id) from error
            raise FormatError(f"not CoNLL-U: {error}", path=path, line=line, id=id) from error


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write the words of the sources, with `# sent_id`, `# text` and `SpaceAfter`, the rest `_`.

    Raises:
        FormatError: a record without words, one with a line break or with a tab in a word.
    """
    for record in records:
        segmentation = record.cut()
        text, spans = segmentation.text, segmentation.spans
        words = segmentation.tokens
        if not words:
            raise FormatError("CoNLL-U has no sentence without words", id=record.id)
        if len(f"{record.id}{text}.".splitlines()) > 1 or any("\t" in word for word in words):
            raise FormatError(f"CoNLL-U cannot express {text!r}", id=record.id)
        lines = [f"# sent_id = {record.id}", f"# text = {text}"]
        ends = [end for _, end in spans]
        starts = [start for start, _ in spans[1:]] + [len(text)]
        for number, (word, end, start) in enumerate(zip(words, ends, starts, strict=True), start=1):
            misc = "SpaceAfter=No" if end == start else "_"
            lines.append("\t".join((str(number), word, *"_" * 7, misc)))
        stream.write("\n".join([*lines, "", ""]).encode())


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


def _record(id: str, text: str | None, tokens: list[tuple[str, bool]]) -> Record:
    if text is None:
        text = "".join(form + " " * space for form, space in tokens).rstrip(" ")
    segmentation = Segmentation.from_tokens(text, [form for form, _ in tokens])
    return Record(id, text, segmentation)
