"""What `cijie recover` says about a run; what it does is tested with `cijie.recover_file`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.cli.options.files import Style, shown
from cijie.cli.recover import RunOptions, _reported
from cijie.jobs.run import Progress
from cijie.segmenters import load_segmenter

from workers import environment

OPTIONS = ["--method", "p1", "--segmenter", "workers:slow_characters"]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["recover", *map(str, arguments), *OPTIONS])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    lines = [f"{k}\t第{k}次旅行困\t第{k}次旅行团\n" for k in range(20_000)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_a_stopped_run_says_what_is_kept_and_going_on_says_from_where(
    pairs: Path, tmp_path: Path, signals_heeded: None
) -> None:
    out, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), *OPTIONS, "--limit", "4000"]
    command += ["-o", str(out), "--resume"]
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE)
    while not part.exists() or part.stat().st_size < 10_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1].decode().splitlines()
    count, rest = said[0].split(" ", 1)
    assert rest == "records kept; the same command goes on there"
    assert said[1:] == ["Aborted!"]
    assert process.returncode == 130
    going_on = run(pairs, "-o", out, "--resume", "--limit", 4000)
    assert going_on.stderr.splitlines()[:2] == [f"resuming after {count} records", "4,000 pairs"]
    again = run(pairs, "-o", out, "--resume", "--limit", 4000)
    assert again.stderr.splitlines()[:2] == [
        f"{out} is already complete; nothing to do",
        "4,000 pairs",
    ]


def test_only_files_can_be_gone_on_with(pairs: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for output in ("-", "/dev/null", tmp_path / "pipe"):
        result = run(pairs, "-o", output, "--resume")
        assert result.exit_code == 2
        assert f"resume requires a file to write to, got {output}" in result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"pairs.tsv", "pipe"}
    assert Path("/dev/null").is_char_device()


def test_the_second_run_on_an_output_is_told_of_the_first(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), *OPTIONS, "-o", str(out)]
    process = subprocess.Popen(command, env=environment())
    while not list(tmp_path.glob(".out.jsonl.*.part")):
        assert process.poll() is None
        time.sleep(0.01)
    for more in ([], ["--resume"]):
        result = run(pairs, "-o", out, *more)
        assert result.exit_code == 1
        assert f"Error: {out}: process {process.pid} on " in result.stderr
    process.kill()
    process.wait()
    assert run(pairs, "-o", out, "--limit", 10).exit_code == 0


def test_a_signal_that_python_swallows_ends_the_run(
    pairs: Path, tmp_path: Path, signals_heeded: None
) -> None:
    code = """
import os, signal, sys
from cijie.__main__ import main

class Swallow:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

def words(text):
    global swallow
    if text.startswith("第3000"):
        swallow = Swallow()
        del swallow
    return list(text)

sys.modules["swallowing"] = sys.modules["__main__"]
main()
"""
    command = [sys.executable, "-c", code, "recover", str(pairs), "-o", str(tmp_path / "out")]
    command += ["--method", "p1", "--segmenter", "swallowing:words", "-q"]
    done = subprocess.run(command, check=False, env=environment(), capture_output=True, timeout=60)
    assert b"Exception ignored" in done.stderr
    assert done.stderr.endswith(b"Aborted!\n")
    assert (done.returncode, list(tmp_path.iterdir())) == (130, [pairs])


def test_parts_may_be_of_any_format(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, content in (
        ("rows.tsv", "1\t旅行困\t旅行团\n"),
        ("table.tsv", "id\tsource\ttarget\n1\t旅行困\t旅行团\n"),
    ):
        (tmp_path / "in" / name).write_text(content, encoding="utf-8")
    result = run(tmp_path / "in" / "*.tsv", "-o", tmp_path / "out", "--to", "text")
    assert result.exit_code == 0, result.output
    out = {path.name: path.read_text("utf-8") for path in (tmp_path / "out").glob("*.txt")}
    assert out == {"rows.txt": "旅 行 困\n", "table.txt": "旅 行 困\n"}


def test_nothing_in_the_input_is_said(tmp_path: Path) -> None:
    empty = tmp_path / "empty.tsv"
    empty.touch()
    result = run(empty, "-o", tmp_path / "out.jsonl")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (
        0,
        "0 pairs",
    )
    assert "warning: no pairs" in result.stderr.splitlines()
    for command in ("align", "segment", "convert"):
        more = ["--to", "lines"] if command == "convert" else []
        out = [tmp_path / "x.txt"] if command == "convert" else ["-o", tmp_path / "x.jsonl"]
        given = [command, empty, *out, *more, *(OPTIONS[2:] if command == "segment" else [])]
        result = CliRunner().invoke(cijie, list(map(str, given)))
        assert result.exit_code == 0, result.output
        assert "warning: no " in result.stderr


def test_what_a_stopped_run_does_not_keep(
    pairs: Path, tmp_path: Path, signals_heeded: None
) -> None:
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), *OPTIONS]
    command += ["-o", str(tmp_path / "out.jsonl")]
    process = subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE)
    while not list(tmp_path.glob(".*.part")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1].decode().splitlines()
    assert said == ["nothing is kept without --resume; the same command begins again", "Aborted!"]


def test_an_unquoted_pattern_is_answered_with_the_quotes(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.tsv").write_text("1\t困\t团\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.tsv") for name in "ab"]
    result = CliRunner().invoke(cijie, ["recover", *files])
    assert result.exit_code == 2
    assert "quote a pattern that stands for many files: 'in/*.tsv'" in result.stderr


@pytest.mark.parametrize(
    ("style", "said"),
    [
        ("plain", ["0 records", "1,100 records, 20 a second, 55%, 0:00:45 left"]),
        ("auto", ["1,100 records, 20 a second, 55%, 0:00:45 left"]),
        ("off", []),
    ],
)
def test_progress_in_lines(
    style: Style,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("cijie.cli.options.files.monotonic", lambda: now)
    now = 0
    with shown("records", style) as show:
        for later, done, share in ((3, 0, None), (3, 0, None), (14, 100, 0.05), (50, 1100, 0.55)):
            now += later
            show(done, 0, share)
    assert capsys.readouterr().err.splitlines() == said


def test_where_a_run_goes_on_is_said_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with _reported(RunOptions(resume=True), load_segmenter(list)) as report:
        report(Progress(5, 5))
        report(Progress(7, 5))
        report(Progress(9, 5))
    assert capsys.readouterr().err.splitlines() == ["resuming after 5 records"]
