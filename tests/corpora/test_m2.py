from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from cijie.corpora.m2 import read_m2, write_block
from cijie.edits.blocks import Dialect, M2Block, annotate, in_errant
from cijie.edits.edits import Edit
from cijie.edits.types import EditTyper
from cijie.errors import CijieError, FormatError
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from sentences import read_records

CHERRANT = """\
S 学生 大概 做 飞机 去
T0-A0 学生 大概 坐 飞机 去 了
A 2 3|||S:VERB|||坐|||REQUIRED|||-NONE-|||0
A 5 5|||M:AUX|||了|||REQUIRED|||-NONE-|||0
T0-A1 学生 大概 坐 飞机 去 了
A 2 4|||S:OTHER|||坐 飞机|||REQUIRED|||-NONE-|||0
A 5 5|||M:AUX|||了|||REQUIRED|||-NONE-|||0
T1-A0 学生 做 飞机 去
A 1 2|||R:ADV|||-NONE-|||REQUIRED|||-NONE-|||1

S 我 去
T0 没有错误
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S 去 我 去 了
T0-A0 我 去
A 0 2|||W|||我 去|||REQUIRED|||-NONE-|||0
A 2 4|||R|||-NONE-|||REQUIRED|||-NONE-|||0

S 好
T0-A0
A 0 1|||R|||-NONE-|||REQUIRED|||-NONE-|||0

S
T0 无法标注
A -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0

"""

ERRANT = """\
S 学生 大概 做 飞机 去
A 1 2|||U:ADV||||||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB|||坐|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
A 0 2|||R:WO|||大概 学生|||REQUIRED|||-NONE-|||2

S 我 去

"""


Write = Callable[[str], Path]


def block_of(source: list[str], targets: list[list[str]], dialect: Dialect) -> M2Block:
    block = annotate(source, targets, EditTyper())
    return block if dialect == "cherrant" else in_errant(block)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def to_file(text: str) -> Path:
        path = tmp_path / "x.m2"
        path.write_bytes(text.encode())
        return path

    return to_file


@pytest.mark.parametrize("text", [CHERRANT, ERRANT])
def test_bytes_come_back(write: Write, text: str) -> None:
    assert "".join(f"{block}\n" for block in read_m2(write(text))) == text


def test_annotators_and_alternatives(write: Write) -> None:
    blocks = list(read_m2(write(CHERRANT)))
    assert [(a.annotator, a.alternative) for a in blocks[0].annotations] == [(0, 0), (0, 1), (1, 0)]
    assert [a.annotator for a in next(read_m2(write(ERRANT))).annotations] == [0, 1, 2]


@pytest.mark.parametrize(("text", "number"), [(CHERRANT, 5), (ERRANT, 2)])
def test_records(write: Write, text: str, number: int) -> None:
    records = list(read_records(write(text)))
    assert [record.id for record in records] == [str(k + 1) for k in range(number)]
    assert records[0].known_words().tokens == ["学生", "大概", "做", "飞机", "去"]
    assert records[1].source == records[1].target == "我去"


def test_the_nearest_target_and_none(write: Write) -> None:
    records = list(read_records(write(CHERRANT)))
    assert (records[0].target, records[2].target, records[3].target) == (
        "学生大概坐飞机去了",
        "我去",
        "",
    )
    assert records[4] == Sentence(
        "5", "", segmentation=Segmentation("", ()), status="not annotatable"
    )


def test_a_correction_may_end_in_a_bar(write: Write) -> None:
    block = block_of(["a"], [["a", "|"], ["|"]], "errant")
    [back] = read_m2(write(f"{block}\n"))
    assert back == block
    assert [a.corrected(back.source) for a in back.annotations] == [["a", "|"], ["|"]]


ALTERNATIVES = """\
S 他 今天 很 高心
A 1 1|||M|||上午||下午|||REQUIRED|||-NONE-|||0
A 2 3|||R|||-NONE-||真|||REQUIRED|||-NONE-|||0
A 3 4|||S|||高兴||开心||快乐|||REQUIRED|||-NONE-|||0
A 3 4|||S|||欢喜|||REQUIRED|||-NONE-|||1

"""


def test_alternatives_are_annotations_of_their_own(write: Write) -> None:
    [block] = read_m2(write(ALTERNATIVES))
    assert {
        each.annotator: " ".join(each.corrected(block.source)) for each in block.annotations
    } == {
        0: "他 上午 今天 高兴",
        2: "他 下午 今天 真 开心",
        3: "他 下午 今天 真 快乐",
        1: "他 今天 很 欢喜",
    }
    [record] = read_records(write(ALTERNATIVES))
    assert record.target == "他今天很欢喜"


def test_alternatives_under_a_corrected_sentence(write: Write) -> None:
    edit = "A 1 2|||S|||高兴||开心|||REQUIRED|||-NONE-|||0"
    [block] = read_m2(write(f"S 他 高心\nT0-A0 他 高兴\n{edit}\n\n"))
    assert [each.corrected(block.source) for each in block.annotations] == [
        ["他", "高兴"],
        ["他", "开心"],
    ]


def test_too_many_alternatives(write: Write) -> None:
    ways = "||".join(f"w{k}" for k in range(65))
    path = write(f"S 他 高心\nA 1 2|||S|||{ways}|||REQUIRED|||-NONE-|||0\n\n")
    with pytest.raises(FormatError, match=":2: expected at most 64 alternatives of an edit, got 6"):
        list(read_m2(path))


def test_edits_of_annotators_who_alternate_and_out_of_order(write: Write) -> None:
    lines = [
        "A 2 3|||S|||坐|||REQUIRED|||-NONE-|||0",
        "A 1 2|||R||||||REQUIRED|||-NONE-|||1",
        "A 1 1|||M|||要|||REQUIRED|||-NONE-|||0",
        "A 1 1|||M|||去|||REQUIRED|||-NONE-|||0",
    ]
    [block] = read_m2(write("\n".join(["S 学生 大概 做 飞机", *lines, ""])))
    assert str(block).splitlines()[1:] == [lines[2], lines[3], lines[0], lines[1]]
    assert [" ".join(a.corrected(block.source)) for a in block.annotations] == [
        "学生 要 去 大概 坐 飞机",
        "学生 做 飞机",
    ]


@pytest.mark.parametrize("word", ["", "a b", "\u3000", "a||b", "||", "-NONE-"])
def test_words_that_m2_cannot_express(word: str) -> None:
    dialects: tuple[Dialect, ...] = ("errant", "cherrant")
    for dialect in dialects:
        for block in (M2Block((word,)), annotate(["好"], [[word]], EditTyper())):
            with pytest.raises(FormatError, match="cannot express"):
                write_block(block, BytesIO(), dialect)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("S 好\n\nA 0 1|||R||||||REQUIRED|||-NONE-|||0\n", 3),
        ("S 好\nA 0|||R||||||REQUIRED|||-NONE-|||0\n", 2),
        ("S 好\nA 0 1|||R|||-NONE-|||0\n", 2),
        ("S 好\nA 0 1|||R|||a|||b|||REQUIRED|||-NONE-|||0\n", 2),
        ("S 好\nB 0 1|||R||||||REQUIRED|||-NONE-|||0\n", 2),
        ("S 好\nT0-A0 好 了\nA 1 1|||M|||了|||REQUIRED|||-NONE-|||1\n", 3),
    ],
)
def test_lines_with_no_place_in_m2(write: Write, text: str, line: int) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_m2(write(text)))
    assert caught.value.line == line


def test_edits_that_do_not_fit_their_source(write: Write) -> None:
    path = write("S 好\n\nS 好\nA 0 5|||R:X|||坏|||REQUIRED|||-NONE-|||0\n")
    with pytest.raises(CijieError, match="out of order or range") as caught:
        list(read_records(path))
    assert caught.value.line == 3


def test_types_of_the_dialects() -> None:
    source, target = ["冷", "冬天", "太"], ["也", "太", "冷", "冬天"]
    cherrant, errant = (
        [edit.type for edit in block_of(source, [target], dialect).annotations[0].edits]
        for dialect in ("cherrant", "errant")
    )
    assert cherrant == ["M:OTHER", "W"]
    assert errant == ["M:OTHER", "R:WO"]
    [annotation] = block_of(["做", "去", "了"], [["坐", "去"]], "errant").annotations
    assert [edit.type for edit in annotation.edits] == ["R:SPELL:SOUND", "U:OTHER"]


def test_errant_reads_its_dialect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """ERRANT's `errant_m2` reads blocks, applies their edits, and writes the same blocks."""
    errant = pytest.importorskip("errant")
    import spacy
    from errant.commands import m2_to_m2

    source = ["学生", "大概", "去", "做", "飞机"]
    targets = ["大概 学生 去 坐 飞机 的", "学生 去 做 飞机", "学生 大概 去 做 飞机"]
    block = block_of(source, [target.split() for target in targets], "errant")
    written, back = tmp_path / "x.m2", tmp_path / "y.m2"
    written.write_text(f"{block}\n{block}\n", encoding="utf-8")
    # No model of English is needed to read.
    monkeypatch.setattr(errant, "load", lambda lang: errant.Annotator(lang, spacy.blank(lang)))
    arguments = ["errant_m2", "-gold", "-no_min", "-old_cats", str(written), "-out", str(back)]
    monkeypatch.setattr("sys.argv", arguments)
    m2_to_m2.main()
    assert back.read_text(encoding="utf-8") == written.read_text(encoding="utf-8")


def test_fields_that_tools_leave_empty_are_not_looked_at(write: Write) -> None:
    [block] = read_m2(write("S 好\nA 0 1|||R:X|||坏 了|||OPTIONAL|||a remark|||3\n\n"))
    assert block.annotations[0].edits == (Edit(0, 1, ("坏", "了"), "R:X"),)
    assert block.annotations[0].annotator == 3
