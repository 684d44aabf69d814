"""`cijie score`, and the words of sources that are given to it and to `cijie m2`."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.corpora.m2 import read_m2

CHARACTERS = ("--segmenter", "builtins:list", "--method", "p1")
QUICK = ("--trials", "9")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, [str(argument) for argument in arguments])


def tag(words: list[str]) -> list[str]:
    return ["VERB" if word in "去来" else "X" for word in words]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "dev.txt": "a\t我去学较\t我去学校\t我来学校\nb\t今天好\t没有错误\nc\t好好\t无法标注\n",
        "mine.tsv": "a\t我去学较\t我来学校\nb\t今天好\t今天真好\nc\t好好\t好\n",
        "none.tsv": "a\t我去学较\t我去学较\nb\t今天好\t没有错误\nc\t好好\t好好\n",
        "S.txt": "我去学较\n今天好\n",
        "H.txt": "我来学校\n今天真好\n",
        "R1.txt": "我去学校\n今天好\n",
        "R2.txt": "我来学校\n\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def scores(*arguments: object) -> list[tuple[str, int, int, int]]:
    result = run("score", *arguments, "--format", "json", *QUICK, "-q")
    assert result.exit_code == 0, result.output
    return [
        (system, *(its[name] for name in ("TP", "FP", "FN")))
        for system, its in orjson.loads(result.stdout)["correction"]["rows"].items()
    ]


MINE, NONE = ("mine", 2, 1, 0), ("none", 0, 0, 1)


@pytest.mark.parametrize("level", [CHARACTERS, ("--level", "char")])
def test_files_with_ids(folder: Path, level: tuple[str, ...]) -> None:
    assert scores("dev.txt", "mine.tsv", "none.tsv", *level) == [MINE, NONE]


def test_files_of_lines(folder: Path) -> None:
    arguments = ("--source", "S.txt", "--system", "H.txt", "--reference", "R1.txt")
    assert scores(*arguments, *CHARACTERS) == [("H", 1, 2, 0)]
    assert scores(*arguments, "--reference", "R2.txt", *CHARACTERS) == [("H", 2, 1, 0)]


def test_json_lines(folder: Path) -> None:
    rows = [{"id": "a", "source": "我去学较", "references": ["我去学校", "我来学校"]}]
    made = [{"id": "a", "source": "我去学较", "target": "我来学校"}]
    for name, records in (("refs.jsonl", rows), ("mine.jsonl", made)):
        (folder / name).write_bytes(b"\n".join(map(orjson.dumps, records)))
    assert scores("refs.jsonl", "mine.jsonl", *CHARACTERS) == [("mine", 2, 0, 0)]
    assert scores("refs.jsonl", "mine.tsv", *CHARACTERS) == [("mine", 2, 0, 0)]


def test_what_is_written_and_said(folder: Path) -> None:
    arguments = ("dev.txt", "mine.tsv", "none.tsv", *CHARACTERS, *QUICK)
    outputs = ("-o", "scores.txt", "--sentences", "each.jsonl", "--write-m2", "m2")
    result = run("score", *arguments, *outputs)
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    assert result.stderr.splitlines()[-2:] == [
        "2 sentences",
        "not annotated, and not scored: 1 sentence",
    ]
    text = (folder / "scores.txt").read_text(encoding="utf-8")
    assert text.startswith("Corrections in 2 sentences")
    each = [orjson.loads(line) for line in (folder / "each.jsonl").read_bytes().splitlines()]
    assert [(row["id"], row["system"]) for row in each] == [
        ("a", "mine"),
        ("a", "none"),
        ("b", "mine"),
        ("b", "none"),
    ]
    names = ["references", "mine", "none"]
    assert sorted(path.name for path in (folder / "m2").iterdir()) == sorted(
        f"{name}.m2" for name in names
    )
    sources = [[block.source for block in read_m2(folder / "m2" / f"{n}.m2")] for n in names]
    assert sources[0] == sources[1] == sources[2]
    assert run("score", *arguments, *outputs).exit_code == 2  # the folder is there


@pytest.mark.parametrize("dialect", ["errant", "cherrant"])
def test_m2_gives_the_scores_of_the_texts(folder: Path, dialect: str) -> None:
    # The last row says in ChERRANT's dialect alone that it could not be annotated.
    (folder / "dev.txt").write_text(
        "a\t我去学较\t我去学校\t我来学校\nb\t今天好\t没有错误\nc\t好好\t好\n", encoding="utf-8"
    )
    texts = ("dev.txt", "mine.tsv", "none.tsv", *CHARACTERS)
    found = scores(*texts, "--write-m2", "m2", "--dialect", dialect)
    assert scores("m2/references.m2", "m2/mine.m2", "m2/none.m2") == found
    rules = ("--rules", "errant", "--beta", "1")
    assert scores("m2/references.m2", "m2/mine.m2", "m2/none.m2", *rules) == scores(*texts, *rules)


def test_a_system_that_deletes_a_sentence(folder: Path) -> None:
    (folder / "mine.tsv").write_text("a\t我去学较\t\nb\t今天好\t今天好\nc\t好好\t好\n", "utf-8")
    result = run("score", "dev.txt", "mine.tsv", *CHARACTERS, *QUICK)
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[-1] == "warning: mine deletes 1 sentence altogether"
    assert scores("dev.txt", "mine.tsv", *CHARACTERS) == [("mine", 0, 1, 1)]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"mine.tsv": "a\t我去学较\t我\n"},
            "id b: the references have this sentence, but mine does not; --intersection",
        ),
        (
            {"mine.tsv": "a\t我去学校\t我\nb\t今天好\t好\nc\t好好\t好\n"},
            "id a: the texts differ at offset 3: mine has '校' (U+6821), the file of references",
        ),
        (
            {"mine.tsv": "a\t我去学较\t我\t你\n"},
            "mine.tsv:1: id a: expected 1 correction, got 2; are system and references swapped?",
        ),
        ({"mine.tsv": "我去学较 x\n"}, "mine.tsv"),
        ({"mine.tsv": "S 我\n\n"}, "mine.tsv:1: this looks like M2"),
        (
            {"dev.txt": "S 我\n\n"},
            "dev.txt:1: this looks like M2",
        ),
    ],
)
def test_bad_files_with_ids(folder: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    result = run("score", "dev.txt", "mine.tsv", *CHARACTERS, *QUICK)
    assert result.exit_code == 1
    assert message in result.stderr


def test_a_slip_of_references(folder: Path) -> None:
    result = run("score", "mine.tsv", "--reference", "dev.txt")
    assert result.exit_code == 2
    assert "--source, --system and --reference must be given together" in result.stderr


def test_a_label_of_a_system_changes_nothing(folder: Path) -> None:
    (folder / "mine.tsv").write_text("a\t我去学较\t无法标注\nb\t今天好\t好\nc\t好好\t好\n", "utf-8")
    result = run("score", "dev.txt", "mine.tsv", *CHARACTERS, *QUICK)
    assert result.exit_code == 0, result.output
    assert "1 label of mine in the place of corrections, taken for no change," in result.stderr
    assert scores("dev.txt", "mine.tsv", *CHARACTERS) == [("mine", 0, 1, 1)]


def test_systems_may_be_called_something(folder: Path) -> None:
    (folder / "none.tsv").rename(folder / "references.tsv")
    assert scores("dev.txt", "A=mine.tsv", "B=references.tsv", *CHARACTERS) == [
        ("A", 2, 1, 0),
        ("B", 0, 0, 1),
    ]
    result = run("score", "dev.txt", "references.tsv", *CHARACTERS, *QUICK)
    assert "no system can be called 'references'" in result.stderr


def test_an_empty_file_is_said_to_be_empty(folder: Path) -> None:
    (folder / "empty.tsv").touch()
    result = run("m2", "empty.tsv", *CHARACTERS)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.splitlines()[0] == "warning: no sentences"
    result = run("segment", "empty.tsv", "--from", "lines", "--segmenter", "builtins:list")
    assert result.stderr.splitlines()[0] == "warning: no texts"
    assert run("score", "empty.tsv", "mine.tsv", *CHARACTERS).exit_code == 1


def test_tables_on_demand(folder: Path) -> None:
    arguments = ("score", "dev.txt", "mine.tsv", *CHARACTERS, *QUICK, "-q")
    assert run(*arguments).stdout.count("\n\n") == 1
    shown = run(*arguments, "--by", "type,level,length").stdout
    captions = ["Corrections in", "Detection in", "Corrections by type", "Corrections by length"]
    assert [
        part.splitlines()[0].startswith(captions[k])
        for k, part in enumerate(shown.split("\n\n")[:4])
    ] == [True] * 4
    assert "M:OTHER" in shown
    wrong = run(*arguments, "--by", "types")
    assert wrong.exit_code == 2
    assert "unknown table 'types': did you mean 'type'?" in wrong.stderr


def test_punctuation_may_be_ignored(folder: Path) -> None:
    (folder / "dev.txt").write_text("a\t我去学较\t我去学校\n", "utf-8")
    (folder / "mine.tsv").write_text("a\t我去学较\t我，去学校\n", "utf-8")
    both = ("dev.txt", "mine.tsv", *CHARACTERS)
    assert scores(*both) == [("mine", 1, 1, 0)]
    assert scores(*both, "--ignore", "punctuation") == [("mine", 1, 0, 0)]


def test_sentences_that_all_have(folder: Path) -> None:
    (folder / "mine.tsv").write_text("a\t我去学较\t我来学校\nz\t好\t好的\n", encoding="utf-8")
    result = run("score", "dev.txt", "mine.tsv", *CHARACTERS, *QUICK, "--intersection")
    assert result.exit_code == 0, result.output
    assert result.stderr.splitlines()[-1] == (
        "1 sentence; 1 sentence of mine that the references lack left out; "
        "2 sentences that a system lacks left out"
    )


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"H.txt": "我来学校\n"}, "H.txt ends before this line"),
        ({"R1.txt": "\n\n"}, "no sentence to score"),
    ],
)
def test_bad_lines(folder: Path, files: dict[str, str], message: str) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    arguments = ("--source", "S.txt", "--system", "H.txt", "--reference", "R1.txt")
    result = run("score", *arguments, *CHARACTERS, *QUICK)
    assert result.exit_code == 1
    assert message in result.stderr


def test_m2_with_a_word_more_is_of_another_source(folder: Path) -> None:
    (folder / "hyp.m2").write_text("S 我 None\n", encoding="utf-8")
    (folder / "ref.m2").write_text("S 我\n", encoding="utf-8")
    result = run("score", "ref.m2", "hyp.m2", *QUICK)
    assert result.exit_code == 1
    assert "offset 1: ref.m2 has the end of the text, hyp.m2 has ' '" in result.stderr


def test_m2_of_different_sources(folder: Path) -> None:
    edit = "A 1 2|||R:OTHER|||来|||REQUIRED|||-NONE-|||0\n\n"
    (folder / "hyp.m2").write_text(f"S 我 去 。\n{edit}S 我 去 学校 。\n{edit}", encoding="utf-8")
    (folder / "ref.m2").write_text(f"S 我 去 。\n{edit}S 我 去 学 校 。\n{edit}", encoding="utf-8")
    result = run("score", "ref.m2", "hyp.m2", *QUICK)
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1] == (
        "Error: hyp.m2: block 2 has another source than in ref.m2: the texts differ at offset 5: "
        "ref.m2 has ' ' (U+0020), hyp.m2 has '校' (U+6821). Write both anew from the texts with "
        "cijie score --write-m2, or compare blocks --by-order"
    )
    assert scores("ref.m2", "hyp.m2", "--by-order") == [("hyp", 2, 0, 0)]
    (folder / "ref.m2").write_text(f"S 我 去 。\n{edit}", encoding="utf-8")
    result = run("score", "ref.m2", "hyp.m2", *QUICK)
    assert result.exit_code == 1
    assert "ref.m2: ends before block 2 of hyp.m2" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("mine.tsv",),
        ("dev.txt", "mine.tsv", "--source", "S.txt"),
        ("--source", "S.txt", "--system", "H.txt"),
        ("dev.txt", "mine.tsv", "--beta", "0"),
        ("dev.txt", "mine.tsv", "--by-order"),
        ("dev.txt", "mine.tsv", "--dialect", "errant"),
        ("dev.txt", "mine.tsv", "--level", "char", "--method", "p1"),
        ("dev.txt", "mine.tsv", "--level", "char", "--tagger", "x:y"),
        ("dev.txt", "mine.tsv", "--tagger", "no_such_module:y"),
        ("dev.txt", "mine.tsv", "--tagger", "sys:maxsize"),
        ("dev.txt", "mine.tsv", "--sentences", "each.tsv"),
        ("dev.txt", "mine.tsv", "--source-words", "S.txt", "--method", "p1"),
        ("hyp.m2", "hyp.m2", "--level", "char"),
        ("hyp.m2", "hyp.m2", "--write-m2", "x"),
    ],
)
def test_wrong_usage(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / "hyp.m2").write_text("S 我\n\n", encoding="utf-8")
    result = run("score", *arguments)
    assert result.exit_code == 2, result.output
    assert not (folder / "x").exists()


@pytest.mark.parametrize(
    "words",
    [
        {"w.txt": "我 去 学较\n今天 好\n好 好\n"},
        {"w.m2": "S 我 去 学较\n\nS 今天 好\n\nS 好 好\n\n"},
        {
            "w.jsonl": '{"id": "c", "words": ["好", "好"]}\n'
            '{"id": "b", "words": ["今天", "好"]}\n{"id": "a", "words": ["我", "去", "学较"]}\n'
        },
    ],
)
def test_words_of_the_sources(folder: Path, words: dict[str, str]) -> None:
    [(name, text)] = words.items()
    (folder / name).write_text(text, encoding="utf-8")
    options = ("--segmenter", "builtins:list", "--source-words", name)
    result = run("m2", "dev.txt", *options, "-o", "x.m2", "--signature", "long")
    assert result.exit_code == 0, result.output
    sources = ["我 去 学较", "今天 好", "好 好"]
    assert [" ".join(block.source) for block in read_m2(folder / "x.m2")] == sources
    assert "source-words:given|segmenter:function:builtins:list|method:direct" in result.stderr
    run("score", "dev.txt", "mine.tsv", *options, *QUICK, "--write-m2", "m2")
    for path in (folder / "m2").iterdir():
        assert [" ".join(block.source) for block in read_m2(path)] == sources


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("我 去 学较\n今天 好\n", "w.txt: id c: no words for this source"),
        ("我 去 学较\n今天 好\n好 好\n好 好\n", "w.txt: expected 3 sources, got 4"),
        ("我 去 学校\n今天 好\n好 好\n", "w.txt:1: id 1: at offset 3"),
    ],
)
def test_bad_words_of_the_sources(folder: Path, text: str, message: str) -> None:
    (folder / "w.txt").write_text(text, encoding="utf-8")
    result = run("m2", "dev.txt", "--segmenter", "builtins:list", "--source-words", "w.txt")
    assert result.exit_code == 1
    assert message in result.stderr


def test_a_tagger_adds_fields_of_speech(folder: Path) -> None:
    tagger = f"{__name__}:tag"
    result = run("m2", "dev.txt", *CHARACTERS, "--tagger", tagger, "--signature", "long")
    assert result.exit_code == 0, result.output
    assert "A 1 2|||S:VERB|||来|||REQUIRED|||-NONE-|||1\n" in result.stdout
    assert tagger in result.stderr


def test_a_page_of_corrections(folder: Path) -> None:
    result = run("score", "dev.txt", "A=mine.tsv", "none.tsv", *CHARACTERS, *QUICK, "-o", "p.html")
    assert result.exit_code == 0, result.output
    page = (folder / "p.html").read_text(encoding="utf-8")
    assert '"variant":"edits"' in page
    assert '"labels":["A","none"]' in page
    assert result.stderr.splitlines()[0] == "2 sentences"
