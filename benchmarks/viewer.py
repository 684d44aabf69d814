"""Measure the speed of pages of `cijie view` in Chromium, and print a Markdown table.

    python benchmarks/viewer.py PAGE.html ... [--query 旅行]
    python benchmarks/viewer.py --annotate GOLD.jsonl PAGE.html

With --annotate, a script cuts the first 31 sentences of an annotation page as gold has them, by
keyboard alone: once with the arrows ←/→, once by the shortest way of all keys.

Times are in milliseconds, the median of several rounds: wall-clock time until the result is
painted, and in brackets the CPU time of the page's main thread, which is independent of other
programs. Opening is timed from the request of the file to the first sentence on the page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from collections import deque
from itertools import accumulate
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from cijie.corpora.segmentations import SegmentationFile, read_segmentations
from cijie.text.segmentation import Segmentation

SEARCH = """([field, isPattern, query]) => {
  document.getElementById("pattern").checked = isPattern;
  document.getElementById("field").value = field;
  document.getElementById("query").value = query;
  document.getElementById("field").dispatchEvent(new Event("change"));
}"""
FILTER = "() => document.querySelector('#filters [data-filter$=\"=no\"]').click()"
CLEAR = "() => document.getElementById('clear').click()"
SORT = """(order) => {
  document.getElementById("sort").value = order;
  document.getElementById("sort").dispatchEvent(new Event("change"));
}"""
JUMP = "(share) => scrollTo(0, share * document.body.scrollHeight)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--query", default="旅行", help="what to search for")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--annotate", type=Path, help="gold for the sentences of the page")
    arguments = parser.parse_args()

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    steps: dict[str, tuple[str, object]] = {
        "search": (SEARCH, ["all", False, arguments.query]),
        "search words": (SEARCH, ["token", False, arguments.query]),
        "search words, pattern": (SEARCH, ["token", True, "^.{4}$"]),
        "clear": (CLEAR, None),
        "filter": (FILTER, None),
        "clear again": (CLEAR, None),
        "sort": (SORT, "contested"),
        "jump": (JUMP, 0.5),
    }
    if arguments.annotate:
        gold = read_segmentations(arguments.annotate)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
            for keys in (["ArrowLeft", "ArrowRight"], list(MOVES)):
                page = browser.new_page(viewport={"width": 1400, "height": 900})
                page.goto(arguments.pages[0].resolve().as_uri())
                page.wait_for_selector("#work:not([inert]) .gap")
                print(", ".join(keys), "Space, Enter:", _annotate(page, gold, keys))
                page.close()
        return
    print("| page | MB | open |", " | ".join(steps), "|")
    print("|---" * (len(steps) + 3) + "|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        for page in arguments.pages:
            rounds = [_round(browser, page, steps) for _ in range(arguments.rounds)]
            cells = [
                f"{median(walls):.0f} ({median(cpus):.0f})"
                for walls, cpus in (zip(*times, strict=True) for times in zip(*rounds, strict=True))
            ]
            print("|", page.stem, f"| {page.stat().st_size / 1e6:.1f} |", " | ".join(cells), "|")
        browser.close()


# Which way a key goes, and where it stops: at any place, a boundary, a contested one, or the last.
MOVES: dict[str, tuple[int, int | None]] = {
    "ArrowLeft": (-1, 0),
    "ArrowRight": (1, 0),
    "Control+ArrowLeft": (-1, 1),
    "Control+ArrowRight": (1, 1),
    "ArrowUp": (-1, 2),
    "ArrowDown": (1, 2),
    "Home": (-1, None),
    "End": (1, None),
}
GAPS = """() => [...document.querySelectorAll(".gap")].map((gap) => [Number(gap.dataset.end),
  gap.getAttribute("aria-pressed") === "true", gap.classList.contains("contested"),
  gap === document.activeElement])"""


def _annotate(page: Page, gold: SegmentationFile, keys: list[str]) -> str:
    presses = changes = 0
    start = time.perf_counter()
    for _ in range(31):
        words = gold[str(page.get_attribute("#item", "data-id"))]
        tokens = words.tokens if isinstance(words, Segmentation) else words
        cuts = set(accumulate(map(len, tokens)))  # sentences without white space
        while True:
            gaps = page.evaluate(GAPS)
            wrong = {k for k, (end, cut, _, _) in enumerate(gaps) if (end in cuts) != cut}
            if not wrong:
                break
            way = _way(gaps, wrong, keys)
            for key in (*way, "Space"):
                page.keyboard.press(key)
            presses, changes = presses + len(way) + 1, changes + 1
        page.keyboard.press("Enter")
        presses += 1
    seconds = time.perf_counter() - start
    return f"{presses:,} presses, {changes:,} changes, {seconds:.1f} s"


def _way(gaps: list[tuple[int, bool, bool, bool]], wanted: set[int], keys: list[str]) -> list[str]:
    """Return the keys that lead from the place in work to the nearest of those that are wanted."""
    [here] = [k for k, gap in enumerate(gaps) if gap[3]]
    ways: dict[int, list[str]] = {here: []}
    queue = deque([here])
    while queue:
        place = queue.popleft()
        if place in wanted:
            return ways[place]
        for key in keys:
            step, stops = MOVES[key]
            side = range(place + step, len(gaps) if step > 0 else -1, step)
            found = side[-1:] if stops is None else [k for k in side if gaps[k][stops]]
            for goal in found[:1]:
                if goal not in ways:
                    ways[goal] = [*ways[place], key]
                    queue.append(goal)
    raise ValueError("no key leads there")


Times = tuple[float, float]  # wall-clock and CPU, in milliseconds


def _round(browser: Browser, path: Path, steps: dict[str, tuple[str, object]]) -> list[Times]:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def cpu() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        [spent] = [each["value"] for each in metrics if each["name"] == "TaskDuration"]
        return 1000 * float(spent)

    start = time.perf_counter()
    page.goto(path.resolve().as_uri())
    page.wait_for_selector(".card")
    times = [(1000 * (time.perf_counter() - start), cpu())]
    for script, value in steps.values():
        before = cpu()
        wall = _painted(page, script, value)
        times.append((wall, cpu() - before))
    page.close()
    return times


def _painted(page: Page, script: str, value: object) -> float:
    painted: float = page.evaluate(
        f"""async (value) => {{
          const start = performance.now();
          ({script})(value);
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          return performance.now() - start;
        }}""",
        value,
    )
    return painted


if __name__ == "__main__":
    main()
