from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie.errors import CijieError, FormatError, SegmentationError
from cijie.gold.annotation import (
    Annotation,
    Effort,
    gold_record,
    read_annotations,
    shared_sentences,
)
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from strategies import words

PAIRS = {
    "5": Sentence("5", "我喜欢妳", "我喜欢你", reference=2),
    "6": Sentence("6", "旅行困", "旅行团", reference=1),
}


def _annotation(id: str, joined: str, **rest: Any) -> dict[str, Any]:
    record = gold_record(PAIRS[id], words(joined))
    return record | {"annotator": "A", "flag": False, "comment": "", "done": True} | rest


def _write(path: Path, *records: Any) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


def test_files_of_several_annotators(tmp_path: Path) -> None:
    effort = {"seconds": 9.5, "keys": 7, "clicks": 0}
    said = {"flag": True, "comment": "？", "start": "agreed", "effort": effort}
    files = [
        _write(tmp_path / "1.jsonl", _annotation("5", "我 喜欢 妳", **said)),
        _write(tmp_path / "2.jsonl", _annotation("6", "旅行 困", done=False)),
        _write(tmp_path / "annotation-B.jsonl", {"id": "6", "words": ["旅行困"], "flag": None}),
    ]
    skipped: Counter[str] = Counter()
    read = read_annotations(files, PAIRS, skipped)
    record = _annotation("5", "我 喜欢 妳")
    words_of_5, effort_of_5 = words("我 喜欢 妳"), Effort(9.5, 7, 0)
    rest = {"reference": 2, "target_sha256": record["target_sha256"]}
    expected = Annotation(words_of_5, "A", True, "？", effort_of_5, **rest)
    assert read == {"A": {"5": expected}, "B": {"6": Annotation(words("旅行困"), "B")}}
    assert skipped == {"unfinished annotations": 1}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "7"}, "id 7: unknown sentence"),
        ({"source_sha256": "0123456789abcdef"}, "id 5: the source does not match the checksum"),
        ({"target_sha256": "0123456789abcdef"}, "id 5: the target does not match the checksum"),
        ({"annotator": 3}, "id 5: annotator: expected a string, got a whole number"),
        ({"done": "yes"}, "id 5: done: expected true or false, got a string"),
        ({"effort": 3}, "id 5: effort: expected an object or null, got a whole number"),
        (
            {"effort": {"seconds": -1, "keys": 0, "clicks": 0}},
            "id 5: effort.seconds: expected a number >= 0",
        ),
        ({"effort": {"keys": 0}}, "id 5: effort: 'seconds' is missing"),
        ({"spans": None}, "id 5: no words: none of spans, tokens, words"),
        ({"spans": [[0, 1], [1, 3]]}, "id 5: at offset 3: '妳' (U+59B3) is in no token"),
        ({"spans": [[0, 1], [0, 4]]}, "id 5: span (0, 4) is out of range or order"),
        (
            {"source": "我喜欢你", "spans": ["我", "喜欢", "你"], "source_sha256": None},
            "id 5: at offset 3: expected '妳' (U+59B3), found '你' (U+4F60) in token '你'",
        ),
    ],
)
def test_annotations_of_other_texts(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = _write(tmp_path / "A.jsonl", _annotation("5", "我 喜欢 妳") | changes)
    with pytest.raises(CijieError) as caught:
        read_annotations([path], PAIRS)
    assert str(caught.value).startswith(f"{path}:1: {message}")


def test_a_sentence_annotated_twice(tmp_path: Path) -> None:
    record = _annotation("5", "我 喜欢 妳")
    twice = _write(tmp_path / "1.jsonl", record, record)
    with pytest.raises(
        FormatError, match=r"1.jsonl:2: id 5: duplicate answer by A, first at .*1.jsonl:1"
    ):
        read_annotations([twice], PAIRS)
    files = [_write(tmp_path / name, record) for name in ("1.jsonl", "2.jsonl")]
    with pytest.raises(
        FormatError, match=r"2.jsonl:1: id 5: duplicate answer by A, first at .*1.jsonl:1"
    ):
        read_annotations(files, PAIRS)


def test_plain_lines_are_no_annotations(tmp_path: Path) -> None:
    path = tmp_path / "A.txt"
    path.write_text("我 喜欢 妳\n", encoding="utf-8")
    with pytest.raises(FormatError, match="A.txt:1: not JSON"):
        read_annotations([path], PAIRS)


def test_what_all_have_annotated() -> None:
    done = Annotation(Segmentation("", ()))
    pairs = {id: Sentence(id, "", "") for id in "4321"}
    annotations = {"A": {"3": done, "1": done, "2": done}, "B": {"2": done, "3": done}}
    skipped: Counter[str] = Counter()
    shared = shared_sentences(pairs, annotations, skipped, intersection=True)
    assert [each.sentence.id for each in shared] == ["3", "2"]
    assert skipped == {"sentences without annotation": 1, "sentences of A": 1}
    with pytest.raises(CijieError, match="id 1: B has not annotated 1 sentence, of which"):
        shared_sentences(pairs, annotations)
    with pytest.raises(CijieError, match="expected two annotators or more, got A"):
        shared_sentences({"1": pairs["1"]}, {"A": {}})
    with pytest.raises(CijieError, match="expected two annotators or more, got none"):
        shared_sentences({"1": pairs["1"]}, {})


def test_words_that_are_not_the_texts_are_named(tmp_path: Path) -> None:
    path = _write(tmp_path / "A.jsonl", {"id": "6", "words": ["旅行团"]})
    with pytest.raises(SegmentationError, match="A.jsonl:1: id 6: at offset 2: expected '困'"):
        read_annotations([path], PAIRS)
