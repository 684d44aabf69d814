"""The scripts of pages, as modules: their types, and what the pure ones do, under Node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TSC = ROOT / "node_modules" / "typescript" / "bin" / "tsc"


def run_node(*arguments: str | Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node on the path")
    done = subprocess.run([node, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_modules_do_what_they_say() -> None:
    found = sorted(ROOT.glob("tests/viewer/modules/*.test.js"))
    assert found
    run_node("--test", *found)


def test_types_of_modules() -> None:
    if not TSC.is_file():
        pytest.skip("typescript is not installed (npm install)")
    run_node(TSC, "--project", ROOT)
