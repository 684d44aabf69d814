from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import CijieError, FormatError
from cijie.gold.adjudication import adjudicate, merge, read_unanimous, remark_records
from cijie.gold.annotation import Annotation
from cijie.gold.proposals import Remark
from cijie.gold.shipped import gold_record
from cijie.recovery.pair import Pair
from cijie.text.segmentation import Segmentation

from learners import dump
from strategies import alike, words

T = Segmentation("旅行团参加了", (3, 5, 6))
PAIRS = {id: Pair(id, "旅行困参加了", T.text, None, T, 1) for id in ("1", "2", "3")}
WHOLE = Annotation(words("旅行困 参加 了"))
CUT = Annotation(words("旅行 困 参加 了"))
FLAGGED = Annotation(WHOLE.segmentation, Remark(True, "参加了？"))
SAID = Annotation(WHOLE.segmentation, Remark(False, "困"))
ANNOTATIONS = {
    "A": {"1": SAID, "2": WHOLE, "3": FLAGGED},
    "B": {"1": WHOLE, "2": CUT, "3": WHOLE},
}


def test_merging() -> None:
    merged = merge(PAIRS, ANNOTATIONS)
    assert merged.unanimous == ((PAIRS["1"], WHOLE.segmentation, {"A": SAID.remark}),)
    [unanimous] = merged.unanimous_records()
    assert unanimous["spans"] == WHOLE.segmentation.spans
    assert unanimous["comments"] == {"A": "困"}
    assert "flags" not in unanimous
    assert (merged.flagged, merged.regions) == (1, 1)
    differing, flagged = (each.as_sheet_record() for each in merged.sheet)
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
    sheet = {each.pair.id: each for each in merge(PAIRS, ANNOTATIONS).sheet}
    own = Annotation(words("旅 行困 参加 了"), Remark(True))
    for answer, decided_as, own_count in ((CUT, {"A": 0, "B": 1}, 0), (own, {"A": 0, "B": 0}, 1)):
        result = adjudicate(sheet, {"J": {"2": answer}, "K": {"3": WHOLE}})
        assert result.decided == (
            (PAIRS["2"], answer.segmentation),
            (PAIRS["3"], WHOLE.segmentation),
        )
        assert (result.regions, result.decided_as, result.own) == (1, decided_as, own_count)
        assert result.flagged == answer.remark.flag


def test_what_was_said_is_kept_apart_from_the_gold(tmp_path: Path) -> None:
    merged = merge(PAIRS, ANNOTATIONS)
    path = dump(tmp_path / "unanimous.jsonl", list(merged.unanimous_records()))
    sheet = {each.pair.id: each for each in merged.sheet}
    agreed = read_unanimous(path, sheet)
    assert agreed["1"] == (
        orjson.loads(orjson.dumps(gold_record(PAIRS["1"], WHOLE.segmentation))),
        {"A": SAID.remark},
    )
    # The adjudicator may be one of the annotators.
    answers = {"A": {"2": CUT, "3": Annotation(CUT.segmentation, Remark(False, "切开"))}}
    result = adjudicate(sheet, answers)
    said = list(remark_records({id: x for id, (_, x) in agreed.items()}, sheet, result))
    assert [(x["id"], x["by"], x["role"], x["flag"], x["comment"]) for x in said] == [
        ("1", "A", "annotator", False, "困"),
        ("3", "A", "annotator", True, "参加了？"),
        ("3", "A", "adjudicator", False, "切开"),
    ]
    with pytest.raises(FormatError, match="both unanimous and to be adjudicated"):
        read_unanimous(path, {"1": None})
    dump(path, [next(merged.unanimous_records()) | {"flags": {"A": True}}])
    with pytest.raises(FormatError, match="'flags' is not a list of names"):
        read_unanimous(path, {})


def test_answers_that_are_missing_or_too_many() -> None:
    sheet = {each.pair.id: each for each in merge(PAIRS, ANNOTATIONS).sheet}
    with pytest.raises(CijieError, match="id 2: 2 sentences without adjudication"):
        adjudicate(sheet, {})
    with pytest.raises(CijieError, match="id 3: 1 sentence without adjudication"):
        adjudicate(sheet, {"J": {"2": CUT}})
    with pytest.raises(CijieError, match="id 2: adjudicated by J and by K"):
        adjudicate(sheet, {"J": {"2": CUT, "3": CUT}, "K": {"2": CUT}})


def test_nothing_to_adjudicate() -> None:
    merged = merge(PAIRS, {"A": ANNOTATIONS["B"], "B": ANNOTATIONS["B"]})
    assert (len(merged.unanimous), merged.sheet, merged.regions) == (3, (), 0)
    result = adjudicate({}, {})
    assert (result.decided, result.regions, dict(result.decided_as)) == ((), 0, {})


@given(st.lists(st.tuples(alike(3), st.booleans()), max_size=4))
def test_nothing_is_lost(sentences: list[tuple[tuple[Segmentation, ...], bool]]) -> None:
    pairs = {}
    annotations: dict[str, dict[str, Annotation]] = {"A": {}, "B": {}, "C": {}}
    for k, (versions, flag) in enumerate(sentences):
        pairs[str(k)] = Pair(str(k), versions[0].text, T.text, None, T)
        for annotated, version in zip(annotations.values(), versions, strict=True):
            annotated[str(k)] = Annotation(version, Remark(flag))
    merged = merge(pairs, annotations)
    sheet = {each.pair.id: each for each in merged.sheet}
    assert sorted([pair.id for pair, *_ in merged.unanimous] + list(sheet)) == sorted(pairs)
    # Whoever adjudicates as one of the annotators did ends up with what that one had.
    chosen = {id: annotations["B"][id] for id in sheet}
    result = adjudicate(sheet, {"J": chosen})
    gold = {pair.id: words for pair, words, *_ in (*merged.unanimous, *result.decided)}
    assert gold == {id: each.segmentation for id, each in annotations["B"].items()}
    assert result.decided_as.get("B", 0) == result.regions == merged.regions
    assert result.own == 0
