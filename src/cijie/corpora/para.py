"""Segmented pairs, in the format of ChERRANT's `parallel_to_m2.py --segmented`.

A line is `id TAB words of the source TAB words of the target TAB …`, the words separated by spaces.
"""

from __future__ import annotations

from collections.abc import Iterator

from cijie.corpora.base import Found, InputFile
from cijie.corpora.mucgec import fields, row
from cijie.corpora.spaced import separable, separable_targets
from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence, joined

_LONG = 10  # characters, more than a word has


def read(file: InputFile) -> Iterator[Found]:
    """Read the rows with their words; the texts are the joined words.

    Raises:
        FormatError, AlignmentError: as `cijie.corpora.mucgec.read`.
    """
    return file.each(file.rows(), _sentence)


def _sentence(content: str, number: str, file: InputFile) -> Sentence:
    id, text, references, status = fields(content, number, file)
    longest = max((text, *references), key=len)
    if not file.is_named and len(longest) > _LONG and not set(longest) & {" ", "\u3000"}:
        message = (
            f"has no spaces between words: {longest!r}; --from mucgec reads sentences, "
            "--from para takes it as one word"
        )
        raise FormatError(message, id=id)
    targets = [joined(reference.split()) for reference in references]
    return Sentence.with_targets(id, joined(text.split()), targets, status=status)


def lines(sentence: Sentence, _: str) -> str:
    """Format the words of the source and all targets, or the label in their place, as a line."""
    targets = [" ".join(words) for words in separable_targets(sentence)]
    return row(sentence, " ".join(separable(sentence)), targets)
