"""A study: one folder for the work of several annotators, from proposals to gold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import orjson

from cijie.corpora.jsonl import dump_line
from cijie.errors import CijieError, FormatError, UsageError
from cijie.files.lines import StrPath
from cijie.files.output import new_directory, open_output
from cijie.gold.annotation import Annotations
from cijie.gold.sheets import annotation_page, sheet_data

_CARD = "study.json"
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Study:
    """The folder of a study, and where in it things are.

    Attributes:
        folder: the folder.
        annotators: who annotates.
        checksum: what their browsers keep their answers under.
    """

    folder: Path
    annotators: tuple[str, ...]
    checksum: str

    @classmethod
    def open(cls, folder: StrPath) -> Study:
        """The study in a folder that `start_study` made.

        Raises:
            FormatError: there is none.
        """
        path = Path(folder) / _CARD
        try:
            card = orjson.loads(path.read_bytes())
            return cls(Path(folder), tuple(card["annotators"]), str(card["checksum"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = "this is no folder of `cijie annotate start`"
            raise FormatError(message, path=path) from error

    @property
    def proposals(self) -> Path:
        """What everybody works from."""
        return self.folder / "proposals.jsonl"

    @property
    def unanimous(self) -> Path:
        """What all cut alike."""
        return self.folder / "unanimous.jsonl"

    @property
    def sheet(self) -> Path:
        """What is to be adjudicated."""
        return self.folder / "to-adjudicate.jsonl"

    @property
    def gold(self) -> Path:
        """The gold, once all is adjudicated."""
        return self.folder / "gold.jsonl"

    @property
    def remarks(self) -> Path:
        """What annotators and adjudicators said."""
        return self.folder / "remarks.jsonl"

    def page(self, annotator: str) -> Path:
        """The page of an annotator."""
        return self.folder / f"annotate-{_slug(annotator)}.html"

    @property
    def adjudication_page(self) -> Path:
        """The page of the adjudicator."""
        return self.folder / "adjudicate.html"

    @property
    def agreement_page(self) -> Path:
        """The page that shows where annotators differ."""
        return self.folder / "agreement.html"

    def annotations(self) -> list[Path]:
        """What annotators exported and was put into the folder."""
        return sorted(self.folder.glob("annotation-*.jsonl"))

    def answers(self) -> list[Path]:
        """What adjudicators exported and was put into the folder."""
        return sorted(self.folder.glob("adjudication-*.jsonl"))

    def check(self, annotations: Annotations) -> None:
        """Check that the annotators of the study have annotated, and nobody else.

        Raises:
            CijieError: somebody has not, or somebody else has.
        """
        for name in self.annotators:
            if name not in annotations:
                message = (
                    f"nothing by {name}: export on {self.page(name).name}, and put the file here"
                )
                raise CijieError(message, path=self.folder)
        for name in annotations:
            if name not in self.annotators:
                message = f"annotations by {name}, who is none of {', '.join(self.annotators)}"
                raise CijieError(message, path=self.folder)

    def check_merged(self) -> None:
        """Check that annotations have been merged.

        Raises:
            CijieError: they have not.
        """
        for path in (self.sheet, self.unanimous):
            if not path.exists():
                message = f"no {path.name} yet: cijie annotate merge {self.folder} comes first"
                raise CijieError(message, path=self.folder)

    def write_adjudication_page(self, adjudicator: str, guidelines: Mapping[str, str]) -> None:
        """Write the page on which the sheet is adjudicated.

        The browser keeps the answers to sentences in which nothing changes when the page is made
        again.
        """
        data = sheet_data(self.sheet, annotator=adjudicator, study=self.checksum)
        with open_output(self.adjudication_page) as stream:
            stream.write(annotation_page(data, guidelines))


def start_study(
    folder: StrPath,
    records: Iterable[Mapping[str, Any]],
    annotators: Sequence[str],
    *,
    start: str = "agreed",
    guidelines: Mapping[str, str],
) -> Study:
    """Make the folder of a study, with a page for each annotator.

    Args:
        folder: it must not exist, or be empty.
        records: proposals as `Proposals.as_record` gives them.
        annotators: their names.
        start: what annotation starts from, see `Proposals.start`.
        guidelines: what the pages show, see `annotation_page`.

    Raises:
        UsageError: there is something in the folder.
        CijieError: there is nothing to annotate.
    """
    with new_directory(folder) as made:
        draft = Study(made, tuple(annotators), "")
        with open_output(draft.proposals) as stream:
            stream.writelines(map(dump_line, records))
        data = sheet_data(draft.proposals, annotator="", start=start)
        for name in annotators:
            with open_output(draft.page(name)) as stream:
                stream.write(annotation_page({**data, "annotator": name}, guidelines))
        card = {"annotators": annotators, "checksum": data["checksum"], "start": start}
        with open_output(made / _CARD) as stream:
            stream.write(orjson.dumps(card, option=orjson.OPT_INDENT_2) + b"\n")
    return Study.open(folder)


def write_voting_pages(
    sheet: StrPath, voters: Iterable[str], guidelines: Mapping[str, str]
) -> list[Path]:
    """Write a page for each voter beside a voting sheet.

    Raises:
        FormatError: as `sheet_data`.
    """
    data = sheet_data(sheet, annotator="")
    pages = []
    for name in voters:
        pages.append(Path(sheet).with_name(f"vote-{_slug(name)}.html"))
        with open_output(pages[-1]) as stream:
            stream.write(annotation_page({**data, "annotator": name}, guidelines))
    return pages


def annotator_names(text: str) -> list[str]:
    """The names that a number stands for, or those in a list separated by commas.

    Raises:
        UsageError: no name, an empty one, or two whose files would have the same name.

    >>> annotator_names("3"), annotator_names("小王, Anna")
    (['A', 'B', 'C'], ['小王', 'Anna'])
    """
    if re.fullmatch("[0-9]+", text):
        known = [*ascii_uppercase, *map("A{}".format, range(1, 100))]
        names = known[: int(text)] if len(text) < 3 else []
    else:
        names = [name.strip() for name in text.split(",")]
    if not names or not all(names):
        raise UsageError(f"give a number from 1 to 99, or names separated by commas, not {text!r}")
    if len({_slug(name).casefold() for name in names}) < len(names):
        raise UsageError(f"names must differ in letters or digits, not only in case: {text!r}")
    return names


def _slug(name: str) -> str:
    return _NOT_IN_NAMES.sub("-", name)
