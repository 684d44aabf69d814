"""The result of recovery: the recovered words of a source, with links, changes and confidences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cijie.alignment.links import Alignment
from cijie.choices import Language
from cijie.errors import counted
from cijie.extras import library
from cijie.projection.boundaries import Change, Projection
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

if TYPE_CHECKING:
    from cijie.pictures.svg import Style


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Recovery(Sentence):
    """A sentence with the recovered segmentation of its source, and the evidence for it.

    Attributes:
        initial: the source's own segmentation, from which recovery starts.
        target_segmentation: the target's segmentation, whose boundaries are projected.
        alignment: the character links.
        segmentation: the recovered segmentation of the source.
        changes: the boundaries inserted and removed, each with the target word that licensed it.
        confidences: the confidence in each recovered word: the lowest probability that one of its
            boundaries, or a decision inside it, is right (P3 only).
        doubts: the places where source and target disagreed and evidence was weighed (P3 only).

    `str()` returns the source with its recovered words joined by spaces. A notebook shows a
    picture.
    """

    initial: Segmentation
    target_segmentations: tuple[Segmentation, ...]
    alignment: Alignment
    segmentation: Segmentation
    changes: tuple[Change, ...]
    target: str = field(init=False, repr=False, compare=False)
    target_segmentation: Segmentation = field(init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        initial: Segmentation,
        target: Segmentation,
        alignment: Alignment,
        projection: Projection,
        id: str = "",
    ) -> Recovery:
        """Build a recovery from a projection and its links.

        Args:
            initial: the source and its own words.
            target: the target and its words.
            alignment: links between the texts.
            projection: the projected segmentation and its changes.
            id: the id of the sentence.
        """
        return cls(
            id,
            initial.text,
            (target.text,),
            initial=initial,
            target_segmentations=(target,),
            alignment=alignment,
            # Without changes, share one object, so that the words are written only once.
            segmentation=projection.segmentation if projection.changes else initial,
            changes=projection.changes,
            confidences=projection.confidences,
            doubts=projection.doubts,
        )

    @property
    def confidence(self) -> float:
        """The lowest word confidence; 1 if the method gives none."""
        return min(self.confidences, default=1.0)

    def __str__(self) -> str:
        return str(self.segmentation)

    def __repr__(self) -> str:
        return f"<Recovery {str(self)!r}, {counted(len(self.changes), 'changes')}>"

    def show(self, *, width: int | None = None, language: Language = "en") -> None:
        """Print a picture: source, target and recovered words, the links and the reasons.

        Args:
            width: the maximum number of cells per line; the terminal's width if None.
            language: the language of the legend and the reasons.
        """
        from cijie.pictures.terminal import draw, print_lines

        print_lines(lambda cells: draw({"recovered": self}, cells, language), width)

    def to_svg(self, *, style: Style = "auto", width: int = 820, language: Language = "en") -> str:
        """Return the picture and the reasons as SVG; see `cijie.render` for other forms.

        Args:
            style: `"light"`, `"dark"`, or `"auto"` for the colours of the reader's system.
            width: the width in pixels after which the picture wraps.
            language: the language of the legend and the reasons.

        Raises:
            UsageError: the style is unknown.
        """
        from cijie.pictures.svg import to_svg

        return to_svg({"recovered": self}, style=style, width=width, language=language)

    def _repr_html_(self) -> str:
        from cijie.pictures.svg import to_html

        return to_html({"recovered": self})

    def to_doc(self, vocab: Any) -> Any:
        """Return the recovered words as a spaCy document whose text is the source.

        The links and changes of `as_record` are in the extension attributes `doc._.cijie_links`
        and `doc._.cijie_changes`.

        Args:
            vocab: the vocabulary of a pipeline, `nlp.vocab`.

        Raises:
            MissingExtraError: spaCy is not installed.
        """
        doc_type = library("spacy.tokens", "spacy").Doc
        if not hasattr(vocab, "strings"):  # spaCy would crash the process
            raise TypeError(f"vocab must be the vocabulary of a pipeline, nlp.vocab, not {vocab!r}")
        words: list[str] = []
        spaces: list[bool] = []
        at = 0
        for start, end in [*self.spans, (len(self.source), len(self.source))]:
            blank = self.source[at:start]
            # As in spaCy, one space after a word is part of its token; other white space is a
            # token.
            if blank.startswith(" ") and words:
                spaces[-1] = True
                blank = blank[1:]
            for token in filter(None, (blank, self.source[start:end])):
                words.append(token)
                spaces.append(False)
            at = end
        doc = doc_type(vocab, words=words, spaces=spaces)
        record = self.as_record(words=False)
        for name in ("links", "changes"):
            if not doc_type.has_extension(f"cijie_{name}"):
                doc_type.set_extension(f"cijie_{name}", default=None)
            doc._.set(f"cijie_{name}", record[name])
        return doc


def as_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a record for Arrow: links, sequences of several types, become dictionaries.

    >>> as_row({"links": [(0, 1, "anchor", None)]})
    {'links': [{'source': 0, 'target': 1, 'kind': 'anchor', 'score': None}]}
    """
    if "links" not in record:
        return dict(record)
    names = ("source", "target", "kind", "score")
    return {**record, "links": [dict(zip(names, link, strict=True)) for link in record["links"]]}
