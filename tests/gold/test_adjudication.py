from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import CijieError
from cijie.gold.annotation import Annotation
from cijie.gold.study import Study
from cijie.gold.versions import Versions, adjudicate
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from strategies import alike, words

T = Segmentation("旅行团参加了", (3, 5, 6))
PAIRS = {
    id: Sentence(id, "旅行困参加了", T.text, reference=1, target_segmentations=(T,))
    for id in ("1", "2", "3")
}
WHOLE = Annotation(words("旅行困 参加 了"), "J")
CUT = Annotation(words("旅行 困 参加 了"), "J")
FLAGGED = Annotation(WHOLE.segmentation, flag=True, comment="参加了？")
SAID = Annotation(WHOLE.segmentation, comment="困")
SENTENCES = [
    Versions(PAIRS["1"], {"A": SAID, "B": WHOLE}),
    Versions(PAIRS["2"], {"A": WHOLE, "B": CUT}),
    Versions(PAIRS["3"], {"A": FLAGGED, "B": WHOLE}),
]


def test_merging(tmp_path: Path) -> None:
    contested = Study(tmp_path, ("A", "B"), "x").merge(SENTENCES, "J", {})
    assert [each.sentence.id for each in contested] == ["2", "3"]
    [unanimous] = map(orjson.loads, (tmp_path / "unanimous.jsonl").read_bytes().splitlines())
    assert unanimous["spans"] == list(map(list, WHOLE.segmentation.spans))
    assert unanimous["comments"] == {"A": "困"}
    assert "flags" not in unanimous
    differing, flagged = (each.as_sheet_record() for each in contested)
    assert differing == {
        "id": "2",
        "source": "旅行困参加了",
        "target": "旅行团参加了",
        "reference": 1,
        "target_spans": [(0, 3), (3, 5), (5, 6)],
        "proposals": {
            "A": [(0, 3), (3, 5), (5, 6)],
            "B": [(0, 2), (2, 3), (3, 5), (5, 6)],
        },
        "regions": [(0, 3)],
    }
    assert flagged["regions"] == []
    assert flagged["comments"] == {"A": "参加了？"}
    assert flagged["flags"] == ["A"]


def test_adjudication() -> None:
    own = Annotation(words("旅 行困 参加 了"), "J", flag=True)
    for answer, decided_as, own_count in ((CUT, {"A": 0, "B": 1}, 0), (own, {"A": 0, "B": 0}, 1)):
        result = adjudicate(SENTENCES, {"J": {"2": answer}, "K": {"3": WHOLE}})
        assert result.unanimous == [SENTENCES[0]]
        assert result.decided == [(SENTENCES[1], answer), (SENTENCES[2], WHOLE)]
        assert (result.regions, result.decided_as, result.own) == (1, decided_as, own_count)
        assert result.flagged == answer.flag


def test_what_was_said_is_kept_apart_from_the_gold() -> None:
    # The adjudicator may be one of the annotators.
    said = Annotation(CUT.segmentation, "A", comment="切开")
    result = adjudicate(SENTENCES, {"A": {"2": CUT, "3": said}})
    assert [(record["id"], record["spans"]) for record in result.gold_records()] == [
        ("1", WHOLE.segmentation.spans),
        ("2", CUT.segmentation.spans),
        ("3", CUT.segmentation.spans),
    ]
    keys = ["id", "source_sha256", "reference", "target_sha256", "spans"]
    assert all(list(record) == keys for record in result.gold_records())
    remarks = [tuple(record.values()) for record in result.remark_records()]
    assert remarks == [
        ("1", "A", "annotator", False, "困"),
        ("3", "A", "annotator", True, "参加了？"),
        ("3", "A", "adjudicator", False, "切开"),
    ]


def test_answers_that_are_missing_or_too_many() -> None:
    with pytest.raises(CijieError, match="id 2: 2 sentences without adjudication"):
        adjudicate(SENTENCES, {})
    with pytest.raises(CijieError, match="id 3: 1 sentence without adjudication"):
        adjudicate(SENTENCES, {"J": {"2": CUT}})
    with pytest.raises(CijieError, match="id 2: adjudicated twice: by J and by K"):
        adjudicate(SENTENCES, {"J": {"2": CUT, "3": CUT}, "K": {"2": CUT}})


def test_nothing_to_adjudicate() -> None:
    result = adjudicate(SENTENCES[:1], {})
    assert (result.unanimous, result.decided) == (SENTENCES[:1], [])
    assert (result.regions, dict(result.decided_as)) == (0, {})


@given(st.lists(st.tuples(alike(3), st.booleans()), max_size=4))
def test_nothing_is_lost(drawn: list[tuple[tuple[Segmentation, ...], bool]]) -> None:
    sentences = []
    for k, (versions, flag) in enumerate(drawn):
        by = {name: Annotation(x, flag=flag) for name, x in zip("ABC", versions, strict=True)}
        sentences.append(
            Versions(Sentence(str(k), versions[0].text, T.text, target_segmentations=(T,)), by)
        )
    contested = {x.sentence.id: x for x in sentences if x.is_contested}
    # Whoever adjudicates as one of the annotators did ends up with what that one had.
    result = adjudicate(sentences, {"J": {id: each.by["B"] for id, each in contested.items()}})
    assert [each for each, _ in result.decided] == list(contested.values())
    gold = {record["id"]: record["spans"] for record in result.gold_records()}
    assert gold == {each.sentence.id: each.by["B"].segmentation.spans for each in sentences}
    regions = sum(len(each.regions) for each in sentences)
    assert result.decided_as.get("B", 0) == result.regions == regions
    assert result.own == 0
