"""The program as a whole: its help, completion in shells, and how it is stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cijie.cli.main import _SECTIONS, cijie

SOURCE = Path(__file__).parents[2] / "src"


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cijie", *arguments],
        env={**os.environ, "PYTHONPATH": str(SOURCE), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("path", [[], ["bench"], ["annotate"]])
def test_help_lists_every_command_once_and_whole(path: list[str]) -> None:
    shown = CliRunner().invoke(cijie, [*path, "--help"]).stdout
    group: click.Command | None = cijie
    context = click.Context(cijie)
    for name in path:
        assert isinstance(group, click.Group)
        group = group.get_command(context, name)
    assert isinstance(group, click.Group)
    commands = group.list_commands(context)
    rows = [line.split()[0] for line in shown.splitlines() if line[:2] == "  " and line[2:3] != " "]
    assert sorted(row for row in rows if row in commands) == sorted(commands)
    assert not [line for line in shown.splitlines()[1:] if "..." in line]
    without = CliRunner().invoke(cijie, path)
    assert (without.exit_code, without.stderr) == (2, shown)


def test_help_groups_commands_by_task() -> None:
    lines = CliRunner().invoke(cijie, ["--help"]).stdout.splitlines()
    titles = [line for line in lines if line.endswith(":") and line[0] != " "]
    assert titles[0] == "Options:"
    assert len(titles) > 4
    assert "Commands:" not in titles  # where those land that were forgotten


def test_a_command_is_imported_when_it_is_used() -> None:
    asked = (
        "import sys; from cijie.cli.main import cijie; cijie(['info', '-h'], 'cijie', None, False)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", f"{asked}; print(*sys.modules)"],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = shown.stdout.splitlines()[-1].split()
    assert "cijie.cli.lookup" in loaded
    assert "cijie.cli.paper" not in loaded


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("cijie rec", ["plain,recover"]),
        ("cijie recover --meth", ["plain,--method"]),
        ("cijie recover --method p", ["plain,p1", "plain,p2", "plain,p3"]),
        ("cijie segment --segmenter rj", ["plain,rjieba"]),
        ("cijie bench s", ["plain,synthetic"]),
    ],
)
def test_shells_complete(words: str, expected: list[str]) -> None:
    count = str(len(words.split()) - 1)
    done = program(_CIJIE_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=count)
    assert [line for line in done.stdout.splitlines() if "=" not in line] == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_a_script_for_completion(shell: str) -> None:
    done = program(_CIJIE_COMPLETE=f"{shell}_source")
    assert f"_CIJIE_COMPLETE={shell}_complete" in done.stdout


def test_ctrl_c_while_libraries_are_imported_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt\n")
    done = program("--help", PYTHONPATH=f"{tmp_path}{os.pathsep}{SOURCE}")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Aborted!\n")


def loaded_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; from cijie.cli.main import cijie; {code}"],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_heavy() -> None:
    loaded = loaded_by("cijie(['--help'], 'cijie', None, False); print(*sys.modules)")
    assert not loaded & {"numpy", "regex", "rich"}
    assert {name for name in loaded if name.startswith("cijie.cli.")} == {"cijie.cli.main"}


def test_help_and_completion_of_these_commands_do_without_numpy() -> None:
    names = ["recover", "align", "convert", "segment", "config", "info"]
    loaded = loaded_by(  # a library may load what is there, as old ones of RapidFuzz do pandas
        f"sys.modules['numpy'] = None; [cijie.get_command(None, name) for name in {names}]; "
        "cijie(['config'], 'cijie', None, False); print(*sys.modules)"
    )
    assert {"cijie.cli.recover", "cijie.cli.convert", "cijie.cli.lookup"} <= loaded


def test_commands_load_what_an_extra_installs_when_they_need_it() -> None:
    loaded = loaded_by(
        "[cijie.get_command(None, name) for name in cijie.list_commands(None)]; print(*sys.modules)"
    )
    assert {"cijie.cli.paper", "cijie.cli.bench", "cijie.cli.annotate"} <= loaded
    assert not loaded & {
        *("torch", "transformers", "matplotlib", "pyarrow", "spacy", "dask", "resvg_py"),
        *("jieba", "ltp", "hanlp", "stanza", "pandas"),
    }


def test_the_list_says_of_commands_what_they_say_themselves() -> None:
    for title, listed in _SECTIONS.items():
        for name, (_, text) in listed.items():
            made = cijie.get_command(click.Context(cijie), name)
            assert made is not None
            assert made.name == name
            first = (made.help or "").split()[0]
            assert text.split()[0] == first, f"{title}: {name}"


@pytest.mark.parametrize("more", [[], ["--workers", "2"], ["-o", "/dev/stdout"]])
def test_what_segmenters_print_is_not_among_the_results(more: list[str], tmp_path: Path) -> None:
    if "/dev/stdout" in more and not Path("/dev/stdout").exists():
        pytest.skip("there is no name for standard output")
    (tmp_path / "noisy.py").write_text(
        "import os, subprocess, sys\n"
        "os.write(1, b'imported ')\n"
        "def cut(text):\n"
        "    os.write(1, b'raw ')\n"
        "    subprocess.run([sys.executable, '-c', 'print(0)'])\n"
        "    print('printed')\n"
        "    return list(text)\n"
    )
    (tmp_path / "pairs.tsv").write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    path = f"{tmp_path}{os.pathsep}{SOURCE}"
    given = ["recover", str(tmp_path / "pairs.tsv"), "--segmenter", "noisy:cut", "--to", "text"]
    done = program(*given, "--method", "p1", *more, PYTHONPATH=path)
    assert (done.returncode, done.stdout) == (0, "旅 行 困\n")
    assert all(x in done.stderr for x in ("imported ", "raw ", "0\n", "printed\n"))


@pytest.mark.skipif(os.name == "nt", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize(
    ("closed", "arguments", "code", "said"),
    [
        (">&-", "recover {pairs}", 1, "Error: a standard stream is closed: Bad file descriptor\n"),
        ("<&-", "recover -", 1, "Error: a standard stream is closed: Bad file descriptor\n"),
        (">&-", "info", 1, "Error: a standard stream is closed: Bad file descriptor\n"),
        ("2>&-", "recover {pairs} -o {out}", 0, ""),
        ("<&- >&- 2>&-", "recover {pairs} -o {out} --workers 2", 0, ""),
        ("2>&-", "recover no-such-file", 2, ""),
    ],
)
def test_closed_standard_streams(
    closed: str, arguments: str, code: int, said: str, tmp_path: Path
) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.txt"
    pairs.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    given = arguments.format(pairs=pairs, out=out).split()
    if "recover" in given:
        given += ["--segmenter", "builtins:list", "--method", "p1", "-q"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {closed}', sys.executable, "-m", "cijie", *given],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.decode()) == (code, b"", said)
    assert not code or not out.exists()
    assert code or out.read_text(encoding="utf-8") == "旅 行 困\n"
