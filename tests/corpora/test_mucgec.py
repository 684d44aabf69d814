from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from cijie.corpora.reading import ReadOptions, read
from cijie.errors import AlignmentError, FormatError
from cijie.recovery.sentence import Sentence

from sentences import read_pairs


def _read(tmp_path: Path, text: str, **options: Any) -> list[Sentence]:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(text.encode())
    return list(read_pairs(path, **options))


def test_the_nearest_reference_is_taken_the_first_of_equals(tmp_path: Path) -> None:
    text = "1\t我去学叫。\t我去了学校。\t我去学校。\t我去学堂。\n"
    assert _read(tmp_path, text) == [Sentence("1", "我去学叫。", "我去学校。", reference=2)]


def test_labels_are_whole_fields(tmp_path: Path) -> None:
    skipped: Counter[str] = Counter()
    text = (
        "9\t今天下雨。\t没有错误 \n10\t我觉得没有错误了。\t我觉得没有错误。\n11\t天气。\t无法标注\n"
    )
    assert [pair.id for pair in _read(tmp_path, text, skipped=skipped)] == ["10"]
    assert skipped == {"rows without error": 1, "rows not annotatable": 1}
    assert [pair.id for pair in _read(tmp_path, text, keep_correct=True)] == ["9", "10", "11"]


def test_labels_beside_corrections_are_left_out(tmp_path: Path) -> None:
    skipped: Counter[str] = Counter()
    text = "1\t我学坏\t我学好\t没有错误\n2\t甲\t无法标注\t乙\n"
    assert [pair.target for pair in _read(tmp_path, text, skipped=skipped)] == ["我学好", "乙"]
    assert skipped == {"labels beside corrections": 2}


def test_empty_references_at_the_end_are_dropped_and_counted(tmp_path: Path) -> None:
    skipped: Counter[str] = Counter()
    text = "7\t我是学声。\t我是学生。\t\t\r\n8\t他去学校了。\t\n"
    assert _read(tmp_path, text, skipped=skipped) == [
        Sentence("7", "我是学声。", "我是学生。", reference=1)
    ]
    assert skipped == {"empty references": 3, "rows without a reference": 1}


def test_text_is_taken_as_it_is(tmp_path: Path) -> None:
    text = '\ufeff1\t"我\u3000\u2028说"好\t "我说"好 \n'
    assert _read(tmp_path, text) == [
        Sentence("1", '"我\u3000\u2028说"好', ' "我说"好 ', reference=1)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t甲\t乙\n\n2\t丙\t丁\n", "pairs.tsv:2: an empty line"),
        ("1\t甲\n", "pairs.tsv:1: expected id, source and reference, separated by tabs, got"),
        ("甲\n", "pairs.tsv:1: expected id, source and reference"),
        ("1\t甲\t\t乙\n", "pairs.tsv:1: id 1: reference 1 is empty: '1\\t甲\\t\\t乙'"),
        (
            "5\t甲\t乙\n6\t丙\t丁\n5\t戊\t己\n",
            "pairs.tsv:3: id 5: duplicate id, first used on line 1",
        ),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        _read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path}/{message}")


@pytest.mark.parametrize("damaged", [1, 2, 3])
def test_a_row_that_cannot_be_decoded_is_kept_wherever_it_is(damaged: int, tmp_path: Path) -> None:
    rows = [f"{number}\t好\t好的\n".encode() for number in (1, 2, 3)]
    rows[damaged - 1] = b"7\t\xce\xd2\t\xce\xd2\n"
    path = tmp_path / "pairs.tsv"
    path.write_bytes(b"".join(rows))
    found = list(read(path, "pairs", ReadOptions(on_error="keep")))
    errors = [each for each in found if isinstance(each, FormatError)]
    assert len(found) == 3
    assert [(error.line, error.record) for error in errors] == [(damaged, rows[damaged - 1][:-1])]
    with pytest.raises(FormatError, match=f":{damaged}: not UTF-8"):
        list(read(path, "pairs"))


def test_an_error_that_is_kept_keeps_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("1\n2\t好\t好的\n", "utf-8")
    with pytest.raises(FormatError, match="expected id, source and reference") as kept:
        list(read(path, "pairs"))
    assert str(path) not in {file.path for file in psutil.Process().open_files()}
    assert kept.value.line == 1


def test_texts_that_would_take_hours_to_compare(tmp_path: Path) -> None:
    long = "字" * 1_100_000
    with pytest.raises(AlignmentError, match="pairs.tsv:1: id 1: texts of 1,100,000 and "):
        _read(tmp_path, f"1\t{long}\t{long}\t{long}\n")


def test_repeated_ids(tmp_path: Path) -> None:
    text = "5\t甲\t乙\n5\t丙\t丁\n"
    assert [pair.id for pair in _read(tmp_path, text, ids="unique")] == ["5", "5-2"]
    assert [pair.id for pair in _read(tmp_path, text, ids="any")] == ["5", "5"]
