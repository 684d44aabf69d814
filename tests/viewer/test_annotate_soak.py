"""Two windows on one sheet, at random: whatever happens, nothing is lost in silence."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from annotators import OpenPage, make_proposals, write_page

STEPS = 120
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
    "settle": (
        12,
        """() => {
            const clashes = [...page.store.clashes.keys()];
            for (const k of clashes) page.store.settle(k, page.n++ % 2 === 0);
            page.draw();
        }""",
    ),
    "reload": (1, ""),
}
PREPARE = """() => {
    page.store = page.answers.store;
    page.n = 0;
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, text) {
        if (page.isBlocked) throw new Error("full");
        setItem.call(this, key, text);
    };
}"""
# The items that the page has not read yet as they are stored, or says are saved as they are not.
WRONG = """() => page.store.ids.flatMap((id, k) => {
    const raw = localStorage.getItem(`cijie:${JSON.stringify([...page.store.name, id])}`);
    const value = page.store.values[k];
    const isKept = raw ? alike(JSON.parse(raw).value, value) : !page.store.touched(k);
    const isRead = [page.store.seen[k], page.store.clashes.get(k)?.raw].includes(raw);
    return isRead && (isKept || page.store.unsaved.has(k)) ? [] : [[id, raw, value]];
})"""
# An action, and the fields of all items before and behind it: nothing comes in between.
ACT = """() => {
    const fields = () => Object.fromEntries(
        page.store.values.flatMap((value, k) =>
            Object.entries(value).map(([name, field]) => [`${k} ${name}`, JSON.stringify(field)]),
        ),
    );
    const before = fields();
    (ACTION)();
    return [before, fields()];
}"""


def differing(a: dict[str, str], b: dict[str, str]) -> set[str]:
    return {name for name, field in a.items() if field != b[name]}


@pytest.mark.parametrize("seed", range(2))
def test_two_windows_at_random(open_page: OpenPage, tmp_path: Path, seed: int) -> None:
    path = write_page(make_proposals(tmp_path))
    made = "new Annotator(readData())"
    html = path.read_text(encoding="utf-8")
    assert f"{made}.start();" in html
    shown = f"Object.assign(globalThis, {{ page: {made}, gapsOf, alike }}); page.start();"
    html = html.replace(f"{made}.start();", shown)
    path.write_text(html, encoding="utf-8")
    one = open_page(path, bypass_csp=True)
    two = one.context.new_page()
    two.goto(path.as_uri())
    windows = [one, two]
    for window in windows:
        window.evaluate(PREPARE)
    chance = random.Random(seed)
    own: list[set[str]] = [set(), set()]  # the fields that each window was the last to change
    known: list[dict[str, str]] = [{}, {}]
    for _ in range(STEPS):
        acting = chance.randrange(2)
        weights = [weight for weight, _ in ACTIONS.values()]
        [action] = chance.choices(list(ACTIONS), weights)
        window = windows[acting]
        if action == "reload":
            if not window.evaluate("page.store.unsaved.size"):
                window.reload()
                window.evaluate(PREPARE)
                own[acting] = set()
                known[acting] = {}
        else:
            before, after = window.evaluate(ACT.replace("ACTION", ACTIONS[action][1]))
            own[acting] -= differing(known[acting], before)
            changed = differing(before, after)
            if action in {"undo", "redo"}:
                assert changed <= own[acting]
            own[acting] |= changed
            known[acting] = after
        for each in windows:
            each.wait_for_function(f"!({WRONG})().length")
            assert each.evaluate("document.querySelector('#comment').value === page.answer.comment")
    for window in windows:
        window.evaluate("() => { page.isBlocked = false; }")
    while any(window.evaluate("page.store.unsaved.size") for window in windows):
        for window in windows:
            window.evaluate(ACTIONS["settle"][1])
            window.evaluate("page.retry()")
    one.wait_for_function("!page.store.unsaved.size")
    values = one.evaluate("page.store.values")
    two.wait_for_function("(values) => alike(values, page.store.values)", arg=values)
