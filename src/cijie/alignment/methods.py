"""The recovery methods by name, each an aligner."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args, runtime_checkable

from cijie.alignment.anchors import AnchorAligner
from cijie.alignment.ibm import IbmAligner, IbmModel
from cijie.alignment.links import Alignment
from cijie.alignment.residual import ResidualAligner
from cijie.corpora.ibm import read_ibm_model
from cijie.segmentation import Segmentation
from cijie.similarity.bert import BertContext
from cijie.similarity.context import CharacterVectors, EmbeddedContext
from cijie.similarity.features import Feature, OfCharacters
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Definition, Phonology
from cijie.similarity.position import GlobalPosition, LocalPosition
from cijie.similarity.scoring import Scorer, Weights

Method = Literal["direct", "dictionary", "p1", "p2", "ibm"]
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
    """D: no links, so the source keeps its own segmentation."""

    signature: str = "method:direct"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """An alignment without links for each pair."""
        return [Alignment(len(source), len(target)) for source, target in texts]


@dataclass(frozen=True, slots=True)
class Dictionary(NoAligner):
    """No links either: the target's words are looked up in the source; see `cijie.dictionary`."""

    signature: str = "method:dictionary"


def make_aligner(
    method: Method = "p2",
    *,
    weights: Weights | Mapping[str, float] | None = None,
    threshold: float = 0.85,
    glyph_table: GlyphTable | str | os.PathLike[str] = "builtin",
    phonology: Phonology | Definition = "pinyin",
    position: Position = "global",
    context: Feature | str = "embedded",
    ibm_model: IbmModel | str | os.PathLike[str] | None = None,
) -> Aligner | WordAligner:
    """The aligner of a method.

    Args:
        method: `"direct"`, `"dictionary"`, `"p1"`, `"p2"` or `"ibm"`; what follows concerns `"p2"`
            alone, but for `ibm_model`.
        weights: the weights of the features, the paper's by default.
        threshold: τ, which the score of a residual link must exceed.
        glyph_table: `"builtin"`, `"identity"`, the path of a CSV table, or a table.
        phonology: `"pinyin"`, the paper's definition, or `"tone-aware"`.
        position: `"global"`, the paper's definition, or `"local"`, within the gap between anchors.
        context: `"embedded"`, `"none"`, the name or directory of a `transformers` model, or a
            feature.
        ibm_model: the model of `"ibm"`, or the path of its file.

    Raises:
        ValueError: an unknown method or name, a bad weight or threshold, `"ibm"` without a model.
        FormatError: a glyph table or a model that cannot be read.
    """
    if method == "direct":
        return NoAligner()
    if method == "dictionary":
        return Dictionary()
    if method == "p1":
        return AnchorAligner()
    if method == "ibm":
        if ibm_model is None:
            raise ValueError("the method ibm needs a trained model")
        if not isinstance(ibm_model, IbmModel):
            ibm_model = read_ibm_model(ibm_model)
        return IbmAligner(ibm_model)
    if method != "p2":
        raise ValueError(f"unknown method {method!r}: one of {', '.join(get_args(Method))}")
    if not isinstance(weights, Weights):
        weights = Weights(**weights) if weights is not None else Weights()
    if position not in get_args(Position):
        raise ValueError(f"unknown position {position!r}: global or local")
    # What has no weight is not loaded.
    features: dict[str, Feature] = {
        "pos": LocalPosition() if position == "local" else GlobalPosition()
    }
    if weights.glyph:
        features["glyph"] = OfCharacters(load_glyph_table(glyph_table))
    if weights.pinyin:
        features["pinyin"] = OfCharacters(
            Phonology(phonology) if isinstance(phonology, str) else phonology
        )
    if weights.emb and context != "none":
        features["emb"] = load_context(context)
    return ResidualAligner(Scorer(weights, features), threshold)


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
