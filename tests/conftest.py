import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# How long an example takes depends on the machine, and on what its first use has to import.
# The same examples are tried every time; `pytest --hypothesis-profile random` tries others.
settings.register_profile("random", deadline=None)
settings.register_profile("cijie", deadline=None, derandomize=True)
settings.load_profile("cijie")

# Tests do not depend on what the user has chosen.
for variable in ("CIJIE_SEGMENTER", "CIJIE_CONFIG"):
    os.environ.pop(variable, None)


FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
)


@pytest.fixture
def signals_heeded() -> Iterator[None]:
    """Signals that are not ignored, as shells have them in the background, and pass it on."""
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


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


@pytest.fixture(scope="session")
def beside(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page without content, which stands beside another one."""
    path = tmp_path_factory.mktemp("beside") / "empty.html"
    path.write_text("<!doctype html><title>beside</title>", "utf-8")
    return path.as_uri()


@pytest.fixture
def open_page(browser: Any, beside: str) -> Iterator[Callable[..., Any]]:
    """Open a file; in the end nothing may have been logged, and nothing else been loaded.

    What begins with the same name, or with `own`, is not something else.
    """
    contexts, complaints = [], []

    def open_page(path: Path, address: str = "", own: Path | None = None, **options: Any) -> Any:
        context = browser.new_context(**{"locale": "en-US", **options})
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.on("console", lambda message: complaints.append(message.text))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on("request", lambda request: requested(request, own or path.with_suffix("")))
        # The first page of a context sees what the others have stored; see `annotators.reload`.
        witness = context.new_page()
        witness.goto(beside)
        page = context.new_page()
        page.goto(path.as_uri() + address)
        # An annotation page is ready when it knows that no other window has it open.
        ready = page.locator("#work:not([inert]), body:not(:has(#work))")
        ready.first.wait_for(state="attached")
        return page

    def requested(request: Any, path: Path) -> None:
        own = ("data:", "blob:", path.as_uri())
        if not request.is_navigation_request() and not request.url.startswith(own):
            complaints.append(f"requested {request.url}")

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
