"""Pages on which sheets of sentences are filled in.

There are three kinds of sheets: proposals, of which an annotator makes an annotation; annotators'
versions, which an adjudicator decides between; corrections of a sentence, which are voted on.
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
from cijie.files.names import StrPath
from cijie.files.output import open_output
from cijie.gold.guideline import as_markup
from cijie.gold.selection import Ranking
from cijie.gold.versions import Versions
from cijie.text.segmentation import Segmentation
from cijie.viewer.pages import render_page
from cijie.viewer.texts import target_data, text_data

Mode = Literal["annotate", "adjudicate", "vote"]
Item = Mapping[str, Any]
"""A sentence of a sheet, as the page shows it."""


def annotation_item(versions: Versions, start: str = "agreed") -> Item:
    """A sentence to be annotated.

    Args:
        versions: the sentence with what is proposed for it.
        start: what annotation starts from, see `Versions.start`.

    Raises:
        CijieError: there is no proposal to start from.
    """
    started = {"start": versions.start(start).boundaries}
    # Regions are what an adjudicator has to decide; an annotator decides the whole sentence.
    return versions_item(versions) | {"regions": []} | started


def adjudication_item(versions: Versions) -> Item:
    """A sentence to be adjudicated, which starts from the boundaries that all versions have."""
    return versions_item(versions) | {"start": versions.start("agreed").boundaries}


def versions_item(versions: Versions) -> dict[str, Any]:
    """A sentence with its versions, and the regions in which they differ."""
    sentence = versions.sentence
    source, target = sentence.source, sentence.target or ""
    return {
        "id": sentence.id,
        **_source(source),
        "reference": sentence.reference,
        "target": _laid_out(source, target, sentence.target_segmentation),
        "target_sha256": source_checksum(target),
        "proposals": [[names, words.boundaries] for names, words in versions.distinct],
        "remarks": [[name, x.flag, x.comment] for name, x in versions.remarks.items()],
        "regions": versions.regions,
    }


def voting_item(ranking: Ranking) -> Item:
    """A sentence whose corrections are voted on."""
    sentence = ranking.sentence
    return {
        "id": sentence.id,
        **_source(sentence.source),
        "references": [_laid_out(sentence.source, target) for target in sentence.targets],
        "ranking": ranking.as_record(),
    }


def _source(source: str) -> dict[str, Any]:
    return text_data("source", source) | {"source_sha256": source_checksum(source)}


def _laid_out(source: str, target: str, words: Segmentation | None = None) -> dict[str, Any]:
    """A target with what a page needs to set it under its source."""
    return target_data(target, anchors(source, target), words)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Sentences that are filled in on a page.

    Args:
        mode: what is done with them.
        items: the sentences.
        start: what annotation starts from, which each answer records.
        study: what the study is called.
        checksum: what the page keeps answers under, with the name of who fills it in; by default
            one of all that the sheet has.

    Raises:
        CijieError: there is no sentence.
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
        """Write its page: one HTML file that holds all it needs.

        Args:
            path: the file.
            name: who fills it in, which is in what is exported.
            guidelines: a text in Markdown by language, `en` and `zh`; one of both languages, or
                none.
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
    """Where the page of an annotator or a voter is, such as `annotate-A.html`.

    Args:
        folder: of the study.
        mode: annotate, adjudicate or vote.
        name: of the person.
    """
    return Path(folder) / f"{mode}-{_in_file_names(name)}.html"


def names_given(text: str) -> list[str]:
    """The names that a number stands for, or those in a list separated by commas.

    Raises:
        UsageError: no name, an empty one, or two whose files would have the same name.

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
