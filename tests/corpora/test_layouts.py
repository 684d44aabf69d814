"""What published corpora and people's files look like: read as they are, or refused by name."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.corpora.reading import Purpose, ReadOptions, read, sentences_of
from cijie.errors import CijieError, FormatError, UsageError
from cijie.recovery.sentence import Sentence

from sentences import read_pairs, read_records

TAGS = "我_r 参加_v 了_u"
CUT = "我 参加 了 旅行 困 。"
CHARACTERS = "我 参 加 了 旅 行 困 。"
MANY = " ".join("我们昨天晚上在学校旁边的小商店里面买了很多水果")


def put(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def of(pair: Sentence) -> tuple[str, str, str | None]:
    return pair.id, pair.source, pair.target


@pytest.mark.parametrize(
    ("file", "purpose", "content", "message"),
    [
        (
            "x.tsv",
            "pairs",
            "1\t2\t我去学较\t我去学校\t我去上学\n",
            "NLPCC 2018: .*--columns id=1,source=3,references=4 reads",
        ),
        (
            "x.txt",
            "sentences",
            "1\t2\t我去学较\t我去学校\t我去\n",
            "NLPCC 2018: .*--columns id=1,source=3,references=4 reads",
        ),
        (
            "x.tsv",
            "pairs",
            "1\t甲\t乙\n0\t丙\t丙\n1\t丁\t戊\n",
            "id 1: duplicate id, .*--ids any",
        ),
        ("x.txt", "texts", "(pid=A2-1)\t我去学较\n", "SIGHAN: .*docs/recipes.md"),
        ("x.txt", "texts", "A2-0011-1, 7, 团\n", "SIGHAN: .*docs/recipes.md"),
        ("x", "texts", '[\n{"source": "我"}\n]\n', "JSON: .*--from json reads"),
        ("x", "texts", '{"a": {"source": "我"}}\n', "JSON lines: .*--from jsonl reads"),
        ("x.xml", "texts", '<?xml version="1.0"?>\n<a>我</a>\n', "XML or SGML, .*docs/recipes.md"),
        ("x.sgml", "sentences", '<ESSAY title="我">\n', "XML or SGML, .*docs/recipes.md"),
        ("x.txt", "words", "<TEXT>\n我去\n</TEXT>\n", "XML or SGML, .*docs/recipes.md"),
        ("x.txt", "words", f"{TAGS}\n", "words with tags: .*leave them out first, --from text"),
        ("x.txt", "words", "好\n我/r 去/v\n", "words with tags: .*leave them out"),
        (
            "x.txt",
            "texts",
            f"{TAGS}\n",
            "words with tags: .*leave them out first, --from lines",
        ),
        ("x.para", "pairs", f"1\t{TAGS}\t{TAGS}\n", "words with tags: .*leave them out"),
        ("x.txt", "texts", f"好\n{CUT}\n", "words with blanks .*--from text reads"),
        ("x.tsv", "pairs", f"1\t{CUT}\t{CUT}\n", "words with blanks .*--from para reads"),
        ("x.tsv", "pairs", f"1\t{CHARACTERS}\t好\n", "characters with blanks .*leave these out"),
        (
            "x.para",
            "pairs",
            f"1\t{MANY}\t好\n",
            "characters with blanks .*leave these out",
        ),
        ("x.txt", "words", f"{MANY}\n", "characters with blanks .*leave these out"),
    ],
)
def test_what_looks_like_another_layout_is_refused(
    file: str, purpose: Purpose, content: str, message: str, tmp_path: Path
) -> None:
    path = put(tmp_path / file, content)
    with pytest.raises(FormatError, match=f"{file}:.*{message}"):
        list(sentences_of(read(path, purpose)))


def test_what_is_named_is_taken_as_it_is(tmp_path: Path) -> None:
    """The learner may have put blanks between words, and ids may be 1."""
    for format, content in {
        "lines": f"{CUT}\n{TAGS}\n<a>\n",
        "text": f"{TAGS}\n{MANY}\n",
        "mucgec": f"1\t{CUT}\t{CUT}\n0\t甲\t乙\n1\t2\t去\n",
    }.items():
        path = put(tmp_path / "x", content)
        assert len(read_records(path, format)) == content.count("\n")


def test_words_of_one_character_are_words(tmp_path: Path) -> None:
    """Short sentences have no others, and what `segment` writes is read again."""
    path = put(tmp_path / "x.txt", "我 也 很 想 你 。\n倒 在 地 上 的 水 又 怎 么 能 喝 。\n")
    assert [len(x.words) for x in sentences_of(read(path, "words"))] == [6, 12]
    [pair] = read_pairs(put(tmp_path / "x.para", "1\t我 也 很 想 你\t我 也 很 想 他\n"))
    assert pair.given is not None
    assert pair.given.tokens == list("我也很想你")


def test_a_text_that_ends_in_a_letter_is_no_tagged_character(tmp_path: Path) -> None:
    [text] = sentences_of(read(put(tmp_path / "x.txt", "我常常吃维生素 B\n"), "texts"))
    assert text.source == "我常常吃维生素 B"


def test_blanks_of_one_learner_are_set_apart_where_errors_are_kept(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", f"1\t我去\t我走\n2\t{CUT}\t好\n3\t他去\t他走\n")
    options = ReadOptions(on_error="keep")
    first, error, last = read(path, "pairs", options)
    assert isinstance(first, Sentence)
    assert isinstance(last, Sentence)
    assert isinstance(error, CijieError)
    assert (error.line, error.record) == (2, f"2\t{CUT}\t好")
    path = put(tmp_path / "y.tsv", f"2\t{CUT}\t好\n")
    with pytest.raises(FormatError, match="words with blanks"):  # all of it may be words
        list(read(path, "pairs", options))


def test_some_blanks_are_the_learner_s(tmp_path: Path) -> None:
    rows = "1\t我 参加了\u3000旅行困。\t我参加了旅行团。\n2\t我 很 好\tI am fine thank you\n"
    assert len(read_pairs(put(tmp_path / "x.tsv", rows))) == 2


def test_ids_that_are_counted_from_0_or_1(tmp_path: Path) -> None:
    for first in (0, 1):
        rows = "".join(f"{first + k}\t甲\t乙\n" for k in range(4))
        assert len(read_pairs(put(tmp_path / "x.tsv", rows))) == 4


def test_nlpcc(tmp_path: Path) -> None:
    path = put(tmp_path / "x", "7\t2\t我去学较\t我去学校\t我去上学\n8\t0\t他去\n")
    columns = {"id": "1", "source": "3", "references": "4"}
    first, second = read_records(path, columns=columns)
    assert (first.id, first.source, first.targets) == ("7", "我去学较", ("我去学校", "我去上学"))
    assert (second.id, second.status) == ("8", "no reference")
    assert [of(pair) for pair in read_pairs(path, columns=columns)] == [
        ("7", "我去学较", "我去学校")
    ]


def test_columns_by_number(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", "1\t旅行困\t旅行团\t旅行者\n0\t好\t好\n")
    both = {"source": "2", "target": "3"}
    assert [of(x) for x in read_pairs(path, columns=both)] == [
        ("1", "旅行困", "旅行团"),
        ("2", "好", "好"),
    ]
    [first, _] = read_records(path, columns={"source": "2", "references": "3"})
    assert first.targets == ("旅行团", "旅行者")
    with pytest.raises(FormatError, match=r"x\.tsv:2: .*has no column 4"):
        read_pairs(path, columns={"source": "2", "target": "4"})
    with pytest.raises(UsageError, match="bmes takes no names of columns"):
        read_records(path, "bmes", columns=both)
    with pytest.raises(UsageError, match="columns begin with 1, not with 0"):
        read_pairs(path, columns={"source": "2", "target": "0"})


def test_rows_may_have_no_column_of_targets(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", "7\t旅行困\n8\t好\n")
    columns = {"id": "1", "source": "2"}
    first, _ = read_records(path, columns=columns)
    assert (first.id, first.source, first.status) == ("7", "旅行困", "no reference")
    with pytest.raises(FormatError, match="--columns names no target: add target=NUMBER"):
        read_pairs(path, columns=columns)


@pytest.mark.parametrize(
    "content",
    [
        [{"id": "a", "source": "旅行困", "target": "旅行团"}, {"source": "好", "target": "好"}],
        {"a": {"source": "旅行困", "target": "旅行团"}, "2": {"source": "好", "target": "好"}},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_one_json_value(content: Any, indent: int | None, tmp_path: Path) -> None:
    path = put(tmp_path / "x.json", json.dumps(content, indent=indent))
    assert read(path, "pairs").format.name == "json"
    assert [of(x) for x in read_pairs(path)] == [("a", "旅行困", "旅行团"), ("2", "好", "好")]


def test_json_lines_are_not_called_json(tmp_path: Path) -> None:
    path = put(tmp_path / "x.json", '{"source": "旅行困", "target": "旅行团"}\n{"source": "好"}\n')
    with pytest.raises(FormatError, match=r"x\.json: not JSON: .*--from jsonl reads"):
        read_records(path)
    assert len(read_records(path, "jsonl")) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", "x.json:1: not a JSON object: 1"),
        ("[", "x.json: not JSON"),
        (
            '[{"text": "我", "gold": "你"}]',
            "'source' is missing; this record has text, gold: .*--col",
        ),
        ("[\\n5,", "x.json: not JSON"),
        ('{"a": {"sentence": "我", "operation": "[]"}}', "recipes.md has a script for FCGEC"),
        ('[{"sentence_text": "我", "sentence_annos": []}]', "recipes.md has a script for YACLC"),
    ],
)
def test_json_that_is_no_array_of_records(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        read_records(put(tmp_path / "x.json", content))


def test_lines_of_words_side_by_side(tmp_path: Path) -> None:
    paths = put(tmp_path / "s", f"{CUT}\n"), put(tmp_path / "t", "我  参加  了  旅行团  。\n")
    with pytest.raises(FormatError, match=r"s:1: these look like words with blanks .*--from text"):
        read_pairs(paths)
    [pair] = read_pairs(paths, "text")
    assert of(pair) == ("1", "我参加了旅行困。", "我参加了旅行团。")
    assert (pair.initial, pair.target_segmentation) != (None, None)
    assert str(pair.initial) == CUT
    [pair] = read_pairs(paths, "lines")
    assert pair.source == CUT
    with pytest.raises(UsageError, match="csv is no format of lines side by side"):
        read_pairs(paths, "csv")


def test_two_blanks_are_one(tmp_path: Path) -> None:
    rows = put(tmp_path / "x.para", "1\t我  去  学较\t我  去  学校\n")
    assert [x.words for x in read_records(rows)] == [["我", "去", "学较"]]
    lines = put(tmp_path / "x.seg", "我  去  学较\n")
    assert [x.words for x in read_records(lines)] == [["我", "去", "学较"]]


def test_empty_lines_of_json_are_counted(tmp_path: Path) -> None:
    path = put(tmp_path / "x.jsonl", '\n{"source": "我", "target": "你"}\n\n\n')
    skipped: Counter[str] = Counter()
    assert [x.id for x in read_pairs(path, skipped=skipped)] == ["2"]
    assert skipped == {"empty lines": 3}


def test_a_label_and_its_suffix(tmp_path: Path) -> None:
    content = "1\t我去\t没有错误#需要上下文#\n2\t他去\t歧义句\n3\t你去\t没有错误\n"
    path = put(tmp_path / "x.tsv", content)
    labels = [(x.status, x.label) for x in read_records(path)]
    assert labels == [
        ("no error", "没有错误#需要上下文#"),
        ("not annotatable", "歧义句"),
        ("no error", None),
    ]
    for name in ("x.jsonl", "x.csv", "x.tsv", "x.parquet", "x.para"):
        if name == "x.parquet":
            pytest.importorskip("pyarrow")
        to = tmp_path / f"to-{name}"
        words = ("--from", "mucgec", "--to", "mucgec") if name == "x.para" else ()
        run = CliRunner().invoke(cijie, ["convert", str(path), str(to), "-q", *words])
        assert run.exit_code == 0, run.stderr
        back = read_records(to, "mucgec" if name == "x.para" else None)
        assert [(x.status, x.label) for x in back] == labels
    assert (tmp_path / "to-x.para").read_text("utf-8") == content


@pytest.mark.parametrize("name", ["x.tsv", "x.jsonl", "x.csv"])
def test_what_looks_like_a_label_is_refused(name: str, tmp_path: Path) -> None:
    pairs = [(str(k), f"我去学校{k}次。", "看不懂") for k in range(3)]
    if name == "x.tsv":
        content = "".join("\t".join(pair) + "\n" for pair in pairs)
    elif name == "x.csv":
        content = "id,source,target\n" + "".join(",".join(pair) + "\n" for pair in pairs)
    else:
        keys = ("id", "source", "target")
        content = "".join(json.dumps(dict(zip(keys, x, strict=True))) + "\n" for x in pairs)
    path = put(tmp_path / name, content)
    with pytest.raises(FormatError, match="id 2: '看不懂' stands under 3 sources.*--labels known"):
        read_pairs(path)
    assert len(read_pairs(path, labels="known")) == 3
    [first, *_] = read_pairs(path, labels="none")
    assert first.target == "看不懂"
    assert len(list(read(path, "pairs", ReadOptions(on_error="keep")))) == 3
    with pytest.raises(UsageError, match="unknown policy for labels 'all'"):
        read_pairs(path, labels="all")
    with pytest.raises(UsageError, match="unknown policy for ids 'all'"):
        read_pairs(path, ids="all")


def test_what_is_no_label(tmp_path: Path) -> None:
    """A source that comes again, a correction that shares a character or is as long as its source,
    and known labels as text."""
    rows = "".join(f"{k}\t我去\t不知道\n" for k in range(5))
    rows += "".join(f"a{k}\t我去{k}次\t去了\n" for k in range(5))
    rows += "".join(f"{source}\t{source}\t的\n" for source in "地得底")  # as long as it
    assert len(read_pairs(put(tmp_path / "x.tsv", rows))) == 13
    [pair] = read_pairs(put(tmp_path / "x.tsv", "1\t我去\t没有错误\n"), labels="none")
    assert pair.target == "没有错误"


def test_the_mark_of_csv(tmp_path: Path) -> None:
    pairs = put(tmp_path / "x.tsv", "1\t我去\t你去\n")
    out = tmp_path / "x.csv"
    run = CliRunner()
    assert run.invoke(cijie, ["convert", str(pairs), str(out)]).exit_code == 0
    assert out.read_bytes().startswith(b"\xef\xbb\xbfid,source,target\r\n")
    assert [of(x) for x in read_records(out)] == [("1", "我去", "你去")]
    assert [of(x) for x in read_records(out, encoding="utf-8")] == [("1", "我去", "你去")]
    for to, mark in (("csv", False), ("csv-bom", True)):
        result = run.invoke(cijie, ["convert", str(pairs), "-", "--to", to])
        assert result.stdout_bytes.startswith(b"\xef\xbb\xbf") is mark
        result = run.invoke(cijie, ["convert", str(pairs), str(out), "--to", to])
        assert out.read_bytes().startswith(b"\xef\xbb\xbf") is mark
