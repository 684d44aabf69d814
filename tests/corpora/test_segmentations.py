from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given

from cijie.alignment.links import anchors
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import ReadOptions
from cijie.corpora.segmentations import read_segmentations, read_to_compare, source_checksum
from cijie.errors import CijieError, FormatError, SegmentationError
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from strategies import segmentations


def _jsonl(path: Path, *records: Any) -> Path:
    path.write_bytes(b"\n".join(map(orjson.dumps, records)))
    return path


def _plain(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _standoff(id: str, text: str, *tokens: tuple[int, int]) -> dict[str, Any]:
    return {"id": id, "source_sha256": source_checksum(text), "tokens": tokens}


def test_the_checksum_is_the_beginning_of_the_sha256() -> None:
    assert source_checksum("") == "e3b0c44298fc1c14"


def test_records_with_their_text(tmp_path: Path) -> None:
    file = read_segmentations(
        _jsonl(
            tmp_path / "a.jsonl",
            {"id": 7, "source": "甲 乙丙", "tokens": [[0, 1], [2, 4]]},
            {"source": "甲乙", "tokens": ["甲", "乙"]},
            {"id": "x", "source": "甲乙", "words": ["甲", "乙"]},
            {"id": "y", "source": "甲乙", "words": ["甲乙"], "spans": [[0, 2]], "tokens": None},
        )
    )
    assert dict(file) == {
        "7": Segmentation("甲 乙丙", (1, 4)),
        "2": Segmentation("甲乙", (1, 2)),
        "x": Segmentation("甲乙", (1, 2)),
        "y": Segmentation("甲乙", (2,)),
    }


@given(segmentations())
def test_what_cijie_writes_is_read(tmp_path_factory: Any, initial: Segmentation) -> None:
    recovery = Recoverer(list, "p1").recover(initial.text, "我见天", source_tokens=initial.tokens)
    path = tmp_path_factory.mktemp("written") / "a.jsonl"
    path.write_bytes(dump_line(recovery.as_record("x")))
    file = read_segmentations(path)
    assert dict(file) == {"x": recovery.segmentation}
    assert list(file.alignments(["x"])) == [recovery.alignment]


def test_plain_lines_are_words(tmp_path: Path) -> None:
    file = read_segmentations(_plain(tmp_path / "a.txt", "甲 乙丙\n\n{ 甲\u3000乙 }\n"))
    assert dict(file) == {"1": ["甲", "乙丙"], "2": [], "3": ["{", "甲", "乙", "}"]}


def test_json_lines_are_known_by_name_and_refused_by_sight(tmp_path: Path) -> None:
    unnamed = _plain(tmp_path / "fifo", '{"id": "x", "source": "甲", "tokens": ["甲"]}\n')
    with pytest.raises(
        FormatError, match="fifo:1: this looks like JSON lines: .* --from jsonl reads"
    ):
        read_segmentations(unnamed)
    assert list(read_segmentations(unnamed, ReadOptions("jsonl"))) == ["x"]
    with pytest.raises(FormatError, match="a.ndjson:1: not JSON"):
        read_segmentations(_plain(tmp_path / "a.ndjson", "甲 乙\n"))
    assert len(read_segmentations(_plain(tmp_path / "empty", ""))) == 0


def test_stand_off_gold_takes_the_text_of_a_system(tmp_path: Path) -> None:
    gold = _jsonl(tmp_path / "gold.jsonl", _standoff("2", "甲乙", (0, 2)))
    system = _jsonl(
        tmp_path / "a.jsonl",
        {"id": "1", "source": "丙", "tokens": [[0, 1]]},
        {"id": "2", "source": "甲乙", "tokens": [[0, 1], [1, 2]]},
    )
    reference, [file] = read_to_compare(gold, [system])
    assert dict(reference) == {"2": Segmentation("甲乙", (2,))}
    assert len(file) == 2


def test_a_text_that_is_not_the_one_of_the_checksum(tmp_path: Path) -> None:
    gold = _jsonl(tmp_path / "gold.jsonl", _standoff("2", "甲乙", (0, 2)))
    system = _jsonl(tmp_path / "a.jsonl", {"id": "2", "source": "甲丙", "tokens": [[0, 2]]})
    reference, _ = read_to_compare(gold, [system])
    with pytest.raises(FormatError) as error:
        reference["2"]
    assert str(error.value) == (
        f"{gold}:1: id 2: the text of {system} does not match the checksum "
        f"{source_checksum('甲乙')}: '甲丙'"
    )


def test_gold_is_for_the_target_that_it_was_made_with(tmp_path: Path) -> None:
    made_with = _standoff("1", "旅行困", (0, 3)) | {"target_sha256": source_checksum("旅行团")}
    gold = _jsonl(tmp_path / "gold.jsonl", made_with)
    result = {"id": "1", "source": "旅行困", "words": ["旅行困"], "target": "旅行团"}
    system = _jsonl(tmp_path / "a.jsonl", result)
    reference, _ = read_to_compare(gold, [system], [Sentence("1", "旅行困", "旅行团")])
    assert reference["1"] == Segmentation("旅行困", (3,))
    other = _jsonl(tmp_path / "b.jsonl", result | {"target": "旅行"})
    message = "gold.jsonl:1: id 1: gold was made with another target, .* of .*b.jsonl: '旅行'$"
    with pytest.raises(FormatError, match=message):
        read_to_compare(gold, [system, other])
    with pytest.raises(FormatError, match="than that of the pairs: '旅行者'$"):
        read_to_compare(gold, [system], [Sentence("1", "旅行困", "旅行者")])
    read_to_compare(gold, [other], any_target=True)


def test_texts_and_ids_from_the_pairs(tmp_path: Path) -> None:
    gold = _jsonl(tmp_path / "gold.jsonl", _standoff("7", "甲 乙", (0, 1), (2, 3)))
    system = _plain(tmp_path / "a.txt", "丙\n甲 乙\n")
    pairs = [Sentence("3", "丙", "丁"), Sentence("7", "甲 乙", "甲丁")]
    reference, [file] = read_to_compare(gold, [system], pairs)
    assert reference["7"] == file["7"] == Segmentation("甲 乙", (1, 3))
    assert list(file) == ["3", "7"]


def test_spans_without_a_text(tmp_path: Path) -> None:
    gold = _jsonl(tmp_path / "gold.jsonl", _standoff("7", "甲乙", (0, 2)))
    reference, _ = read_to_compare(gold, [_plain(tmp_path / "a.txt", "甲 乙")])
    with pytest.raises(FormatError, match="gold.jsonl:1: id 7: no text for these spans"):
        reference["7"]


def test_plain_files_stand_for_gold_line_by_line(tmp_path: Path) -> None:
    gold = _jsonl(
        tmp_path / "gold.jsonl",
        {"id": "x", "source": "甲 乙", "tokens": ["甲", "乙"]},
        {"id": "y", "source": "丙", "tokens": ["丙"]},
    )
    _, [file] = read_to_compare(gold, [_plain(tmp_path / "a.txt", "甲乙\n丙\n")])
    with pytest.raises(SegmentationError, match="a.txt:1: id x: at offset 1: expected ' '"):
        file["x"]
    assert file["y"] == Segmentation("丙", (1,))
    for text, message in (
        ("甲 乙\n", "a.txt: 1 line for 2 sentences: none for id y"),
        ("甲\n乙\n丙\n", "a.txt: 3 lines for 2 sentences"),
    ):
        with pytest.raises(FormatError, match=message):
            read_to_compare(gold, [_plain(tmp_path / "a.txt", text)])


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "x", "source": "甲"}, "id x: no words: expected one of spans, tokens, words"),
        ({"id": "x", "source": "甲", "tokens": "甲"}, "id x: 'tokens' is not a list"),
        (
            {"id": "x", "source": "甲乙", "spans": [[0, 2]], "words": ["甲", "乙"]},
            "id x: 'words' and 'spans' are different words: 甲 乙 / 甲乙",
        ),
        ({"id": "x", "source": 1, "tokens": []}, "id x: 'source' is not a string"),
        ({"id": "x", "source": "甲", "tokens": [[0, 2]]}, "id x: span (0, 2) is out of range"),
        ({"id": "x", "source": "甲", "tokens": ["乙"]}, "id x: at offset 0: expected '甲'"),
        ({"id": "x", "source": "甲", "tokens": [3]}, "id x: words must be strings or spans"),
        ([], "not a JSON object"),
    ],
)
def test_what_is_no_segmentation(tmp_path: Path, record: Any, message: str) -> None:
    path = _jsonl(tmp_path / "a.jsonl", record)
    with pytest.raises(CijieError) as error:
        dict(read_segmentations(path))
    assert str(error.value).startswith(f"{path}:1: {message}")


def test_an_id_again(tmp_path: Path) -> None:
    record = {"id": "x", "source": "甲", "tokens": ["甲"]}
    with pytest.raises(FormatError, match="a.jsonl:2: id x: duplicate id, first used on line 1"):
        read_segmentations(_jsonl(tmp_path / "a.jsonl", record, record))


def test_links(tmp_path: Path) -> None:
    record = {"id": "x", "source": "甲乙", "target": "乙", "tokens": ["甲乙"]}
    path = tmp_path / "a.jsonl"
    assert list(read_segmentations(_jsonl(path, record)).alignments(["x"])) == []
    linked = record | {"links": [[1, 0, "anchor", None]]}
    assert list(read_segmentations(_jsonl(path, linked)).alignments(["x"])) == [
        anchors("甲乙", "乙")
    ]
    for bad in ([[1, 5]], [[1]], 3):
        file = read_segmentations(_jsonl(path, record | {"links": bad}))
        with pytest.raises(CijieError, match="a.jsonl:1: id x: "):
            list(file.alignments(["x"]))
