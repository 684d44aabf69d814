"""Options about the edits of sentences, and how sentences become edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal

import click

from cijie.cli.options.base import option, options, refuse
from cijie.cli.options.methods import OPTIONS, MethodChoice
from cijie.cli.options.paths import READ_FILE
from cijie.cli.options.segmenters import SegmenterChoice

if TYPE_CHECKING:
    from cijie.edits.annotate import Corrections, SentenceBlocks


# What has no effect where the words are given, or where there are none.
METHOD_FIELDS = ("method", *OPTIONS)
SEGMENTER_FIELDS = tuple(each.name for each in fields(SegmenterChoice))


@options("Edit options")
class EditChoice:
    """What edits are, and whose words they are made of."""

    level: Literal["word", "char"] = option(
        "word", "Edits of words, or of characters, which need no segmenter."
    )
    source_words: str | None = option(
        None,
        "The words of the sources, instead of recovered ones: M2, JSON lines, or lines of words "
        "with spaces between.",
        type=READ_FILE,
        metavar="FILE",
    )
    tagger: str | None = option(
        None,
        "Adds parts of speech to the types of edits: from a list of words to their tags.",
        metavar="MODULE:FUNCTION",
        rare=True,
    )

    def blocks(
        self,
        sentences: Iterable[Corrections],
        method: MethodChoice,
        segmenter: SegmenterChoice,
        skipped: Counter[str],
    ) -> tuple[Iterator[SentenceBlocks], str]:
        """The blocks of sentences, and a signature, without the version, of what they depend on."""
        from cijie.corpora.corrections import with_source_words
        from cijie.edits.annotate import annotated
        from cijie.edits.types import EditTyper
        from cijie.recovery.recoverer import Recoverer

        path, recoverer = self.source_words, None
        if self.level == "char":
            unused = [*METHOD_FIELDS, *SEGMENTER_FIELDS, "source_words", "tagger"]
            refuse(unused, "with --level char")
        else:
            if path is not None:
                refuse(METHOD_FIELDS, "with --source-words")
                sentences = with_source_words(sentences, path)
            recoverer = Recoverer(segmenter.load(skipped), method.make())
        tagger = None if self.tagger is None else _imported(self.tagger)
        typer = EditTyper(self.level, tagger, self.tagger or "")
        return annotated(sentences, typer, recoverer, given=path is not None)


def _imported(name: str) -> Callable[..., Any]:
    try:
        tagger: Callable[..., Any] = resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.UsageError(f"--tagger: {error}") from error
    if not callable(tagger):
        raise click.UsageError(f"--tagger: {name} is not a function, but {tagger!r}")
    return tagger
