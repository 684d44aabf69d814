"""All readers of users' files at once: what they accept, and what they say of what they do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cijie.corpora.reading import read as read_sentences
from cijie.errors import CijieError

from readers import NEEDS, Reader, readers
from strategies import damaged


def reader_of(name: str) -> Reader:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    return readers()[name]


def read(reader: Reader, content: bytes, folder: Path) -> Path:
    path = folder / reader.file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    reader.read(path)
    return path


@pytest.mark.parametrize("name", readers())
def test_the_example_is_read(name: str, tmp_path: Path) -> None:
    reader = reader_of(name)
    read(reader, reader.example(), tmp_path)


@pytest.mark.parametrize("name", readers())
@given(data=st.data())
@settings(max_examples=10, derandomize=True)
def test_whatever_a_file_holds_is_read_or_an_error_that_names_it(
    name: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    reader = reader_of(name)
    content = data.draw(damaged(reader.example()))
    found = None
    try:
        read(reader, content, tmp_path_factory.mktemp("read"))
    except CijieError as error:
        found = error.path
    else:
        return
    assert found is not None


NUMBERLESS = "_\t我" + "\t_" * 8


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("jsonl", '{"source": "我\\ud800"}', ":1: not JSON: "),
        (
            "jsonl",
            '{"source": "我", "target": "我", "links": [[0.0, 0]]}',
            ":1: id 1: links[0][0]: expected a whole number, got a number",
        ),
        (
            "jsonl",
            '{"source": "我", "tokens": ["我"], "confidences": "1"}',
            ":1: id 1: confidences: expected",
        ),
        (
            "results",
            '{"source": "我", "target": "我", "tokens": ["我"], "links": [[0.0, 0]]}',
            ":1:",
        ),
        ("csv", "source\n\xff", ":2: not UTF-8: byte 0xff at column 1"),
        ("csv", 'source\n"我', ":2: not CSV: unexpected end of data"),
        (
            "conllu",
            f"1\t我{NUMBERLESS[3:]}\n{NUMBERLESS}\n",
            ":1: id 1: not CoNLL-U: expected a number",
        ),
        (
            "ctb",
            "<DOC>\n<S ID=1>\n我 去\n<S ID=2>\n我\n</S>\n",
            ":2: id x-1: unclosed sentence: exp",
        ),
        ("ctb", "<S ID=1>" * 100_000, ":1: id x-1: unclosed sentence: expected </S>"),
        ("para", "1\t我 去\n", ":1: expected id, source and reference, separated by tabs"),
        (
            "errant",
            f"S 我\nA 0 {'1' * 5000}|||M|||去|||REQUIRED|||-NONE-|||0\n",
            ":2: expected A START END",
        ),
        (
            "errant",
            "S 我\nA 0 01|||R|||去|||REQUIRED|||-NONE-|||0\n",
            ":2: expected A START END|||TYPE",
        ),
        ("cherrant", f"S 我\nT{'1' * 5000} 去\n", ":2: expected A START END|||TYPE|||CORRECTION"),
        ("mucgec", "字" * 1_000_000, ":1: expected id, source and reference, separated by tabs"),
        ("mucgec", f"{'1' * 2000}\t我\t\t我", ":1: id 1111"),
        ("mucgec", "\0", ":1: expected id, source and reference, separated by tabs, got '\\x00'"),
        ("settings", f"a = {'[' * 5000}", ": not TOML: "),
        ("journal", "[]", ": not a journal of cijie"),
        (
            "journal",
            '{"run": {"signature": "s"}, "sha256": ""}',
            ": not a journal of cijie: its content does not match its checksum",
        ),
        ("card", "{}", ": not a data card of `cijie bench synthetic`"),
        ("votes", "{}", ":1: id None: unknown sentence: the sheet has no such id"),
        ("study", "{}", ": not a folder of `cijie annotate start`"),
    ],
)
def test_one_clear_error(name: str, content: str, message: str, tmp_path: Path) -> None:
    reader = reader_of(name)
    encoding = "latin-1" if "\xff" in content else "utf-8"
    with pytest.raises(CijieError) as caught:
        read(reader, content.encode(encoding), tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / reader.file}{message}")
    assert len(str(caught.value)) < 2200


def test_a_file_that_is_gone_when_it_is_read_again_is_said_to_be_gone(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    sentences = read_sentences(path, "pairs")
    assert len(list(sentences)) == 1
    path.unlink()
    with pytest.raises(FileNotFoundError):
        list(sentences)
