"""The blocks of docs/recipes.md do what they say, and the peers take what they write."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie

RECIPES = Path(__file__).parents[1] / "docs" / "recipes.md"
PAIRS = "a\t学生大概做飞及去\t学生大概坐飞机去\nb\t我们 学OK\t我们学OK了\nc\t好\t没有错误\n"


def commands() -> list[str]:
    blocks = re.findall(
        r"^```console\n(.*?)^```", RECIPES.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which all recipes were followed."""
    monkeypatch.chdir(tmp_path)
    for name in ("pairs.tsv", "system.tsv"):
        (tmp_path / name).write_text(PAIRS, encoding="utf-8")
    for command in commands():
        program, name, *arguments = shlex.split(command)
        assert program == "cijie"
        if name in ("recover", "m2", "score"):
            # The recipes are about any segmenter; the default one takes seconds to load.
            arguments += ["--segmenter", "rjieba"]
            if "--source-words" not in arguments:
                arguments += ["--glyph-table", "identity"]
        if "X.m2" in arguments:  # two recipes name one file
            arguments[arguments.index("X.m2")] = f"{arguments[arguments.index('--dialect') + 1]}.m2"
        result = CliRunner().invoke(cijie, [name, *arguments])
        assert result.exit_code == 0, f"{command}: {result.stderr}"
    return tmp_path


def test_before_errant_parallel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERRANT cuts nothing: its sources are our words, and its edits make the targets of them."""
    errant = pytest.importorskip("errant")
    import spacy
    from errant.commands import parallel_to_m2
    from errant.en import merger

    from cijie.corpora.m2 import read_m2

    # The model of English is not on PyPI; all that its absence takes away is the types.
    untyped = SimpleNamespace(classify=lambda edit: edit)
    annotator = errant.Annotator("en", spacy.blank("en"), merger, untyped)
    monkeypatch.setattr(errant, "load", lambda _: annotator)
    arguments = ["errant_parallel", "-orig", "S.txt", "-cor", "T.txt", "-out", "theirs.m2"]
    monkeypatch.setattr("sys.argv", arguments)
    parallel_to_m2.main()
    sources = (folder / "S.txt").read_text("utf-8").splitlines()
    targets = (folder / "T.txt").read_text("utf-8").splitlines()
    blocks = list(read_m2(folder / "theirs.m2"))
    assert [" ".join(block.source) for block in blocks] == sources
    for block, target in zip(blocks, targets, strict=True):
        assert " ".join(block.annotations[0].corrected(block.source)) == target
    ours = list(read_m2(folder / "errant.m2"))
    assert [block.source for block in ours[:2]] == [block.source for block in blocks]


def test_before_cherrant(folder: Path) -> None:
    """`parallel_to_m2.py` splits lines at tabs, drops the id, and splits texts at single spaces."""
    from cijie.corpora.m2 import read_m2

    blocks = list(read_m2(folder / "cherrant.m2"))
    lines = (folder / "recovered.para").read_text("utf-8").splitlines()
    for line, block in zip(lines, blocks, strict=False):
        _, source, target = line.split("\t")
        assert tuple(source.split(" ")) == block.source
        assert target.split(" ") == block.annotations[0].corrected(block.source)
    assert len(lines) == 2


def test_columns() -> None:
    results = doctest.testfile(str(RECIPES), module_relative=False, encoding="utf-8")
    assert results.attempted == 4
    assert results.failed == 0


def test_to_ud_annotation(folder: Path) -> None:
    conllu = pytest.importorskip("conllu")
    sentences = conllu.parse((folder / "learner.conllu").read_text("utf-8"))
    assert [(s.metadata["sent_id"], s.metadata["text"]) for s in sentences] == [
        ("a", "学生大概做飞及去"),
        ("b", "我们 学OK"),
    ]
    for sentence in sentences:
        text = "".join(
            token["form"] + ("" if (token["misc"] or {}).get("SpaceAfter") == "No" else " ")
            for token in sentence
        )
        assert text == sentence.metadata["text"]


def test_a_system_that_is_the_reference_is_right(folder: Path) -> None:
    """The two M2 files, and what is cut after the first of them, have the same blocks."""
    from cijie.corpora.m2 import read_m2

    references, system, errant = (
        list(read_m2(folder / name)) for name in ("m2/references.m2", "m2/system.m2", "hyp.m2")
    )
    assert references == system
    assert [block.source for block in errant] == [block.source for block in references]
    scores = (folder / "scores.txt").read_text("utf-8")
    assert scores.splitlines()[2].split()[-3:] == ["1.0000", "1.0000", "1.0000"]
