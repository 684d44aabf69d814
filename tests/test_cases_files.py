"""Files that broke other tools, and their kin. The numbers are those of the list of such cases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.corpora.formats import FORMATS
from cijie.corpora.segmentations import read_segmentations
from cijie.corpora.writing import write as write_sentences
from cijie.errors import CijieError, FormatError
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from readers import NEEDS
from sentences import read_pairs, read_records


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, list(map(str, arguments)))


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_31_a_blank_in_the_first_row_does_not_make_it_a_row_of_words(tmp_path: Path) -> None:
    rows = "1\t我会 Python\t我会用 Python\n2\t我参加了 旅行困\t我参加了旅行团\n"
    first, second = read_records(write(tmp_path / "x.tsv", rows))
    assert (first.source, first.target) == ("我会 Python", "我会用 Python")
    assert second.segmentation is None
    with pytest.raises(FormatError, match="x.txt: unknown format: name it with --from NAME"):
        read_records(write(tmp_path / "x.txt", rows))
    [record, _] = read_records(write(tmp_path / "x.para", "1\t我们\t我们 去\n2\t我 去\t我\n"))
    assert record.known_words().tokens == ["我们"]


GOLD = {"a": ["我们", "去", "旅行"], "b": ["好"]}
SYSTEM = {"a": ["我们", "去", "旅", "行"], "b": ["好"]}


@pytest.mark.parametrize("name", ["csv", "tsv", "conllu", "parquet", "bmes", "text"])
def test_32_scores_are_the_same_in_every_format(name: str, tmp_path: Path) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    format = FORMATS[name]
    scores = []
    for kind in (FORMATS["jsonl"], format):
        paths = []
        for stem, words in (("gold", GOLD), ("system", SYSTEM)):
            texts = {id: Segmentation.from_tokens("".join(x), x) for id, x in words.items()}
            path = tmp_path / f"{stem}{kind.endings[-1]}"
            with path.open("wb") as stream:
                records = [Sentence(id, x.text, segmentation=x) for id, x in texts.items()]
                write_sentences(records, stream, kind)
            paths.append(path)
        result = run("evaluate", *paths, "--trials", 1, "--format", "json")
        assert result.exit_code == 0, result.stderr
        [system] = orjson.loads(result.stdout)["scores"]["rows"].values()
        scores.append(system)
    assert scores[0] == scores[1]
    assert scores[0]["F1"] == pytest.approx(2 * 3 / (4 + 5))


def test_32_files_without_words_have_no_score(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", '{"source": "我去", "words": ["我", "去"]}\n')
    system = write(tmp_path / "x.tsv", "1\t我去\t我去了\n")
    result = run("evaluate", gold, system)
    assert result.exit_code == 1
    assert (
        "x.tsv: expected words, but mucgec (id, source, references, with tabs) has no words"
        in result.stderr
    )


def test_35_numeric_ids_are_whole_numbers(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    lines = "".join(
        f'{{"id": {id}, "source": "我", "target": "你"}}\n' for id in ("5.0", '"6"', 7, "null")
    )
    path = write(tmp_path / "x.jsonl", lines)
    assert [pair.id for pair in read_pairs(path)] == ["5", "6", "7", "4"]
    table = {"source": ["我"] * 3, "target": ["你"] * 3, "id": [5.0, 6.0, None]}
    write_table(pa.table(table), tmp_path / "x.parquet")
    assert [pair.id for pair in read_pairs(tmp_path / "x.parquet")] == ["5", "6", "3"]
    for id in ("true", "[5]", "5.5", "{}"):
        path = write(tmp_path / "x.jsonl", f'{{"id": {id}, "source": "我", "words": ["我"]}}\n')
        for read in (read_records, read_segmentations):
            with pytest.raises(FormatError, match=r"x.jsonl:1:.* 'id' is neither a string nor"):
                list(read(path))


def test_36_carriage_returns_end_no_lines(tmp_path: Path) -> None:
    for end in "\r\n":
        path = write(tmp_path / "x.tsv", f"1\t我\t你\r2\t他\t她{end}3\t好\t好的{end}")
        with pytest.raises(
            FormatError, match=r"x.tsv:1: a carriage return \(U\+000D\) at column 6"
        ):
            list(read_pairs(path))
    path = write(tmp_path / "x.csv", "source,target\r我,你\r")
    with pytest.raises(FormatError, match=r"x.csv:1: not CSV"):
        list(read_pairs(path))


@pytest.mark.parametrize("name", ["text", "bmes", "para", "cherrant", "errant", "csv"])
def test_40_what_would_be_joined_is_refused(name: str, tmp_path: Path) -> None:
    """Two regional indicators with a blank between: without it they are one flag."""
    source = Segmentation.from_tokens("🇨 🇳", ["🇨", "🇳"])
    record = Sentence(
        "x", source.text, source.text, segmentation=source, target_segmentations=(source,)
    )
    with (tmp_path / "x").open("wb") as stream:
        if name == "csv":
            write_sentences([record], stream, FORMATS[name])
        else:
            with pytest.raises(FormatError, match="id x: has words that this format cannot keep"):
                write_sentences([record], stream, FORMATS[name])
    if name == "csv":
        assert [x.known_words() for x in read_records(tmp_path / "x", name)] == [source]


def test_46_columns_that_nobody_needs_may_be_of_any_type(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    times = pa.array([1, 10**18 + 1], pa.timestamp("ns", tz="Asia/Shanghai"))
    far = pa.array([2**31 - 1, None], pa.date32())
    spans = pa.array([1, None], pa.duration("ns"))
    twice = pa.StructArray.from_arrays([times, times], ["a", "a"])
    columns = {"source": ["我", "你"], "t": times, "far": far, "spans of time": spans, "s": twice}
    table = pa.table(columns)
    write_table(table.drop_columns("s"), tmp_path / "x.parquet")
    assert [record.source for record in read_records(tmp_path / "x.parquet")] == ["我", "你"]


def test_rows_and_blocks_without_a_sentence_are_counted(tmp_path: Path) -> None:
    skipped: Counter[str] = Counter()
    path = write(tmp_path / "x.csv", "id,source,target\n1,我,你\n,,\n2,他,她\n,,\n")
    assert [pair.id for pair in read_pairs(path, skipped=skipped)] == ["1", "2"]
    assert skipped == {"empty rows": 2}
    skipped.clear()
    word = "1\t我" + "\t_" * 8
    path = write(tmp_path / "x.conllu", f"# by nobody\n\n# sent_id = a\n{word}\n\n# the end\n\n")
    assert [record.id for record in read_records(path, skipped=skipped)] == ["a"]
    assert skipped == {"blocks of comments": 2}


def test_references_without_a_target(tmp_path: Path) -> None:
    """Alike in every command: what is null is not there."""
    line = '{"source": "我去学较", "target": null, "references": ["我来学校呢", "我去学校"]}\n'
    path = write(tmp_path / "x.jsonl", line)
    [pair] = read_pairs(path)
    assert (pair.target, pair.reference) == ("我去学校", 2)
    for command in (("align", path, "--method", "p1"), ("m2", path, "--level", "char")):
        assert run(*command).exit_code == 0
    with pytest.raises(CijieError, match="x.jsonl:1: id 1: 'target' is missing"):
        list(read_pairs(write(path, '{"source": "我", "target": null}\n')))


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16"])
def test_files_in_other_encodings(encoding: str, tmp_path: Path) -> None:
    rows = "1\t我去学较\t我去学校\n"
    path = write(tmp_path / "x.tsv", rows.encode(encoding))
    result = run("recover", path, "--segmenter", "builtins:list")
    assert result.exit_code == 1
    assert f"--encoding {encoding}" in result.stderr
    arguments = ("recover", path, "--encoding", encoding, "--segmenter", "builtins:list")
    assert orjson.loads(run(*arguments).stdout)["target"] == "我去学校"
    assert run("recover", path, "--encoding", "klingon").exit_code == 2


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", "sid,learner,corrected\n7,我去学较,我去学校\n")
    names = "source=learner,target=corrected,id=sid"
    result = run("align", path, "--columns", names, "--method", "p1")
    assert orjson.loads(result.stdout)["id"] == "7"
    assert run("align", path, "--columns", "source").exit_code == 2
    assert run("align", path, "--columns", "sorce=learner").exit_code == 2
    assert "no column 'source'" in run("align", path).stderr
    tsv = write(tmp_path / "x.tsv", "1\t我\t你\n")
    assert run("align", tsv, "--columns", names).exit_code == 2
    assert run("align", tsv, "--from", "mucgec", "--columns", names).exit_code == 2
