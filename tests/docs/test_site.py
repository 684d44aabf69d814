"""The site builds without a broken link, works from disk, and asks nobody for anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from cijie.cli.main import cijie

pytest.importorskip("mkdocs", reason="mkdocs is not installed (group docs)")

PROJECT = Path(__file__).parents[2]

if not (PROJECT / "mkdocs.yml").is_file():
    pytest.skip("the site is made in the repository alone", allow_module_level=True)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=PROJECT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return folder


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    assert len(pages) > 20
    loaded = [
        (path.name, tag)
        for path, page in pages.items()
        for tag in re.findall(r"<(?:script|link|img|iframe|source)\b[^>]*>", page)
        if re.search(r"""(?:src|href|srcset)=["']?(?:https?:)?//""", tag)
    ]
    assert loaded == []


def test_the_reference_has_every_command_and_option(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text("utf-8")

    def check(command: click.Command, path: str) -> None:
        assert f">{path}<" in re.sub(r"(<h\d[^>]*>[^<]*)<a .*", r"\1<", page)
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert max(parameter.opts, key=len) in page
        for name, below in getattr(command, "commands", {}).items():
            check(below, f"{path} {name}")

    check(cijie, "cijie")


def test_the_search_works_from_disk(site: Path, open_page: Callable[..., Any]) -> None:
    page = open_page(site / "index.html", own=site)
    for query, found in [("threshold", "Commands"), ("标注", "快速上手"), ("Recoverer", "Python")]:
        page.fill(".md-search__input", query)
        page.press(".md-search__input", "Shift")  # the search waits for a key
        page.wait_for_selector(f".md-search-result__item:has-text('{found}')")
