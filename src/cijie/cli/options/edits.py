"""Options about the edits of sentences, and how sentences become edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options.base import grouped, option
from cijie.cli.options.methods import make_chosen_method
from cijie.cli.options.paths import FILE
from cijie.cli.options.segmenters import make_segmenter
from cijie.cli.options.settings import refuse

if TYPE_CHECKING:
    from cijie.edits.annotate import SentenceBlocks
    from cijie.edits.cutting import Corrections

EDIT_GROUP = "Edit"

edit_options = grouped(
    "edit_options",
    level=option(
        "--level",
        group=EDIT_GROUP,
        type=click.Choice(["word", "char"]),
        default="word",
        show_default=True,
        help="Edits of words, or of characters, which need no segmenter.",
    ),
    source_words=option(
        "--source-words",
        group=EDIT_GROUP,
        type=FILE,
        metavar="FILE",
        help="The words of the sources, instead of recovered ones: M2, JSON lines, or lines of "
        "words with spaces between.",
    ),
    tagger=option(
        "--tagger",
        group=EDIT_GROUP,
        metavar="MODULE:FUNCTION",
        help="Adds parts of speech to the types of edits: from a list of words to their tags.",
    ),
)


def sentence_blocks(
    sentences: Iterable[Corrections],
    edit_options: Mapping[str, Any],
    method_options: Mapping[str, Any],
    segmenter_options: Mapping[str, Any],
    skipped: Counter[str],
) -> tuple[Iterator[SentenceBlocks], str]:
    """The blocks of sentences as these options want them, and a signature of what they depend on.

    The signature is without the version.
    """
    from cijie.corpora.corrections import with_source_words
    from cijie.edits.annotate import annotated
    from cijie.edits.types import EditTyper
    from cijie.recovery.recoverer import Recoverer

    level, path, tagger = (edit_options[name] for name in ("level", "source_words", "tagger"))
    if level == "char":
        refuse([*method_options, *segmenter_options, "source_words", "tagger"], "with --level char")
        recoverer = None
    else:
        if path is not None:
            refuse(method_options, "with --source-words")
            sentences = with_source_words(sentences, path)
        recoverer = Recoverer(
            make_segmenter(**segmenter_options, skipped=skipped),
            make_chosen_method(**method_options),
        )
    typer = EditTyper(level, None if tagger is None else _imported(tagger), tagger or "")
    return annotated(sentences, typer, recoverer, given=path is not None)


def _imported(name: str) -> Callable[..., Any]:
    try:
        tagger: Callable[..., Any] = resolve_name(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.UsageError(f"--tagger: {error}") from error
    if not callable(tagger):
        raise click.UsageError(f"--tagger: {name} is no function, but {tagger!r}")
    return tagger
