"""Parts of gold and systems: which belong together, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import orjson
import pytest

from cijie.errors import CijieError
from cijie.evaluation.comparison import compare
from cijie.jobs.scores import ScoredPart, evaluate_files, score_part, scored_parts


def write(path: Path, sentences: Mapping[str, str]) -> None:
    path.parent.mkdir(exist_ok=True)
    records = ({"id": id, "tokens": words.split()} for id, words in sentences.items())
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gold and a system in parts a and b; the system lacks a sentence of b."""
    write(tmp_path / "gold/a.jsonl", {"1": "我 去", "2": "好"})
    write(tmp_path / "gold/b.jsonl", {"1": "旅行团", "2": "好 的"})
    write(tmp_path / "d/a.jsonl", {"2": "好", "1": "我去"})
    write(tmp_path / "d/b.jsonl", {"1": "旅行 团"})
    write(tmp_path / "d/b.quarantine.jsonl", {"2": "好的"})
    (tmp_path / "d/b.journal.json").write_bytes(b"{}")
    (tmp_path / "d/.b.jsonl.123.part").write_bytes(b"{")
    return tmp_path


def test_fields_of_one_name_belong_together(folder: Path) -> None:
    expected = [
        ScoredPart(f"file://{folder}/gold/{x}.jsonl", (f"file://{folder}/d/{x}.jsonl",))
        for x in "ab"
    ]
    for gold in ("gold", "gold/", "gold/*.jsonl"):
        for system in ("d", "d/*.jsonl", "d/?.*"):
            found = scored_parts(f"{folder}/{gold}", {"D": f"{folder}/{system}"})
            assert found == expected
    assert str(expected[0]) == f"file://{folder}/gold/a.jsonl"


def test_names_of_single_files_do_not_matter(folder: Path) -> None:
    gold, d = str(folder / "gold/a.jsonl"), str(folder / "d/b.jsonl")
    assert scored_parts(gold, {"D": d}) == [ScoredPart(gold, (d,))]
    [part] = scored_parts(gold, {"D": f"file://{d}"})
    assert part == ScoredPart(gold, (f"file://{d}",))


def test_a_part_that_is_missing(folder: Path) -> None:
    write(folder / "d/c.jsonl", {"1": "好"})
    for gold, d, message in (
        ("gold", "d/[ac].jsonl", "gold/b.jsonl: D lacks this part"),
        ("gold", "d", "d/c.jsonl: gold lacks this part"),
    ):
        with pytest.raises(CijieError, match=message):
            scored_parts(str(folder / gold), {"D": str(folder / d)})
    [part] = scored_parts(str(folder / "gold/a.*"), {"D": str(folder / "d/a.*")})
    assert score_part(part, ["D"]).sentences == 2


def test_a_sentence_that_is_missing_is_named_with_its_part(folder: Path) -> None:
    [_, part] = scored_parts(str(folder / "gold"), {"D": str(folder / "d")})
    with pytest.raises(
        CijieError, match=r"gold/b.jsonl: id 2: .*gold.* has this sentence, but .*d/b.jsonl does"
    ):
        score_part(part, ["D"])
    found = score_part(part, ["D"], intersection=True)
    assert (found.sentences, found.gold_left_out) == (1, 1)


def test_files_are_scored_as_what_is_in_them_is(folder: Path) -> None:
    calls = []
    compared = evaluate_files(
        folder / "gold",
        [folder / "d/*.jsonl"],
        intersection=True,
        trials=9,
        progress=lambda *counts: calls.append(counts),
    )
    gold = {"1": "我 去", "2": "好", "3": "旅行团"}
    assert calls == [(1, 2), (2, 2)]
    expected = compare(gold, {"d": {"1": "我去", "2": "好", "3": "旅行 团"}}, trials=9)
    assert compared.systems["d"] == expected.systems["d"]
    one = evaluate_files(folder / "gold/a.jsonl", {"D": folder / "d/a.jsonl"})
    assert one.systems["D"].exact == 1
    write(folder / "e.jsonl", {"7": "好"})
    with pytest.raises(CijieError, match="no sentence to score"):
        evaluate_files(folder / "gold/a.jsonl", folder / "e.jsonl", intersection=True)
    with pytest.raises(ValueError, match="standard input cannot be read as parts"):
        evaluate_files(folder / "gold", "-", intersection=True)


def test_no_parts_at_all(folder: Path) -> None:
    with pytest.raises(CijieError, match=r"none/\*.jsonl: no file matches this pattern"):
        scored_parts(str(folder / "gold"), {"D": str(folder / "none/*.jsonl")})
    write(folder / "d/a.again.jsonl", {})
    with pytest.raises(CijieError, match="has the same name"):
        scored_parts(str(folder / "gold"), {"D": str(folder / "d")})
