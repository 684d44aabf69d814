"""The page of `cijie reproduce`: one HTML file that needs nothing else, and runs nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from cijie.evaluation.tables import Cell, Table
from cijie.paper import printed
from cijie.paper.exhibits import Exhibit
from cijie.viewer.pages import render_page

_MINUS = re.compile(r"^-(?=\d)")


def as_files(exhibits: Iterable[Exhibit]) -> dict[str, bytes]:
    """The files of all exhibits, by name, and the page as `index.html`."""
    shown = list(exhibits)
    written = {"index.html": _page(shown)}
    for exhibit in shown:
        written |= exhibit.files()
    return written


def _page(exhibits: Sequence[Exhibit]) -> bytes:
    """All exhibits on one page, the paper's figures beside those of the run."""
    contents = (
        f'<li><a href="#{escape(exhibit.name)}">{escape(exhibit.title)}</a></li>'
        for exhibit in exhibits
    )
    parts = {
        "citation": escape(printed.CITATION),
        "contents": "\n".join(contents),
        "sections": "\n".join(map(_section, exhibits)),
    }
    return render_page("page", parts=parts, folder=files(__package__) / "template")


def _section(exhibit: Exhibit) -> str:
    stem = escape(exhibit.name)
    parts = [
        f'<section id="{stem}">',
        f"<h2>{escape(exhibit.title)}</h2>",
        f"<p>{escape(exhibit.text)}</p>",
    ]
    if exhibit.pictures:
        picture = b64encode(exhibit.pictures["svg"]).decode()
        parts.append(
            f'<figure><img src="data:image/svg+xml;base64,{picture}" '
            f'alt="Figure: {escape(exhibit.title)}"></figure>'
        )
    parts += [
        *(_table(f"{exhibit.name}-{ours.name}", ours, papers) for ours, papers in exhibit.tables),
        "<details><summary>Files and signature</summary>",
        f"<p>{', '.join(f'<code>{escape(name)}</code>' for name in exhibit.files())}</p>",
        f"<p><code>{escape(exhibit.signature)}</code></p></details>",
        "</section>",
    ]
    return "\n".join(parts)


def _table(id: str, ours: Table, papers: Table | None) -> str:
    """A table, and if the paper has one, beside each row the paper's row of the same name."""
    columns, kinds = _heads(ours), _kinds(ours)
    groups = beside = ""
    marks: list[str] = []
    theirs: dict[str, list[str]] = {}
    if papers:
        theirs = {label: cells for label, *cells in papers.formatted()}
        marks = [f"paper {kind}" for kind in _kinds(papers)]
        beside = _cells("th", _heads(papers), marks)
        groups = (
            f'<tr><th></th><th class="group" colspan="{len(columns)}">here</th>'
            f'<th class="group paper" colspan="{len(papers.columns) - 1}">'
            f"paper: {escape(papers.caption)}</th></tr>"
        )
    lines = [
        f'<p class="caption" id="{escape(id)}">{escape(ours.caption)}</p>',
        f'<div class="scroll"><table aria-labelledby="{escape(id)}">',
        f"<thead>{groups}",
        f"<tr><th>{escape(ours.columns[0].name)}</th>{_cells('th', columns, kinds)}{beside}</tr>",
        "</thead>",
        "<tbody>",
    ]
    for label, *cells in ours.formatted():
        row = _cells("td", cells, kinds)
        if papers:
            row += _cells("td", theirs.get(label, [""] * len(marks)), marks)
        lines.append(f'<tr><th scope="row">{escape(label)}</th>{row}</tr>')
    return "\n".join([*lines, "</tbody>", "</table></div>"])


def _heads(table: Table) -> list[str]:
    return [column.name for column in table.columns[1:]]


def _kinds(table: Table) -> list[str]:
    """What each column but the first holds."""
    return [_kind([row[k] for row in table.rows]) for k in range(1, len(table.columns))]


def _kind(column: Sequence[Cell]) -> str:
    return "words" if any(column) and all(isinstance(cell, str) for cell in column) else "number"


def _cells(tag: str, texts: Iterable[str], kinds: Iterable[str]) -> str:
    return "".join(
        f'<{tag} class="{kind}">{escape(_MINUS.sub("−", text))}</{tag}>'
        for text, kind in zip(texts, kinds, strict=False)
    )
