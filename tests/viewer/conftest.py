"""Pages in a real browser: Chromium, driven by Playwright, where both are installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from learners import write_corpus, write_view


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def viewer(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_view(corpus, tmp_path_factory.mktemp("page") / "page.html")
