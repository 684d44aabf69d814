"""What recovery gives: the recovered words of a source, and how they came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cijie.alignment.links import Alignment
from cijie.errors import counted
from cijie.projection.boundaries import Change, Doubt
from cijie.text.segmentation import Segmentation, Span

if TYPE_CHECKING:
    from cijie.pictures.svg import Style


@dataclass(frozen=True, slots=True, repr=False)
class Recovery:
    """The recovered segmentation of one source, and how it came about.

    Attributes:
        initial: the source's own segmentation, which recovery starts from.
        target_segmentation: the target's segmentation, whose boundaries are projected.
        alignment: the character links.
        segmentation: the recovered segmentation of the source.
        changes: the boundaries inserted and removed, each with the target word that licensed it.
        confidences: for each recovered word the probability that it ends where it does (P3 alone).
        doubts: the places where source and target disagreed and evidence was weighed (P3 alone).

    `str()` of it is the source with its recovered words joined by spaces. A notebook shows it as a
    picture.
    """

    initial: Segmentation
    target_segmentation: Segmentation
    alignment: Alignment
    segmentation: Segmentation
    changes: tuple[Change, ...]
    confidences: tuple[float, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def source(self) -> str:
        """The source, as it was given."""
        return self.initial.text

    @property
    def target(self) -> str:
        """The target, as it was given."""
        return self.target_segmentation.text

    @property
    def words(self) -> list[str]:
        """The recovered words of the source."""
        return self.segmentation.tokens

    @property
    def tokens(self) -> list[str]:
        """The same as `words`."""
        return self.words

    @property
    def spans(self) -> list[Span]:
        """The recovered words as half-open code-point spans of the source."""
        return self.segmentation.spans

    @property
    def confidence(self) -> float:
        """That of the least sure decision; 1 if there was none, or the method gives none."""
        decided = (doubt.confidence for doubt in self.doubts)
        return min((*self.confidences, *decided), default=1.0)

    def __str__(self) -> str:
        return str(self.segmentation)

    def __repr__(self) -> str:
        return f"<Recovery {str(self)!r}, {counted(len(self.changes), 'changes')}>"

    def show(self, *, width: int | None = None) -> None:
        """Print a picture: source, target and recovered words, the links, and why.

        Args:
            width: how many cells a line may have; that of the terminal, if None.
        """
        from cijie.pictures.terminal import draw, print_lines

        print_lines(lambda cells: draw({"recovered": self}, cells), width)

    def to_svg(self, *, style: Style = "auto", width: int = 820) -> str:
        """The picture as SVG, without the reasons; see `cijie.render` for other forms.

        Args:
            style: `"light"`, `"dark"`, or `"auto"`, which has the colours of the reader's system.
            width: how many pixels wide it may be before it goes on in another line.

        Raises:
            UsageError: an unknown style.
        """
        from cijie.pictures.svg import to_svg

        return to_svg({"recovered": self}, style=style, width=width)

    def _repr_html_(self) -> str:
        from cijie.pictures.svg import to_html

        return to_html({"recovered": self})

    def to_doc(self, vocab: Any) -> Any:
        """The recovered words as a document of spaCy, whose text is the source.

        The links and changes of `as_record` are its extension attributes `doc._.cijie_links` and
        `doc._.cijie_changes`.

        Args:
            vocab: the vocabulary of a pipeline, `nlp.vocab`.

        Raises:
            MissingExtraError: spaCy is not installed.
        """
        from cijie.recovery.documents import to_doc

        return to_doc(self.as_record(""), vocab)

    def as_record(self, id: str) -> dict[str, Any]:
        """The recovery as plain values: the record that cijie writes to JSONL.

        `words` are strings; `spans`, `initial_spans` and `target_spans` are half-open code-point
        spans; a link is `(source, target, kind, score)`. `confidences` and `doubts` are there if
        the method gives them.
        """
        return as_values(
            id,
            self.source,
            self.target,
            self.segmentation if self.changes else self.initial,
            self.initial,
            self.target_segmentation,
            self.alignment,
            self.changes,
            self.confidences or None,
            self.doubts if self.confidences else None,
        )


def as_values(
    id: str,
    source: str,
    target: str | None,
    segmentation: Segmentation | None,
    initial: Segmentation | None,
    target_segmentation: Segmentation | None,
    alignment: Alignment | None,
    changes: Sequence[Change] | None,
    confidences: Sequence[float] | None,
    doubts: Sequence[Doubt] | None,
) -> dict[str, Any]:
    """A sentence and what is known about it as plain values; what is None is left out."""
    values: dict[str, Any] = {"id": id, "source": source}
    if target is not None:
        values["target"] = target
    spans = None
    if segmentation is not None:
        spans = segmentation.spans
        values["words"] = [source[start:end] for start, end in spans]
        values["spans"] = spans
    if initial is not None:
        values["initial_spans"] = spans if initial is segmentation else initial.spans
    if target_segmentation is not None:
        values["target_spans"] = target_segmentation.spans
    if alignment is not None:
        values["links"] = alignment.as_tuples()
    if changes is not None:
        values["changes"] = [{"at": x.at, "kind": x.kind, "by": x.by} for x in changes]
    if confidences is not None:
        values["confidences"] = confidences
    if doubts is not None:
        values["doubts"] = [doubt.as_dict() for doubt in doubts]
    return values


def as_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of plain values for Arrow: links, sequences of several types, become dictionaries.

    >>> as_row({"links": [(0, 1, "anchor", None)]})
    {'links': [{'source': 0, 'target': 1, 'kind': 'anchor', 'score': None}]}
    """
    if "links" not in record:
        return dict(record)
    names = ("source", "target", "kind", "score")
    return {**record, "links": [dict(zip(names, link, strict=True)) for link in record["links"]]}
