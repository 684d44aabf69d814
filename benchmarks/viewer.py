"""Measure the speed of pages of `cijie view` in Chromium, and print a Markdown table.

    python benchmarks/viewer.py PAGE.html ... [--query 旅行]

Times are in milliseconds, the median of several rounds: wall-clock time until the result is
painted, and in brackets the CPU time of the page's main thread, which is independent of other
programs. Opening is timed from the request of the file to the first sentence on the page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

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
