"""P3's projection: weigh each suggestion and apply it if it is probably right."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cijie.alignment.links import Alignment
from cijie.errors import UsageError
from cijie.projection.boundaries import (
    Doubt,
    Projection,
    boundaries_of,
    changed_mark,
    changes_between,
)
from cijie.projection.evidence import DECIMALS, Evidence, Habits, Lexicon, Model, is_odd
from cijie.projection.suggestions import Suggester, Suggestion
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology
from cijie.text.segmentation import Segmentation

_MOST_CACHED = 1 << 16


class _Verdict(NamedTuple):
    """The confidence in the decision on a suggestion, and the evidence weighed for it."""

    confidence: float
    suggestion: Suggestion
    evidence: Evidence


class Weigher:
    """A projection that weighs the target's suggestions.

    A suggested cut or join is applied if the model considers it more likely right than wrong. A
    join must also result in exactly the characters of the target's word: a source word that
    extends beyond them must have been cut there.

    Args:
        model: the model that weighs the evidence.
        lexicon: frequencies of words.
        glyphs: the visual similarity of characters.
        phonology: the phonetic similarity of characters. Two different characters have the higher
            of their visual similarity and the square of their phonetic similarity.
        habits: the segmenter's habits; None if they are unknown.
        least: the minimum probability of a change, ½ or more.

    Raises:
        UsageError: `least` is less than ½ or more than 1.
    """

    def __init__(
        self,
        model: Model,
        lexicon: Lexicon,
        glyphs: GlyphTable,
        phonology: Phonology,
        habits: Habits | None = None,
        least: float = 0.5,
    ) -> None:
        if not 0.5 <= least <= 1:
            raise UsageError(f"min_confidence must be between .5 and 1, not {least!r}")
        self.model, self.lexicon, self.habits = model, lexicon, habits
        self._likenesses, self._least = (glyphs, phonology), least
        self._alike: dict[tuple[str, str], float] = {}

    def __call__(
        self,
        initial: Segmentation,
        target: Segmentation,
        alignment: Alignment,
        *,
        target_rules: bool = False,
        read: Callable[[str], str] = str,
    ) -> Projection:
        """Project the boundaries of `target` onto `initial`.

        With `target_rules`, for target words of another origin than the source's, text that both
        sides share is segmented as in the target, whatever the model's probability. Words are
        looked up in the lexicon and the habits as `read` returns them; see `Segmenter.read`.

        Raises:
            AlignmentError: the alignment belongs to other texts.
        """
        suggester = Suggester(
            initial, target, alignment, self.alike, target_rules=target_rules, read=read
        )
        before, after = suggester.before, bytearray(suggester.before)
        verdicts: dict[int, _Verdict] = {}
        for one in suggester.suggestions():
            if target_rules or not is_odd(one, self.lexicon, self.habits):
                verdict = self._weigh(one, after, target_rules=target_rules)
                verdicts.update(dict.fromkeys(one.marks, verdict))
        agreed = suggester.agreed
        if not verdicts:  # as for most pairs
            return Projection(initial, (), self._sure(initial, agreed, verdicts))
        left, right = suggester.characters
        span_of = {
            k: (right.starts[start], right.ends[end - 1])
            for k, verdict in verdicts.items()
            for start, end in [verdict.suggestion.by]
        }
        segmentation = initial
        if after != before:
            segmentation = Segmentation(initial.text, boundaries_of(after, left))
        ends = set(segmentation.boundaries)
        return Projection(
            segmentation,
            changes_between(
                initial,
                segmentation,
                target,
                lambda at: span_of[changed_mark(at, left, before, after)],
            ),
            self._sure(segmentation, agreed, verdicts),
            tuple(
                Doubt(at, at in ends, verdict.confidence, span, word, verdict.evidence)
                for k, verdict in sorted(verdicts.items())
                for at, span in [(left.ends[k - 1], span_of[k])]
                for word in [target.text[span[0] : span[1]]]
                # White space has two marks, and a word may not end at each of them.
                if not left.blank[k - 1] and bool(after[k]) == (at in ends)
            ),
        )

    def _weigh(self, suggestion: Suggestion, marks: bytearray, *, target_rules: bool) -> _Verdict:
        """Apply or reject a suggestion, and return the probability that this is right."""
        likely, evidence = self.model.weigh(
            suggestion, self.lexicon, self.habits, target_rules=target_rules
        )
        if target_rules and suggestion.identical:
            likely = self.model.agreed
        start, end = suggestion.start, suggestion.end
        fits = suggestion.kind == "insert" or (marks[start] and marks[end])
        if not fits:
            likely *= self.model.unfit
        if not fits or likely <= 0.5 or likely < self._least:
            return _Verdict(round(1 - likely, DECIMALS), suggestion, evidence)
        if suggestion.kind == "insert":
            marks[start] = 1
        else:
            marks[start + 1 : end] = bytes(end - start - 1)
        return _Verdict(likely, suggestion, evidence)

    def _sure(
        self, segmentation: Segmentation, agreed: bytearray, verdicts: Mapping[int, _Verdict]
    ) -> tuple[float, ...]:
        """Return the lowest confidence in the boundaries of each word, by verdict or by rate.

        Decisions inside the word count, too; the edges of the text are certain.
        """
        ends: Sequence[int] = segmentation.boundaries
        if not segmentation.is_plain:
            at = {offset: k for k, offset in enumerate(segmentation.characters.ends, start=1)}
            ends = [at[end] for end in ends]
        near, both = self.model.near, self.model.agreed
        edges = [1.0, *[both if agreed[k] else near for k in ends]]
        inside: dict[int, float] = {}
        for k, verdict in verdicts.items():
            n = bisect_left(ends, k)
            if ends[n] == k:
                edges[n + 1] = verdict.confidence
            else:
                inside[n] = min(inside.get(n, 1.0), verdict.confidence)
        edges[-1] = 1.0
        sure = list(map(min, edges, edges[1:]))
        for n, least in inside.items():
            sure[n] = min(sure[n], least)
        return tuple(sure)

    def alike(self, a: str, b: str) -> float:
        """Return the similarity of two single characters, by shape or by sound."""
        known = self._alike.get((a, b))
        if known is None:
            if len(self._alike) >= _MOST_CACHED:
                self._alike.clear()
            codes = [np.array([ord(char)], np.uint32) for char in (a, b)]
            shape, sound = (float(each.similarities(*codes)[0]) for each in self._likenesses)
            known = self._alike[a, b] = max(shape, sound * sound)
        return known
