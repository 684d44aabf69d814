"""`cijie show` and `cijie demo`: sentences on a terminal, or as a picture."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from cijie.choices import Language, Method
from cijie.cli.options.base import Command, argument, check_files, option, options, refuse, stem
from cijie.cli.options.files import READING, LanguageChoice, OutputFile, Reading, by_ending
from cijie.cli.options.methods import METHOD_FIELDS, MethodNames, SegmenterChoice
from cijie.errors import CijieError, FormatError
from cijie.files.opening import is_url
from cijie.pictures.svg import to_png
from cijie.pictures.terminal import print_lines
from cijie.pictures.wording import message
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery, Sentence
from cijie.viewer.render import Form, Picture, render, text_lines
from cijie.viewer.shown import read_shown, recovered_by

_MOST = 1000  # sentences that are counted


@options("Input")
class Shown(Reading):
    """Texts, or sentences of a file.

    Attributes:
        ids: A sentence of FILE; may be repeated.  [default: the first one]
    """

    texts: tuple[str, ...] = argument((), metavar="[SOURCE TARGET... | FILE]")
    ids: tuple[str, ...] = option((), "--id", metavar="ID")

    def __post_init__(self) -> None:
        if not (self.texts or sys.stdin.isatty()):
            raise click.UsageError("expected SOURCE and TARGET, or a FILE")
        if len(self.texts) != 1:
            refuse(["ids", *READING], "without a FILE")
        elif not ((file := self.texts[0]) == "-" or is_url(file) or Path(file).exists()):
            raise click.UsageError(
                f"file not found: {file!r}; to show one pair, give SOURCE and TARGET"
            )

    def pictures(
        self, recoverers: Callable[[], dict[str, Recoverer]]
    ) -> tuple[list[str] | None, list[Picture], Iterator[Sentence]]:
        """Return the ids, for sentences of a file, the pictures, and the sentences that follow."""
        if len(self.texts) > 1:
            source, *targets = self.texts
            found = recovered_by(Sentence("1", source, tuple(targets)), recoverers())
            return None, [*found], iter(())
        [file] = self.texts
        given = map(click.get_current_context().get_parameter_source, METHOD_FIELDS)
        as_they_are = ParameterSource.COMMANDLINE not in given
        names: list[str] = []
        pictures: list[Picture] = []
        shown = read_shown(file, self.ids, options=self.options())
        for sentence in islice(shown, None if self.ids else 1):
            if isinstance(sentence, Recovery) and as_they_are:
                found = [{stem(file): sentence}]
            else:
                found = recovered_by(sentence, recoverers())
            pictures += found
            names += [sentence.id] * len(found)
        if not pictures:
            raise FormatError("no sentence has a correction", path=file)
        return names, pictures, shown


@options("Output")
class PictureOutput(LanguageChoice, OutputFile):
    """A picture, in a format that defaults to the extension of the output.

    Attributes:
        style: The colours of SVG and HTML; auto has those of the reader's system.
        width: How wide a line of a picture is.  [default: the terminal's, 820 pixels]
    """

    picture_format: Any = by_ending(
        ["text", "svg", "png", "html", "json"],
        {".svg": "svg", ".png": "png", ".html": "html", ".json": "json", ".jsonl": "json"},
        "For a terminal, a picture, a page, or one object per line.",
        " Browsers and drawing programs make PDF of SVG.",
    )
    style: Literal["light", "dark", "auto"] = "auto"
    width: int | None = option(None, at_least=1)


@Command
def show(
    texts: Shown, methods: MethodNames, segmenter: SegmenterChoice, output: PictureOutput
) -> None:
    """Show how the words of a SOURCE are recovered from a TARGET, and why.

    Source and target stand character under character, with the links between them and the words of
    both; below them are the recovered words, and a sentence for each boundary that changed.
    Several TARGETS are shown one after the other.

    FILE has pairs or results of `cijie recover`, in any format that cijie reads. Results are shown
    as they are. Pairs are recovered first; so are results, if a method or its options are given.
    Without arguments, a terminal is asked for one pair after the other, until a line is empty.
    """
    form, language = output.picture_format, output.language()
    if len(texts.texts) == 1:
        check_files(read=texts.texts)
    refuse(["style"] if form in ("text", "json") else [], f"on --format {form}")
    recoverers = cache(partial(methods.recoverers, segmenter))  # their models are loaded once
    for given in [texts.texts] if texts.texts else _asked(language):
        names, pictures, others = replace(texts, texts=given).pictures(recoverers)
        if form == "text" and output.output == "-":
            print_lines(partial(text_lines, pictures, ids=names, language=language), output.width)
        else:
            settings: dict[str, Any] = {"width": output.width, "ids": names, "language": language}
            style = "light" if form == "png" and output.style == "auto" else output.style
            made: Form = "svg" if form == "png" else form
            shown = render(pictures, format=made, style=style, page=True, **settings)
            output.write(to_png(shown) if form == "png" else shown.encode())
        with suppress(CijieError):  # it is not of what is shown
            if follow := sum(1 for _ in islice(others, _MOST + 1)):
                number = f"{min(follow, _MOST):,}" + "+" * (follow > _MOST)
                click.echo(message("show.more", language, number=number, file=given[0]), err=True)


def _asked(language: Language) -> Iterator[tuple[str, ...]]:
    """Yield the pairs that are typed, until a line is empty."""

    def ask(what: str) -> str:
        click.echo(message(f"ask.{what}", language), nl=False, err=True)  # stdout may be a pipe
        return input()

    click.echo(message("ask.stop", language), err=True)
    with suppress(EOFError):
        while (source := ask("source")) and (target := ask("target")):
            yield source, target


_METHODS: dict[str, Method] = {"D": "direct", "P1": "p1", "P2": "p2", "P3": "p3"}
_PAIRS = (
    ("我参加了旅行困。", "我参加了旅行团。"),
    ("你喜欢吃么什？", "你喜欢吃什么？"),
    ("我的爱好是听音月和看电彭。", "我的爱好是听音乐和看电影。"),
    ("周未我要和朋友一起去商店。", "周末我要和朋友一起去商店。"),
    ("你为十么不来上课？", "你为什么不来上课？"),
    ("我毕业一后想当老师。", "我毕业以后想当老师。"),
)


@Command
def demo(segmenter: SegmenterChoice, output: LanguageChoice) -> None:
    """Recover a handful of learner sentences and show what changed, and why.

    S is the learner's sentence and T its correction, both as the segmenter cuts them. D is S again;
    P1, P2 and P3 project T's word boundaries onto S. `cijie show` does this with your sentences.
    """
    loaded = segmenter.load()
    recovered = (Recoverer(loaded, method).recover_all(_PAIRS) for method in _METHODS.values())
    pictures = [dict(zip(_METHODS, each, strict=True)) for each in zip(*recovered, strict=True)]
    print_lines(lambda width: text_lines(pictures, width, language=output.language()))
