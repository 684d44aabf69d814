"""Scoring of texts: a reference is right, whatever stands beside it."""

from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cijie
from cijie.edits.scoring import score
from cijie.edits.types import Level
from cijie.errors import CijieError

from strategies import texts

LEVELS: tuple[Level, ...] = ("word", "char")


def in_twos(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([*range(0, len(text), 2), len(text)])]


@pytest.mark.parametrize("rules", ["errant", "cherrant"])
@pytest.mark.parametrize("level", LEVELS)
@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_a_reference_scored_against_all_is_right(
    level: Level, rules: Any, rows: list[tuple[str, list[str]]]
) -> None:
    sources, references = zip(*rows, strict=True)
    systems = {str(k): [its[k % len(its)] for its in references] for k in range(3)}
    options = {"segmenter": in_twos} if level == "word" else {}
    scores = score(sources, systems, references, level=level, rules=rules, trials=9, **options)
    for system in scores.systems.values():
        assert system.f == system.detection.f == 1
        assert system.counts.fp == system.counts.fn == 0
        assert system.interval == [1, 1]
    assert {test.p_randomisation for test in scores.tests.values()} == {1}


SOURCES = ["我去学较", "他们在见面", "今天很好", "好"]
REFERENCES = [["我去学校", "我来学校"], ["他们再见面"], ["今天很好"], []]
SYSTEM = ["我来学校了", "他们在见面", "今天真很好", "好了"]


def test_scores() -> None:
    scores = score(SOURCES, SYSTEM, REFERENCES, segmenter=list, trials=99)
    system = scores.systems["system"]
    assert (scores.sentences, scores.not_scored) == (3, 1)
    counts = system.counts
    assert (counts.tp, counts.fp, counts.fn) == (1, 2, 2)
    assert system.f == pytest.approx(1 / 3)
    low, high = system.interval
    assert 0 <= low <= system.f <= high <= 1
    matches = system.matches
    assert list(matches) == ["1", "2", "3", "4"]
    assert matches["4"] is None
    assert matches["1"] is not None
    assert matches["1"].reference.annotator == 1


def test_what_is_shown() -> None:
    systems = {"mine": SYSTEM, "none": SOURCES}
    scores = cijie.score(SOURCES, systems, REFERENCES, segmenter=list, trials=99, beta=1)
    assert isinstance(scores, cijie.CorrectionScores)
    text = str(scores)
    assert text.splitlines()[0] == "Corrections in 3 sentences, with the 95% interval of F"
    one = str(cijie.score(SOURCES[:1], SYSTEM[:1], REFERENCES[:1], segmenter=list, trials=99))
    assert one.startswith("Corrections in 1 sentence, with")
    assert "none vs mine" in text
    assert "M:OTHER" not in text
    head = scores.render("text", ["type"]).split("Corrections by type\n")[1].splitlines()[0]
    heads = [f"{name} {what}" for name in ("mine", "none") for what in ("TP", "FP", "FN", "F1")]
    assert head.split() == " ".join(["type", *heads]).split()
    assert scores.signature == text.splitlines()[-1]
    assert "|beta:1|rules:cherrant|source-words:nearest-reference|" in scores.signature
    record = orjson.loads(scores.render("json"))
    assert list(record["correction"]["rows"]) == ["mine", "none"]
    assert record["operations"]["rows"]["M"]["mine FP"] == 1
    assert list(record["differences"]["rows"]) == ["none vs mine"]
    assert "correction\tmine\tTP\t" in scores.render("tsv")
    assert r"\toprule" in scores.render("latex")
    with pytest.raises(ValueError, match="unknown format"):
        scores.render("html")  # type: ignore[arg-type]


def test_each_type_is_tested_between_two_systems() -> None:
    sources = ["我去学较", "我很高光"] * 20
    right = ["我去学校", "我很高光"] * 20
    systems = {"none": sources, "some": [*right[:-1], "我好高光"]}
    scores = score(sources, systems, [[text] for text in right], segmenter=list, trials=999)
    tests = scores.tests_by("type")
    spelling, other = (("some", "none", f"S:{name}") for name in ("SPELL:SHAPE-SOUND", "OTHER"))
    assert set(tests) == {spelling, other}
    assert (tests[spelling].difference, tests[spelling].p_randomisation) == (1, 0.001)
    assert tests[other].p_randomisation is None  # one sentence
    assert tests[other].losses == 1
    shown = orjson.loads(scores.render("json"))["type-differences"]["rows"]
    assert shown["some vs none S:SPELL:SHAPE-SOUND"]["p (Holm)"] == 0.001
    assert shown["some vs none S:OTHER"]["p (Holm)"] is None
    assert "p (Holm)" in scores.render("text", ["length"])
    assert "p (Holm)" not in scores.render("text", ["level"])


def test_lengths_are_those_of_the_longer_side() -> None:
    systems = [["我去了"], ["我今天去了一趟城外"]]
    found = score(["我去"], systems[0], systems[1:], segmenter=list, trials=9)
    assert set(found.systems["system"].by("length")) == {"1", "2", "4 or more"}


def test_sentences_one_by_one() -> None:
    systems = {"mine": SYSTEM, "none": SOURCES}
    scores = score(SOURCES, systems, REFERENCES, segmenter=list, trials=9)
    records = list(scores.sentence_records())
    assert [(r["id"], r["system"]) for r in records] == [
        (id, name) for id in "123" for name in ("mine", "none")
    ]
    first = records[0]
    assert first["reference"] == 2
    assert first["source"] == list("我去学较")
    assert first["edits"] == [
        {"start": 1, "end": 2, "correction": ["来"], "type": "S:OTHER", "outcome": "hit"},
        {
            "start": 3,
            "end": 4,
            "correction": ["校"],
            "type": "S:SPELL:SHAPE-SOUND",
            "outcome": "missed",
        },
        {
            "start": 3,
            "end": 4,
            "correction": ["校", "了"],
            "type": "S:OTHER",
            "outcome": "wrong",
        },
    ]
    assert first["correction"]["tp"] == 1
    assert [first[text] for text in ("target", "expected")] == [
        list("我来学校了"),
        list("我来学校"),
    ]


def test_a_system_that_deletes_sentences() -> None:
    systems = {"mine": ["", "你好", "好"], "theirs": ["我", "", "好"]}
    references = [["我们"], [""], []]
    scores = score(["我去", "你好", "好"], systems, references, segmenter=list, trials=9)
    deleted = {name: system.deleted for name, system in scores.systems.items()}
    assert deleted == {"mine": 1, "theirs": 1}


def test_systems_that_differ() -> None:
    sources, right = ["我去学较"] * 30, ["我去学校"] * 30
    systems = {"none": sources, "all": right}
    scores = score(sources, systems, [[text] for text in right], segmenter=list, trials=999)
    test = scores.tests["all", "none"]
    assert (test.difference, test.wins, test.p_randomisation) == (1, 30, 0.001)
    exchanged = score(
        sources, dict(reversed(systems.items())), [[t] for t in right], segmenter=list, trials=999
    )
    assert exchanged.tests["none", "all"].difference == -1


def test_what_a_system_leaves_alone_where_nothing_is_wrong_is_won() -> None:
    sources, meddled = ["今天好", "我去"], ["今天很好", "我去"]
    systems = {"meddles": meddled, "leaves": sources}
    scores = score(sources, systems, [[text] for text in sources], segmenter=list, trials=9)
    assert scores.systems["leaves"].f == 1
    assert scores.systems["meddles"].f == 0
    test = scores.tests["leaves", "meddles"]
    assert (test.wins, test.losses, test.ties) == (1, 0, 1)


def test_a_deletion_of_everything_is_an_edit_and_counted() -> None:
    scores = score(["今天好", ""], ["", ""], [["今天很好"], [""]], segmenter=list, trials=9)
    system = scores.systems["system"]
    assert system.deleted == 1
    assert system.by("type")["R:OTHER"].fp == 1


def test_words_of_the_sources_may_be_given() -> None:
    options = {"segmenter": list, "trials": 9}
    scores = score(["去学较"], ["去学校"], [["去学校"]], source_words=[["去", "学较"]], **options)
    [record] = scores.sentence_records()
    assert [edit["start"] for edit in record["edits"]] == [1]
    assert "source-words:given" in scores.signature
    with pytest.raises(CijieError, match="id 1: at offset 2: expected"):
        score(["去学较"], ["去学校"], [["去学校"]], source_words=[["去", "学校"]], **options)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["好"], ["好", "好"], [["好"]]), CijieError, "expected 1 sentence of system"),
        ((["好"], {"x": []}, [["好"]]), CijieError, "as many as sources, got 0"),
        ((["好"], ["好"], []), CijieError, "expected 1 list of references"),
        ((["好"], ["好"], ["好"]), TypeError, "expected a list of references, got '好'"),
        (("好", ["好"], [["好"]]), TypeError, "expected a list of sources, got a string: '好'"),
        ((["好"], ["好"], [None]), TypeError, "expected a list of references, got None"),
        ((["好"], [None], [["好"]]), TypeError, "sentence 1: expected a text, got None"),
        ((["好"], ["好"], [[]]), CijieError, "no sentence to score"),
        ((["好"], {}, [["好"]]), ValueError, "no system"),
    ],
)
def test_bad_input(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        score(*arguments, segmenter=list)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beta": 0}, "beta must be a positive number"),
        ({"beta": float("nan")}, "beta must be a positive number"),
        ({"level": "char", "segmenter": list}, "take neither a segmenter nor words"),
        ({"level": "char", "source_words": [["好"]]}, "take neither a segmenter nor words"),
        ({"level": "char", "tagger": list}, "requires words, not characters"),
        ({"method": "p9"}, "p9"),
        ({"trials": 0, "segmenter": list}, "at least one trial"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        score(["好"], ["好"], [["好"]], **options)
