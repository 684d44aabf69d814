from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.corpora.segmentations import source_checksum
from cijie.signatures import short

# The rankings disagree about 5: one correction is nearer, the other has all of its characters.
ROWS = (
    "5\t他今天不来。\t他今天不好。\t今天他不会来。\n"
    "6\t旅行困\t旅行团\n"
    "7\t天气\t没有错误\n"
    "8\t好了\t无法标注\n"
)


def _learner(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["bench", "learner", *map(str, arguments)])


def _records(path: Path) -> list[dict[str, Any]]:
    return list(map(orjson.loads, path.read_bytes().splitlines()))


def _standoff(id: str, text: str, **rest: Any) -> dict[str, Any]:
    return {"id": id, "source_sha256": source_checksum(text)} | rest


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.tsv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_automatic_and_the_rest(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    result = _learner(corpus, "-o", out)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr.splitlines()[:2] == [
        "2 pairs; 1 row not annotatable left out; 1 row without error left out",
        "chosen: 1 automatic, 0 by votes, 1 by Levenshtein distance",
    ]
    assert _records(out / "pairs.jsonl")[1] == {
        "id": "6",
        "source": "旅行困",
        "target": "旅行团",
        "reference": 1,
        "chosen_by": "automatic",
    }
    [contested] = _records(out / "voting-sheet.jsonl")
    assert contested["id"] == "5"
    assert contested["ranking"] == {"levenshtein": [1, 2], "context": [2, 1]}
    card = orjson.loads((out / "card.json").read_bytes())
    assert card["chosen_by"] == {"automatic": 1, "votes": 0, "levenshtein": 1}
    assert card["votes"] is None
    assert short(card["signature"]) == result.stderr.splitlines()[2]


def test_votes(corpus: Path, tmp_path: Path) -> None:
    votes = tmp_path / "votes.jsonl"
    cast = [
        _standoff("5", "他今天不来。", references=[number], annotator=name, comment="")
        for name, number in (("A", 2), ("B", 1), ("C", 2))
    ]
    votes.write_bytes(b"".join(orjson.dumps(vote) + b"\n" for vote in cast))
    result = _learner(corpus, "-o", tmp_path / "out", "--votes", votes)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[1:3] == [
        "chosen: 1 automatic, 1 by votes, 0 by Levenshtein distance",
        (
            "votes on 1 sentence: 0 unanimous, 1 by majority, 0 disputed; "
            "mean pairwise agreement 33.3%"
        ),
    ]
    assert _records(tmp_path / "out" / "pairs.jsonl")[0]["target"] == "今天他不会来。"
    card = orjson.loads((tmp_path / "out" / "card.json").read_bytes())
    assert card["votes"]["majority"] == 1
    # The same input, the same bytes.
    _learner(corpus, "-o", tmp_path / "again", "--votes", votes, "-q")
    for path in (tmp_path / "out").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()


def test_pages_for_voters(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = _learner(corpus, "-o", out, "--voters", "小王,B")
    assert result.exit_code == 0, result.stderr
    votes = f"--votes {out}/votes-小王.jsonl --votes {out}/votes-B.jsonl"
    assert result.stderr.splitlines()[-3:] == [
        f"next: give each voter a page of {out}: vote-小王.html, vote-B.html",
        f"      put what they export into {out}",
        f"      cijie bench learner {corpus} -o DIR {votes}",
    ]
    page = (out / "vote-B.html").read_text(encoding="utf-8")
    assert "他今天不好。" in page
    assert "今天他不会来。" in page
    assert "学习者句子的分词规范" not in page  # which says nothing of votes
    assert "旅行困" not in page  # whose correction needs no vote
    # What they export may lie there, too; nothing there is written over.
    vote = _standoff("5", "他今天不来。", references=[2], annotator="B")
    (out / "votes-B.jsonl").write_bytes(orjson.dumps(vote))
    assert _learner(corpus, "-o", out, "--votes", out / "votes-B.jsonl").exit_code == 2
    chosen = tmp_path / "chosen"
    result = _learner(corpus, "-o", chosen, "--votes", out / "votes-B.jsonl")
    assert result.exit_code == 0, result.stderr
    assert "1 by votes" in result.stderr
    next_line = result.stderr.splitlines()[-1]
    assert next_line == f"next: cijie annotate start {chosen}/pairs.jsonl --annotators 3 -o study"
    guide = tmp_path / "guide.md"
    guide.write_text("# 怎么投票", encoding="utf-8")
    guideline = "--guideline", guide
    guided, none = tmp_path / "guided", tmp_path / "none"
    assert _learner(corpus, "-o", guided, "--voters", "B", *guideline).exit_code == 0
    assert "怎么投票" in (guided / "vote-B.html").read_text(encoding="utf-8")
    assert _learner(corpus, "-o", none, *guideline).exit_code == 2
    assert _learner(corpus, "-o", none, "--voters", "A,,B").exit_code == 2
    assert _learner(corpus, "-o", none, "--gold", "builtin", "--voters", "2").exit_code == 2
    assert not none.exists()


def test_a_sentence_without_a_good_correction_is_left_out(corpus: Path, tmp_path: Path) -> None:
    votes = tmp_path / "votes.jsonl"
    cast = [
        _standoff("5", "他今天不来。", references=numbers, annotator=name)
        for name, numbers in (("A", []), ("B", []), ("C", [1, 2]))
    ]
    votes.write_bytes(b"".join(orjson.dumps(vote) + b"\n" for vote in cast))
    result = _learner(corpus, "-o", tmp_path / "out", "--votes", votes)
    assert result.exit_code == 0, result.stderr
    assert "1 sentence without a good correction left out" in result.stderr
    assert [record["id"] for record in _records(tmp_path / "out" / "pairs.jsonl")] == ["6"]


def test_gold_is_joined_and_evaluated(corpus: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    record = _standoff("6", "旅行困", reference=1, target_sha256=source_checksum("旅行团"))
    gold.write_bytes(orjson.dumps(record | {"tokens": [[0, 1], [1, 2], [2, 3]]}))
    out = tmp_path / "out"
    result = _learner(corpus, "-o", out, "--gold", gold)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[0].endswith("1 sentence without gold left out")
    assert orjson.loads((out / "card.json").read_bytes())["tokens"] == 3
    recovered = tmp_path / "p2.jsonl"
    for arguments in (
        ("recover", out / "pairs.jsonl", "-o", recovered, "--segmenter", "builtins:list"),
        ("evaluate", gold, recovered),
        ("evaluate", out / "gold.jsonl", recovered),
    ):
        result = CliRunner().invoke(cijie, list(map(str, arguments)))
        assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[2].split()[:4] == ["p2", "1.0000", "1.0000", "1.0000"]


def test_gold_of_another_text_is_refused_by_id(corpus: Path, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_bytes(orjson.dumps(_standoff("6", "旅行团", tokens=[[0, 3]])))
    result = _learner(corpus, "-o", tmp_path / "out", "--gold", gold)
    assert result.exit_code == 1
    assert "gold.jsonl:1: id 6: the source does not match the checksum" in result.stderr
    assert not (tmp_path / "out").exists()


def test_the_shipped_gold_wants_its_corpus(corpus: Path, tmp_path: Path) -> None:
    result = _learner(corpus, "-o", tmp_path / "out", "--gold", "builtin")
    assert result.exit_code == 1
    assert "id 3: the corpus has no correction of this sentence" in result.stderr
    system = tmp_path / "s.jsonl"
    system.write_bytes(orjson.dumps({"id": "3", "source": "天气", "tokens": ["天气"]}))
    result = CliRunner().invoke(cijie, ["evaluate", "builtin", str(system), "--intersection"])
    assert result.exit_code == 1
    assert "id 3: the text of " in result.stderr
    assert "does not match the checksum" in result.stderr


def test_two_rows_with_the_same_id(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.tsv"
    corpus.write_text("5\t甲\t乙\n5\t丙\t丁\n", encoding="utf-8")
    result = _learner(corpus, "-o", tmp_path / "out")
    assert result.exit_code == 1
    message = "id 5: duplicate id, first used on line 1; --ids unique renames it"
    assert result.stderr.startswith(f"Error: {corpus}:2: {message}")


def test_empty_texts(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.tsv"
    corpus.write_text("1\t\t我\t好吃\n", encoding="utf-8")
    assert _learner(corpus, "-o", tmp_path / "out").exit_code == 0
    corpus.write_text("", encoding="utf-8")
    result = _learner(corpus, "-o", tmp_path / "none")
    assert result.exit_code == 1
    assert result.stderr == f"Error: {corpus}: no sentence has a correction\n"


def test_wrong_usage(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert _learner(corpus).exit_code == 2
    assert _learner(corpus, "-o", corpus).exit_code == 2
    assert _learner(corpus, "-o", out, "--gold", "builtin", "--votes", corpus).exit_code == 2
    assert _learner(corpus, "-o", out, "--gold", tmp_path / "none").exit_code == 2
    assert not out.exists()
