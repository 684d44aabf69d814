from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import CijieError
from cijie.gold.annotation import Annotation, Versions, decisions
from cijie.gold.study import Study
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from learners import dump
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
        "comments": {},
        "flags": [],
    }
    assert flagged["regions"] == []
    assert flagged["comments"] == {"A": "参加了？"}
    assert flagged["flags"] == ["A"]


def _study(folder: Path, **answers: dict[str, Annotation]) -> Study:
    """A study with these answers of adjudicators, by name and id."""
    for name, decided in answers.items():
        records = [
            {"id": id, "spans": x.segmentation.spans, "flag": x.flag} for id, x in decided.items()
        ]
        dump(folder / f"adjudication-{name}.jsonl", records)
    return Study(folder, ("A", "B"), "x")


def _gold(folder: Path) -> list[dict[str, Any]]:
    return list(map(orjson.loads, (folder / "gold.jsonl").read_bytes().splitlines()))


def test_the_gold_is_what_is_unanimous_then_what_was_decided(tmp_path: Path) -> None:
    own = Annotation(words("旅 行困 参加 了"), flag=True)
    answers = _study(tmp_path, J={"2": own}, K={"3": CUT}).adjudicate(SENTENCES)
    assert [(x.annotator, x.flag) for x in answers] == [("J", True), ("K", False)]
    gold = _gold(tmp_path)
    assert [(record["id"], record["spans"]) for record in gold] == [
        (id, list(map(list, x.segmentation.spans)))
        for id, x in (("1", WHOLE), ("2", own), ("3", CUT))
    ]
    keys = ["id", "source_sha256", "reference", "target_sha256", "spans"]
    assert all(list(record) == keys for record in gold)


def test_answers_that_are_missing_or_too_many() -> None:
    with pytest.raises(CijieError, match="id 2: 2 sentences without adjudication"):
        decisions("23", {})
    with pytest.raises(CijieError, match="id 3: 1 sentence without adjudication"):
        decisions("23", {"J": {"2": CUT}})
    with pytest.raises(CijieError, match="id 2: adjudicated twice: by J and by K"):
        decisions("23", {"J": {"2": CUT, "3": CUT}, "K": {"2": CUT}})
    assert decisions([], {}) == []


def test_nothing_to_adjudicate(tmp_path: Path) -> None:
    assert _study(tmp_path).adjudicate(SENTENCES[:1]) == []
    assert [record["id"] for record in _gold(tmp_path)] == ["1"]


@given(st.lists(st.tuples(alike(3), st.booleans()), max_size=4))
def test_nothing_is_lost(drawn: list[tuple[tuple[Segmentation, ...], bool]]) -> None:
    sentences = []
    for k, (versions, flag) in enumerate(drawn):
        by = {name: Annotation(x, flag=flag) for name, x in zip("ABC", versions, strict=True)}
        sentences.append(
            Versions(Sentence(str(k), versions[0].text, T.text, target_segmentations=(T,)), by)
        )
    contested = {x.sentence.id: x for x in sentences if x.is_contested}
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Whoever adjudicates as one of the annotators did ends up with what that one had.
        answers = {id: each.by["B"] for id, each in contested.items()}
        assert len(_study(folder, J=answers).adjudicate(sentences)) == len(contested)
        gold = {x["id"]: list(map(tuple, x["spans"])) for x in _gold(folder)}
    assert gold == {x.sentence.id: list(x.by["B"].segmentation.spans) for x in sentences}
