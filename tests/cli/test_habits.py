"""`cijie habits`, and `cijie recover --habits`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cijie import Recoverer
from cijie.cli.main import cijie
from cijie.projection.evidence import Habits
from cijie.recovery.recoverer import habits_of

# A segmenter that is there in every test run, and quick.
RJIEBA = ("--segmenter", "rjieba")
LONG = (*RJIEBA, "--signature", "long")


@pytest.fixture(autouse=True)
def rjieba() -> None:
    pytest.importorskip("rjieba")


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("1\t我参加旅行困\t我参加旅行团\n2\t我们不会去\t我们不要去\n", encoding="utf-8")
    return path


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(cijie, [*map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


def test_habits_are_counted_and_used(pairs: Path, tmp_path: Path) -> None:
    texts, counted = tmp_path / "texts.txt", tmp_path / "habits.npz"
    texts.write_text("我们参加旅行团\n我们去旅行\n", encoding="utf-8")
    said = run("habits", texts, "-o", counted, "--fewest", 1, *RJIEBA)
    habits = Habits.from_bytes(counted.read_bytes())
    assert "2 texts" in said
    assert f"habits:{habits.name}" in said
    assert habits["我们"] == (2, 0)
    assert habits.segmenter.startswith("rjieba-")
    said = run("recover", pairs, "-o", tmp_path / "out.jsonl", "--habits", counted, *LONG)
    assert f"|habits:{habits.name}" in said


def test_habits_of_the_run_itself(pairs: Path, tmp_path: Path) -> None:
    said = run("recover", pairs, "-o", tmp_path / "out.jsonl", "--habits", "run", *LONG)
    rows = [line.split("\t") for line in pairs.read_text(encoding="utf-8").splitlines()]
    habits = habits_of([(source, target) for _, source, target in rows], "rjieba")
    assert habits["我们"] == (2, 0)
    assert f"|habits:{habits.name}" in said
    assert "|habits:run:rjieba-" in said


def test_without_habits(pairs: Path, tmp_path: Path) -> None:
    said = run("recover", pairs, "-o", tmp_path / "out.jsonl", "--habits", "none", *LONG)
    assert "|habits:none" in said


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["recover", "-", "--habits", "run"], 2, "reads PAIRS twice"),
        (["recover", "{pairs}", "--habits", "{pairs}"], 1, "pairs.tsv: not a file of habits"),
        (["recover", "{pairs}", "--habits", "no.npz"], 2, "file not found: 'no.npz'"),
        (["recover", "{pairs}", "--method", "p2", "--habits", "none"], 2, "--habits"),
        (["recover", "{pairs}", "--min-confidence", "0.4"], 2, "0.4"),
        (["show", "我", "我", "--methods", "p3", "--habits", "run"], 2, "habits"),
    ],
)
def test_errors(arguments: list[str], code: int, message: str, pairs: Path) -> None:
    filled = [each.format(pairs=pairs) for each in arguments]
    assert message in run(*filled, *RJIEBA, code=code)


def test_only_sure_changes_are_made() -> None:
    source, words = "我参加旅行困", ["我", "参加", "旅行团"]
    made = [
        Recoverer(list, min_confidence=least)
        .recover(source, "我参加旅行团", target_tokens=words)
        .changes
        for least in (0.5, 1)
    ]
    assert made[0]
    assert not made[1]
