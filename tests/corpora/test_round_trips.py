"""What goes into a format comes out again, or is refused: hostile texts, and all about them."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cijie.corpora.formats import FORMATS
from cijie.errors import CijieError
from cijie.projection.boundaries import Doubt, project
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from readers import NEEDS, check_round_trip, written
from recovered import MOVED, SUBSTITUTED
from recovered import recovered as recovered_by
from strategies import aligned, segmentations, texts, words

WRITTEN = [name for name, format in FORMATS.items() if format.reads and format.writes]

ids = st.one_of(texts, st.sampled_from(["1", "7", "a b", "", "x\ty", "\x1b]0;x\x07"]))


@st.composite
def recovered(draw: st.DrawFn) -> Sentence:
    """A record with everything, as recovery gives it."""
    initial, target, alignment = draw(aligned())
    projection = project(initial, target, alignment)
    words = len(projection.segmentation)
    record = Sentence(
        draw(ids),
        initial.text,
        target.text,
        segmentation=projection.segmentation,
        initial=initial,
        alignment=alignment,
        changes=projection.changes,
        target_segmentations=(target,),
    )
    if draw(st.booleans()) and words:
        confidences = draw(st.lists(st.floats(0, 1), min_size=words, max_size=words))
        doubts = [Doubt(x.at, x.kind == "insert", 0.5, x.by, x.word) for x in projection.changes]
        return replace(record, confidences=tuple(confidences), doubts=tuple(doubts))
    return record


@st.composite
def corrected(draw: st.DrawFn) -> Sentence:
    """A record with corrections, with or without words, or with the reason why it has none."""
    source = draw(segmentations())
    cut = draw(st.booleans())
    if status := draw(st.sampled_from([None, "no error", "not annotatable", "no reference"])):
        target = source if status == "no error" else None
        return Sentence(
            draw(ids),
            source.text,
            () if target is None else (target.text,),
            status=status,
            segmentation=source if cut else None,
            target_segmentations=(target,) if cut and target is not None else (),
        )
    targets = draw(st.lists(segmentations(), min_size=1, max_size=3))
    if cut:
        return Sentence.with_targets(draw(ids), source, targets)
    return Sentence.with_targets(draw(ids), source.text, [target.text for target in targets])


@given(record=st.one_of(recovered(), corrected()))
def test_conllu_keeps_the_rules_of_ud(record: Sentence) -> None:
    """Those of UD's validator on columns, comments and MISC."""
    try:
        rows = written("conllu", [record]).decode().split("\n")
    except CijieError:  # it has no place for something
        return
    assert [row.split(" = ")[0] for row in rows[:2]] == ["# sent_id", "# text"]
    comments = [row.partition(" = ")[0] for row in rows if row.startswith("# ")]
    assert len(set(comments)) == len(comments)
    assert rows[-2:] == ["", ""]
    for number, row in enumerate(rows[len(comments) : -2], start=1):
        columns = row.split("\t")
        assert (len(columns), columns[0], {*columns[2:9]}) == (10, str(number), {"_"})
        assert all(columns)
        if columns[9] != "_":
            pairs = [pair.split("=", 1) for pair in columns[9].split("|")]
            names = [name for name, _ in pairs]
            assert names == sorted(set(names), key=str.lower)
            assert all(value and not re.search(r"\s", value) for _, value in pairs)


def test_the_validator_of_ud_takes_conllu(tmp_path: Path) -> None:
    """Of columns, comments and MISC; heads are filled in, as cijie knows none."""
    pytest.importorskip("udtools")
    pairs = [
        SUBSTITUTED,
        MOVED,
        ("会 C++|a=b\\s 的", "会 C++|a=c 的"),
        ("吃 么 什 \u200b？", "吃 什么 ？"),
    ]
    spaced = Segmentation("他 说\u3000「好」 ok", (1, 3, 5, 6, 7, 10))
    records: list[Sentence] = [
        *(replace(recovered_by(*pair), id=f"p{k}") for k, pair in enumerate(pairs)),
        Sentence("a", spaced.text, ("他说",), segmentation=spaced),
        Sentence.with_targets("b", words("好"), [words("很 好"), words("真 好")]),
        Sentence("c", "好", (), segmentation=words("好"), status="not annotatable", label="歧义句"),
    ]
    path = tmp_path / "x.conllu"
    path.write_bytes(written("conllu", records))
    for level in ("1", "2"):
        run = [sys.executable, "-m", "udtools.cli", "--lang", "ud", "--level", level, str(path)]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        text = path.read_text(encoding="utf-8")
        headed = re.sub(r"(?m)^(\d+)\t(.*)(?:\t_){7}\t", _headed, text)
        path.write_text(headed, encoding="utf-8")


def _headed(row: re.Match[str]) -> str:
    head = "0\troot" if row[1] == "1" else "1\tdep"
    return f"{row[1]}\t{row[2]}\t_\tX\t_\t_\t{head}\t_\t"


@pytest.mark.parametrize("name", WRITTEN)
@given(records=st.lists(st.one_of(recovered(), corrected()), max_size=3))
@settings(max_examples=60)
def test_what_a_format_holds_comes_back(
    name: str, tmp_path_factory: pytest.TempPathFactory, records: list[Sentence]
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    path = tmp_path_factory.getbasetemp() / name
    check_round_trip(records, name, path)
    for record in records:
        check_round_trip([record], name, path)
