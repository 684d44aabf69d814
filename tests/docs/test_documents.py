"""What the documents say happens: their commands run in order, and print what stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import cijie
from test_layers import FLOORS

pytest.importorskip("wapic", reason="the documents show what the default segmenter gives")
pytest.importorskip("pandas", reason="the notebook shows data frames (group formats)")

PROJECT = Path(__file__).parent.parent.parent
ENGLISH = {"README.zh-CN.md": "README.md", "docs/start.zh.md": "docs/start.md"}

if not (PROJECT / "docs").is_dir():
    pytest.skip("the documents are in the repository alone", allow_module_level=True)


def text_of(document: str) -> str:
    return (PROJECT / document).read_text(encoding="utf-8")


def blocks(document: str) -> list[str]:
    found = re.findall(r"^```\w+\n.*?^```$", text_of(document), re.MULTILINE | re.DOTALL)
    return [re.sub(r" +# .*", "", block) for block in found]


def test_the_commands_of_the_documents_print_what_they_say() -> None:
    result = subprocess.run(
        [sys.executable, "scripts/remake_documents.py", "--check"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert all("```console" in text_of(document) for document in ENGLISH.values())


@pytest.mark.parametrize("chinese", ENGLISH)
def test_both_languages_have_the_same_commands_output_and_figures(chinese: str) -> None:
    def figures(document: str) -> list[str]:
        return re.findall(r"\.\d{3,}", text_of(document))

    def commands(document: str) -> list[str]:
        return re.findall(r"`cijie [^`]*`", text_of(document))

    english = ENGLISH[chinese]
    for ours, theirs in zip(blocks(chinese), blocks(english), strict=True):
        if "--lang zh" in ours:  # the output is in another language
            ran = [re.findall(r"^\$ (.*)", block, re.MULTILINE) for block in (ours, theirs)]
            assert [command.replace(" --lang zh", "") for command in ran[0]] == ran[1]
        else:
            assert ours == theirs
    assert commands(chinese) == commands(english)
    assert figures(chinese) == figures(english)


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").splitlines()) <= 120


def test_the_reference_has_every_public_name() -> None:
    described = re.findall(r"^::: cijie\.(\w+)$", text_of("docs/reference/python.md"), re.MULTILINE)
    assert sorted(described) == sorted(set(cijie.__all__) - {"__version__"})


def test_the_picture_of_the_architecture_has_the_rooms_in_their_order() -> None:
    [picture] = re.findall(r"^```text\n(.*?)^```", text_of("docs/architecture.md"), re.M | re.S)
    floors = re.findall(r"^[├┌].*\n(.*)", picture, re.MULTILINE)  # the first line of each
    assert [re.findall(r"│ (\w+) ", floor) for floor in floors] == [list(each) for each in FLOORS]


def test_the_files_that_the_architecture_names_are_there() -> None:
    names = re.findall(r"`([\w./-]+(?:\.py|\.pyi|\.md|\.toml|/))`", text_of("docs/architecture.md"))
    missing = [
        name
        for name in names
        if "NAME" not in name
        and not (PROJECT / name).exists()
        and not (PROJECT / "src" / "cijie" / name).exists()
    ]
    assert len(names) > 30
    assert missing == []


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {cijie.__version__}\n" in text_of("CITATION.cff")
