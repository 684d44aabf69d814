"""The segmenter where none is named, on machines that have wapic and on those that do not."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from packaging.requirements import Requirement

from cijie import MissingExtraError, Recoverer, recover
from cijie.cli.main import cijie
from cijie.segmenters import default_segmenter, load_segmenter

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
NOTE = "wapic, the default segmenter, is not installed; using rjieba"


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cijie, arguments, input=stdin)


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes distributions look as if they were not installed."""

    def hide(*distributions: str) -> None:
        def visible(name: str) -> str:
            if name in distributions:
                raise PackageNotFoundError(name)
            return version(name)

        monkeypatch.setattr("cijie.segmenters.base.version", visible)

    return hide


def test_wapic_is_the_default_where_it_is_installed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert default_segmenter() == "wapic"
        assert load_segmenter().name.startswith("wapic-")


def test_rjieba_takes_its_place_and_says_so(without: Callable[..., None]) -> None:
    without("wapic")
    with pytest.warns(UserWarning, match=NOTE):
        recoverer = Recoverer()
    assert "|segmenter:rjieba-" in recoverer.signature
    with pytest.warns(UserWarning, match=NOTE):
        assert str(recover("旅行困", "旅行团")) == "旅行困"
    result = run("segment", stdin="我参加了旅行团\n")
    assert result.stdout == "我 参加 了 旅行团\n"
    note, summary = result.stderr.splitlines()
    assert note.startswith(NOTE)
    assert "segmenter:rjieba-" in summary
    assert run("demo").exit_code == 0


def test_wapic_by_name_is_not_replaced(without: Callable[..., None]) -> None:
    without("wapic")
    with pytest.raises(MissingExtraError, match="choose the segmenter 'rjieba'"):
        load_segmenter("wapic")
    result = run("segment", "--segmenter", "wapic", stdin="好\n")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "choose the segmenter 'rjieba'" in result.stderr


def test_without_either_the_error_says_what_to_do(without: Callable[..., None]) -> None:
    without("wapic", "rjieba")
    result = run("demo")
    assert result.exit_code == 1
    assert "pip install 'cijie[rjieba]' and choose the segmenter 'rjieba'" in result.stderr


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIJIE_SEGMENTER", "jieba")
    assert "|segmenter:jieba-" in Recoverer().signature
    assert str(recover("我们", "我们")) == "我们"
    assert "segmenter:jieba-" in run("segment", stdin="好\n").stderr
    assert "segmenter:rjieba-" in run("segment", "--segmenter", "rjieba", stdin="好\n").stderr
    monkeypatch.setenv("CIJIE_SEGMENTER", "jiba")
    result = run("segment", stdin="好\n")
    assert result.exit_code == 2
    assert "unknown segmenter 'jiba': did you mean 'jieba'?" in result.stderr


def test_a_file_of_settings_wins_over_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CIJIE_SEGMENTER", "jieba")
    (tmp_path / "c.toml").write_text('segmenter = "rjieba"')
    result = run("segment", "--config", str(tmp_path / "c.toml"), stdin="好\n")
    assert "segmenter:rjieba-" in result.stderr


def test_every_platform_gets_wapic_or_rjieba_and_none_both() -> None:
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    markers = {(requirement := Requirement(line)).name: requirement.marker for line in dependencies}
    for system, machine, python, implementation in product(
        ("linux", "win32", "darwin", "freebsd14"),
        ("x86_64", "AMD64", "arm64", "aarch64", "ARM64", "armv7l", "ppc64le"),
        ("3.10", "3.11", "3.12", "3.13", "3.14", "3.15"),
        ("CPython", "PyPy"),
    ):
        environment = {
            "sys_platform": system,
            "platform_machine": machine,
            "python_version": python,
            "platform_python_implementation": implementation,
        }
        taken = {name: markers[name].evaluate(environment) for name in ("wapic", "rjieba")}
        wheel = (system, machine) in {
            ("linux", "x86_64"),
            ("win32", "AMD64"),
            ("darwin", "arm64"),
        }
        wheel = wheel and python != "3.15" and implementation == "CPython"
        assert taken == {"wapic": wheel, "rjieba": not wheel}, environment
