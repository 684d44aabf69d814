"""Types of edits: an operation and a category, as far as the texts determine them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Literal
from unicodedata import normalize

from cijie.edits.edits import Edit, apply_edits, character_edits, word_edits
from cijie.errors import CijieError, UsageError, check_choice
from cijie.segmenters import load_tagger
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology
from cijie.text.characters import is_punctuation

Level = Literal["word", "char"]
"""The unit of edits: words or single characters."""

Tagger = Callable[[Sequence[str]], Sequence[str]]
"""A function from the words of a sentence to their parts of speech, one per word."""

_ALIKE = 0.8  # minimum similarity of characters that look or sound similar


class EditTyper:
    """An assignment of types to edits.

    A type is an operation, M, R, S or W, followed by a colon and a category, except for W. The
    first of these categories that applies is used:

    | category | | example |
    |---|---|---|
    | S:WIDTH | the same characters in another width or form (NFKC) | ３：３ ~ 3:3 |
    | M:PUNCT, R:PUNCT, S:PUNCT | punctuation, and nothing else | 。 ~ ？ |
    | S:NUM | the same number | 25 ~ 二十五 |
    | S:SPELL:SOUND | the same length; different characters sound similar | 在见 ~ 再见 |
    | S:SPELL:SHAPE | the same length; different characters look similar | 旅行困 ~ 旅行团 |
    | S:SPELL:SHAPE-SOUND | both | 清况 ~ 情况 |
    | S:SPELL | some sound similar, the others look similar | 在末 ~ 再未 |
    | S:CHAR:MISSING | one word, with characters missing | 味 ~ 味道 |
    | S:CHAR:EXTRA | one word, with extra characters | 学校生 ~ 学生 |
    | S:CHAR:ORDER | one word, with its characters in another order | 绍介 ~ 介绍 |
    | the tag | all words of the correction, or else all removed words, have this tag | 来 ~ 去 |
    | OTHER | anything else | 高兴 ~ 满意 |

    Characters sound similar if their tone-aware similarity is at least .8: the same syllable in any
    tone, or syllables that learners confuse, such as *zhi* and *zi*. They look similar if their
    value in the shipped table is at least .8. `CHAR` and tags are not used for edits of characters.

    Args:
        level: the unit of edits.
        tagger: a function that returns the parts of speech of words, or the name of a tagger,
            which is then part of the signature; see `cijie.segmenters.load_tagger`.

    Raises:
        UsageError: edits of characters are combined with a tagger, or its name is unknown.

    >>> source = ["我", "在", "见", "25", "人", "。"]
    >>> edits = [Edit(1, 3, ("再见",), "S"), Edit(3, 4, ("二十五",), "S"), Edit(5, 6, (), "R")]
    >>> [edit.type for edit in EditTyper().typed(source, edits)]
    ['S:SPELL:SOUND', 'S:NUM', 'R:PUNCT']
    """

    def __init__(self, level: Level = "word", tagger: Tagger | str | None = None) -> None:
        check_choice("level", level, Level)
        if tagger is not None and level == "char":
            raise UsageError("a tagger requires words, not characters")
        self._of_words = level == "word"
        self._tagger: Tagger | None = None
        self._tagger_name = ""
        if tagger is not None:
            self._tagger, self._tagger_name = load_tagger(tagger)
        self._glyphs, self._sounds = GlyphTable.builtin(), Phonology("tone-aware")

    @property
    def signature(self) -> str:
        """The settings that types depend on."""
        tagger = f",{self._tagger_name}" if self._tagger else ""
        return f"types:{self._glyphs.name},{self._sounds.name}{tagger}"

    def edits(self, source: Sequence[str], target: Sequence[str]) -> list[Edit]:
        """Return the edits that turn `source` into `target`, with their types.

        Raises:
            AlignmentError: there are too many words.
            CijieError: see `typed`.
        """
        between = word_edits if self._of_words else character_edits
        return self.typed(source, between(source, target))

    def typed(self, source: Sequence[str], edits: Sequence[Edit]) -> list[Edit]:
        """Return edits of type M, R, S or W with their complete types.

        Raises:
            CijieError: the tagger fails or does not return one tag per word.
        """
        tags = self._tags(source, edits) if self._tagger else repeat("OTHER", len(edits))
        return [
            edit if edit.type == "W" else replace(edit, type=f"{edit.type}:{category}")
            for edit, tag in zip(edits, tags, strict=True)
            for found in [self._categories(source[edit.start : edit.end], edit.correction)]
            for category in [next(filter(None, found), tag)]
        ]

    def _categories(self, words: Sequence[str], correction: Sequence[str]) -> Iterator[str | None]:
        """Yield the category by each rule, in order; None for rules that do not apply."""
        wrong, right = "".join(words), "".join(correction)
        if not wrong or not right:
            yield "PUNCT" if is_punctuation(wrong + right) else None
            return
        yield "WIDTH" if normalize("NFKC", wrong) == normalize("NFKC", right) else None
        yield "PUNCT" if is_punctuation(wrong) and is_punctuation(right) else None
        number = digits_of(wrong)
        yield "NUM" if number is not None and number == digits_of(right) else None
        yield self._spelling(wrong, right)
        if self._of_words and len(words) == len(correction) == 1:
            yield _inside_a_word(wrong, right)

    def _spelling(self, wrong: str, right: str) -> str | None:
        if len(wrong) != len(right):
            return None
        pairs = [(a, b) for a, b in zip(wrong, right, strict=True) if a != b]
        looks = [self._glyphs.similarity(a, b) >= _ALIKE for a, b in pairs]
        sounds = [self._sounds.similarity(a, b) >= _ALIKE for a, b in pairs]
        if not all(map(max, looks, sounds)):
            return None
        how = [name for name, alike in (("SHAPE", looks), ("SOUND", sounds)) if all(alike)]
        return ":".join(["SPELL", "-".join(how)] if how else ["SPELL"])

    def _tags(self, source: Sequence[str], edits: Sequence[Edit]) -> Iterator[str]:
        """Yield the common tag of each edit's corrected words, or else of its removed words."""
        target = apply_edits(source, edits)
        before, after = self._tagged(source), self._tagged(target)
        shift = 0
        for edit in edits:
            start = edit.start + shift
            shift += len(edit.correction) - (edit.end - edit.start)
            tags = {*after[start : edit.end + shift]} or {*before[edit.start : edit.end]}
            yield tags.pop() if len(tags) == 1 else "OTHER"

    def _tagged(self, words: Sequence[str]) -> Sequence[str]:
        assert self._tagger is not None
        try:
            tags = self._tagger(words) if words else []
        except Exception as error:
            message = f"the tagger failed: {type(error).__name__}: {error}"
            raise CijieError(f"{message}: {' '.join(words)!r}") from error
        if len(tags) != len(words) or any(tag.split() != [tag] or "|||" in tag for tag in tags):
            raise CijieError(f"the tagger gives {tags!r} for the words {' '.join(words)!r}")
        return tags


def _inside_a_word(wrong: str, right: str) -> str | None:
    if sorted(wrong) == sorted(right):
        return "CHAR:ORDER"
    if _is_in(wrong, right):
        return "CHAR:MISSING"
    return "CHAR:EXTRA" if _is_in(right, wrong) else None


def _is_in(fewer: str, more: str) -> bool:
    """Return whether `fewer` is a subsequence of `more`."""
    rest = iter(more)
    return all(char in rest for char in fewer)


# Ordinary numerals, and the ones used on cheques.
_DIGITS = str.maketrans("〇零一二两三四五六七八九壹贰叁肆伍陆柒捌玖拾", "001223456789123456789十")


def digits_of(text: str) -> str | None:
    """Return the digits of a number that is written in digits of any kind, or of one with 十.

    >>> [digits_of(text) for text in ("25", "二十五", "十", "２０", "二〇一一", "一百二")]
    ['25', '25', '10', '20', '2011', None]
    """
    normal = normalize("NFKC", text).translate(_DIGITS)
    found = re.fullmatch(r"([0-9]+)|([1-9]?)十([1-9]?)", normal)
    if found is None:
        return None
    digits, tens, ones = found.groups()
    return digits or f"{tens or 1}{ones or 0}"
