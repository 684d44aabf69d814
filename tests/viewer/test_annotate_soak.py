"""Windows on one sheet, opened, used and closed at random: whatever happens, nothing is lost."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from annotators import OpenPage, make_proposals, reload, write_page

STEPS = 150
ACTIONS = {
    "toggle": (
        20,
        "() => { const gaps = gapsOf(page.text); page.toggle(gaps[page.n++ % gaps.length]); }",
    ),
    "type": (
        20,
        """() => {
            const field = document.querySelector("#comment");
            field.value += "abc"[page.n++ % 3];
            field.dispatchEvent(new Event("input"));
        }""",
    ),
    "flag": (5, "() => page.change({ flag: !page.answer.flag })"),
    "undo": (10, "() => page.step('undo')"),
    "redo": (4, "() => page.step('redo')"),
    "go": (8, "() => page.go((page.number + 1) % 2)"),
    "finish": (3, "() => page.finish()"),
    "block": (4, "() => { page.isBlocked = !page.isBlocked; }"),
    "reload": (3, ""),
    "open": (3, ""),
    "close": (2, ""),
}
PREPARE = """() => {
    page.store = page.answers.store;
    page.n = 0;
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, text) {
        if (page.isBlocked && key.includes("answers")) throw new Error("full");
        setItem.call(this, key, text);
    };
}"""
# The items that the page says are saved, and are not stored as it has them.
WRONG = """() => page.store.ids.flatMap((id, k) => {
    const raw = localStorage.getItem(`cijie:${page.store.keys[k]}`);
    const value = page.store.values[k];
    const isKept = raw ? alike(JSON.parse(raw).value, value) : !page.store.touched(k);
    return isKept || page.store.unsaved.has(k) ? [] : [[id, raw, value]];
})"""
SHOWN = "document.querySelector('#comment').value === page.answer.comment"
READY = "page.store.isWriter"


@pytest.mark.parametrize("seed", range(2))
def test_windows_at_random(open_page: OpenPage, tmp_path: Path, seed: int) -> None:
    path = write_page(make_proposals(tmp_path))
    made = "new Annotator(readData())"
    html = path.read_text(encoding="utf-8")
    assert f"{made}.start();" in html
    shown = f"Object.assign(globalThis, {{ page: {made}, gapsOf, alike }}); page.start();"
    html = html.replace(f"{made}.start();", shown)
    path.write_text(html, encoding="utf-8")
    windows = [open_page(path, bypass_csp=True)]
    windows[0].evaluate(PREPARE)
    chance = random.Random(seed)
    values = windows[0].evaluate("page.store.values")
    for _ in range(STEPS):
        weights = [weight for weight, _ in ACTIONS.values()]
        [action] = chance.choices(list(ACTIONS), weights)
        writer = windows[0]
        unsaved = writer.evaluate("page.store.unsaved.size")
        if action == "reload" and not unsaved and len(windows) == 1:
            reload(writer)
            writer.evaluate(PREPARE)
        elif action == "open" and len(windows) < 3:
            windows.append(writer.context.new_page())
            windows[-1].goto(path.as_uri())
            windows[-1].evaluate(PREPARE)
            windows[-1].wait_for_function("page.store.isWriter === false")
        elif action == "close" and not unsaved and len(windows) > 1:
            windows.pop(0).close()
        elif ACTIONS[action][1]:
            writer.evaluate(ACTIONS[action][1])
            values = writer.evaluate("page.store.values")
        windows[0].wait_for_function(READY)
        for window in windows:
            window.wait_for_function(f"!({WRONG})().length")
            assert window.evaluate(SHOWN)
        assert windows[0].evaluate("page.store.values") == values
        assert [window for window in windows if window.evaluate(READY)] == windows[:1]
