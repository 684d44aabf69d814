"""What the documents say happens: their commands run in order, and print what stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
ENGLISH = {"README.zh-CN.md": "README.md", "docs/start.zh.md": "docs/start.md"}


def blocks(document: str) -> list[str]:
    text = (PROJECT / document).read_text(encoding="utf-8")
    return re.findall(r"^```(?:console|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", ENGLISH.values())
def test_the_commands_of_a_document_print_what_it_says(document: str) -> None:
    result = subprocess.run(
        [sys.executable, "scripts/remake_documents.py", "--check", document],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert len(blocks(document)) > 3


@pytest.mark.parametrize("chinese", ENGLISH)
def test_both_languages_have_the_same_commands_output_and_figures(chinese: str) -> None:
    def without_comments(document: str) -> list[str]:
        return [re.sub(r" +#.*", "", block) for block in blocks(document)]

    def figures(document: str) -> list[str]:
        return re.findall(r"\.\d{3,}", (PROJECT / document).read_text(encoding="utf-8"))

    english = ENGLISH[chinese]
    assert without_comments(chinese) == without_comments(english)
    assert figures(chinese) == figures(english)


def test_the_readme_is_short() -> None:
    assert len((PROJECT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120
