"""Render recoveries as text, SVG, HTML or JSON, and differences as text or rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Literal, get_args

from rich.text import Text

from cijie.choices import Language
from cijie.corpora.jsonl import dump_line
from cijie.errors import UsageError, unknown
from cijie.pictures.reasons import reasons
from cijie.pictures.svg import Style, to_html, to_svg
from cijie.pictures.terminal import CHANGED, DETAIL, draw
from cijie.pictures.wording import visible
from cijie.recovery.sentence import Recovery
from cijie.viewer.diff import Difference
from cijie.viewer.pages import render_page

Form = Literal["text", "svg", "html", "json"]

Picture = Mapping[str, Recovery]
"""The recoveries of one pair by one or several methods, by name."""


def render(
    recoveries: Recovery | Picture | Iterable[Recovery | Picture],
    *,
    format: Form = "svg",
    style: Style = "auto",
    page: bool = False,
    width: int | None = None,
    ids: Sequence[str] | None = None,
    language: Language = "en",
) -> str:
    """Render recoveries for people to look at.

    Source, target and recovered words are shown in rows, character under character, with boxes for
    words and lines for links; below them is the reason for each change.

    Args:
        recoveries: a recovery; a mapping of several recoveries of one pair, by display name; or an
            iterable of these.
        format: `"svg"`; `"html"`, a `figure` per pair; `"text"` for terminals; `"json"`, a line for
            each recovery: its record, the name of its method and its reasons.
        style: the colours of SVG and HTML: `"light"`, `"dark"`, or `"auto"`, which follows the
            reader's system.
        page: whether HTML is a page of its own, not a fragment.
        width: the maximum width of a line, in pixels (820 if None), for text in cells (80 if
            None); longer pictures continue on another line.
        ids: the ids of the sentences, to be shown above HTML and text. Without them JSON has
            numbers.
        language: the language of legends and reasons.

    Raises:
        UsageError: an unknown format or style, or recoveries of different pairs in one mapping.

    >>> import cijie
    >>> recovery = cijie.recover("旅行困", "旅行团", segmenter=list, target_tokens=["旅行团"])
    >>> print(cijie.render(recovery, format="text").splitlines()[0])
    S           旅│行│困
    """
    pictures = _pictures(recoveries)
    if format == "svg":
        return to_svg(*pictures, style=style, width=width or 820, language=language)
    if format == "html":
        draw_one = partial(to_html, width=width or 820, language=language)
        return _html(pictures, draw_one, style, page, ids)
    if format == "text":
        lines = text_lines(pictures, width or 80, ids, language)
        return "".join(f"{line.plain.rstrip()}\n" for line in lines)
    if format == "json":
        numbered = zip(ids or map(str, count(1)), pictures, strict=False)
        return "".join(
            dump_line(
                {
                    **recovery.as_record(id),
                    "method": name,
                    "reasons": [each.in_language(language) for each in reasons(recovery)],
                }
            ).decode()
            for id, picture in numbered
            for name, recovery in picture.items()
        )
    raise UsageError(unknown("format", format, get_args(Form)))


def text_lines(
    pictures: Iterable[Picture],
    width: int,
    ids: Sequence[str] | None = None,
    language: Language = "en",
) -> Iterator[Text]:
    """Yield the lines of pictures one below the other, with the ids as headings.

    Args:
        pictures: the recoveries to draw.
        width: the width of the terminal, in columns.
        ids: one id per picture; None for no headings.
        language: the language of legends and reasons.
    """
    for number, picture in enumerate(pictures):
        if number:
            yield Text()
        if ids:
            yield Text(f"id {visible(ids[number])}", "bold")
        yield from draw(picture, width, language)


def difference_lines(found: Iterable[Difference], language: Language = "en") -> Iterator[Text]:
    """Yield differences as lines for a terminal: the sentence, its regions and their reasons."""
    before = None
    for each in found:
        if before != each.id:
            if before is not None:
                yield Text()
            yield Text.assemble((visible(each.id), "bold"), "  ", visible(each.source))
            before = each.id
        start, end = each.span
        line = Text(f"  {start}–{end}", DETAIL)
        for name, words in each.words.items():
            line.append(f"  {visible(name)} ", DETAIL).append(words, CHANGED)
        yield line
        for name, given in each.reasons.items():
            for reason in given:
                prefix = f"    {visible(name)}: "
                detail = f" {reason.sure(language)}".rstrip()
                yield Text.assemble(
                    (prefix, DETAIL), reason.in_language(language), (detail, DETAIL)
                )


def difference_rows(found: Iterable[Difference], names: Sequence[str]) -> Iterator[list[str]]:
    """Yield differences as rows of fields, after a header, for `cijie diff --format tsv`."""
    yield ["id", "start", "end", *names, *(f"reasons of {name}" for name in names)]
    for each in found:
        why = (" ".join(map(str, given)) for given in each.reasons.values())
        yield [each.id, *map(str, each.span), *each.words.values(), *why]


def _pictures(recoveries: Recovery | Picture | Iterable[Recovery | Picture]) -> list[Picture]:
    if isinstance(recoveries, Recovery):
        recoveries = {"recovered": recoveries}
    if isinstance(recoveries, Mapping):
        return [recoveries]
    return [{"recovered": x} if isinstance(x, Recovery) else x for x in recoveries]


def _html(
    pictures: Sequence[Picture],
    draw_one: Callable[..., str],
    style: Style,
    page: bool,
    ids: Sequence[str] | None,
) -> str:
    from markupsafe import Markup

    # A page sets its own colours, so the light ones in the picture do not matter.
    colours: Style = "light" if page else style
    heading = Markup("<h2>id {}</h2>\n")
    figures = []
    for number, picture in enumerate(pictures):
        above = heading.format(visible(ids[number])) if ids else ""
        figures.append(Markup(f"{above}{draw_one(picture, style=colours)}"))
    if not page:
        return "".join(figures)
    sources = dict.fromkeys(next(iter(picture.values())).source for picture in pictures)
    title = visible("; ".join(sources))
    return render_page("picture", theme=style, title=title, figures=figures).decode()
