from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie.errors import CijieError, FormatError
from cijie.gold.annotation import gold_record
from cijie.gold.learner import join_gold
from cijie.gold.shipped import builtin_gold
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

SENTENCES = {
    "5": Sentence("5", "妳去学叫", ("你去学校", "妳上学")),
    "6": Sentence("6", "旅行困", ("旅行团", "旅 行团")),
    "7": Sentence("7", "", ("好",)),
}
GOLD = gold_record(
    Sentence("6", "旅行困", "旅 行团", reference=2), Segmentation.from_tokens("旅行困", ["旅行困"])
)


def _write(path: Path, *records: Any) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


def test_gold_and_corpus_joined_in_the_order_of_the_corpus(tmp_path: Path) -> None:
    bare = {"id": "5", "tokens": ["妳", "去", "学叫"]}
    empty = gold_record(Sentence("7", "", "好", reference=1), Segmentation("", ()))
    joined = join_gold(SENTENCES, _write(tmp_path / "gold.jsonl", empty, GOLD, bare))
    assert [(x.id, x.source, x.target, x.reference, x.words) for x in joined] == [
        ("5", "妳去学叫", "你去学校", 1, ["妳", "去", "学叫"]),
        ("6", "旅行困", "旅 行团", 2, ["旅行困"]),
        ("7", "", "好", 1, []),
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "8"}, "id 8: the corpus has no correction of this sentence"),
        (
            {"source": "旅行圈", "source_sha256": None},
            "id 6: at offset 2: expected '困' (U+56F0), found '圈' (U+5708) in token",
        ),
        ({"id": "5"}, "id 5: the source does not match the checksum"),
        ({"reference": 1}, "id 6: the target does not match the checksum"),
        ({"reference": 3}, "id 6: no reference 3: the corpus has 2"),
        ({"reference": "2"}, "id 6: reference: expected a whole number or null, got a string"),
        ({"spans": [[0, 2]]}, "id 6: at offset 2: '困' (U+56F0) is in no token"),
        ({"spans": [[0, 4]]}, "id 6: span (0, 4) is out of range or order"),
    ],
)
def test_gold_that_does_not_belong_to_the_corpus(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = _write(tmp_path / "gold.jsonl", GOLD | changes)
    with pytest.raises(CijieError) as caught:
        join_gold(SENTENCES, path)
    assert str(caught.value).startswith(f"{path}:1: {message}")


def test_plain_lines_are_no_gold(tmp_path: Path) -> None:
    path = tmp_path / "gold.txt"
    path.write_text("旅行困\n", encoding="utf-8")
    with pytest.raises(FormatError, match="gold.txt:1: not JSON"):
        join_gold(SENTENCES, path)


def test_an_id_again(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="gold.jsonl:2: id 6: duplicate id, first used on line 1"):
        join_gold(SENTENCES, _write(tmp_path / "gold.jsonl", GOLD, GOLD))


def test_the_gold_that_is_shipped_is_the_one_of_its_card() -> None:
    path = builtin_gold()
    assert sha256(path.read_bytes()).hexdigest() in (path.parent / "README.md").read_text("utf-8")
    records = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert len(records) == 525
    assert sum(len(record["tokens"]) for record in records) == 15_805
    assert not any({"source", "target"} & record.keys() for record in records)
