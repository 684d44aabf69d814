from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given

from cijie.corpora.jsonl import dump_line
from cijie.errors import CijieError, FormatError
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from sentences import read_pairs
from strategies import segmentations


def _read(tmp_path: Path, *records: Any, **options: Any) -> list[Sentence]:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"\n".join(map(orjson.dumps, records)))
    return list(read_pairs(path, **options))


def test_pairs_with_and_without_words(tmp_path: Path) -> None:
    assert _read(
        tmp_path,
        {"source": "甲乙", "target": "丙"},
        {"id": 7, "source": "甲乙", "references": ["丙丁戊", "甲丁"]},
        {"id": "x", "source": "甲乙", "target": "丙 丁", "source_tokens": ["甲", "乙"]},
        {"id": "y", "source": "甲乙", "target": "丙 丁", "target_tokens": [[0, 1], [2, 3]]},
        {
            "id": "z",
            "source": "甲乙",
            "target": "丙",
            "words": ["甲", "乙"],
            "spans": [[0, 1], [1, 2]],
        },
        {"source": "甲乙", "target": "丙", "initial_spans": [[0, 2]], "spans": [[0, 1], [1, 2]]},
        {
            "id": "v",
            "source": "甲乙",
            "target": "丙",
            "initial_words": ["甲乙"],
            "tokens": [[0, 1], [1, 2]],
        },
    ) == [
        Sentence("1", "甲乙", "丙"),
        Sentence("7", "甲乙", "甲丁", reference=2),
        Sentence("x", "甲乙", "丙 丁", initial=Segmentation("甲乙", (1, 2))),
        Sentence("y", "甲乙", "丙 丁", target_segmentations=(Segmentation("丙 丁", (1, 3)),)),
        Sentence("z", "甲乙", "丙", initial=Segmentation("甲乙", (1, 2))),
        Sentence("6", "甲乙", "丙", initial=Segmentation("甲乙", (2,))),
        Sentence("v", "甲乙", "丙", initial=Segmentation("甲乙", (2,))),
    ]


@given(segmentations(), segmentations())
def test_what_is_written_is_read(initial: Segmentation, target: Segmentation) -> None:
    pair = Sentence("7", initial.text, target.text, initial=initial, target_segmentations=(target,))
    [recovery] = Recoverer(list, "p2", glyph_table="identity").recover_all([pair])
    record = orjson.loads(dump_line(recovery.as_record("7")))
    assert record["source"] == initial.text
    assert Segmentation.from_spans(initial.text, record["spans"]) == recovery.segmentation
    assert record["words"] == recovery.words
    assert Segmentation.from_spans(initial.text, record["initial_spans"]) == initial
    assert Segmentation.from_spans(target.text, record["target_spans"]) == target
    assert [tuple(link) for link in record["links"]] == recovery.alignment.as_tuples()


def test_its_own_records_are_recovered_alike(tmp_path: Path) -> None:
    recoverer = Recoverer(list, "p1")
    first = recoverer.recover("旅行困", "旅行团", target_tokens=["旅行", "团"])
    [pair] = _read(tmp_path, first.as_record("7"))
    [second] = recoverer.recover_all([pair])
    assert second == replace(first, id="7")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (" ", "not JSON"),
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"source": "甲"}', "id 2: 'target' is missing"),
        ('{"id": 3, "source": 5, "target": "乙"}', "id 3: 'source' is not a string: 5"),
        (
            '{"id": 3, "source": "甲", "target": "乙", "target_tokens": ["丙"]}',
            "id 3: at offset 0: expected '乙' (U+4E59), found '丙' (U+4E19) in token '丙'",
        ),
        (
            '{"id": 3, "source": "甲", "target": "乙", "initial_spans": [[0, 2]]}',
            "id 3: span (0, 2)",
        ),
        ('{"id": 3, "source": "甲", "target": "乙", "initial_spans": 5}', "id 3: words"),
        ('{"id": 3, "source": "甲", "target": "乙", "initial_spans": [[0]]}', "id 3: words"),
        ('{"id": 3, "source": "甲", "target": "乙", "initial_spans": [[0.5, 1]]}', "id 3: words"),
        ('{"id": 3, "source": "甲", "references": "乙"}', "id 3: references: expected"),
        (
            '{"id": 3, "source": "甲", "references": ["乙", "丙"], "reference_spans": 5}',
            "id 3: 'reference_spans': expected the words of 2 references, got 5",
        ),
        (
            '{"id": 3, "source": "甲", "references": ["乙", "丙"], "reference_spans": [[[0, 1]]]}',
            "id 3: 'reference_spans': expected the words of 2 references, got ",
        ),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(f'{{"source": "甲", "target": "乙"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(CijieError) as caught:
        list(read_pairs(path))
    assert str(caught.value).startswith(f"{path}:2: {message}")


def test_repeated_ids(tmp_path: Path) -> None:
    record = {"id": "5", "source": "甲", "target": "乙"}
    with pytest.raises(FormatError, match=":2: id 5: duplicate id, first used on line 1"):
        _read(tmp_path, record, record)


def test_a_lone_surrogate_cannot_be_written() -> None:
    with pytest.raises(FormatError, match="id 5: cannot be written as JSON"):
        dump_line({"id": "5", "source": "\ud800"})
