"""BMES columns: a character and its position in the word per line, an empty line after a sentence.

`B` begins a word, `M` (or `I`) is inside one, `E` ends it, `S` is a word of one character.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from cijie.corpora.plain import words_apart
from cijie.errors import FormatError
from cijie.files.lines import read_lines
from cijie.recovery.sentence import Sentence, joined

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units

_WORD = re.compile("S|B[MI]*E")


def units(file: Sentences) -> Units:
    """Yield the lines of each sentence, up to an empty line, or to the end."""
    first, number = 1, 0
    lines: list[str] = []
    for line, text in chain(read_lines(file.source, encoding=file.options.encoding), [(0, "")]):
        if text:
            lines.append(text)
        elif line or lines:
            number += 1
            yield first, number, (first, lines)
            first, lines = line + 1, []


def sentence(content: tuple[int, list[str]], id: str, _: Sentences) -> Sentence:
    """Make a sentence of its lines; the text has no white space.

    Raises:
        FormatError: a line that is not a character and a tag, or a tag that cannot stand there.
    """
    first, lines = content
    columns = [text.split() for text in lines]
    for line, cells in enumerate(columns, start=first):
        if len(cells) != 2 or cells[1] not in tuple("BMIES"):
            message = f"expected a character and B, M, E or S, got {lines[line - first]!r}"
            raise FormatError(message, line=line)
    tags, words, at = "".join(tag for _, tag in columns), [], 0
    while at < len(tags):
        word = _WORD.match(tags, at)
        if word is None:
            message = f"no word with the tags S or B, M, …, E begins here: {lines[at]!r}"
            raise FormatError(message, line=first + at)
        words.append("".join(character for character, _ in columns[at : word.end()]))
        at = word.end()
    segmentation = joined(words)
    return Sentence(id, segmentation.text, segmentation=segmentation)


def lines(sentence: Sentence, _: str) -> str:
    """Format the words of the source: a code point and a tag per line, then an empty line."""
    found = []
    for word in words_apart(sentence.known_words()):
        tags = "S" if len(word) == 1 else "B" + "M" * (len(word) - 2) + "E"
        found += [f"{character}\t{tag}\n" for character, tag in zip(word, tags, strict=True)]
    return "".join([*found, "\n"])
