"""Pages in a real browser: Chromium, driven by Playwright, where both are installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from learners import write_corpus, write_view

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def viewer(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_view(corpus, tmp_path_factory.mktemp("page") / "page.html")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed (group browser)"
    )
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("there is no chromium on the path, and CHROMIUM does not name one")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open a file; in the end nothing may have been logged, and nothing else been loaded."""
    contexts, complaints = [], []

    def open_page(path: Path, address: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"locale": "en-US", **options})
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.on("console", lambda message: complaints.append(message.text))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("request", lambda request: requested(request, path))
        page = context.new_page()
        page.goto(path.as_uri() + address)
        return page

    def requested(request: Any, path: Path) -> None:
        own = ("data:", "blob:", path.with_suffix("").as_uri())
        if not request.is_navigation_request() and not request.url.startswith(own):
            complaints.append(f"requested {request.url}")

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
