from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.corpora.segmentations import source_checksum
from cijie.errors import FormatError
from cijie.gold.learner import NONE_IS_GOOD, Ranking, VotingAgreement, choose, read_votes
from cijie.recovery.sentence import Sentence

RANKINGS = {
    "5": Ranking(
        Sentence("5", "我去学叫", ("我去学校", "我上学", "我去上学")), (1, 2, 3), (3, 1, 2)
    ),
    "6": Ranking(Sentence("6", "旅行困", ("旅行团",)), (1,), (1,)),
}


def _vote(annotator: str, *references: int, id: str = "5") -> dict[str, Any]:
    return {
        "id": id,
        "source_sha256": source_checksum(RANKINGS[id].sentence.source),
        "references": references,
        "annotator": annotator,
        "comment": "",
    }


VOTES = {"A": [1], "B": [3], "C": [2, 3], "D": [], "E": [2]}


def _write(path: Path, *votes: Any) -> Path:
    path.write_bytes(b"".join(orjson.dumps(vote) + b"\n" for vote in votes))
    return path


def test_votes_of_several_files(tmp_path: Path) -> None:
    one = _write(tmp_path / "1.jsonl", _vote("A", 1), _vote("B", 3))
    two = _write(
        tmp_path / "2.jsonl", _vote("C", 3, 2), _vote("D"), _vote("E", 2), _vote("C", 1, id="6")
    )
    skipped: Counter[str] = Counter()
    assert read_votes([one, two], RANKINGS, skipped) == {
        "5": {name: frozenset(vote) for name, vote in VOTES.items()}
    }
    assert skipped == {"votes on sentences that need none": 1}
    assert read_votes([], RANKINGS) == {}


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        (_vote("A", 4), "id 5: no reference 4: the sheet has 3"),
        (_vote("A", 0), "id 5: no reference 0: the sheet has 3"),
        (
            _vote("A", 1) | {"references": ["1"]},
            "id 5: references[0]: expected a whole number, got a string",
        ),
        (
            _vote("A", 1) | {"references": [True]},
            "id 5: references[0]: expected a whole number, got true or false",
        ),
        (
            _vote("A", 1) | {"references": 1},
            "id 5: references: expected a list, got a whole number",
        ),
        (_vote("", 1), "id 5: annotator: expected a string of length >= 1"),
        (_vote("A", 1) | {"annotator": None}, "id 5: annotator: expected a string, got null"),
        (_vote("A", 2, id="6"), "id 6: no reference 2: the sheet has 1"),
        (_vote("A", 1) | {"id": "7"}, "id 7: unknown sentence: the sheet has no such id"),
        (
            _vote("A", 1) | {"source_sha256": "0123456789abcdef"},
            "id 5: the source does not match the checksum '0123456789abcdef': '我去学叫'",
        ),
        (
            _vote("A", 1) | {"source_sha256": None},
            "id 5: source_sha256: expected a string, got null",
        ),
        ([], "not a JSON object"),
    ],
)
def test_what_is_no_vote(tmp_path: Path, vote: Any, message: str) -> None:
    path = _write(tmp_path / "v.jsonl", vote)
    with pytest.raises(FormatError) as caught:
        read_votes([path], RANKINGS)
    assert str(caught.value).startswith(f"{path}:1: {message}")


def test_the_same_annotator_twice(tmp_path: Path) -> None:
    one = _write(tmp_path / "1.jsonl", _vote("B", 3), _vote("A", 1))
    two = _write(tmp_path / "2.jsonl", _vote("A", 1))
    with pytest.raises(FormatError) as caught:
        read_votes([one, two], RANKINGS)
    assert str(caught.value) == f"{two}:1: id 5: duplicate answer by A, first at {one}:2"


ballots = st.lists(
    st.dictionaries(st.sampled_from("ABCDE"), st.frozensets(st.integers(1, 3)), min_size=1),
    max_size=8,
)


@given(ballots)
def test_every_ballot_is_of_one_kind(cast: list[dict[str, frozenset[int]]]) -> None:
    result = VotingAgreement.of(cast)
    assert result.unanimous + result.majority + result.disputed == len(cast)
    reasons = [choose(RANKINGS["5"], ballot)[1] for ballot in cast]
    assert reasons.count("levenshtein") == result.disputed
    several = [list(ballot.values()) for ballot in cast if len(ballot) > 1]
    shares = [
        sum(1 if a == b else len(a & b) / len(a | b) for a, b in combinations(votes, 2))
        / len(list(combinations(votes, 2)))
        for votes in several
    ]
    assert result.pairwise == pytest.approx(sum(shares) / len(shares) if shares else 0)
    assert result.unanimous == shares.count(1)


@given(ballots)
def test_whom_more_than_half_find_best_is_elected(cast: list[dict[str, frozenset[int]]]) -> None:
    for ballot in cast:
        votes = list(ballot.values())
        held = {x: sum(x in vote for vote in votes) for x in (1, 2, 3)}
        held[NONE_IS_GOOD] = votes.count(frozenset())
        elected, reason = choose(RANKINGS["5"], ballot)
        if reason == "levenshtein":
            assert elected == 1
            assert max(held.values()) <= len(votes) / 2
        else:
            assert held[elected] == max(held.values()) > len(votes) / 2


def test_the_figures_of_the_paper_hang_together() -> None:
    a, b = frozenset({1}), frozenset({2})
    full = [{"A": a, "B": a, "C": a}] * 115
    two_of_three = [{"A": a, "B": b, "C": a}] * 199
    assert str(VotingAgreement.of(full + two_of_three)) == (
        "votes on 314 sentences: 115 unanimous, 199 by majority, 0 disputed; "
        "mean pairwise agreement 57.7%"
    )
    assert str(VotingAgreement.of([{"A": b}])) == (
        "votes on 1 sentence: 0 unanimous, 1 by majority, 0 disputed; mean pairwise agreement 0.0%"
    )
