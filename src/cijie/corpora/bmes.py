"""BMES columns: a character and its position in the word per line, an empty line after a sentence.

`B` begins a word, `M` (or `I`) is inside one, `E` ends it, `S` is a word of one character.
"""

from __future__ import annotations

from collections.abc import Iterator

from cijie.corpora.base import Found, InputFile, Units
from cijie.corpora.spaced import separable
from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence, joined


def read(file: InputFile) -> Iterator[Found]:
    """Read the sentences: runs of lines up to an empty line, or to the end.

    The id of a sentence is its number, and its text has no white space.
    """
    return file.each(_units(file), _sentence)


def _units(file: InputFile) -> Units:
    number = first = 1
    lines: list[str] = []
    for line, text in file.all_lines():
        first = first if lines else line
        if text:
            lines.append(text)
            continue
        yield first, number, (first, lines)
        number += 1
        lines = []
    if lines:
        yield first, number, (first, lines)


def _sentence(content: tuple[int, list[str]], id: str, _: InputFile) -> Sentence:
    first, lines = content
    words: list[str] = []
    word = ""  # that goes on
    for line, text in enumerate(lines, start=first):
        columns = text.split()
        if len(columns) != 2 or columns[1] not in "BMIES":
            message = f"expected a character and B, M, E or S, got {text!r}"
            raise FormatError(message, line=line)
        character, tag = columns
        if bool(word) != (tag in "MIE"):
            message = f"unexpected {text!r} {'inside' if word else 'outside'} a word"
            raise FormatError(message, line=line)
        word += character
        if tag in "ES":
            words.append(word)
            word = ""
    if word:
        message = f"unfinished word {word!r}: expected E"
        raise FormatError(message, line=first + len(lines) - 1)
    segmentation = joined(words)
    return Sentence(id, segmentation.text, segmentation=segmentation)


def lines(sentence: Sentence, _: str) -> str:
    """Format the words of the source: a code point and a tag per line, then an empty line."""
    found = []
    for word in separable(sentence):
        tags = "S" if len(word) == 1 else "B" + "M" * (len(word) - 2) + "E"
        found += [f"{character}\t{tag}\n" for character, tag in zip(word, tags, strict=True)]
    return "".join([*found, "\n"])
