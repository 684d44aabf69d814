"""P3's projection: suggestions are weighed, and what is more likely right than wrong is done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import resources
from math import exp
from typing import Any

from cijie.alignment.links import Alignment
from cijie.projection.boundaries import Change, Doubt, Projection
from cijie.projection.lexicon import Lexicon
from cijie.projection.marks import agreed_marks, boundaries_of, changed_mark, marks_of, runs_of
from cijie.projection.suggestions import Suggester, Suggestion
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology
from cijie.text.segmentation import Segmentation, Span

_MOST_CACHED = 1 << 16
_DECIMALS = 4  # of probabilities, so that they are the same on every processor


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A logistic model of whether a suggestion is right, for one kind of change."""

    similarity: float
    frequency: float
    intercept: float

    def probability(self, suggestion: Suggestion) -> float:
        """How probable it is that the suggestion is right."""
        return 1 / (
            1
            + exp(
                -self.similarity * suggestion.similarity
                - self.frequency * suggestion.frequency
                - self.intercept
            )
        )

    def evidence(self, suggestion: Suggestion) -> tuple[tuple[str, float, float], ...]:
        """Each number with what it adds to the log-odds; together they make the probability."""
        values = {
            "similarity": suggestion.similarity,
            "frequency": suggestion.frequency,
            "intercept": 1.0,
        }
        return tuple(
            (name, round(value, _DECIMALS), round(getattr(self, name) * value, _DECIMALS))
            for name, value in values.items()
        )


@dataclass(frozen=True, slots=True)
class Model:
    """The fitted model; `scripts/fit_evidence.py` fits it.

    Args:
        insert: weighs cuts.
        remove: weighs joins.
        unfit: how often it is right not to join across a source word that reaches further.
        agreed: how often a boundary is right that source and target agree on, between characters
            that are linked to identical ones.
        near: how often any other undisputed boundary is right.
    """

    insert: Coefficients
    remove: Coefficients
    unfit: float
    agreed: float
    near: float

    @classmethod
    def builtin(cls) -> Model:
        """The model that cijie ships."""
        text = (resources.files(__package__) / "data" / "model-1.json").read_text(encoding="utf-8")
        return cls.from_record(json.loads(text))

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Model:
        """Make a model of plain values."""
        kinds = {kind: Coefficients(**record[kind]) for kind in ("insert", "remove")}
        return cls(**{**record, **kinds})

    @property
    def name(self) -> str:
        """The model by its content, for the signature: another fit has another name."""
        values = json.dumps(asdict(self), sort_keys=True).encode()
        return f"model-1/{sha256(values).hexdigest()[:8]}"

    def probability(self, suggestion: Suggestion) -> float:
        """How probable it is that the suggestion is right."""
        return self.weights(suggestion).probability(suggestion)

    def weights(self, suggestion: Suggestion) -> Coefficients:
        """What weighs suggestions of this kind."""
        return self.insert if suggestion.kind == "insert" else self.remove


class Weigher:
    """Projects by weighing what the target suggests.

    A cut or a join that the target suggests is made if the model holds it more likely right than
    wrong, or if all characters concerned are linked to identical ones: where both readings of the
    same words are possible, the target's is taken. A join must besides give exactly the characters
    of the target's word: a source word that reaches beyond them must have been cut there.

    Args:
        model: weighs the evidence.
        lexicon: how frequent words are.
        glyphs, phonology: how alike two different characters are: the higher of the similarity of
            shape and the square of the similarity of sound.
    """

    def __init__(
        self, model: Model, lexicon: Lexicon, glyphs: GlyphTable, phonology: Phonology
    ) -> None:
        self.model, self._lexicon = model, lexicon
        self._glyphs, self._phonology = glyphs, phonology
        self._alike: dict[tuple[str, str], float] = {}

    @classmethod
    def builtin(cls, glyphs: GlyphTable, phonology: Phonology) -> Weigher:
        """With the model and the lexicon that cijie ships."""
        return cls(Model.builtin(), Lexicon.builtin(), glyphs, phonology)

    @property
    def signature(self) -> str:
        parts = self.model.name, self._lexicon.name, self._glyphs.name, self._phonology.name
        return "evidence:" + ",".join(parts)

    def __call__(
        self, initial: Segmentation, target: Segmentation, alignment: Alignment
    ) -> Projection:
        """Project the boundaries of `target` onto `initial`.

        Raises:
            AlignmentError: the alignment is not one of these two texts.
        """
        before, words = marks_of(initial), marks_of(target)
        runs = runs_of(alignment, initial, target)
        rates = self.model.near, self.model.agreed
        agreed = agreed_marks(alignment, before, words, initial, target)
        evidence = Suggester(initial, target, before, words, runs, self.alike, self._lexicon)
        suggestions = list(evidence.suggestions())
        if not suggestions:
            return Projection(initial, (), _at_ends(initial, agreed, rates, {}))
        left, right = initial.characters, target.characters
        after = bytearray(before)
        verdicts: dict[int, tuple[float, Suggestion]] = {}
        for suggestion in suggestions:
            confidence = round(self._weigh(suggestion, after), _DECIMALS)
            for k in suggestion.marks(before):
                verdicts[k] = confidence, suggestion
        segmentation = Segmentation(initial.text, boundaries_of(after, left))

        def target_word(by: Span) -> tuple[Span, str]:
            span = right.starts[by[0]], right.ends[by[1] - 1]
            return span, target.text[span[0] : span[1]]

        changes = []
        for at in sorted(set(initial.boundaries).symmetric_difference(segmentation.boundaries)):
            k = changed_mark(at, left, before, after)
            changes.append(
                Change(at, "insert" if after[k] else "remove", *target_word(verdicts[k][1].by))
            )
        ends = set(segmentation.boundaries)
        doubts = [
            Doubt(
                left.ends[k - 1],
                left.ends[k - 1] in ends,
                confidence,
                *target_word(suggestion.by),
                self.model.weights(suggestion).evidence(suggestion),
            )
            for k, (confidence, suggestion) in sorted(verdicts.items())
            # Where white space has two marks, one may not tell whether a word ends there.
            if not left.blank[k - 1] and bool(after[k]) == (left.ends[k - 1] in ends)
        ]
        sure = _at_ends(segmentation, agreed, rates, verdicts)
        return Projection(segmentation, tuple(changes), sure, tuple(doubts))

    def _weigh(self, suggestion: Suggestion, marks: bytearray) -> float:
        """Follow a suggestion or not, and say how probable it is that this was right."""
        probability = self.model.probability(suggestion)
        follow = suggestion.similarity == 1 or probability > 0.5
        start, end = suggestion.start, suggestion.end
        if suggestion.kind == "remove" and not (marks[start] and marks[end]):
            return self.model.unfit
        if not follow:
            return 1 - probability
        if suggestion.kind == "insert":
            marks[start] = 1
        else:
            marks[start + 1 : end] = bytes(end - start - 1)
        return probability

    def alike(self, a: str, b: str) -> float:
        """How alike two single characters are, by shape or by sound."""
        known = self._alike.get((a, b))
        if known is None:
            if len(self._alike) >= _MOST_CACHED:
                self._alike.clear()
            sound = self._phonology.similarity(a, b)
            known = self._alike[a, b] = max(self._glyphs.similarity(a, b), sound * sound)
        return known


def _at_ends(
    segmentation: Segmentation,
    agreed: bytearray,
    rates: tuple[float, float],
    verdicts: Mapping[int, tuple[float, Suggestion]],
) -> tuple[float, ...]:
    """How sure each word's end is: by verdict or by rate; the end of the text is certain."""
    ends = segmentation.boundaries
    if not segmentation.is_plain:
        at = {offset: k for k, offset in enumerate(segmentation.characters.ends, start=1)}
        ends = tuple(at[end] for end in ends)
    sure = [rates[agreed[k]] for k in ends]
    if verdicts:
        sure = [
            verdicts[k][0] if k in verdicts else rate for k, rate in zip(ends, sure, strict=True)
        ]
    sure[-1:] = [1.0 for _ in ends[-1:]]
    return tuple(sure)
