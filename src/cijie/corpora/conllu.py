"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cijie.corpora.base import Found, InputFile, Units
from cijie.errors import FormatError, located
from cijie.extras import library
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

_COLUMNS = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]


def read(file: InputFile) -> Iterator[Found]:
    """Read the sentences; blocks of comments alone are skipped and counted.

    The text is that of `# text`, or the forms with the white space that `SpaceAfter` leaves. A
    multi-word token is one word, as it is in the text; empty nodes are in no text. The id is that
    of `# sent_id`, or the sentence's number.

    Raises:
        MissingExtraError: the library `conllu` is not installed.
        FormatError: it is not CoNLL-U.
        SegmentationError: forms that are not those of `# text`.
    """
    return file.each(_units(file), _sentence)


def _units(file: InputFile) -> Units:
    library("conllu", "conllu")
    number = 0
    for line, lines in file.blocks():
        if all(text.startswith("#") for text in lines):
            file.skipped["blocks of comments"] += 1
            continue
        number += 1
        yield line, number, lines


def _sentence(content: list[str], id: str, _: InputFile) -> Sentence:
    conllu = library("conllu", "conllu")
    id = _comment(content, "sent_id") or id
    columns = _comment(content, r"global\.columns")
    if columns is not None and columns.split() != _COLUMNS:
        raise FormatError(f"not CoNLL-U: unexpected columns: {columns}", id=id)
    try:
        [parsed] = conllu.parse("\n".join(content))
        tokens = list(_surface(parsed))
    except (conllu.exceptions.ParseException, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"not CoNLL-U: {error}", id=id) from error
    text = _comment(content, "text")
    if text is None:
        text = "".join(form + " " * space for form, space in tokens).rstrip(" ")
    with located(id=id):
        words = Segmentation.from_tokens(text, [form for form, _ in tokens])
        return Sentence(id, text, segmentation=words)


def lines(sentence: Sentence, _: str) -> str:
    """The words of the source, with `# sent_id`, `# text`, `SpaceAfter`, the rest `_`."""
    segmentation = sentence.known_words()
    text, spans = segmentation.text, segmentation.spans
    words = segmentation.tokens
    if not sentence.id:
        raise FormatError("has an empty id, which CoNLL-U cannot hold", id=sentence.id)
    if not words:
        raise FormatError("has no words, which CoNLL-U requires", id=sentence.id)
    if len(f"{sentence.id}{text}.".splitlines()) > 1 or any(
        mark in word for word in words for mark in ("\t", "  ")
    ):
        raise FormatError(f"CoNLL-U cannot express {text!r}", id=sentence.id)
    found = [f"# sent_id = {sentence.id}", f"# text = {text}"]
    ends = [end for _, end in spans]
    starts = [start for start, _ in spans[1:]] + [len(text)]
    for number, (word, end, start) in enumerate(zip(words, ends, starts, strict=True), start=1):
        misc = "SpaceAfter=No" if end == start else "_"
        found.append("\t".join((str(number), word, *"_" * 7, misc)))
    return "\n".join([*found, "", ""])


def _comment(lines: list[str], name: str) -> str | None:
    """Return a comment with the white space at its edges, which the library strips."""
    for line in lines:
        if match := re.fullmatch(rf"#\s*{name}\s*= ?(.*)", line, re.DOTALL):
            return match[1]
    return None


def _surface(sentence: Any) -> Iterator[tuple[str, bool]]:
    """Yield the tokens of the text, each with whether white space follows it."""
    covered = 0  # the last word that a multi-word token stands for
    for token in sentence:
        if len(token) != 10:
            raise ValueError(f"expected 10 columns, got {len(token)}")
        number = token["id"]
        if number is None:
            raise ValueError("a word has no number")
        if isinstance(number, tuple):
            if number[1] != "-":
                continue  # an empty node
            covered = number[2]
        elif number <= covered:
            continue
        yield token["form"], (token["misc"] or {}).get("SpaceAfter") != "No"
