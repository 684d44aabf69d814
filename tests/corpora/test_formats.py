from dataclasses import replace
from gzip import compress
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pytest

from cijie.alignment.links import anchors
from cijie.choices import FormatName
from cijie.corpora.formats import FORMATS, Format, format_to_write
from cijie.corpora.reading import Purpose, ReadOptions
from cijie.corpora.reading import read as read_sentences
from cijie.corpora.writing import write
from cijie.errors import CijieError, FormatError
from cijie.projection.boundaries import Change
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from sentences import read_records

BLANKS = "\t_" * 7
NEEDS = {"conllu": "conllu", "parquet": "pyarrow"}


def format_to_read(
    path: Path, format: str | None = None, purpose: Purpose = "sentences", **options: Any
) -> Format:
    return read_sentences(path, purpose, ReadOptions(format, **options)).format


def written(name: str, records: list[Sentence]) -> bytes:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    stream = BytesIO()
    write(records, stream, FORMATS[name])
    return stream.getvalue()


def read(name: str, content: bytes, path: Path) -> list[Sentence]:
    path.write_bytes(content)
    return list(read_records(path, name))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"source": "x"}\n', "JSON lines: .* --from jsonl"),
        ("S 我 去\nT0 没有错误\n", "M2: .* --from errant"),
        ("# newdoc\n# text = a\n1\ta" + "\t_" * 8 + "\n\n", "CoNLL-U: .* --from conllu"),
        ("1\ta" + "\t_" * 8 + "\n\n", "CoNLL-U: .* --from conllu"),
        ("我\tS\n", "BMES: .* --from bmes"),
        ("去 B\n", "BMES: .* --from bmes"),
        ("<DOC>\n<S ID=1>\n我 去\n</S>\n", "XML or SGML, .*recipes"),
        ("id\tsource\ttarget\n", "a header: .* --from tsv"),
        ("source,target\n", "a header: .* --from csv"),
    ],
)
@pytest.mark.parametrize("purpose", ["pairs", "words", "texts"])
def test_content_of_another_format_is_refused_by_name(
    purpose: Purpose, content: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "file.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=f"file.txt:1: this looks like .*{what}"):
        list(read_sentences(path, purpose))


@pytest.mark.parametrize("file", ["x.txt", "x"])
def test_what_neither_ending_nor_purpose_says_must_be_named(file: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text("1\t我去\t我去了\n", encoding="utf-8")
    with pytest.raises(FormatError, match="unknown format: name it with --from"):
        format_to_read(path)


@pytest.mark.parametrize(
    ("file", "purpose", "name"),
    [
        ("x.tsv", "sentences", "mucgec"),
        ("x.para", "sentences", "para"),
        ("x.para.gz", "pairs", "para"),
        ("short.para", "pairs", "para"),
        ("long.para", "pairs", "para"),
        ("x.txt", "pairs", "mucgec"),
        ("x", "pairs", "mucgec"),
        ("x.txt", "texts", "lines"),
        ("x.csv", "texts", "csv"),
    ],
)
def test_the_name_decides_and_then_the_purpose(
    file: str, purpose: Purpose, name: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    rows = {"short": "1\t我们\t你们\n", "long": "1\t我们去旅行吧\t我们明天一起去旅行好不好\n"}
    row = rows.get(path.stem, "1\t我会 Python\t我会用 Python\n").encode()
    path.write_bytes(compress(row) if path.suffix == ".gz" else row)
    assert format_to_read(path, purpose=purpose).name == name
    assert format_to_read(path, "mucgec", purpose).name == "mucgec"


def test_a_header_tells_tsv_from_rows(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("id\tlearner\ttarget\n1\t我\t你\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"x\.tsv:1: this looks like a header"):
        list(read_sentences(path))
    assert format_to_read(path, "mucgec").name == "mucgec"
    assert format_to_read(path, columns={"source": "learner"}).name == "tsv"
    path.write_text("id\tsource\ttarget\n1\t我\t你\n", encoding="utf-16")
    assert format_to_read(path, encoding="utf-16").name == "tsv"


def test_sentences_are_not_taken_for_words(tmp_path: Path) -> None:
    path = tmp_path / "x.para"
    path.write_text("1\t我们去旅行吧\t我们明天一起去旅行好不好\n", encoding="utf-8")
    with pytest.raises(FormatError, match="id 1: has no spaces between words: .*--from mucgec"):
        list(read_sentences(path, "pairs"))
    assert len(read(path=path, name="para", content=path.read_bytes())) == 1


@pytest.mark.parametrize(
    ("file", "purpose", "lacking"), [("x.bmes", "pairs", "target"), ("x.tsv", "words", "words")]
)
def test_formats_that_lack_what_they_are_read_for(
    file: str, purpose: Purpose, lacking: str, tmp_path: Path
) -> None:
    (tmp_path / file).write_text("1\t我\t你\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f"{file}: expected {purpose}, but .* has no {lacking}"):
        format_to_read(tmp_path / file, purpose=purpose)


def test_pairs_are_not_scored_as_words(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text("1\t我\t你\n", encoding="utf-8")
    with pytest.raises(FormatError, match="has no words; `cijie recover` finds those of pairs"):
        format_to_read(tmp_path / "x.tsv", purpose="words")


def test_the_names_are_those_of_the_command_line() -> None:
    assert tuple(FORMATS) == get_args(FormatName)


@pytest.mark.parametrize(
    ("path", "name"),
    [("x.JSONL", "jsonl"), ("x.txt", "text"), ("a.b.conllu", "conllu"), ("x.links", "pharaoh")],
)
def test_the_name_says_what_to_write(path: str, name: str) -> None:
    assert format_to_write(path).name == name


@pytest.mark.parametrize(
    ("path", "hint"), [("x.m2", "--to cherrant or --to errant"), ("x", "--to FORMAT")]
)
def test_names_that_do_not_say_it(path: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        format_to_write(path)


def both(text: str, *boundaries: int) -> Sentence:
    """A record whose target is its source."""
    words = Segmentation(text, boundaries)
    return Sentence(
        "1",
        text,
        text,
        segmentation=words,
        alignment=anchors(text, text),
        target_segmentations=(words,),
    )


WORDS = Segmentation("我去", (1, 2))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        *((name, "id 7: has no words") for name in ("text", "bmes", "conllu")),
        *((name, "id 7: has no target") for name in ("mucgec", "para", "cherrant", "errant")),
        ("pharaoh", "id 7: has no links"),
    ],
)
def test_what_is_not_there(name: str, message: str) -> None:
    without = Sentence("7", "我去", segmentation=None if "words" in message else WORDS)
    with pytest.raises(FormatError, match=message):
        written(name, [both("我去", 1, 2), without])


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("mucgec", Sentence("1", "我\t去", "好")),
        ("mucgec", Sentence("1", "我", "好\n")),
        (
            "para",
            Sentence(
                "a\tb",
                "我",
                "我",
                segmentation=Segmentation("我", (1,)),
                target_segmentations=(Segmentation("我", (1,)),),
            ),
        ),
        ("conllu", Sentence("1", "我\n去", segmentation=Segmentation("我\n去", (1, 3)))),
        ("conllu", Sentence("1", "我\n", segmentation=Segmentation("我\n", (1,)))),
        ("conllu", Sentence("1", "a\tb", segmentation=Segmentation("a\tb", (3,)))),
        (
            "para",
            Sentence(
                "1",
                "我",
                "",
                segmentation=Segmentation("我", (1,)),
                target_segmentations=(Segmentation("", ()),),
            ),
        ),
        (
            "para",
            Sentence(
                "1",
                "我",
                "没有错误",
                segmentation=Segmentation("我", (1,)),
                target_segmentations=(Segmentation("没有错误", (4,)),),
            ),
        ),
        ("text", Sentence("1", "a b", segmentation=Segmentation("a b", (3,)))),
        ("text", Sentence("1", "🇨 🇳", segmentation=Segmentation("🇨 🇳", (1, 3)))),
        ("para", both("🇨 🇳", 1, 3)),
        ("csv", Sentence("1", "a b", segmentation=Segmentation("a b", (3,)))),
        ("csv", Sentence("1", "a\0b")),
        ("csv", Sentence("1", "a", "")),
        ("lines", Sentence("1", "a\nb")),
        ("errant", both("||", 2)),
    ],
)
def test_what_a_format_cannot_express(name: str, record: Sentence) -> None:
    with pytest.raises(FormatError) as caught:
        written(name, [record])
    assert caught.value.id == record.id


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        (
            "jsonl",
            '{"source": "我", "tokens": [[0, 1]]}\n{"source": "我去", "tokens": [[0, 1]]}\n',
            2,
        ),
        ("jsonl", '{"source": "我", "links": [[0, 0, "anchor", null]]}\n', 1),
        ("csv", "id,source\n1,我,去\n", 2),
        ("csv", "id,text\n1,我\n", 1),
        ("csv", "source,tokens\n我去,我 走\n", 2),
        ("bmes", "我\tS\n去\tB\n好\tS\n", 2),
        ("bmes", "我\tE\n", 1),
        ("bmes", "我\tB\n\n", 1),
        ("bmes", "我\tB\n", 1),
        ("bmes", "我 去\tX\n", 1),
        ("conllu", "1\t我" + "\t_" * 8 + "\n\n# text = 你\n1\t我" + "\t_" * 8 + "\n", 3),
        ("conllu", "1\t我\t_\n", 1),
        ("conllu", "# global.columns = FORM ID\n我\t1" + "\t_" * 8 + "\n", 1),
        ("conllu", "# global.columns = ID FORM PARSEME:MWE\n1\t我\t*\n", 1),
    ],
)
def test_bad_files_are_errors_with_a_line(
    name: str, content: str, line: int, tmp_path: Path
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    with pytest.raises(CijieError) as caught:
        read(name, content.encode(), tmp_path / "x")
    assert caught.value.line == line


def test_bad_tables(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(FormatError, match="not a"):
        read("parquet", b"nothing of that kind", tmp_path / "x")
    stream = BytesIO()
    from pyarrow import parquet

    parquet.write_table(pa.table({"source": ["我", None]}), stream)
    with pytest.raises(FormatError, match="x:2: id 2: 'source' is missing"):
        read("parquet", stream.getvalue(), tmp_path / "x")


def test_conllu_with_multiword_tokens_empty_nodes_and_no_text(tmp_path: Path) -> None:
    blanks = "\t_" * 7
    content = (
        "# sent_id = a-1\n"
        f"1-2\t咱俩{blanks}\tSpaceAfter=No\n"
        f"1\t咱{blanks}\t_\n"
        f"2\t俩{blanks}\t_\n"
        f"2.1\t都{blanks}\t_\n"
        f"3\t去{blanks}\t_\n"
        f"4\tKTV{blanks}\t_\n"
        "\n"
    )
    [record] = read("conllu", content.encode(), tmp_path / "x")
    assert (record.id, record.source, record.known_words().tokens) == (
        "a-1",
        "咱俩去 KTV",
        ["咱俩", "去", "KTV"],
    )


def test_conllu_has_corrections_and_what_recovery_did(tmp_path: Path) -> None:
    source, words = "去旅行困难吧", ["去", "旅行困", "难吧"]
    record = Sentence(
        "a",
        source,
        ("去旅行团玩吧", "去旅行团吧"),
        reference=2,
        label="没有错误?",
        segmentation=Segmentation.from_tokens(source, words),
        initial=Segmentation.from_tokens(source, ["去", "旅行", "困难", "吧"]),
        changes=(
            Change(3, "remove", (1, 4), "旅行团"),
            Change(4, "insert", (1, 4), "旅行团"),
            Change(5, "remove", (4, 5), "吧"),
        ),
        confidences=(1.0, 0.93, 1e-05),
    )
    content = written("conllu", [record])
    assert content.decode() == (
        "# sent_id = a\n"
        "# text = 去旅行困难吧\n"
        "# target = 去旅行团吧\n"
        "# reference = 2\n"
        "# label = 没有错误?\n"
        "# reference_1 = 去旅行团玩吧\n"
        "# reference_2 = 去旅行团吧\n"
        "# initial_words = 4\n"
        "# changes = 3\n"
        f"1\t去{BLANKS}\tConfidence=1.0|SpaceAfter=No\n"
        f"2\t旅行困{BLANKS}\tChanged=Cut,Join|Confidence=.93|Initial=旅行+困难|SpaceAfter=No"
        "|Target=旅行团|TargetRange=1:4,1:4\n"
        f"3\t难吧{BLANKS}\tChanged=Join|Confidence=1e-05|Initial=困难+吧|SpaceAfter=No"
        "|Target=吧|TargetRange=4:5\n\n"
    )
    assert read("conllu", content, tmp_path / "x") == [record]
    for old, new in [("=困难+吧", "=困难"), ("s = 4", "s = 3"), ("4:5", "4:x")]:
        edited = content.decode().replace(old, new).encode()
        with pytest.raises(FormatError, match="x:1: id a: the words do not fit.*# changes'"):
            read("conllu", edited, tmp_path / "x")


def test_conllu_escapes_what_separates_values(tmp_path: Path) -> None:
    source = "a|b\u3000C++ \\s=_去"
    initial = Segmentation.from_tokens(source, ["a|b\u3000C++ \\s=", "_去"])
    words = Segmentation.from_tokens(source, ["a|b", "C++", "\\s=_", "去"])
    record = Sentence("1", source, segmentation=words, initial=initial)
    content = written("conllu", [record])
    assert content.count(rb"Initial=a\pb\u3000C\+\+\s\\s\u003d") == 3
    assert read("conllu", content, tmp_path / "x") == [record]
    with pytest.raises(FormatError, match="^id 1: has changes that do not lead from its initial"):
        written("conllu", [replace(record, changes=())])


def test_what_other_treebanks_mean_by_such_names_is_not_read(tmp_path: Path) -> None:
    comments = "# status = draft\n# reference = Li 2004\n"
    rows = f"1\t我{BLANKS}\tConfidence=high|Initial=wo|SpaceAfter=No\n2\t去{BLANKS}\tChanged=Cut\n"
    [record] = read("conllu", f"{comments}{rows}\n".encode(), tmp_path / "x")
    assert record == Sentence("1", "我去", segmentation=Segmentation("我去", (1, 2)))
    with pytest.raises(FormatError, match="x:1: id 1: 'target' is missing$"):
        list(read_sentences(tmp_path / "x", "pairs", ReadOptions("conllu")))


def test_conllu_may_name_its_columns(tmp_path: Path) -> None:
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n"
    row = "1\t我们" + "\t_" * 8
    [record] = read("conllu", f"{columns}{row}\n".encode(), tmp_path / "x")
    assert record.known_words().tokens == ["我们"]


def test_conllu_leaves_the_white_space(tmp_path: Path) -> None:
    text = "\u3000我 学 deep learning课 "
    record = Sentence(
        "x ", text, segmentation=Segmentation.from_tokens(text, ["我", "学", "deep learning", "课"])
    )
    content = written("conllu", [record])
    assert b"3\tdeep learning\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" in content
    assert read("conllu", content, tmp_path / "x") == [record]


def test_files_of_arrow_are_refused_by_name(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"source": ["我去"], "target": ["我走"]})
    for new in (pa.ipc.new_file, pa.ipc.new_stream):
        with new(tmp_path / "x.arrow", table.schema) as writer:
            writer.write_table(table)
        with pytest.raises(FormatError, match="this is an Arrow file: write Parquet"):
            read_records(tmp_path / "x.arrow")


def test_csv_keeps_what_spreadsheets_quote(tmp_path: Path) -> None:
    record = Sentence("1", '他说"好",\r\n走了\r', "a\rb")
    assert read("csv", written("csv", [record]), tmp_path / "x") == [record]


def test_csv_keeps_long_texts(tmp_path: Path) -> None:
    record = Sentence("1", "字" * 200_000)
    assert read("csv", written("csv", [record]), tmp_path / "x") == [record]


@pytest.mark.parametrize(
    "name", [name for name, format in FORMATS.items() if format.writes and name != "pharaoh"]
)
def test_a_lone_surrogate_cannot_be_written(name: str) -> None:
    text = "\ud800"
    words = Segmentation(text, (1,))
    with pytest.raises(FormatError, match="^id 1: cannot be written as "):
        written(
            name,
            [
                Sentence(
                    "1",
                    text,
                    text,
                    segmentation=words,
                    alignment=anchors(text, text),
                    target_segmentations=(words,),
                )
            ],
        )


@pytest.mark.parametrize("name", ["jsonl", "csv", "tsv", "parquet", "mucgec"])
def test_nor_in_another_reference(name: str) -> None:
    record = Sentence("1", "我", ("你", "你\ud800"), reference=1)
    with pytest.raises(FormatError, match="^id 1: cannot be written as "):
        written(name, [record])


def test_a_line_that_begins_with_a_byte_order_mark_would_lose_it(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"id \\ufeff1: begins with U\+FEFF"):
        written("mucgec", [Sentence("\ufeff1", "我", "我")])
    record = Sentence("1", "\ufeff我", "我")
    assert read("mucgec", written("mucgec", [record]), tmp_path / "x") == [record]


@pytest.mark.parametrize("content", ["5", "null", '"好"'])
def test_json_that_is_neither_array_nor_object_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match="expected an array or an object of objects, got"):
        list(read_sentences(path))
