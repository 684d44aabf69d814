"""Files of corrections, scored as lists of texts are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cijie import score, score_files
from cijie.errors import UsageError

SOURCES = ["他去学较", "我去"]
OUTPUTS = ["他也去学校", "我去"]
REFERENCES = [["他去学校"], ["我走", "我去"]]
FEW = {"trials": 10}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sentences as files with ids, and as files of lines."""
    rows = [f"{n}\t{s}\t{o}\n" for n, (s, o) in enumerate(zip(SOURCES, OUTPUTS, strict=True), 1)]
    (tmp_path / "mine.tsv").write_text("".join(rows), encoding="utf-8")
    rows = [
        "\t".join([str(n), s, *r]) + "\n"
        for n, (s, r) in enumerate(zip(SOURCES, REFERENCES, strict=True), 1)
    ]
    (tmp_path / "dev.tsv").write_text("".join(rows), encoding="utf-8")
    lines = {"S": SOURCES, "H": OUTPUTS, "R1": ["他去学校", "我走"], "R2": ["", "我去"]}
    for name, texts in lines.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return tmp_path


def test_files_are_scored_as_lists_are(folder: Path) -> None:
    expected = score(SOURCES, {"mine": OUTPUTS}, REFERENCES, segmenter=list, **FEW)
    found = score_files(folder / "dev.tsv", folder / "mine.tsv", segmenter=list, **FEW)
    assert found == expected
    skipped = Counter[str]()
    of_lines = score_files(
        [folder / "R1.txt", folder / "R2.txt"],
        {"mine": folder / "H.txt"},
        sources=folder / "S.txt",
        segmenter=list,
        skipped=skipped,
        **FEW,
    )
    assert of_lines == expected
    assert skipped == {"empty references": 1}


def test_the_edits_that_it_writes_have_the_same_score(folder: Path) -> None:
    settings = {"level": "char", **FEW}
    made = folder / "m2"
    found = score_files(folder / "dev.tsv", folder / "mine.tsv", write_m2=made, **settings)
    assert sorted(path.name for path in made.iterdir()) == ["mine.m2", "references.m2"]
    again = score_files(made / "references.m2", made / "mine.m2", **FEW)
    assert again.systems["mine"].counts == found.systems["mine"].counts
    assert again.systems["mine"].by("type") == found.systems["mine"].by("type")
    with pytest.raises(UsageError, match="M2 has edits"):
        score_files(made / "references.m2", made / "mine.m2", level="char")


def test_what_does_not_go_together(folder: Path) -> None:
    dev, mine = folder / "dev.tsv", folder / "mine.tsv"
    with pytest.raises(UsageError, match="give sources, too"):
        score_files([dev, dev], mine)
    with pytest.raises(UsageError, match="neither a segmenter nor words"):
        score_files(dev, mine, level="char", segmenter=list)
    with pytest.raises(UsageError, match="choose another name"):
        score_files(dev, {"references": mine})
