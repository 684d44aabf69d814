from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.anchors import anchors
from cijie.corpora.formats import format_to_read, format_to_write, formats
from cijie.corpora.mucgec import NO_ERROR
from cijie.corpora.records import Record
from cijie.errors import CijieError, FormatError
from cijie.recovery.recoverer import Recoverer
from cijie.text.segmentation import Segmentation

from strategies import texts

NEEDS = {"conllu": "conllu", "parquet": "pyarrow", "arrow": "pyarrow"}
LOSSLESS = ["jsonl", "parquet", "arrow"]
OF_WORDS = ["text", "bmes", "conllu", "para", "cherrant", "errant", "csv", *LOSSLESS]


def one_by_one(text: str) -> list[str]:
    return list(text)


def recovered(pairs: list[tuple[str, str]]) -> list[Record]:
    recoverer = Recoverer(one_by_one, "p1")
    return [
        Record.from_dict(recovery.as_record(id), id)
        for id, recovery in recoverer.recover_with_ids(pairs)
    ]


def written(name: str, records: list[Record]) -> bytes:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    stream = BytesIO()
    formats()[name].write(records, stream)
    return stream.getvalue()


def read(name: str, content: bytes, path: Path) -> list[Record]:
    path.write_bytes(content)
    return list(formats()[name].read(path))


@pytest.mark.parametrize("name", OF_WORDS)
def test_what_is_written_is_read_and_written_again(name: str, tmp_path: Path) -> None:
    records = recovered([("我去学较", "我去了学校"), ("他说OK", "他说好"), ("好🙂", "好🙂")])
    content = written(name, records)
    back = read(name, content, tmp_path / "x")
    assert written(name, back) == content
    assert [record.words() for record in back] == [record.words() for record in records]
    if name in LOSSLESS:
        assert back == records
    if name in (*LOSSLESS, "csv", "para", "cherrant", "errant"):
        assert [record.target for record in back] == [record.target for record in records]


@pytest.mark.parametrize("name", [*LOSSLESS, "csv"])
@given(st.lists(st.tuples(texts, texts.filter(bool)), max_size=3))
def test_texts_survive(
    name: str, tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    records = recovered(pairs)
    back = read(name, written(name, records), tmp_path_factory.mktemp("formats") / "x")
    assert [(r.id, r.source, r.target) for r in back] == [
        (r.id, r.source, r.target) for r in records
    ]
    # An empty cell is no value, so an empty text has no words there.
    assert [r.words() if r.segmentation else [] for r in back] == [r.words() for r in records]


@pytest.mark.parametrize("name", ["text", "bmes"])
@given(st.lists(texts, max_size=3))
def test_sentence_n_stays_sentence_n(
    name: str, tmp_path_factory: pytest.TempPathFactory, sources: list[str]
) -> None:
    records = [
        Record(str(k), text, Recoverer(one_by_one, "direct").recover(text, "").segmentation)
        for k, text in enumerate(sources, start=1)
    ]
    back = read(name, written(name, records), tmp_path_factory.mktemp("formats") / "x")
    # Not the words: a mark that follows a blank belongs to the character before it once joined.
    assert [(r.id, r.source) for r in back] == [(r.id, "".join(r.words())) for r in records]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b'{"source": "x"}\n', "jsonl"),
        (b"PAR1...", "parquet"),
        (b"ARROW1..", "arrow"),
        ("S 我 去\nT0 没有错误\n".encode(), "cherrant"),
        ("S 我 去\r\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\r\n".encode(), "errant"),
        (b"# newdoc\n# text = a\n1\ta" + b"\t_" * 8 + b"\n\n", "conllu"),
        ("我\tS\n".encode(), "bmes"),
        ("去 B\n".encode(), "bmes"),
        ("<DOC>\n<S ID=1>\n我 去\n</S>\n".encode("gb18030"), "ctb"),
        ("1\t我去\t我去了\n".encode(), "mucgec"),
        ("1\t我 去\t我 去 了\n".encode(), "para"),
        ("\ufeff你好\n我 去\n".encode(), "text"),
    ],
)
def test_recognised_by_content(content: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    assert format_to_read(path).name == name


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("x.m2", "S 我 {}\nT0 没有错误\n", "cherrant"),
        ("x.tsv", "1\t我 {}\t我 去\n", "mucgec"),
        ("x.para", "1\t我 {}\t我 去\n", "para"),
        ("x.txt", "我 {}\n", "text"),
        ("x", '{{"source": "{}"}}\n', "jsonl"),
    ],
)
def test_a_long_first_line_leaves_it_to_the_name(
    file: str, content: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.write_text(content.format("去 " * 50_000), encoding="utf-8")
    assert format_to_read(path).name == name


def test_content_that_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("我去学校\n", encoding="utf-8")
    with pytest.raises(FormatError, match="cannot tell"):
        format_to_read(path)
    path = tmp_path / "x"
    path.write_text("1\t" + "我 去" * 50_000, encoding="utf-8")
    with pytest.raises(FormatError, match="cannot tell"):
        format_to_read(path)


@pytest.mark.parametrize(
    ("path", "name"),
    [("x.JSONL", "jsonl"), ("x.txt", "text"), ("a.b.conllu", "conllu"), ("x.links", "pharaoh")],
)
def test_the_name_says_what_to_write(path: str, name: str) -> None:
    assert format_to_write(path).name == name


@pytest.mark.parametrize(("path", "hint"), [("x.m2", "cherrant or errant"), ("x", "a format")])
def test_names_that_do_not_say_it(path: str, hint: str) -> None:
    with pytest.raises(ValueError, match=hint):
        format_to_write(path)


@pytest.mark.parametrize("name", ["text", "bmes", "conllu", "para", "cherrant", "errant"])
def test_words_that_are_not_there(name: str) -> None:
    with pytest.raises(FormatError, match="id 7: has no words"):
        written(name, [Record("7", "我去", target="我去了")])


@pytest.mark.parametrize("name", ["mucgec", "para"])
def test_a_target_that_is_not_there(name: str) -> None:
    with pytest.raises(FormatError, match="id 7: has no target"):
        written(name, [Record("7", "我去", Segmentation("我去", (1, 2)))])


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("mucgec", Record("1", "我\t去", target="好")),
        ("mucgec", Record("1", "我", target="好\n")),
        ("para", Record("a\tb", "我", Segmentation("我", (1,)), "我", Segmentation("我", (1,)))),
        ("conllu", Record("1", "我\n去", Segmentation("我\n去", (1, 3)))),
        ("conllu", Record("1", "我\n", Segmentation("我\n", (1,)))),
        ("conllu", Record("1", "a\tb", Segmentation("a\tb", (3,)))),
        ("para", Record("1", "我", Segmentation("我", (1,)), "", Segmentation("", ()))),
        (
            "para",
            Record("1", "我", Segmentation("我", (1,)), NO_ERROR, Segmentation(NO_ERROR, (4,))),
        ),
        ("pharaoh", Record("1", "我", target="好")),
    ],
)
def test_what_a_format_cannot_express(name: str, record: Record) -> None:
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
        ("bmes", "我\tB\n去\tS\n", 2),
        ("bmes", "我\tE\n", 1),
        ("bmes", "我\tB\n\n", 2),
        ("bmes", "我\tB\n", 1),
        ("bmes", "我 去\tX\n", 1),
        ("conllu", "1\t我" + "\t_" * 8 + "\n\n# text = 你\n1\t我" + "\t_" * 8 + "\n", 3),
        ("conllu", "1\t我\t_\n", 1),
        ("conllu", "# global.columns = FORM ID\n我\t1" + "\t_" * 8 + "\n", 1),
        ("conllu", "# global.columns = ID FORM PARSEME:MWE\n1\t我\t*\n", 1),
        ("conllu", "#global.columns=\n1\t我" + "\t_" * 8 + "\n", 1),
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


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_bad_tables(name: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(FormatError, match="not a"):
        read(name, b"nothing of that kind", tmp_path / "x")
    stream = BytesIO()
    from pyarrow import feather, parquet

    table = pa.table({"source": ["我", None]})
    if name == "parquet":
        parquet.write_table(table, stream)
    else:
        feather.write_feather(table, stream, compression="uncompressed")
    with pytest.raises(FormatError, match="row 2: 'source' is missing"):
        read(name, stream.getvalue(), tmp_path / "x")


def test_conllu_with_multiword_tokens_empty_nodes_and_no_text(tmp_path: Path) -> None:
    pytest.importorskip("conllu")
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
    assert (record.id, record.source, record.words()) == (
        "a-1",
        "咱俩去 KTV",
        ["咱俩", "去", "KTV"],
    )


def test_conllu_may_name_its_columns(tmp_path: Path) -> None:
    pytest.importorskip("conllu")
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n"
    row = "1\t我们" + "\t_" * 8
    [record] = read("conllu", f"{columns}{row}\n".encode(), tmp_path / "x")
    assert record.cut().tokens == ["我们"]


def test_conllu_leaves_the_white_space(tmp_path: Path) -> None:
    pytest.importorskip("conllu")
    text = "\u3000我 学 deep learning课 "
    record = Record("x ", text, Segmentation.from_tokens(text, ["我", "学", "deep learning", "课"]))
    content = written("conllu", [record])
    assert b"3\tdeep learning\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" in content
    assert read("conllu", content, tmp_path / "x") == [record]


def test_arrow_streams_are_read_too(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"source": ["我去"], "tokens": [[[0, 1], [1, 2]]], "other": [1]})
    with pa.ipc.new_stream(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    [record] = formats()["arrow"].read(tmp_path / "x.arrow")
    assert record == Record("1", "我去", Segmentation("我去", (1, 2)))


def test_csv_keeps_what_spreadsheets_quote(tmp_path: Path) -> None:
    record = Record("1", '他说"好",\r\n走了\r', target="a\rb")
    assert read("csv", written("csv", [record]), tmp_path / "x") == [record]


def test_csv_keeps_long_texts(tmp_path: Path) -> None:
    record = Record("1", "字" * 200_000)
    assert read("csv", written("csv", [record]), tmp_path / "x") == [record]


@pytest.mark.parametrize("name", [name for name, format in formats().items() if format.writer])
def test_a_lone_surrogate_cannot_be_written(name: str) -> None:
    text = "\ud800"
    words = Segmentation(text, (1,))
    with pytest.raises(FormatError, match="^id 1: cannot be written as UTF-8"):
        written(name, [Record("1", text, words, text, words, alignment=anchors(text, text))])


def test_a_mark_at_the_start_of_a_file_comes_back(tmp_path: Path) -> None:
    record = Record("\ufeff1", "\ufeff我", target="我")
    assert read("mucgec", written("mucgec", [record]), tmp_path / "x") == [record]
