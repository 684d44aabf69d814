"""Choose one correction of each sentence as its target, by two rankings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rapidfuzz.distance import Levenshtein

from cijie.batching import batched
from cijie.recovery.sentence import Sentence
from cijie.similarity.sentences import SentenceEncoder

Basis = Literal["automatic", "votes", "levenshtein"]
"""The reason for choosing a correction: both rankings put it first, annotators voted for it, or,
failing both, its Levenshtein distance."""

_BATCH = 64
# Encoders may differ in later digits from batch to batch, and from machine to machine.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Ranking:
    """The corrections of a sentence, ranked by two measures of similarity to the sentence.

    Args:
        sentence: the sentence with its corrections.
        levenshtein: the numbers of the corrections, from 1, by ascending Levenshtein distance;
            ties in the order of the corpus.
        context: the numbers of the corrections by descending cosine of sentence vectors, rounded
            to six digits; ties by ascending Levenshtein distance.
    """

    sentence: Sentence
    levenshtein: tuple[int, ...]
    context: tuple[int, ...]

    @property
    def is_automatic(self) -> bool:
        """True if both rankings put the same correction first, so that no vote is needed."""
        return self.levenshtein[0] == self.context[0]

    def choose(self, elected: int | None = None) -> tuple[int, Basis]:
        """Return the number of the correction to use as the target, and the basis of the choice.

        Where the rankings agree, it is their first correction; else the one elected by more than
        half of the votes; without such a majority, the nearest by Levenshtein distance.

        >>> ranking = Ranking(Sentence("1", "甲", ("乙", "丙")), (1, 2), (2, 1))
        >>> ranking.choose(2), ranking.choose()
        ((2, 'votes'), (1, 'levenshtein'))
        """
        if self.is_automatic:
            return self.levenshtein[0], "automatic"
        if elected is None:
            return self.levenshtein[0], "levenshtein"
        return elected, "votes"

    def as_record(self) -> dict[str, Any]:
        """Return the two rankings as plain values."""
        return {"levenshtein": self.levenshtein, "context": self.context}


def rank(sentences: Iterable[Sentence], encoder: SentenceEncoder) -> Iterator[Ranking]:
    """Rank the corrections of each sentence, which must have at least one.

    >>> from cijie.similarity.sentences import load_encoder
    >>> sentence = Sentence("1", "他今天不来。", ("他今天不好。", "今天他不会来。"))
    >>> [ranking] = rank([sentence], SentenceEncoder(load_encoder("embedded")))
    >>> ranking.levenshtein, ranking.context, ranking.is_automatic
    ((1, 2), (2, 1), False)
    """
    for batch in batched(sentences, _BATCH):
        texts = dict.fromkeys(text for each in batch for text in (each.source, *each.targets))
        vectors = dict(zip(texts, encoder.encode(list(texts)), strict=True))
        for sentence in batch:
            numbers = range(1, len(sentence.targets) + 1)
            distances = {
                number: Levenshtein.distance(sentence.source, target)
                for number, target in zip(numbers, sentence.targets, strict=True)
            }
            cosines = {
                number: round(float(vectors[sentence.source] @ vectors[target]), _DIGITS)
                for number, target in zip(numbers, sentence.targets, strict=True)
            }
            levenshtein = sorted(numbers, key=distances.__getitem__)
            context = sorted(levenshtein, key=lambda number: -cosines[number])
            yield Ranking(sentence, tuple(levenshtein), tuple(context))
