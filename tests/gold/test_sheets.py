from __future__ import annotations

from dataclasses import replace

import pytest

from cijie.errors import CijieError
from cijie.gold.annotation import Annotation, Versions
from cijie.gold.learner import Ranking, voting_item
from cijie.gold.sheets import Sheet, adjudication_item, annotation_item
from cijie.recovery.sentence import Sentence

from strategies import words

PAIR = Sentence("1", "旅行困", "旅行团", target_segmentations=(words("旅行团"),))
CUT, WHOLE = Annotation(words("旅行 困")), Annotation(words("旅行困"))
PROPOSALS = Versions(PAIR, {"D": CUT, "P1": CUT, "P2": WHOLE})
VOTE = Ranking(Sentence("1", "么什", ("什么", "么")), (1, 2), (2, 1))


def test_proposals() -> None:
    [item] = Sheet("annotate", [annotation_item(PROPOSALS)]).items
    assert item["proposals"] == [[["D", "P1"], (2, 3)], [["P2"], (3,)]]
    assert item["start"] == (3,)
    assert item["target"] == {"text": "旅行团", "words": [3], "anchors": ((0, 0, 2),)}
    assert item["regions"] == []


def test_what_is_adjudicated() -> None:
    said = {"D": Annotation(CUT.segmentation, flag=True, comment="why")}
    said["P2"] = Annotation(WHOLE.segmentation, flag=True)
    item = adjudication_item(Versions(PAIR, {**PROPOSALS.by, **said}))
    assert item["regions"] == [(0, 3)]
    assert item["remarks"] == [["D", True, "why"], ["P2", True, ""]]


def test_votes_are_on_all_corrections() -> None:
    item = voting_item(VOTE)
    assert [reference["text"] for reference in item["references"]] == ["什么", "么"]
    assert item["ranking"] == {"levenshtein": (1, 2), "context": (2, 1)}


@pytest.mark.parametrize(
    ("start", "ends"), [("P2", (3,)), ("D", (2, 3)), ("none", (3,)), ("agreed", (3,))]
)
def test_start(start: str, ends: tuple[int, ...]) -> None:
    assert annotation_item(PROPOSALS, start)["start"] == ends


def test_what_there_is_not_is_no_start() -> None:
    message = "id 1: no proposal 'p3': expected agreed, none, D, P1, P2"
    with pytest.raises(CijieError, match=message):
        annotation_item(PROPOSALS, "p3")


def test_white_space_is_a_boundary_from_the_start() -> None:
    versions = Versions(Sentence("1", "旅 行困", "旅行团"), {"D": Annotation(words("旅 行困"))})
    assert annotation_item(versions, "none")["start"] == (1, 4)


def test_a_sheet_is_known_by_its_sentences() -> None:
    def checksum(*sentences: Versions) -> str:
        return Sheet("annotate", [annotation_item(each) for each in sentences]).checksum

    first = checksum(PROPOSALS)
    assert checksum(PROPOSALS) == first
    others = [
        checksum(Versions(PAIR, {"p3": WHOLE})),
        Sheet("annotate", [annotation_item(PROPOSALS)], "none").checksum,
        checksum(replace(PROPOSALS, sentence=replace(PAIR, id="2"))),
        checksum(
            replace(
                PROPOSALS,
                sentence=Sentence(PAIR.id, PAIR.source, ("旅行",), reference=PAIR.reference),
            )
        ),
        checksum(PROPOSALS, PROPOSALS),
        Sheet("adjudicate", [adjudication_item(PROPOSALS)]).checksum,
    ]
    assert len({first, *others}) == 7
    # A study keeps answers under one checksum, whatever is left to adjudicate.
    assert Sheet("adjudicate", [adjudication_item(PROPOSALS)], checksum="x").checksum == "x"


def test_there_must_be_something() -> None:
    with pytest.raises(CijieError, match="nothing to annotate"):
        Sheet("annotate", [])
