"""The blocks of docs/recipes.md do what they say, and the peers take what they write."""

from __future__ import annotations

import doctest
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie

RECIPES = Path(__file__).parents[1] / "docs" / "recipes.md"
PAIRS = "a\t学生大概做飞及去\t学生大概坐飞机去\nb\t我们 学OK\t我们学OK了\nc\t好\t没有错误\n"


OPERATIONS = {
    "1": [{"Switch": [0, 2, 1, 3]}, {"Delete": [3]}],
    "2": [{"Insert": [{"pos": 0, "tag": "INS_1", "label": ["要", "想"]}]}],
    "3": [{"Modify": [{"pos": 1, "tag": "MOD_2+INS_1", "label": "旅行团"}]}],
}
CORPORA = {
    "mucgec.txt": PAIRS,
    "nasgec.para": PAIRS,
    "nacgec.para": PAIRS,
    "nlpcc.txt": "1\t2\t我去学较\t我去学校\t我去上学\n2\t0\t他去\n",
    "nlpcc-gold.m2": "S 我 去 学 较\nA 2 4|||S|||学校|||REQUIRED|||-NONE-|||0\n\n",
    "cscd.tsv": "1\t我去学较\t我去学校\n0\t他去\t他去\n1\t他坐飞及\t他坐飞机\n",
    "spelling.json": '[\n{"id": "A", "original_text": "我去学较", "wrong_ids": [3],'
    ' "correct_text": "我去学校"}\n]\n',
    "sighan.txt": "(pid=A2-1)\t我去学较\n(pid=A2-2)\t他去\n",
    "sighan-truth.txt": "A2-1, 4, 校\nA2-2, 0\n",
    "words.src": "我 参加 了 旅行 困\n我 要 去\n",
    "words.trg": "我 参加 了 旅行团\n我 要 去\n",
    "words.ref": "我 参加 了 旅行团\n我 要 去\n",
    "fcgec.json": json.dumps(
        {
            id: {"sentence": "去旅行困", "error_flag": 1, "operation": json.dumps(its)}
            for id, its in OPERATIONS.items()
        }
        | {"4": {"sentence": "好", "error_flag": 0, "operation": ""}}
    ),
    "yaclc.jsonl": json.dumps(
        {
            "sentence_id": 7,
            "sentence_text": "我去学较",
            "sentence_annos": [
                {"is_grammatical": 1, "correction": "我去学校"},
                {"is_grammatical": 0, "correction": "我去上学"},
            ],
        }
    ),
    "cged.xml": '<DOC>\n<TEXT id="a-1">\n我去学较&amp;\n</TEXT>\n<CORRECTION>\n我去学校&amp;\n'
    '</CORRECTION>\n<ERROR start_off="3" end_off="4" type="S"></ERROR>\n</DOC>\n',
}


def recipes() -> Iterator[tuple[str, str]]:
    """The commands and the scripts, in order, each behind what it is."""
    text = RECIPES.read_text("utf-8")
    for kind, block in re.findall(
        r"^```(console|python)\n(.*?)^```", text, re.DOTALL | re.MULTILINE
    ):
        if kind == "console":
            yield from ((kind, line.removeprefix("$ ")) for line in block.splitlines())
        elif "open(" in block:
            yield kind, block


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all recipes were followed."""
    folder = tmp_path_factory.mktemp("recipes")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        follow(folder)
    return folder


@pytest.fixture
def folder(followed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(followed)
    return followed


def follow(folder: Path) -> None:
    for name in ("pairs.tsv", "system.tsv"):
        (folder / name).write_text(PAIRS, encoding="utf-8")
    for name, content in CORPORA.items():
        (folder / name).write_text(content, encoding="utf-8")
    for kind, command in recipes():
        if kind == "python":
            exec(compile(command, str(RECIPES), "exec"), {})
            continue
        program, name, *arguments = shlex.split(command)
        assert program == "cijie"
        if name in ("recover", "m2", "score"):
            # The recipes are about any segmenter; the default one takes seconds to load.
            arguments += ["--segmenter", "rjieba"]
            if "--source-words" not in arguments:
                arguments += ["--glyph-table", "identity"]
        if "X.m2" in arguments:  # two recipes name one file
            dialect = "errant" if "errant" in arguments else "cherrant"
            arguments[arguments.index("X.m2")] = f"{dialect}.m2"
        result = CliRunner().invoke(cijie, [name, *arguments])
        assert result.exit_code == 0, f"{command}: {result.stderr}"


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        (
            "mucgec",
            [("a", "学生大概做飞及去", "学生大概坐飞机去"), ("b", "我们 学OK", "我们学OK了")],
        ),
        (
            "nasgec",
            [("a", "学生大概做飞及去", "学生大概坐飞机去"), ("b", "我们 学OK", "我们学OK了")],
        ),
        (
            "nacgec",
            [("a", "学生大概做飞及去", "学生大概坐飞机去"), ("b", "我们 学OK", "我们学OK了")],
        ),
        ("nlpcc", [("1", "我去学较", "我去学校")]),
        ("nlpcc-gold", [("1", "我去学较", "我去学校")]),
        (
            "cscd",
            [("1", "我去学较", "我去学校"), ("2", "他去", "他去"), ("3", "他坐飞及", "他坐飞机")],
        ),
        ("spelling", [("A", "我去学较", "我去学校")]),
        ("sighan-words", [("A2-1", "我去学较", "我去学校"), ("A2-2", "他去", "他去")]),
        ("words", [("1", "我参加了旅行困", "我参加了旅行团"), ("2", "我要去", "我要去")]),
        (
            "fcgec-words",
            [
                ("1", "去旅行困", "去旅行"),
                ("2", "去旅行困", "去要旅行困"),
                ("3", "去旅行困", "去旅行团困"),
            ],
        ),
        ("yaclc-words", [("7", "我去学较", "我去学校")]),
        ("cged-words", [("a-1", "我去学较&", "我去学校&")]),
    ],
)
def test_corpora(folder: Path, name: str, pairs: list[tuple[str, str, str]]) -> None:
    records = map(json.loads, (folder / f"{name}.jsonl").read_text("utf-8").splitlines())
    assert [(x["id"], x["source"], x["target"]) for x in records] == pairs


def test_lines_of_words_have_the_edit_of_a_word(folder: Path) -> None:
    scores = (folder / "words-scores.txt").read_text("utf-8").splitlines()
    assert scores[2].split()[:4] == ["words", "1", "0", "0"]


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
