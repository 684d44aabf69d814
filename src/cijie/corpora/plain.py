"""A sentence a line: its words, separated by white space, or its text as it is."""

from __future__ import annotations

from collections.abc import Iterator

from cijie.corpora.base import Found, InputFile
from cijie.corpora.spaced import separable
from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence, joined


def read(file: InputFile) -> Iterator[Found]:
    """Read its lines; the id is the line's number, and an empty line an empty sentence.

    In segmented text the text is the words, joined: whether white space in the file is more than
    the end of a word is not known.

    Raises:
        FormatError: a line with a tab, where nobody said that the file has lines: it may be a row.
    """
    return file.each(file.rows(), _sentence)


def _sentence(content: str, id: str, file: InputFile) -> Sentence:
    if not file.is_named and "\t" in content:
        message = (
            f"has a tab: {content!r}; --from mucgec reads id, source and references, "
            f"--from {file.format} takes it as {'text' if file.format == 'lines' else 'words'}"
        )
        raise FormatError(message)
    if file.format == "lines":
        return Sentence(id, content)
    segmentation = joined(content.split())
    return Sentence(id, segmentation.text, segmentation=segmentation)


def lines(sentence: Sentence, format: str) -> str:
    """The words of the source, separated by single spaces, or the source as it is, as a line."""
    if format == "text":
        return " ".join(separable(sentence)) + "\n"
    if any(end in sentence.source for end in "\r\n"):
        message = f"contains a line break, which this format cannot hold: {sentence.source!r}"
        raise FormatError(message, id=sentence.id)
    return f"{sentence.source}\n"
