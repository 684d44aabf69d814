"""Votes on which of a sentence's corrections is to be its target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Any

from cijie.corpora.jsonl import parse_line
from cijie.corpora.segmentations import source_checksum
from cijie.errors import FormatError, counted
from cijie.files.lines import StrPath, read_lines
from cijie.gold.selection import Ranking

Ballot = Mapping[str, int]
"""The votes on one sentence: the number of a correction, from 1, by annotator."""


def read_votes(
    paths: Iterable[StrPath], rankings: Mapping[str, Ranking], skipped: Counter[str] | None = None
) -> dict[str, dict[str, int]]:
    """Read votes, from any number of files, into ballots by sentence.

    A vote is a JSON object with `id`, `source_sha256`, `reference` (the number of a correction,
    from 1), `annotator` and `comment`. Votes on a sentence that needs none, because its rankings
    agree, are left out.

    Args:
        paths: the files.
        rankings: the sentences voted on, by id.
        skipped: counts what was left out, by reason.

    Raises:
        FormatError: a vote on a sentence that there is not, on another text, for a correction that
            is not to be chosen, without annotator, or a second one by the same annotator.
    """
    skipped = Counter() if skipped is None else skipped
    ballots: dict[str, dict[str, int]] = {}
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        for line, text in read_lines(path):
            record = parse_line(text, path, line)
            id = str(record.get("id"))
            try:
                annotator, reference = _vote(record, rankings.get(id))
                if (id, annotator) in places:
                    raise FormatError(f"{annotator} voted on it at {places[id, annotator]} as well")
            except FormatError as error:
                raise FormatError(error.message, path=path, line=line, id=id) from None
            places[id, annotator] = f"{path}:{line}"
            if rankings[id].is_automatic:
                skipped["votes on sentences that need none"] += 1
            else:
                ballots.setdefault(id, {})[annotator] = reference
    return ballots


def _vote(record: Mapping[str, Any], ranking: Ranking | None) -> tuple[str, int]:
    annotator, reference = record.get("annotator"), record.get("reference")
    if not isinstance(annotator, str) or not annotator:
        raise FormatError(f"a vote by nobody: 'annotator' is {annotator!r}")
    if ranking is None:
        raise FormatError("there is no such sentence to vote on")
    checksum, source = record.get("source_sha256"), ranking.sentence.source
    if checksum != source_checksum(source):
        raise FormatError(f"the source does not match the checksum {checksum!r}: {source!r}")
    if not isinstance(reference, int) or reference not in ranking.levenshtein:
        raise FormatError(f"there is no reference {reference!r}: {len(ranking.levenshtein)} in all")
    if not ranking.is_automatic and reference not in ranking.choices:
        raise FormatError(f"reference {reference} is none of the choices {ranking.choices}")
    return annotator, reference


def majority(ballot: Ballot) -> int | None:
    """What more than half of the votes are for, if there is such a thing.

    >>> majority({"A": 1, "B": 3, "C": 3}), majority({"A": 1, "B": 3}), majority({})
    (3, None, None)
    """
    counts = Counter(ballot.values())
    return next((choice for choice, votes in counts.items() if 2 * votes > len(ballot)), None)


@dataclass(frozen=True, slots=True)
class VotingAgreement:
    """How far annotators agree in their votes.

    Attributes:
        unanimous: sentences with two votes or more, all for the same correction.
        majority: sentences that more than half of the votes, but not all, decide: two of three.
        disputed: sentences without such a majority.
        single: sentences with one vote, which decides but agrees with nothing.
        pairwise: the share of agreeing pairs of votes on a sentence, averaged over the sentences
            with two votes or more; 0 if there are none.

    >>> ballots = [{"A": 1, "B": 1, "C": 1}, {"A": 1, "B": 2, "C": 1}, {"A": 2}]
    >>> VotingAgreement.of(ballots)
    VotingAgreement(unanimous=1, majority=1, disputed=0, single=1, pairwise=0.6666666666666666)
    """

    unanimous: int
    majority: int
    disputed: int
    single: int
    pairwise: float

    @classmethod
    def of(cls, ballots: Iterable[Ballot]) -> VotingAgreement:
        """The agreement in the ballots of sentences that were voted on."""
        kinds: Counter[str] = Counter()
        agreeing = []
        for ballot in ballots:
            kinds[_kind(ballot)] += 1
            pairs = [a == b for a, b in combinations(ballot.values(), 2)]
            if pairs:
                agreeing.append(sum(pairs) / len(pairs))
        return cls(
            kinds["unanimous"],
            kinds["majority"],
            kinds["disputed"],
            kinds["single"],
            fsum(agreeing) / len(agreeing) if agreeing else 0.0,
        )

    @property
    def sentences(self) -> int:
        """The number of sentences with votes."""
        return self.unanimous + self.majority + self.disputed + self.single

    def __str__(self) -> str:
        single = f", {self.single:,} with a single vote" if self.single else ""
        return (
            f"votes on {counted(self.sentences, 'sentences')}: {self.unanimous:,} unanimous, "
            f"{self.majority:,} by majority, {self.disputed:,} disputed{single}; "
            f"mean pairwise agreement {self.pairwise:.1%}"
        )


def _kind(ballot: Ballot) -> str:
    if len(ballot) == 1:
        return "single"
    if len(set(ballot.values())) == 1:
        return "unanimous"
    return "disputed" if majority(ballot) is None else "majority"
