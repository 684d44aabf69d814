"""Manage a study: one folder for the work of several annotators, from proposals to gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import orjson
from msgspec import Struct

from cijie.batching import batched
from cijie.checking import checked
from cijie.choices import Method
from cijie.corpora.jsonl import write_lines
from cijie.corpora.reading import read, sentences_of
from cijie.errors import CijieError, FormatError
from cijie.files.opening import StrPath
from cijie.files.output import new_directory, open_output
from cijie.gold.agreement import Agreement, agreement, agreement_page
from cijie.gold.annotation import (
    Annotation,
    Versions,
    by_contest,
    decisions,
    gold_record,
    read_annotations,
    shared_sentences,
)
from cijie.gold.sheets import Sheet, adjudication_item, annotation_item, page_of
from cijie.recovery.recoverer import Recoverer, segment_pairs
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter

_CARD = "study.json"


class Study(Struct, frozen=True):
    """The folder of a study, and the steps of the work in it.

    Attributes:
        folder: the folder.
        annotators: the names of the annotators.
        checksum: the key under which browsers store answers.
    """

    folder: Path
    annotators: tuple[str, ...]
    checksum: str

    @classmethod
    def open(cls, folder: StrPath) -> Study:
        """Open the study in a folder that `start_study` made.

        Raises:
            FormatError: the folder has no study.
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
        """The file of sentences and proposals that everybody works from."""
        return self.folder / "proposals.jsonl"

    @property
    def adjudication_page(self) -> Path:
        """The page of the adjudicator."""
        return self.folder / "adjudicate.html"

    def page(self, annotator: str) -> Path:
        """Return the path of an annotator's page."""
        return page_of(self.folder, "annotate", annotator)

    def annotated(
        self, skipped: Counter[str] | None = None, *, intersection: bool = False
    ) -> list[Versions]:
        """Read the sentences that all annotators have annotated from the files in the folder.

        Args:
            skipped: counts the skipped annotations and sentences, by reason.
            intersection: see `shared_sentences`.

        Raises:
            CijieError: as `read_annotations` and `shared_sentences`; no annotations by an
                annotator of the study, or annotations by others.
        """
        pairs = {pair.id: pair for pair in sentences_of(read(self.proposals, "pairs"))}
        files = sorted(self.folder.glob("annotation-*.jsonl"))
        annotations = read_annotations(files, pairs, skipped)
        for name in self.annotators:
            if name not in annotations:
                page = self.page(name)
                exported = f"{page.stem.replace('annotate', 'annotation', 1)}.jsonl"
                step = f"put the file that {page.name} exports here, as {exported}"
                raise CijieError(f"nothing by {name}: {step}", path=self.folder)
        if others := annotations.keys() - set(self.annotators):
            names = f"{', '.join(sorted(others))}; the annotators are {', '.join(self.annotators)}"
            raise CijieError(f"annotations by {names}", path=self.folder)
        return shared_sentences(pairs, annotations, skipped, intersection=intersection)

    def merge(
        self, sentences: Sequence[Versions], adjudicator: str, guidelines: Mapping[str, str]
    ) -> list[Versions]:
        """Write the contested sentences, and the page to adjudicate them.

        When the page is made again, the browser keeps the answers to unchanged sentences.

        Args:
            sentences: the result of `annotated`.
            adjudicator: the name of the adjudicator.
            guidelines: the guidelines on the page, see `Sheet.write`.

        Returns:
            The sentences to be adjudicated.
        """
        _, contested = by_contest(sentences)
        write_lines(self.folder / "to-adjudicate.jsonl", (x.as_sheet_record() for x in contested))
        if contested:
            items = list(map(adjudication_item, contested))
            sheet = Sheet("adjudicate", items, checksum=self.checksum)
            sheet.write(self.adjudication_page, adjudicator, guidelines)
        return contested

    def agreement(self, sentences: Sequence[Versions]) -> Agreement:
        """Measure how far annotators agree, and write the page that shows where they differ."""
        measured = agreement(sentences, self.annotators)
        with open_output(self.folder / "agreement.html") as stream:
            stream.write(agreement_page(measured, sentences))
        return measured

    def adjudicate(
        self, sentences: Sequence[Versions], skipped: Counter[str] | None = None
    ) -> list[Annotation]:
        """Read the adjudicator's answers, and write the gold: unanimous sentences come first.

        Args:
            sentences: the result of `annotated`.
            skipped: counts the skipped answers, by reason.

        Returns:
            The answers.

        Raises:
            CijieError: as `read_annotations` and `decisions`.
        """
        unanimous, others = by_contest(sentences)
        contested = {each.sentence.id: each.sentence for each in others}
        files = sorted(self.folder.glob("adjudication-*.jsonl"))
        if contested and not files:
            page = self.adjudication_page
            step = f"put the file that {page.name} exports here"
            if not page.exists():
                step = f"`cijie annotate merge {self.folder}` makes the page for it"
            raise CijieError(f"nothing by an adjudicator: {step}", path=self.folder)
        answers = decisions(contested, read_annotations(files, contested, skipped))
        decided = zip(contested.values(), (x.segmentation for x in answers), strict=True)
        agreed = ((each.sentence, each.segmentations[0]) for each in unanimous)
        records = (gold_record(*each) for each in (*agreed, *decided))
        write_lines(self.folder / "gold.jsonl", records)
        return answers


def start_study(
    folder: StrPath,
    proposals: Iterable[Versions],
    annotators: Sequence[str],
    *,
    start: str = "agreed",
    guidelines: Mapping[str, str],
) -> tuple[Study, list[Versions]]:
    """Create the folder of a study, with a page for each annotator.

    Args:
        folder: a folder that does not exist or is empty.
        proposals: the sentences with their proposals.
        annotators: the names of the annotators.
        start: the starting point of annotation, see `Versions.start`.
        guidelines: the guidelines on the pages, see `Sheet.write`.

    Returns:
        The study, and its sentences.

    Raises:
        UsageError: the folder is not empty.
        CijieError: there are no sentences to annotate.
    """
    with new_directory(folder) as made:
        sentences = list(proposals)
        # The name of the folder keeps the answers of different studies apart.
        items = [annotation_item(each, start) for each in sentences]
        sheet = Sheet("annotate", items, start, study=Path(folder).resolve().name)
        draft = Study(made, tuple(annotators), sheet.checksum)
        write_lines(draft.proposals, (each.as_record() for each in sentences))
        for name in annotators:
            sheet.write(draft.page(name), name, guidelines)
        card = {"annotators": annotators, "checksum": draft.checksum, "start": start}
        with open_output(made / _CARD) as stream:
            stream.write(orjson.dumps(card, option=orjson.OPT_INDENT_2) + b"\n")
    return Study.open(folder), sentences


def propose(
    pairs: Iterable[Sentence], methods: Sequence[Method], segmenter: Segmenter
) -> Iterator[Versions]:
    """Propose segmentations of the sources of `pairs`.

    Args:
        pairs: the sentences with their targets.
        methods: recovery methods, each with its defaults.
        segmenter: the segmenter for the targets, and for the sources in `methods`.

    >>> from cijie.segmenters import load_segmenter
    >>> [made] = propose([Sentence("1", "旅行困", "旅行团")], ["direct"], load_segmenter(list))
    >>> made.as_record()["proposals"]
    {'direct': [(0, 1), (1, 2), (2, 3)]}
    """
    recoverers = [Recoverer(segmenter, name) for name in methods]
    for segmented in batched(segment_pairs(segmenter, pairs)):
        recovered = (recoverer.recover_all(segmented) for recoverer in recoverers)
        for pair, *found in zip(segmented, *recovered, strict=True):
            words = (Annotation(recovery.segmentation) for recovery in found)
            yield Versions(pair, dict(zip(methods, words, strict=True)))
