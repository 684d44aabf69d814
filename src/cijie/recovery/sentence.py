"""The sentence: the input of recovery, from any format, user or corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rapidfuzz.distance import Levenshtein

from cijie.alignment.links import MOST_CELLS, Alignment
from cijie.choices import Language
from cijie.errors import AlignmentError, FormatError, counted, located
from cijie.projection.boundaries import Change, Doubt
from cijie.text.segmentation import Segmentation, Span

if TYPE_CHECKING:
    from cijie.pictures.svg import Style

_DOUBT = ("at", "boundary", "confidence", "by")  # without the word and the evidence

Status = Literal["no error", "not annotatable", "no reference"]
"""The reason why a source has no correction: it has no error (and is its own target), could not be
corrected, or has not been corrected yet."""

Field = Literal[
    "words",
    "target",
    "target words",
    "initial words",
    "links",
    "changes",
    "confidences",
    "doubts",
    "references",
    "status",
    "label",
]
"""The fields that a sentence may have in addition to its source."""

# What is left of a sentence with one of them, and the fields that each is about.
_KEPT: Mapping[str, str] = {
    "words": "segmentation",
    "target": "targets",
    "target words": "target_segmentations",
    "initial words": "initial",
    "links": "alignment",
}
_BASIS: Mapping[str, tuple[Field, ...]] = {
    "target words": ("target",),
    "links": ("target",),
    "changes": ("target",),
    "confidences": ("words", "target", "doubts"),
    "doubts": ("target",),
}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A source with its annotations; missing annotations are None or empty.

    Args:
        id: the id of the sentence.
        source: the text.
        targets: its corrections; a single one may be given as a string. A source without error is
            its own only target.
        reference: the number of the target among the corrections, from 1, if it is known.
        status: the reason why there is no correction.
        label: the corpus's own, more specific label for the status.
        segmentation: the words of the source: given, gold, a system's or recovered ones.
        initial: the words of the source before recovery.
        target_segmentations: the words of each target, or an empty tuple if they are unknown.
        alignment: the links between the characters of source and target.
        changes: the changes that recovery made to `initial`.
        confidences: the confidence in each word of the source, by its least certain boundary.
        doubts: the places that recovery decided by weighing evidence.
        target_rules: whether the target's words have another origin than the source's, such as a
            treebank: P3 then segments text that both sides share as the target does.

    Attributes:
        target: the correction used for projection, or None.
        target_segmentation: the words of the target, or None if they are unknown.

    Raises:
        FormatError: there is no reference of that number; a segmentation, alignment, change or
            doubt belongs to other texts; or there is not one confidence per word.

    >>> sentence = Sentence("1", "旅行困", ("旅行团", "旅行者"), reference=2)
    >>> sentence.target, sentence.fields
    ('旅行者', ['target', 'references'])
    """

    id: str
    source: str
    targets: tuple[str, ...] = ()
    _: KW_ONLY
    reference: int | None = None
    status: Status | None = None
    label: str | None = None
    segmentation: Segmentation | None = None
    initial: Segmentation | None = None
    target_segmentations: tuple[Segmentation | None, ...] = ()
    alignment: Alignment | None = None
    changes: tuple[Change, ...] | None = None
    confidences: tuple[float, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    target_rules: bool = False
    target: str | None = field(init=False, repr=False, compare=False)
    target_segmentation: Segmentation | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.targets, str):
            object.__setattr__(self, "targets", (self.targets,))
        targets, cut = self.targets, self.target_segmentations
        if len(cut) not in (0, len(targets)):
            raise FormatError("expected one segmentation for each target", id=self.id)
        at = index_of(self.reference, targets)
        object.__setattr__(self, "target", targets[at] if targets else None)
        object.__setattr__(self, "target_segmentation", cut[at] if cut else None)
        if cut or self.segmentation is not None or self.initial is not None:
            texts = self.source, self.source, *targets
            for text, words in zip(texts, (self.segmentation, self.initial, *cut), strict=False):
                if words is not None and words.text != text:
                    raise FormatError(f"the words spell {words.text!r}, not {text!r}", id=self.id)
        if self.alignment is None and not (self.changes or self.confidences or self.doubts):
            return
        target = self.target or ""
        if self.alignment is not None and (
            self.alignment.source_length != len(self.source)
            or self.alignment.target_length != len(target)
        ):
            raise FormatError("the links belong to other texts", id=self.id)
        placed: tuple[Change | Doubt, ...] = (*(self.changes or ()), *self.doubts)
        for one in placed:
            if one.at > len(self.source) or not one.by[0] < one.by[1] <= len(target):
                raise FormatError(f"{one!r} is outside the texts", id=self.id)
        ends = () if self.segmentation is None else self.segmentation.boundaries
        if self.confidences and len(self.confidences) != len(ends):
            message = f"{len(self.confidences)} confidences for {len(ends)} words"
            raise FormatError(message, id=self.id)

    @classmethod
    def with_targets(
        cls,
        id: str,
        source: Segmentation | str,
        targets: Sequence[Segmentation] | Sequence[str],
        *,
        status: Status | None = None,
        only: int | None = None,
    ) -> Sentence:
        """Build a sentence with all its corrections; the nearest one is the target.

        Args:
            id: the id of the sentence.
            source: the text, or the text with its words.
            targets: the corrections, either all as texts or all with their words.
            status: the reason why there is no correction.
            only: the number of a correction that is the only one.

        Raises:
            AlignmentError: the texts are too long to compare.
        """
        text, words = (source, None) if isinstance(source, str) else (source.text, source)
        texts = tuple([target if isinstance(target, str) else target.text for target in targets])
        cut = tuple([target for target in targets if not isinstance(target, str)])
        number = only
        if len(texts) > 1:
            with located(id=id):
                number = nearest(text, texts) + 1
        return cls(
            id,
            text,
            texts,
            reference=number,
            status=status,
            segmentation=words,
            target_segmentations=cut,
        )

    @property
    def given(self) -> Segmentation | None:
        """The words from which recovery starts, or None if the source has to be segmented."""
        return self.segmentation if self.initial is None else self.initial

    @property
    def is_ruled(self) -> bool:
        """True if the target rules: by `target_rules`, or because only the target has words."""
        return self.target_rules or (self.target_segmentation is not None and self.given is None)

    @property
    def words(self) -> list[str]:
        """The words of the source.

        Raises:
            FormatError: the words are unknown.
        """
        return self.known_words().tokens

    @property
    def spans(self) -> list[Span]:
        """The words of the source as half-open code-point spans.

        Raises:
            FormatError: the words are unknown.
        """
        return self.known_words().spans

    @property
    def fields(self) -> list[Field]:
        """The fields that are known in addition to the source."""
        known: dict[Field, object] = {
            "words": self.segmentation is not None,
            "target": self.targets,
            "target words": self.target_segmentation is not None,
            "initial words": self.initial is not None,
            "links": self.alignment is not None,
            "changes": self.changes is not None,
            "confidences": self.confidences,
            "doubts": self.confidences or self.doubts,
            "references": len(self.targets) > 1,
            "status": self.status is not None,
            "label": self.label is not None,
        }
        return [part for part, value in known.items() if value]

    def known_words(self) -> Segmentation:
        """Return the segmentation of the source.

        Raises:
            FormatError: the words are unknown.
        """
        if self.segmentation is None:
            raise FormatError(
                f"has no words: {self.source!r}; `cijie recover` or `cijie segment` finds them",
                id=self.id,
            )
        return self.segmentation

    def of_source(self) -> Sentence:
        """Return the source by itself."""
        return Sentence(self.id, self.source, segmentation=self.segmentation)

    def of_target(self) -> Sentence:
        """Return the target by itself, as the source of a sentence.

        Raises:
            FormatError: there is no target.
        """
        if self.target is None:
            raise FormatError("has no target", id=self.id)
        return Sentence(self.id, self.target, segmentation=self.target_segmentation)

    def of_pair(self, number: int | None = None) -> Sentence:
        """Return the source with one target and with the words from which recovery starts.

        Args:
            number: the number of a correction, from 1; by default the current target.
        """
        number = self.reference if number is None else number
        if len(self.targets) == 1 and self.segmentation is None and number == self.reference:
            return self
        at = index_of(number, self.targets)
        return Sentence(
            self.id,
            self.source,
            self.targets[at : at + 1],
            reference=number,
            initial=self.given,
            target_segmentations=self.target_segmentations[at : at + 1],
            target_rules=self.target_rules,
        )

    def only(self, fields: Iterable[Field]) -> Sentence:
        """Return the sentence with some fields of a recovery alone; see `with_basis`."""
        kept = {name: getattr(self, name) for name in (_KEPT.get(field, field) for field in fields)}
        return Sentence(self.id, self.source, **kept)

    def as_record(self, id: str | None = None, *, words: bool = True) -> dict[str, Any]:
        """Return the sentence as plain values: the record that cijie writes to JSONL.

        `words` are strings; `spans`, `initial_spans` and `target_spans` are half-open code-point
        spans; a link is `(source, target, kind, score)`. Unknown values are omitted.

        Args:
            id: the id of the record, instead of the sentence's.
            words: whether to include the words of source and target.
        """
        values: dict[str, Any] = {"id": self.id if id is None else id, "source": self.source}
        if self.target is not None:
            values["target"] = self.target
        if words and self.segmentation is not None:
            spans = self.segmentation.spans
            values["words"] = [self.source[start:end] for start, end in spans]
            values["spans"] = spans
        if words and self.initial is not None:
            same = self.initial is self.segmentation
            values["initial_spans"] = values["spans"] if same else self.initial.spans
        if words and self.target_segmentation is not None:
            values["target_spans"] = self.target_segmentation.spans
        if self.alignment is not None:
            values["links"] = self.alignment.as_tuples()
        if self.changes is not None:
            values["changes"] = [{"at": x.at, "kind": x.kind, "by": x.by} for x in self.changes]
        if self.confidences:
            values["confidences"] = self.confidences
        if self.confidences or self.doubts:
            values["doubts"] = [dict(zip(_DOUBT, doubt, strict=False)) for doubt in self.doubts]
        if self.reference is not None:
            values["reference"] = self.reference
        if len(self.targets) > 1:
            values["references"] = self.targets
            if None not in (cut := self.target_segmentations or (None,)):
                values["reference_spans"] = [words.spans for words in cut if words is not None]
        more = {"status": self.status, "label": self.label}
        return values | {name: value for name, value in more.items() if value is not None}


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


def with_basis(fields: Iterable[Field]) -> list[Field]:
    """Return the fields, and those that they cannot be read without.

    >>> with_basis(["words", "links"])
    ['words', 'links', 'target']
    """
    chosen = list(fields)
    return list(dict.fromkeys([*chosen, *(x for each in chosen for x in _BASIS.get(each, ()))]))


def index_of(number: int | None, targets: Sequence[str]) -> int:
    """Return the index of target `number` (from 1); 0 if it is None or there is only one target.

    Raises:
        FormatError: there is no target of that number.

    >>> index_of(2, ["旅行团", "旅行者"]), index_of(2, ["旅行者"]), index_of(None, [])
    (1, 0, 0)
    """
    if len(targets) < 2 or number is None:
        return 0
    if not 0 < number <= len(targets):
        raise FormatError(f"no reference {number}: this record has {len(targets)}")
    return number - 1


def nearest(source: str, references: Sequence[str]) -> int:
    """Return the index of the reference with the smallest Levenshtein distance; the first on a tie.

    Raises:
        AlignmentError: the texts are too long to compare.

    >>> nearest("旅行困", ["去旅行的团", "旅行团", "旅行者"])
    1
    """
    if len(references) == 1:
        return 0
    longest = max(map(len, references))
    if len(source) * longest > MOST_CELLS:
        raise AlignmentError(
            f"texts of {len(source):,} and {longest:,} characters are too long to find the nearest "
            f"of {len(references)} references: at most {MOST_CELLS:,} pairs of characters"
        )
    distances = [Levenshtein.distance(source, reference) for reference in references]
    return distances.index(min(distances))


def joined(words: Sequence[str]) -> Segmentation:
    """Build the segmentation of words without a text, by joining them, as for most formats.

    >>> joined(["我们", "走"])
    Segmentation(text='我们走', boundaries=(2, 3))
    """
    return Segmentation.from_tokens("".join(words), words)


def as_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a record for Arrow: links, sequences of several types, become dictionaries.

    >>> as_row({"links": [(0, 1, "anchor", None)]})
    {'links': [{'source': 0, 'target': 1, 'kind': 'anchor', 'score': None}]}
    """
    if "links" not in record:
        return dict(record)
    names = ("source", "target", "kind", "score")
    return {**record, "links": [dict(zip(names, link, strict=True)) for link in record["links"]]}
