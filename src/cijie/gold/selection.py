"""Choose one correction of each sentence as its target, by two rankings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from rapidfuzz.distance import Levenshtein

from cijie.batching import batched
from cijie.checking import checked
from cijie.errors import FormatError, counted
from cijie.files.opening import StrPath
from cijie.gold.annotation import check_text, read_returned
from cijie.recovery.sentence import Sentence
from cijie.similarity.sentences import Encoder, sentence_vectors

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

    def as_record(self) -> dict[str, Any]:
        """Return the two rankings as plain values."""
        return {"levenshtein": self.levenshtein, "context": self.context}


def rank(sentences: Iterable[Sentence], encoder: Encoder) -> Iterator[Ranking]:
    """Rank the corrections of each sentence, which must have at least one.

    >>> from cijie.similarity.sentences import load_encoder
    >>> sentence = Sentence("1", "他今天不来。", ("他今天不好。", "今天他不会来。"))
    >>> [ranking] = rank([sentence], load_encoder("embedded"))
    >>> ranking.levenshtein, ranking.context, ranking.is_automatic
    ((1, 2), (2, 1), False)
    """
    for batch in batched(sentences, _BATCH):
        texts = dict.fromkeys(text for each in batch for text in (each.source, *each.targets))
        vectors = dict(zip(texts, sentence_vectors(encoder, list(texts)), strict=True))
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


Vote = frozenset[int]
"""The numbers, from 1, of the corrections that an annotator finds best: one, several equally good
ones, or none if no correction is good."""

NONE_IS_GOOD = 0
"""The number that an empty vote counts for."""

Ballot = Mapping[str, Vote]
"""The votes on one sentence, by annotator."""


class _Cast(Struct, frozen=True):
    """A line of a file of votes."""

    annotator: Annotated[str, Meta(min_length=1)]
    source_sha256: str
    references: Vote


def read_votes(
    paths: Iterable[StrPath], rankings: Mapping[str, Ranking], skipped: Counter[str] | None = None
) -> dict[str, dict[str, Vote]]:
    """Read votes, from any number of files, into ballots by sentence.

    A vote is a JSON object with `id`, `source_sha256`, `references` (a `Vote` as a list) and
    `annotator`. Other keys are ignored. Votes on sentences whose rankings agree are skipped.

    Args:
        paths: the files.
        rankings: the sentences voted on, by id.
        skipped: counts the skipped votes, by reason.

    Raises:
        FormatError: a vote on an unknown sentence, on another text, for an unknown correction,
            without an annotator, or a second vote by the same annotator.
    """
    skipped = Counter() if skipped is None else skipped
    ballots: dict[str, dict[str, Vote]] = {}
    for name, id, vote in read_returned(paths, rankings, _vote):
        if rankings[id].is_automatic:
            skipped["votes on sentences that need none"] += 1
        else:
            ballots.setdefault(id, {})[name] = vote
    return ballots


def _vote(record: dict[str, Any], ranking: Ranking, _: str) -> tuple[str, Vote]:
    cast = checked(record, _Cast)
    check_text("source", ranking.sentence.source, cast.source_sha256)
    there = ranking.levenshtein
    for reference in sorted(cast.references.difference(there)):
        raise FormatError(f"no reference {reference!r}: the sheet has {len(there)}")
    return cast.annotator, cast.references


def choose(ranking: Ranking, ballot: Ballot) -> tuple[int, Basis]:
    """Choose the correction of a sentence that is its target.

    Where the rankings agree, it is their first correction; else the one that more than half of the
    voters find best, or `NONE_IS_GOOD`. If more than half find several best, the one with most
    votes is taken; ties go to the nearest by Levenshtein distance. Without such a majority it is
    the nearest of all.

    Returns:
        Its number, from 1, or `NONE_IS_GOOD`, and the reason.

    >>> ranking = Ranking(Sentence("1", "甲", ("乙", "丙", "丁")), (2, 1, 3), (1, 2, 3))
    >>> def chosen(*votes): return choose(ranking, dict(zip("ABC", map(frozenset, votes))))
    >>> chosen([1], [3], [3]), chosen([1, 2], [1, 2]), chosen([], [], [1])
    ((3, 'votes'), (2, 'votes'), (0, 'votes'))
    >>> chosen([1], [2]), chosen()
    ((2, 'levenshtein'), (2, 'levenshtein'))
    """
    nearest = ranking.levenshtein[0]
    if ranking.is_automatic:
        return nearest, "automatic"
    counts = _counts(ballot)
    best = max((NONE_IS_GOOD, *ranking.levenshtein), key=lambda reference: counts[reference])
    return (best, "votes") if 2 * counts[best] > len(ballot) else (nearest, "levenshtein")


def _counts(ballot: Ballot) -> Counter[int]:
    return Counter(reference for vote in ballot.values() for reference in vote or {NONE_IS_GOOD})


@dataclass(frozen=True, slots=True)
class VotingAgreement:
    """The agreement of annotators in their votes.

    Attributes:
        unanimous: the number of sentences with two votes or more, all alike.
        majority: the number of other sentences decided by more than half of the voters.
        disputed: the number of sentences without such a majority.
        pairwise: the share of agreeing pairs of votes on a sentence, averaged over the sentences
            with two or more votes; 0 if there are none. Votes for several corrections agree by
            the share of corrections they have in common (Jaccard index).

    >>> a, b = frozenset({1}), frozenset({2})
    >>> VotingAgreement.of([{"A": a, "B": a, "C": a}, {"A": a, "B": b, "C": a}, {"A": b}])
    VotingAgreement(unanimous=1, majority=2, disputed=0, pairwise=0.6666666666666666)
    """

    unanimous: int
    majority: int
    disputed: int
    pairwise: float

    @classmethod
    def of(cls, ballots: Iterable[Ballot]) -> VotingAgreement:
        """Measure the agreement in the ballots of sentences."""
        ballots = list(ballots)
        kinds = Counter(map(_kind, ballots))
        shares = [_agreeing(ballot) for ballot in ballots if len(ballot) > 1]
        pairwise = fsum(shares) / len(shares) if shares else 0.0
        return cls(kinds["unanimous"], kinds["majority"], kinds["disputed"], pairwise)

    def __str__(self) -> str:
        sentences = counted(self.unanimous + self.majority + self.disputed, "sentences")
        return (
            f"votes on {sentences}: {self.unanimous:,} unanimous, {self.majority:,} by majority, "
            f"{self.disputed:,} disputed; mean pairwise agreement {self.pairwise:.1%}"
        )


def _agreeing(ballot: Ballot) -> float:
    """Return the share of agreeing pairs of votes."""
    pairs = list(combinations(ballot.values(), 2))
    return sum(len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs) / len(pairs)


def _kind(ballot: Ballot) -> str:
    if len(ballot) > 1 and len(set(ballot.values())) == 1:
        return "unanimous"
    return "majority" if 2 * max(_counts(ballot).values()) > len(ballot) else "disputed"
