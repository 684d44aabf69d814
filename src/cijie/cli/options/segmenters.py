"""Options that name a segmenter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options.base import SEGMENTER_GROUP, grouped, option, together
from cijie.cli.options.paths import FILE
from cijie.cli.options.settings import config_option
from cijie.cli.progress import progress

if TYPE_CHECKING:
    from cijie.recovery.sentence import Sentence
    from cijie.segmenters import Segmenter


_BATCH = 256


def _adapters(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """For completion in a shell."""
    from cijie.segmenters import adapters

    return [name for name in adapters() if name.startswith(incomplete)]


_grouped = grouped(
    "segmenter_options",
    segmenter=option(
        "--segmenter",
        group=SEGMENTER_GROUP,
        metavar="NAME",
        shell_complete=_adapters,
        help="A segmenter that `cijie info` lists, or module:function.  "
        "[default: $CIJIE_SEGMENTER, else wapic; rjieba where wapic is not installed]",
    ),
    segmenter_settings=option(
        "--segmenter-option",
        "segmenter_settings",
        group=SEGMENTER_GROUP,
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the segmenter, such as hmm=off.",
    ),
    user_words=option(
        "--user-words",
        group=SEGMENTER_GROUP,
        type=FILE,
        metavar="FILE",
        help="Words that the segmenter keeps whole: a file with a word a line, as jieba's.",
    ),
)
segmenter_options = together(_grouped, config_option)


def make_segmenter(
    *,
    segmenter: str | None,
    segmenter_settings: tuple[str, ...],
    user_words: str | None,
    skipped: Counter[str] | None = None,
) -> Segmenter:
    """The segmenter that `segmenter_options` name."""
    from cijie.corpora.words import read_words
    from cijie.segmenters import default_segmenter, load_segmenter

    settings = [_setting(setting) for setting in segmenter_settings]
    options = dict(settings)
    if len(options) < len(settings):
        raise click.UsageError("--segmenter-option has one name twice")
    if segmenter is None:
        segmenter = default_segmenter(partial(click.echo, err=True))
    words = () if user_words is None else read_words(user_words, skipped=skipped)
    return load_segmenter(segmenter, options, words)


def segmented_texts(
    texts: str, told: Mapping[str, Any], segmenter: Segmenter, skipped: Counter[str], *, quiet: bool
) -> Iterator[Sentence]:
    """The texts in a file with the words that a segmenter makes of them, and nothing else."""
    from cijie.batching import batched
    from cijie.corpora.reading import ReadOptions, read, sentences_of
    from cijie.errors import SegmentationError
    from cijie.recovery.sentence import Sentence

    sentences = read(texts, "texts", ReadOptions(**told, ids="any"))
    _ = sentences.format  # so that what is wrong with it is said before anything is done

    def segmented() -> Iterator[Sentence]:
        for batch in batched(progress(sentences.numbered(), "texts", quiet=quiet), _BATCH):
            read_ones = list(sentences_of(found for _, found in batch))
            segmentations = segmenter.segment([each.source for each in read_ones])
            for (line, _), each in zip(batch, read_ones, strict=True):
                try:
                    segmentation = next(segmentations)
                except SegmentationError as error:
                    error.at(path=texts, line=line, id=each.id)
                    raise
                yield Sentence(each.id, each.source, segmentation=segmentation)
        skipped.update(sentences.skipped)

    return segmented()


def _setting(text: str) -> tuple[str, str | bool]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--segmenter-option takes NAME=VALUE, not {text!r}")
    switches = {"on": True, "true": True, "off": False, "false": False}
    return name, switches.get(value.lower(), value)
