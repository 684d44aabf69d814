"""`cijie evaluate` of many parts prints what it prints of one file with all of them."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path
from random import Random

import fsspec
import orjson
import pytest
from click.testing import CliRunner, Result

from cijie import Recoverer
from cijie.cli.main import cijie
from cijie.files.opening import unique_names

TEXTS = ("我们参加了旅行困", "他常常锻练身体", "老师问学生们", "妹妹喜欢吃苹果", "")
TARGETS = ("我们参加了旅行团", "他常常锻炼身体", "老师问学生们", "妹妹喜欢吃水果", "")


def _evaluate(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["evaluate", *map(str, arguments)])


def _records(random: Random) -> dict[str, list[bytes]]:
    """Thirty sentences of gold and two systems, one with links, as lines."""
    recoverer = Recoverer(list, "p1")
    lines: dict[str, list[bytes]] = {"gold": [], "d": [], "p1": []}
    for number in range(30):
        at = random.randrange(len(TEXTS))
        record = recoverer.recover(TEXTS[at], TARGETS[at]).as_record(str(number))
        lines["p1"].append(orjson.dumps(record))
        for name in ("gold", "d"):
            ends = [e for e in range(1, len(TEXTS[at])) if random.random() < 0.6]
            cuts = [0, *ends, len(TEXTS[at])] if TEXTS[at] else [0]
            spans = list(pairwise(cuts))
            record = {"id": str(number), "source": TEXTS[at], "tokens": spans}
            lines[name].append(orjson.dumps(record))
    return lines


def _divide(lines: dict[str, list[bytes]], folder: Path, random: Random) -> None:
    """Write the lines in two parts or more, the same for all, some of them perhaps empty."""
    order = random.sample(range(30), 30)
    cuts = [0, *sorted(random.choices(range(31), k=random.randrange(1, 6))), 30]
    for name, own in lines.items():
        (folder / name).mkdir()
        for part, (start, end) in enumerate(pairwise(cuts)):
            chosen = order[start:end] if name == "gold" else sorted(order[start:end])
            content = b"".join(own[k] + b"\n" for k in chosen)
            (folder / name / f"part-{part}.jsonl").write_bytes(content)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_bytes_for_any_partition(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    lines = _records(random)
    for name, own in lines.items():
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(line + b"\n" for line in own))
    (tmp_path / "parts").mkdir()
    _divide(lines, tmp_path / "parts", random)
    for format in ("text", "json"):
        options = "--trials", 50, "--format", format
        whole = _evaluate(*(tmp_path / f"{name}.jsonl" for name in lines), *options)
        parts = _evaluate(*(tmp_path / "parts" / name for name in lines), *options)
        assert (parts.exit_code, parts.stdout) == (0, whole.stdout)
        assert parts.stderr == whole.stderr == "30 sentences\n"
    assert "source coverage" in _evaluate(*(tmp_path / f"{name}.jsonl" for name in lines)).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = Random(1)
    _divide(_records(random), tmp_path, random)
    return tmp_path


def test_workers_patterns_and_packed_parts_make_no_difference(folder: Path) -> None:
    expected = _evaluate(folder / "gold", folder / "d", folder / "p1")
    assert expected.stdout.splitlines()[2].startswith("d ")
    for path in (folder / "p1").iterdir():
        path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    inputs = folder / "gold/*.jsonl", folder / "d/part-*", folder / "p1/*.gz"
    found = _evaluate(*inputs, "--workers", 2)
    assert (found.exit_code, found.stdout) == (0, expected.stdout)


def test_a_system_in_parts_has_the_name_of_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "p1").rename(folder / "p1.v2")
    monkeypatch.chdir(folder / "p1.v2")
    names = ["*.jsonl", ".", "../p1.v2/part-?.jsonl", "part-0.jsonl", "s3://b/p1.v2/*.jsonl"]
    assert unique_names(names) == ["p1.v2", "p1.v2-2", "p1.v2-3", "part-0", "p1.v2-4"]


def test_parts_by_url(folder: Path) -> None:
    filesystem = fsspec.filesystem("memory")
    filesystem.put(f"{folder}/p1", "/scored/p1", recursive=True)
    expected = _evaluate(folder / "gold", folder / "p1")
    found = _evaluate(folder / "gold", "memory://scored/p1/*.jsonl")
    filesystem.rm("/scored", recursive=True)
    assert (found.exit_code, found.stdout) == (0, expected.stdout)


def test_parts_that_are_missing_or_written_over(folder: Path) -> None:
    output = folder / "d/part-0.jsonl"
    assert _evaluate(folder / "gold", folder / "d", "-o", output).exit_code == 2
    output.unlink()
    result = _evaluate(folder / "gold", folder / "d")
    assert result.exit_code == 1
    assert (
        "part-0.jsonl: d lacks this part; name the parts that all have, with a pattern"
        in result.stderr
    )
    assert _evaluate(folder / "gold", "-").exit_code == 2
