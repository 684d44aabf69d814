"""A study: one folder for the work of several annotators, from proposals to gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path

import orjson
from msgspec import Struct

from cijie.checking import checked
from cijie.corpora.jsonl import write_lines
from cijie.corpora.reading import read, sentences_of
from cijie.errors import CijieError, FormatError
from cijie.files.names import StrPath
from cijie.files.output import new_directory, open_output
from cijie.gold.adjudication import Adjudication, adjudicate, by_contest
from cijie.gold.agreement import Agreement, agreement
from cijie.gold.agreement_report import agreement_page
from cijie.gold.annotation import gold_record, read_annotations
from cijie.gold.sheets import Sheet, adjudication_item, annotation_item, page_of
from cijie.gold.versions import Versions, shared_sentences

_CARD = "study.json"


class Study(Struct, frozen=True):
    """The folder of a study, and what is done there.

    Attributes:
        folder: the folder.
        annotators: who annotates.
        checksum: what their browsers keep their answers under.
        start: what annotation starts from, see `Versions.start`.
    """

    folder: Path
    annotators: tuple[str, ...]
    checksum: str
    start: str = "agreed"

    @classmethod
    def open(cls, folder: StrPath) -> Study:
        """The study in a folder that `start_study` made.

        Raises:
            FormatError: there is none.
        """
        path = Path(folder) / _CARD
        try:
            return checked({**orjson.loads(path.read_bytes()), "folder": Path(folder)}, cls)
        except (OSError, ValueError, TypeError, FormatError) as error:
            raise FormatError(
                "not a folder of `cijie annotate start`, which makes one of your pairs; files of "
                "annotators go into it as annotation-NAME.jsonl",
                path=path,
            ) from error

    @property
    def proposals(self) -> Path:
        """What everybody works from."""
        return self.folder / "proposals.jsonl"

    @property
    def gold(self) -> Path:
        """The gold, once all is adjudicated."""
        return self.folder / "gold.jsonl"

    @property
    def adjudication_page(self) -> Path:
        """The page of the adjudicator."""
        return self.folder / "adjudicate.html"

    @property
    def agreement_page(self) -> Path:
        """The page that shows where annotators differ."""
        return self.folder / "agreement.html"

    def page(self, annotator: str) -> Path:
        """The page of an annotator."""
        return page_of(self.folder, "annotate", annotator)

    def annotated(
        self, skipped: Counter[str] | None = None, *, intersection: bool = False
    ) -> list[Versions]:
        """The sentences that all annotators have annotated, from the files put into the folder.

        Args:
            skipped: counts what was left out, by reason.
            intersection: see `shared_sentences`.

        Raises:
            CijieError: as `read_annotations` and `shared_sentences`; nothing by an annotator of the
                study, or something by somebody else.
        """
        pairs = {pair.id: pair for pair in sentences_of(read(self.proposals, "pairs"))}
        files = sorted(self.folder.glob("annotation-*.jsonl"))
        annotations = read_annotations(files, pairs, skipped)
        for name in self.annotators:
            if name not in annotations:
                page = self.page(name).name
                message = f"nothing by {name}: put the file that {page} exports here"
                raise CijieError(message, path=self.folder)
        if others := annotations.keys() - set(self.annotators):
            names = f"{', '.join(sorted(others))}; the annotators are {', '.join(self.annotators)}"
            raise CijieError(f"annotations by {names}", path=self.folder)
        return shared_sentences(pairs, annotations, skipped, intersection=intersection)

    def merge(
        self, sentences: Sequence[Versions], adjudicator: str, guidelines: Mapping[str, str]
    ) -> list[Versions]:
        """Write what is unanimous, what is to be adjudicated, and the page for that.

        The browser keeps the answers to sentences in which nothing changes when the page is made
        again.

        Args:
            sentences: what was `annotated`.
            adjudicator: who adjudicates.
            guidelines: what the page shows, see `Sheet.write`.

        Returns:
            The sentences to be adjudicated.
        """
        unanimous, contested = by_contest(sentences)
        write_lines(
            self.folder / "unanimous.jsonl",
            (gold_record(x.sentence, x.segmentations[0]) | x.remarks_record() for x in unanimous),
        )
        write_lines(self.folder / "to-adjudicate.jsonl", (x.as_sheet_record() for x in contested))
        if contested:
            items = list(map(adjudication_item, contested))
            sheet = Sheet("adjudicate", items, checksum=self.checksum)
            sheet.write(self.adjudication_page, adjudicator, guidelines)
        return contested

    def agreement(self, sentences: Sequence[Versions]) -> Agreement:
        """Measure how far annotators agree, and write the page that shows where they do not."""
        measured = agreement(sentences, self.annotators)
        with open_output(self.agreement_page) as stream:
            stream.write(agreement_page(measured, sentences))
        return measured

    def adjudicate(
        self, sentences: Sequence[Versions], skipped: Counter[str] | None = None
    ) -> Adjudication:
        """Take the adjudicator's answers; write the gold, and what everybody said.

        Args:
            sentences: what was `annotated`.
            skipped: counts answers that were left out, by reason.

        Raises:
            CijieError: as `read_annotations` and `adjudicate`.
        """
        contested = {each.sentence.id: each.sentence for each in by_contest(sentences)[1]}
        files = sorted(self.folder.glob("adjudication-*.jsonl"))
        if contested and not files:
            page = self.adjudication_page
            step = f"put the file that {page.name} exports here"
            if not page.exists():
                step = f"`cijie annotate merge {self.folder}` makes the page for it"
            raise CijieError(f"nothing by an adjudicator: {step}", path=self.folder)
        result = adjudicate(sentences, read_annotations(files, contested, skipped))
        write_lines(self.gold, result.gold_records())
        write_lines(self.folder / "remarks.jsonl", result.remark_records())
        return result


def start_study(
    folder: StrPath,
    proposals: Iterable[Versions],
    annotators: Sequence[str],
    *,
    start: str = "agreed",
    guidelines: Mapping[str, str],
    least_sure_first: bool = False,
) -> tuple[Study, list[Versions]]:
    """Make the folder of a study, with a page for each annotator.

    Args:
        folder: it must not exist, or be empty.
        proposals: the sentences, with what is proposed for them.
        annotators: their names.
        start: what annotation starts from, see `Versions.start`.
        guidelines: what the pages show, see `Sheet.write`.
        least_sure_first: order the sentences by how sure the methods are of them.

    Returns:
        The study, and its sentences in order.

    Raises:
        UsageError: there is something in the folder.
        CijieError: nothing to annotate.
    """
    with new_directory(folder) as made:
        sentences = list(proposals)
        if least_sure_first:
            sentences.sort(key=attrgetter("confidence"))
        # Answers are kept apart from those of other studies, which have other folders.
        items = [annotation_item(each, start) for each in sentences]
        sheet = Sheet("annotate", items, start, study=Path(folder).resolve().name)
        draft = Study(made, tuple(annotators), sheet.checksum, start)
        write_lines(draft.proposals, (each.as_record() for each in sentences))
        for name in annotators:
            sheet.write(draft.page(name), name, guidelines)
        card = {"annotators": annotators, "checksum": draft.checksum, "start": start}
        with open_output(made / _CARD) as stream:
            stream.write(orjson.dumps(card, option=orjson.OPT_INDENT_2) + b"\n")
    return Study.open(folder), sentences
