from pathlib import Path

import orjson
from click.testing import CliRunner

from cijie.cli.main import cijie


def test_user_words_in_segment_and_recover(tmp_path: Path) -> None:
    words, pairs = tmp_path / "words.txt", tmp_path / "pairs.tsv"
    words.write_text("旅行 3 v\n我\n", encoding="utf-8")
    pairs.write_text("1\t我旅行困\t我旅行团\n", encoding="utf-8")
    options = ["--segmenter", "builtins:list", "--user-words", str(words)]
    result = CliRunner().invoke(cijie, ["segment", "-", *options], input="我旅行困\n")
    assert result.stdout == "我 旅行 困\n"
    assert result.stderr.startswith(
        "1 text; 1 addition to user words (frequency, tag) left out; "
        "1 user word of one character left out; segmenter:"
    )
    assert "builtins:list+words=1:" in result.stderr
    result = CliRunner().invoke(cijie, ["recover", str(pairs), "--method", "direct", *options])
    assert orjson.loads(result.stdout)["spans"] == [[0, 1], [1, 3], [3, 4]]
    assert "; 1 user word of one character left out" in result.stderr


def test_user_words_with_blanks_are_whole(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("leap motion\niPhone 15\n", encoding="utf-8")
    options = ["--segmenter", "builtins:list", "--user-words", str(words), "--to", "jsonl"]
    result = CliRunner().invoke(cijie, ["segment", *options], input="我用leap motion和iPhone 15\n")
    record = orjson.loads(result.stdout)
    assert [record["source"][start:end] for start, end in record["spans"]] == [
        *("我", "用", "leap motion", "和", "iPhone 15"),
    ]


def test_the_dictionary_method(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        '{"source": "我去旅行", "target": "我想旅行", "target_tokens": ["我想", "旅行"]}\n',
        encoding="utf-8",
    )
    result = CliRunner().invoke(
        cijie, ["recover", str(pairs), "--method", "dictionary", "--segmenter", "builtins:list"]
    )
    record = orjson.loads(result.stdout)
    assert record["spans"] == [[0, 1], [1, 2], [2, 4]]
    assert record["changes"] == [{"at": 3, "kind": "remove", "by": [2, 4]}]
    assert record["links"] == []
    assert ", dictionary, #" in result.stderr.splitlines()[-1]
