"""The recovery methods by name: each an aligner and a projection along its links."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, get_args, runtime_checkable

from cijie.alignment.anchors import AnchorAligner
from cijie.alignment.ibm import IbmAligner, IbmModel
from cijie.alignment.ibm_file import read_ibm_model
from cijie.alignment.links import Alignment
from cijie.alignment.residual import ResidualAligner
from cijie.projection.boundaries import JoinRule, Projection, project
from cijie.projection.look_up import look_up
from cijie.projection.weighing import Weigher
from cijie.similarity.bert import BertContext
from cijie.similarity.context import CharacterVectors, EmbeddedContext
from cijie.similarity.features import Feature, OfCharacters
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Definition, Phonology
from cijie.similarity.position import GlobalPosition, LocalPosition
from cijie.similarity.scoring import Scorer, Weights
from cijie.text.segmentation import Segmentation

Method = Literal["direct", "dictionary", "p1", "p2", "p3", "ibm"]
Position = Literal["global", "local"]


class Aligner(Protocol):
    """Aligns sources with targets; what it is made of is in its signature."""

    @property
    def signature(self) -> str: ...

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Align a batch of `(source, target)` pairs."""


@runtime_checkable
class WordAligner(Protocol):
    """An aligner that looks at words, not at the texts alone."""

    @property
    def signature(self) -> str: ...

    def align_words(self, pairs: Sequence[tuple[Segmentation, Segmentation]]) -> list[Alignment]:
        """Align a batch of segmented sources with segmented targets."""


def align_segmented(
    aligner: Aligner | WordAligner, pairs: Sequence[tuple[Segmentation, Segmentation]]
) -> list[Alignment]:
    """Align segmented sources with segmented targets by either kind of aligner."""
    if isinstance(aligner, WordAligner):
        return aligner.align_words(pairs)
    return aligner.align([(source.text, target.text) for source, target in pairs])


@dataclass(frozen=True, slots=True)
class NoAligner:
    """No links: projection then leaves the source's own segmentation as it is (D)."""

    signature: str = "method:direct"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """An alignment without links for each pair."""
        return [Alignment(len(source), len(target)) for source, target in texts]


class Projector(Protocol):
    """Projects a target's boundaries along links; what it depends on is in its signature."""

    @property
    def signature(self) -> str: ...

    def __call__(
        self, initial: Segmentation, target: Segmentation, alignment: Alignment
    ) -> Projection: ...


@dataclass(frozen=True, slots=True)
class BoundaryProjector:
    """The paper's Π; see `cijie.projection.boundaries.project`.

    Raises:
        ValueError: an unknown join rule.
    """

    join_rule: JoinRule = "equal-length"

    def __post_init__(self) -> None:
        if self.join_rule not in get_args(JoinRule):
            raise ValueError(f"unknown join rule: {self.join_rule!r}")

    @property
    def signature(self) -> str:
        return f"join:{self.join_rule}"

    def __call__(
        self, initial: Segmentation, target: Segmentation, alignment: Alignment
    ) -> Projection:
        return project(initial, target, alignment, join_rule=self.join_rule)


@dataclass(frozen=True, slots=True)
class WordLookUp:
    """No projection: the target's words are looked up; see `cijie.projection.look_up`."""

    signature: str = ""

    def __call__(
        self,
        initial: Segmentation,
        target: Segmentation,
        alignment: Alignment,  # noqa: ARG002
    ) -> Projection:
        return look_up(initial, target)


@dataclass(frozen=True, slots=True)
class RecoveryMethod:
    """How boundaries are recovered: by which links, and by which projection along them."""

    aligner: Aligner | WordAligner
    projector: Projector

    @property
    def signature(self) -> str:
        """Everything about the method that results depend on."""
        return "|".join(filter(None, (self.aligner.signature, self.projector.signature)))


class MethodOptions(TypedDict, total=False):
    """Options of `make_method`, with which `Recoverer` takes them as well."""

    weights: Weights | Mapping[str, float] | None
    threshold: float | None
    glyph_table: GlyphTable | str | os.PathLike[str]
    phonology: Phonology | Definition | None
    position: Position | None
    context: Feature | str | None
    ibm_model: IbmModel | str | os.PathLike[str] | None
    join_rule: JoinRule


@dataclass(frozen=True, slots=True)
class _Defaults:
    weights: Weights
    threshold: float
    phonology: Definition
    position: Position
    context: str


# P2's are the paper's; P3's were chosen by cross-validation, see docs/method.md.
_DEFAULTS: dict[str, _Defaults] = {
    "p2": _Defaults(Weights(), 0.85, "pinyin", "global", "embedded"),
    "p3": _Defaults(Weights(0.0, 0.3, 0.2, 0.5), 0.4, "tone-aware", "local", "none"),
}


def make_method(
    method: Method = "p3",
    *,
    weights: Weights | Mapping[str, float] | None = None,
    threshold: float | None = None,
    glyph_table: GlyphTable | str | os.PathLike[str] = "builtin",
    phonology: Phonology | Definition | None = None,
    position: Position | None = None,
    context: Feature | str | None = None,
    ibm_model: IbmModel | str | os.PathLike[str] | None = None,
    join_rule: JoinRule = "equal-length",
) -> RecoveryMethod:
    """The method of that name.

    Args:
        method: `"direct"` (D), `"dictionary"` (T's words looked up in S), `"p1"` (identical
            characters), `"p2"` (and similar ones), `"p3"` (and word-level evidence) or `"ibm"` (a
            generative model). What follows concerns P2 and P3, whose own defaults hold for what is
            None.
        weights: the weights of the features.
        threshold: τ, which the score of a residual link must exceed.
        glyph_table: `"builtin"`, `"identity"`, the path of a CSV table, or a table.
        phonology: `"pinyin"`, the paper's definition, or `"tone-aware"`.
        position: `"global"`, the paper's definition, or `"local"`, within the gap between anchors.
        context: `"embedded"`, `"none"`, the name or directory of a `transformers` model, or a
            feature.
        ibm_model: the model of `"ibm"`, or the path of its file.
        join_rule: when a target word joins source characters, in all methods that project but P3;
            see `cijie.projection.boundaries.JoinRule`.

    Raises:
        ValueError: an unknown method or name, a bad weight or threshold, an option that the method
            does not have, `"ibm"` without a model.
        FormatError: a glyph table or a model that cannot be read.
    """
    _check_given(
        method,
        weights=weights,
        threshold=threshold,
        phonology=phonology,
        position=position,
        context=context,
    )
    by_boundaries = BoundaryProjector(join_rule)
    if method == "direct":
        return RecoveryMethod(NoAligner(), by_boundaries)
    if method == "dictionary":
        return RecoveryMethod(NoAligner("method:dictionary"), WordLookUp())
    if method == "p1":
        return RecoveryMethod(AnchorAligner(), by_boundaries)
    if method == "ibm":
        if ibm_model is None:
            raise ValueError("the method ibm needs a trained model")
        if not isinstance(ibm_model, IbmModel):
            ibm_model = read_ibm_model(ibm_model)
        return RecoveryMethod(IbmAligner(ibm_model), by_boundaries)
    if method not in _DEFAULTS:
        raise ValueError(f"unknown method {method!r}: one of {', '.join(get_args(Method))}")
    defaults = _DEFAULTS[method]
    glyphs = load_glyph_table(glyph_table)
    sounds = phonology or defaults.phonology
    sounds = Phonology(sounds) if isinstance(sounds, str) else sounds
    if weights is None:
        weights = defaults.weights
    elif not isinstance(weights, Weights):
        weights = Weights(**weights)
    if context not in (None, "none") and not weights.emb:
        raise ValueError("context has no effect where the weight emb is 0")
    features = _features(
        weights, glyphs, sounds, position or defaults.position, context or defaults.context
    )
    aligner = ResidualAligner(
        Scorer(weights, features), defaults.threshold if threshold is None else threshold, method
    )
    return RecoveryMethod(
        aligner, Weigher.builtin(glyphs, sounds) if method == "p3" else by_boundaries
    )


def _check_given(method: Method, **options: object) -> None:
    """Refuse options that a method would pass over in silence."""
    if method in get_args(Method) and method not in _DEFAULTS:
        for name, value in options.items():
            if value is not None:
                raise ValueError(f"the method {method} has no option {name}")


def _features(
    weights: Weights,
    glyphs: GlyphTable,
    sounds: Phonology,
    position: Position,
    context: Feature | str,
) -> dict[str, Feature]:
    if position not in get_args(Position):
        raise ValueError(f"unknown position {position!r}: global or local")
    features: dict[str, Feature] = {
        "glyph": OfCharacters(glyphs),
        "pinyin": OfCharacters(sounds),
        "pos": LocalPosition() if position == "local" else GlobalPosition(),
    }
    if weights.emb and context != "none":  # what has no weight is not loaded
        features["emb"] = load_context(context)
    return features


def load_glyph_table(table: GlyphTable | str | os.PathLike[str]) -> GlyphTable:
    """The glyph table of that name, or of the CSV file at that path."""
    if isinstance(table, GlyphTable):
        return table
    if table == "builtin":
        return GlyphTable.builtin()
    if table == "identity":
        return GlyphTable.identity()
    return GlyphTable.from_csv(table)


def load_context(context: Feature | str) -> Feature:
    """The context feature of that name, or of the `transformers` model of that name or path."""
    if not isinstance(context, str):
        return context
    if context == "embedded":
        return EmbeddedContext(CharacterVectors.builtin())
    return BertContext(context)
