"""Write the pages on which people annotate, adjudicate and vote.

A sheet holds one of three things: proposals that an annotator edits, annotators' versions that an
adjudicator decides between, or corrections of a sentence that voters choose from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from string import ascii_uppercase
from typing import Any, Literal

from cijie.alignment import anchors
from cijie.corpora.jsonl import dump_line
from cijie.corpora.segmentations import source_checksum
from cijie.errors import CijieError, UsageError
from cijie.files.opening import StrPath
from cijie.files.output import open_output
from cijie.gold.annotation import Versions
from cijie.gold.shipped import as_markup
from cijie.text.segmentation import Segmentation
from cijie.viewer.pages import render_page
from cijie.viewer.texts import target_data, text_data

Mode = Literal["annotate", "adjudicate", "vote"]
Item = Mapping[str, Any]
"""A sentence of a sheet, as the page shows it."""


def annotation_item(versions: Versions, start: str = "agreed") -> Item:
    """Build a sentence to be annotated.

    Args:
        versions: the sentence with its proposals.
        start: the starting point of annotation, see `Versions.start`.

    Raises:
        CijieError: an unknown starting point.
    """
    started = {"start": versions.start(start).boundaries}
    # An adjudicator decides regions; an annotator decides the whole sentence.
    return versions_item(versions) | {"regions": []} | started


def adjudication_item(versions: Versions) -> Item:
    """Build a sentence to be adjudicated, starting from the boundaries that all versions share."""
    return versions_item(versions) | {"start": versions.start("agreed").boundaries}


def versions_item(versions: Versions) -> dict[str, Any]:
    """Build a sentence with its versions and the regions in which they differ."""
    sentence = versions.sentence
    source, target = sentence.source, sentence.target or ""
    return {
        "id": sentence.id,
        **source_data(source),
        "reference": sentence.reference,
        "target": laid_out(source, target, sentence.target_segmentation),
        "target_sha256": source_checksum(target),
        "proposals": [[names, words.boundaries] for names, words in versions.distinct],
        "remarks": [[n, x.flag, x.comment] for n, x in versions.by.items() if x.flag or x.comment],
        "regions": versions.regions,
    }


def source_data(source: str) -> dict[str, Any]:
    """Return a source with its checksum, as pages have it."""
    return text_data("source", source) | {"source_sha256": source_checksum(source)}


def laid_out(source: str, target: str, words: Segmentation | None = None) -> dict[str, Any]:
    """Return a target with the data that a page needs to lay it out under its source."""
    return target_data(target, anchors(source, target), words)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Sentences to annotate, adjudicate or vote on, on one page.

    Args:
        mode: the task.
        items: the sentences.
        start: the starting point of annotation, which each answer records.
        study: the name of the study.
        checksum: the key under which the page stores answers, together with the name of the
            person; by default a checksum of the whole sheet.

    Raises:
        CijieError: there are no sentences.
    """

    mode: Mode
    items: Sequence[Item]
    start: str = "agreed"
    study: str = ""
    checksum: str = ""

    def __post_init__(self) -> None:
        if not self.items:
            raise CijieError("nothing to annotate")
        if not self.checksum:
            checksum = sha256(dump_line(self._values())).hexdigest()[:16]
            object.__setattr__(self, "checksum", checksum)

    def write(self, path: StrPath, name: str, guidelines: Mapping[str, str]) -> None:
        """Write the page as one self-contained HTML file.

        Args:
            path: the file.
            name: the name of the person who works on it, which the exported file contains.
            guidelines: texts in Markdown by language tag; `und` is for all languages.
        """
        from markupsafe import Markup

        guideline = Markup(as_markup(guidelines))
        data = self._values() | {"annotator": name}
        with open_output(path) as stream:
            page = render_page("annotate", data, guideline=guideline, mode=self.mode)
            stream.write(page)

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def page_of(folder: StrPath, mode: Mode, name: str) -> Path:
    """Return the path of a person's page, such as `annotate-A.html`.

    Args:
        folder: the folder of the study.
        mode: annotate, adjudicate or vote.
        name: the name of the person.
    """
    return Path(folder) / f"{mode}-{_in_file_names(name)}.html"


def names_given(text: str) -> list[str]:
    """Return the given number of default names, or the names in a comma-separated list.

    Raises:
        UsageError: no name, an empty name, or two names whose files would have the same name.

    >>> names_given("3"), names_given("小王, Anna")
    (['A', 'B', 'C'], ['小王', 'Anna'])
    """
    if re.fullmatch("[0-9]+", text):
        known = [*ascii_uppercase, *map("A{}".format, range(1, 100))]
        names = known[: int(text)] if len(text) < 3 else []
    else:
        names = [name.strip() for name in text.split(",")]
    if not names or not all(names):
        raise UsageError(
            f"expected a number from 1 to 99, or names separated by commas, got {text!r}"
        )
    for a, b in combinations(names, 2):
        if _in_file_names(a).casefold() == _in_file_names(b).casefold():
            differ = "names must differ in letters or digits, not only in case"
            raise UsageError(f"{differ}: {a!r}, {b!r}")
    return names


def _in_file_names(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name)
