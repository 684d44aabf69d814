"""The picture of a recovery with its reasons as HTML, to stand in another page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from cijie.pictures.layout import Recovered
from cijie.pictures.reasons import told_by
from cijie.pictures.svg import Style, to_svg


def to_html(recoveries: Mapping[str, Recovered], *, style: Style = "auto", width: int = 820) -> str:
    """A `figure` with the picture that `to_svg` draws, and below it the reasons."""
    named = len(recoveries) > 1
    told = []
    for group in told_by(recoveries):
        names = f"<b>{escape(' '.join(group))}</b> " if named else ""
        details = (
            f"<small>{escape(f'{name}: ' if named else '')}{escape(each.detail)}</small>"
            for name, each in group.items()
            if each.detail
        )
        reason = escape(str(next(iter(group.values()))))
        told.append(" ".join([f"<li>{names}{reason}", *details]))
    picture = to_svg(recoveries, style=style, width=width)
    caption = ["<figcaption><ul>", *told, "</ul></figcaption>"] if told else []
    return "\n".join(['<figure class="cijie-recovery">', picture, *caption, "</figure>\n"])
