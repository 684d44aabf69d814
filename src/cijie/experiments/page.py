"""The page of `cijie reproduce`: one HTML file that needs nothing else, and runs nothing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from string import Template

from cijie.evaluation.tables import Table
from cijie.experiments import paper
from cijie.experiments.exhibits import Exhibit


def as_files(exhibits: Iterable[Exhibit]) -> dict[str, bytes]:
    """The files of all exhibits, by name, and the page as `index.html`."""
    shown = list(exhibits)
    files = {"index.html": render_page(shown)}
    for exhibit in shown:
        files |= exhibit.files()
    return files


def render_page(exhibits: Sequence[Exhibit]) -> bytes:
    """All exhibits on one page, the paper's figures beside those of the run."""
    style = f"\n{_source('page.css')}"
    page = Template(_source("page.html")).substitute(
        style=style,
        style_hash=b64encode(sha256(style.encode()).digest()).decode(),
        citation=escape(paper.CITATION),
        contents="\n".join(
            f'<li><a href="#{escape(exhibit.name)}">{escape(exhibit.title)}</a></li>'
            for exhibit in exhibits
        ),
        sections="\n".join(map(_section, exhibits)),
    )
    return page.encode()


def _section(exhibit: Exhibit) -> str:
    stem = escape(exhibit.name)
    parts = [
        f'<section id="{stem}">',
        f"<h2>{escape(exhibit.title)}</h2>",
        f"<p>{escape(exhibit.text)}</p>",
        *(_table(ours, papers) for ours, papers in exhibit.tables),
    ]
    if exhibit.pictures:
        picture = b64encode(exhibit.pictures["svg"]).decode()
        parts.append(
            f'<figure><img src="data:image/svg+xml;base64,{picture}" '
            f'alt="{escape(exhibit.title)}: the values are in the tables above."></figure>'
        )
    parts += [
        "<details><summary>Files and signature</summary>",
        f"<p>{', '.join(f'<code>{escape(name)}</code>' for name in exhibit.files())}</p>",
        f"<p><code>{escape(exhibit.signature)}</code></p></details>",
        "</section>",
    ]
    return "\n".join(parts)


def _table(ours: Table, papers: Table | None) -> str:
    groups = [(ours, "")] if papers is None else [(ours, ""), (papers, "paper")]
    lines = ['<div class="scroll"><table>', f"<caption>{escape(ours.caption)}</caption>", "<thead>"]
    if papers:
        lines.append(
            '<tr><th class="group"></th>'
            f'<th class="group" colspan="{len(ours.columns) - 1}">here</th>'
            f'<th class="group paper" colspan="{len(papers.columns) - 1}">'
            f"paper, {escape(papers.caption)}</th></tr>"
        )
    heads = [f'<th scope="col">{escape(ours.columns[0].name)}</th>']
    for table, kind in groups:
        heads += [
            f'<th scope="col"{_class(kind)}>{escape(column.name)}</th>'
            for column in table.columns[1:]
        ]
    lines += [f"<tr>{''.join(heads)}</tr>", "</thead>", "<tbody>"]
    papers_rows = dict(_rows(papers)) if papers else {}
    for label, cells in _rows(ours):
        row = [f'<th scope="row">{escape(label)}</th>']
        row += [
            f"<td{_class('words' if isinstance(value, str) else '')}>{escape(shown)}</td>"
            for value, shown in cells
        ]
        if papers:
            blank = [("", "")] * (len(papers.columns) - 1)
            row += [
                f"<td{_class('paper')}>{escape(shown)}</td>"
                for _, shown in papers_rows.get(label, blank)
            ]
        lines.append(f"<tr>{''.join(row)}</tr>")
    return "\n".join([*lines, "</tbody>", "</table></div>"])


def _rows(table: Table) -> Iterator[tuple[str, list[tuple[object, str]]]]:
    """What each row is called, and its other cells as they are and as they are shown."""
    for row, (label, *shown) in zip(table.rows, table.formatted(), strict=True):
        yield label, list(zip(row[1:], shown, strict=True))


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _source(name: str) -> str:
    path = resources.files(__package__) / "template" / name
    return path.read_text(encoding="utf-8")
