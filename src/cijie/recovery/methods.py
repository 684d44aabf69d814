"""Recovery methods by name: each is an aligner and a projection along its links."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar, runtime_checkable

from cijie.alignment.links import Alignment, AnchorAligner
from cijie.alignment.residual import ResidualAligner
from cijie.batching import batched
from cijie.choices import Definition, HabitsName, JoinRule, Method, Position
from cijie.errors import CijieError, UsageError, check_choice
from cijie.projection.boundaries import Projection, look_up, project
from cijie.projection.evidence import Habits, Lexicon, Model
from cijie.projection.weighing import Weigher
from cijie.recovery.options import with_defaults
from cijie.recovery.sentence import Sentence
from cijie.similarity.bert import BertContext
from cijie.similarity.context import CharacterVectors, EmbeddedContext
from cijie.similarity.features import Feature, GlobalPosition, LocalPosition, Scorer
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology
from cijie.similarity.weights import Weights
from cijie.text.segmentation import Segmentation

if TYPE_CHECKING:
    from typing_extensions import Unpack


Texts = TypeVar("Texts")  # the two texts of a pair, segmented or not


class Aligner(Protocol):
    """An aligner of sources with targets; its signature lists its components."""

    @property
    def signature(self) -> str: ...

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Align a batch of `(source, target)` pairs."""


@runtime_checkable
class WordAligner(Protocol):
    """An aligner that uses words as well as texts."""

    @property
    def signature(self) -> str: ...

    def align_words(self, pairs: Sequence[tuple[Segmentation, Segmentation]]) -> list[Alignment]:
        """Align a batch of segmented sources with segmented targets."""


def each_aligned(
    align: Callable[[Sequence[Texts]], Sequence[Alignment]], pairs: Sequence[Texts]
) -> Sequence[Alignment | CijieError]:
    """Return the alignment or the error of each pair.

    Pairs are aligned in one batch, and one by one only if the batch fails.
    """
    try:
        return align(pairs)
    except CijieError as error:
        if len(pairs) == 1:
            return [error]
        return [alignment for pair in pairs for alignment in each_aligned(align, [pair])]


def link_all(pairs: Iterable[Sentence], aligner: Aligner) -> Iterator[Sentence]:
    """Align pairs lazily, in order. Memory does not grow with their number.

    Yields:
        Each source with its target and the links between their characters.

    Raises:
        CijieError: a pair cannot be aligned; raised with its id, after the pairs before it.

    >>> from cijie.alignment.links import AnchorAligner
    >>> [linked] = link_all([Sentence("1", "旅行困", "旅行团")], AnchorAligner())
    >>> linked.as_record()["links"]
    [(0, 0, 'anchor', None), (1, 1, 'anchor', None)]
    """
    for batch in batched(pairs):
        texts = [(pair.source, pair.target or "") for pair in batch]
        for pair, alignment in zip(batch, each_aligned(aligner.align, texts), strict=True):
            if isinstance(alignment, CijieError):
                raise alignment.at(id=pair.id)
            yield Sentence(pair.id, pair.source, (pair.target or "",), alignment=alignment)


def link_record(linked: Sentence) -> dict[str, Any]:
    """Return an aligned pair as plain values, as `cijie align` writes to JSONL."""
    alignment = linked.alignment
    assert alignment is not None
    return linked.as_record() | {
        "source_coverage": alignment.source_coverage,
        "target_coverage": alignment.target_coverage,
        "crossings": alignment.crossings,
    }


class NoAligner:
    """An aligner without links: projection leaves the initial segmentation unchanged (D)."""

    signature = "method:direct"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Return an alignment without links for each pair."""
        return [Alignment(len(source), len(target)) for source, target in texts]


@dataclass(frozen=True, slots=True)
class RecoveryMethod:
    """A recovery method: an aligner, and a projection along its links.

    Args:
        aligner: the aligner.
        projector: projects the target's words onto the source's own, along links.
        signature: all settings of both that results depend on.
    """

    aligner: Aligner | WordAligner
    projector: Callable[[Segmentation, Segmentation, Alignment], Projection]
    signature: str

    def align(self, pairs: Sequence[tuple[Segmentation, Segmentation]]) -> list[Alignment]:
        """Align segmented sources with segmented targets by either kind of aligner."""
        # Not isinstance, which evaluates the signature every time before Python 3.12.
        if hasattr(self.aligner, "align_words"):
            return self.aligner.align_words(pairs)
        return self.aligner.align([(source.text, target.text) for source, target in pairs])


def by_links(
    aligner: Aligner | WordAligner, join_rule: JoinRule = "equal-length"
) -> RecoveryMethod:
    """Return the method of an aligner with the paper's projection Π.

    Raises:
        UsageError: the join rule is unknown.
    """
    check_choice("join rule", join_rule, JoinRule)
    signature = f"{aligner.signature}|join:{join_rule}"
    return RecoveryMethod(aligner, partial(project, join_rule=join_rule), signature)


def project_checked(initial: Segmentation, target: Segmentation, links: Alignment) -> Projection:
    """Project the boundaries of `target` along the links of an aligner that is not cijie's.

    Raises:
        AlignmentError: links that cannot be; see `Alignment.from_tuples`.
    """
    lengths = links.source_length, links.target_length
    return project(initial, target, Alignment.from_tuples(*lengths, links.as_tuples()))


def _looked_up(initial: Segmentation, target: Segmentation, _: Alignment) -> Projection:
    return look_up(initial, target)


class MethodOptions(TypedDict, total=False):
    """The options of `make_method`, which `Recoverer` accepts as well."""

    weights: Weights | Mapping[str, float] | str | None
    threshold: float | None
    glyph_table: GlyphTable | str | os.PathLike[str] | None
    phonology: Phonology | Definition | None
    position: Position | None
    context: Feature | str | None
    habits: HabitsName | None
    min_confidence: float | None
    join_rule: JoinRule | None


_TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "threshold": ((Real,), "a number"),
    "glyph_table": ((str, os.PathLike, GlyphTable), "a name, a path or a GlyphTable"),
    "phonology": ((str, Phonology), "a name or a Phonology"),
    "position": ((str,), "a name"),
    "context": ((str, Callable), "a name, a path or a feature"),  # type: ignore[dict-item]
    "habits": ((str,), "a name"),
    "min_confidence": ((Real,), "a number"),
    "join_rule": ((str,), "a name"),
}


def make_method(method: Method = "p3", **options: Unpack[MethodOptions]) -> RecoveryMethod:
    """Build a method by name.

    The options of each method and their defaults are in `cijie.recovery.options`; None selects
    the default of an option.

    Args:
        method: `"direct"` (D), `"dictionary"` (T's words looked up in S), `"p1"` (identical
            characters), `"p2"` (plus similar ones) or `"p3"` (plus word-level evidence).
        weights: the weights of the features: `Weights`, a mapping, or `"glyph=.7,pos=.3"`.
        threshold: τ, which the score of a residual link must exceed.
        glyph_table: `"builtin"`, `"literal"` (the same with 0 for identical characters),
            `"identity"`, the path of a CSV table, or a table.
        phonology: `"pinyin-marks"` (the paper's definition), `"pinyin-numbers"` or `"tone-aware"`.
        position: `"global"` (the paper's definition) or `"local"` (within the gap between anchors).
        context: `"embedded"`, `"none"`, the name or directory of a `transformers` model, or a
            feature.
        habits: a segmenter's habits, which P3 weighs: `"builtin"` (habits of wapic) or `"none"`.
        min_confidence: the minimum probability of a change by P3, ½ or more.
        join_rule: the rule by which target words join source characters.

    Raises:
        UsageError: a method or name is unknown, a weight or threshold is invalid, or the method
            does not take an option.
        TypeError: no method has such an option, or a value has the wrong type.
        FormatError: a glyph table cannot be read.
    """
    chosen = with_defaults(method, options)
    for name, (types, expected) in _TYPES.items():
        value = chosen.get(name)
        if isinstance(value, bool) or (value is not None and not isinstance(value, types)):
            raise TypeError(f"{name} must be {expected}, not {value!r}")
    if method == "direct":
        return by_links(NoAligner())
    if method == "dictionary":
        return RecoveryMethod(NoAligner(), _looked_up, "method:dictionary")
    if method == "p1":
        return by_links(AnchorAligner(), chosen["join_rule"])
    weights = Weights.of(chosen["weights"])
    if options.get("context") not in (None, "none") and not weights.emb:
        raise UsageError("context has no effect if the weight emb is 0")
    glyphs = load_glyph_table(chosen["glyph_table"])
    sounds: Phonology | Definition = chosen["phonology"]
    sounds = sounds if isinstance(sounds, Phonology) else Phonology(sounds)
    features: dict[str, Feature] = {
        "glyph": glyphs,
        "pinyin": sounds,
        "pos": LocalPosition() if chosen["position"] == "local" else GlobalPosition(),
    }
    if weights.emb and chosen["context"] != "none":  # nothing is loaded for a weight of 0
        context = chosen["context"]
        if context == "embedded":
            context = EmbeddedContext(CharacterVectors.builtin())
        features["emb"] = BertContext(context) if isinstance(context, str) else context
    aligner = ResidualAligner(Scorer(weights, features), chosen["threshold"], method)
    if method == "p2":
        return by_links(aligner, chosen["join_rule"])
    habits = Habits.builtin() if chosen["habits"] == "builtin" else None
    model, lexicon, least = Model.builtin(), Lexicon.builtin(), chosen["min_confidence"]
    weigher = Weigher(model, lexicon, glyphs, sounds, habits, least)
    names = ",".join([each.name for each in (model, lexicon, glyphs, sounds)])
    signature = f"{aligner.signature}|evidence:{names}|habits:{habits.name if habits else 'none'}"
    if least > 0.5:
        signature += f"|least:{least:g}"
    return RecoveryMethod(aligner, weigher, signature)


def load_glyph_table(table: GlyphTable | str | os.PathLike[str]) -> GlyphTable:
    """Load a glyph table by name or from a CSV file."""
    if isinstance(table, GlyphTable):
        return table
    if table == "builtin":
        return GlyphTable.builtin()
    if table == "literal":
        return GlyphTable.builtin().literal()
    if table == "identity":
        return GlyphTable.identity()
    return GlyphTable.from_csv(table)
