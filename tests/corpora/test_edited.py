"""What somebody edited in a file that recovery wrote is read back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.corpora.formats import FORMATS
from cijie.corpora.segmentations import read_segmentations, source_checksum
from cijie.corpora.writing import write
from cijie.errors import FormatError, SegmentationError
from cijie.recovery.sentence import Recovery

from readers import recovered
from sentences import read_records

WRITTEN = ["我们", "去", "旅行困", "👩\u200d🏫"]
EDITED = ["我们", "去", "旅", "行困", "👩\u200d🏫"]


def edited(name: str, path: Path) -> None:
    """The records of `recovered`, of which the words of the first are edited."""
    if name == "jsonl":
        with path.open("wb") as stream:
            write(recovered(), stream, FORMATS[name])
        first, *others = path.read_text("utf-8").splitlines()
        record = json.loads(first)
        assert record["words"] == WRITTEN
        lines = [json.dumps(record | {"words": EDITED}), *others]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    if name == "parquet":
        pa = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        edited("jsonl", path)
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for record in records:
            names = ("source", "target", "kind", "score")
            record["links"] = [dict(zip(names, link, strict=True)) for link in record["links"]]
        parquet.write_table(pa.Table.from_pylist(records), path)
        return
    with path.open("wb") as stream:
        write(recovered(), stream, FORMATS[name])
    text = path.read_text("utf-8")
    assert " ".join(WRITTEN) in text
    path.write_text(text.replace(" ".join(WRITTEN), " ".join(EDITED), 1), encoding="utf-8")


@pytest.mark.parametrize("name", ["jsonl", "csv", "tsv", "parquet"])
def test_edited_words_win(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{name}"
    edited(name, path)
    skipped: Counter[str] = Counter()
    first, second = read_records(path, skipped=skipped)
    assert first.words == EDITED
    assert (first.changes, first.confidences, first.doubts) == (None, (), ())
    assert first.alignment is not None
    assert second == recovered()[1]
    assert skipped == {"results for edited words": 1}
    assert read_segmentations(path)["1"] == first.segmentation
    run = CliRunner()
    result = run.invoke(cijie, ["convert", str(path), str(tmp_path / "y.jsonl")])
    assert (result.exit_code, result.stderr.count("1 result for edited words left out")) == (0, 1)
    for arguments in (
        ["evaluate", str(tmp_path / "y.jsonl"), str(path), "--trials", "1"],
        ["diff", str(tmp_path / "y.jsonl"), str(path)],
        ["view", str(path), "-o", str(tmp_path / "v.html")],
        ["recover", str(path), "-o", str(tmp_path / "r.jsonl"), "--segmenter", "builtins:list"],
    ):
        result = run.invoke(cijie, arguments)
        assert result.exit_code == 0, result.stderr
    scores = run.invoke(cijie, ["evaluate", str(tmp_path / "y.jsonl"), str(path), "--trials", "1"])
    assert "1.0000" in scores.stdout.splitlines()[2]


def test_words_that_fit_are_no_edits() -> None:
    for record in recovered():
        assert isinstance(record, Recovery)


def test_edited_words_must_be_those_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    edited("jsonl", path)
    path.write_text(path.read_text("utf-8").replace('"\\u884c\\u56f0"', '"\\u884c"'), "utf-8")
    with pytest.raises(SegmentationError, match="x.jsonl:1: id 1"):
        read_records(path)


@pytest.mark.parametrize("to", ["conllu", "text", "jsonl"])
def test_gold_without_texts_is_converted_with_the_pairs(to: str, tmp_path: Path) -> None:
    pairs, gold = tmp_path / "p.tsv", tmp_path / "gold.jsonl"
    pairs.write_text("a\t他去\t他走\nb\t旅行困\t旅行团\n", encoding="utf-8")
    record = {"id": "b", "source_sha256": source_checksum("旅行困"), "tokens": [[0, 3]]}
    gold.write_text(json.dumps(record) + "\n", encoding="utf-8")
    run = CliRunner()
    arguments = ["convert", str(gold), str(tmp_path / "x"), "--to", to, "--pairs"]
    result = run.invoke(cijie, [*arguments, str(pairs)])
    assert (result.exit_code, (tmp_path / "x").exists()) == (0, True), result.stderr
    [sentence] = read_records(tmp_path / "x", to)
    assert sentence.words == ["旅行困"]
    if to == "jsonl":
        assert (sentence.id, sentence.target) == ("b", "旅行团")
    with pytest.raises(FormatError, match="'source' is missing; .*convert --pairs FILE"):
        read_records(gold)
    pairs.write_text("b\t旅行团\t旅行者\n", encoding="utf-8")
    result = run.invoke(cijie, [*arguments, str(pairs)])
    assert (result.exit_code, "does not match the checksum" in result.stderr) == (1, True)
    pairs.write_text("a\t旅行团\t旅行者\n", encoding="utf-8")
    result = run.invoke(cijie, [*arguments, str(pairs)])
    assert (result.exit_code, "none of the pairs has this id" in result.stderr) == (1, True)
