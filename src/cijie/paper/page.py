"""The page of `cijie reproduce`: one HTML file that needs nothing else, and runs nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from cijie.errors import counted
from cijie.evaluation.tables import Table
from cijie.paper import printed
from cijie.paper.claims import SIGNIFICANT, claims
from cijie.paper.exhibits import Exhibit, exhibits
from cijie.paper.reproduction import Reproduction
from cijie.viewer.pages import render_page


def as_files(results: Reproduction, selection: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """The files of all exhibits, by name, and the page as `index.html`; see `exhibits`."""
    shown = exhibits(results, selection)
    written = {"index.html": _page(results, shown)}
    for exhibit in shown:
        written |= exhibit.files()
    return written


def _page(results: Reproduction, shown: Sequence[Exhibit]) -> bytes:
    """All exhibits on one page, the paper's figures beside those of the run."""
    return render_page(
        "page",
        folder=files(__package__) / "template",
        citation=printed.CITATION,
        exhibits={exhibit.name: exhibit for exhibit in shown},
        results=results,
        significant=SIGNIFICANT,
        verdicts=Counter(each.verdict for each in claims(results)),
        # How the template writes things.
        base64=lambda content: b64encode(content).decode(),
        counted=counted,
        heads=lambda table: [column.name for column in table.columns[1:]],
        kinds=_kinds,
        minus=lambda text: re.sub(r"^-(?=\d)", "−", text),
        rows_by_label=lambda table: {label: cells for label, *cells in table.formatted()},
    )


def _kinds(table: Table) -> list[str]:
    """What each column but the first holds."""
    columns = ([row[k] for row in table.rows] for k in range(1, len(table.columns)))
    return [
        "words" if any(cells) and all(isinstance(cell, str) for cell in cells) else "number"
        for cells in columns
    ]
