"""Keys that belong to an input method, on every page, as the DevTools protocol sends them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotators import make_plain, write_page

OpenPage = Callable[..., Any]


@pytest.fixture
def annotation(tmp_path: Path) -> Path:
    return write_page(make_plain(tmp_path, ["1", "2"]))


@pytest.mark.parametrize(("page", "field"), [("annotation", "#comment"), ("viewer", "#query")])
def test_keys_while_composing_are_no_commands(
    open_page: OpenPage, request: pytest.FixtureRequest, page: str, field: str
) -> None:
    opened = open_page(request.getfixturevalue(page))
    devtools = opened.context.new_cdp_session(opened)
    opened.locator(field).click()

    def has_focus() -> bool:
        return bool(opened.evaluate(f"document.activeElement.matches('{field}')"))

    composition = {"text": "kun'nan", "selectionStart": 7, "selectionEnd": 7}
    devtools.send("Input.imeSetComposition", composition)
    for key in ("Enter", "Escape"):
        opened.keyboard.press(key)
        assert has_focus()
    # Some systems report the key that ends a composition after its end, with the code 229.
    devtools.send("Input.insertText", {"text": "困难"})
    for key, code in (("Enter", "Enter"), ("Process", "KeyU")):
        late = {"type": "rawKeyDown", "key": key, "code": code, "windowsVirtualKeyCode": 229}
        devtools.send("Input.dispatchKeyEvent", late)
        assert has_focus()
    assert opened.input_value(field) == "困难"
    opened.keyboard.press("Escape")  # a key like any other again
    assert not has_focus()


def test_keys_of_an_input_method_outside_of_fields(open_page: OpenPage, annotation: Path) -> None:
    page = open_page(annotation)
    devtools = page.context.new_cdp_session(page)
    for code, key in (("KeyN", "n"), ("KeyN", "Process"), ("Enter", "Enter")):
        taken = {"type": "rawKeyDown", "key": key, "code": code, "windowsVirtualKeyCode": 229}
        devtools.send("Input.dispatchKeyEvent", taken)
    assert page.locator("#item").get_attribute("data-id") == "1"
    page.keyboard.press("n")
    assert page.locator("#item").get_attribute("data-id") == "2"
