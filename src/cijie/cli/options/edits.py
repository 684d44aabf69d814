"""Options for edits, and for turning sentences into edits."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any, Literal

from cijie.cli.options.base import option, options, refuse
from cijie.cli.options.methods import OPTIONS, MethodChoice, SegmenterChoice
from cijie.cli.options.paths import READ_FILE

# Options without effect where words are given, or are not used.
METHOD_FIELDS = ("method", *OPTIONS)
SEGMENTER_FIELDS = tuple(each.name for each in fields(SegmenterChoice))


@options("Edit")
class EditChoice:
    """The level of edits, and the words that they are made of.

    Attributes:
        level: Edits of words, or of characters, which need no segmenter.
        source_words: The words of the sources, instead of recovered ones: M2, JSON lines, or lines
            of words with spaces between.
        tagger: Adds parts of speech to the types of edits: jieba, ltp, hanlp, stanza or spacy,
            with options behind colons (ltp:model=LTP/base); or module:function, from a list of
            words to their tags.
    """

    level: Literal["word", "char"] = "word"
    source_words: str | None = option(None, type=READ_FILE, metavar="FILE")
    tagger: str | None = option(None, metavar="NAME")

    def settings(
        self, method: MethodChoice, segmenter: SegmenterChoice, skipped: Counter[str]
    ) -> dict[str, Any]:
        """Return the arguments of `cijie.corpora.corrections.edit_blocks`; count skips."""
        settings = {"level": self.level, "tagger": self.tagger, "source_words": self.source_words}
        if self.level == "char":
            unused = [*METHOD_FIELDS, *SEGMENTER_FIELDS, "source_words", "tagger"]
            refuse(unused, "with --level char")
            return settings
        if self.source_words is not None:
            refuse(METHOD_FIELDS, "with --source-words")
        return settings | {"segmenter": segmenter.load(skipped), "method": method.make()}
