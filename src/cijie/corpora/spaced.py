"""Words for formats with separators: refused if other words would be read back."""

from __future__ import annotations

from collections.abc import Sequence

from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence, joined
from cijie.text.segmentation import Segmentation


def separable_targets(sentence: Sentence) -> list[list[str]]:
    """Return the words of all targets, for formats with separators between words.

    Raises:
        FormatError: there is no target, or one without words, and as `words_apart`.
    """
    if sentence.status not in (None, "no error"):
        return []
    cut: Sequence[Segmentation | None] = sentence.target_segmentations
    if sentence.status == "no error" and None in (cut or [None]):
        return [words_apart(sentence.known_words())]
    if not sentence.targets:
        raise FormatError("has no target")
    known = [words_apart(words) for words in cut if words is not None]
    if len(known) < len(sentence.targets):
        raise FormatError("has targets without words; `cijie recover` finds them")
    return known


def words_apart(segmentation: Segmentation, *, with_text: bool = False) -> list[str]:
    """Return the words of a segmentation, for formats with separators between words.

    Args:
        segmentation: the text and its words.
        with_text: whether the format has the text besides.

    Raises:
        FormatError: other words would be read back: there is white space in one, or without the
            white space between them they would be one.
    """
    words = segmentation.tokens
    if segmentation.is_plain:
        return words
    for word in words:
        if word.split() != [word]:
            message = f"has a word with white space in it, which this format cannot hold: {word!r}"
            raise FormatError(message)
    if not with_text:
        if "".join(words) != "".join(segmentation.text.split()):
            message = (
                f"has text outside any word, which this format cannot hold: {segmentation.text!r}"
            )
            raise FormatError(message)
        back = joined(words).tokens
        if back != words:
            message = f"has words that this format cannot keep apart: {words!r} / {back!r}"
            raise FormatError(message)
    return words
