from __future__ import annotations

from dataclasses import replace

import pytest

from cijie.corpora.segmentations import source_checksum
from cijie.paper import failures
from cijie.paper.cases import Case
from cijie.paper.failures import EXAMPLES, appendix_table, broken_table, example_tables
from cijie.paper.reproduction import Reproduction

from recovered import recovered


def test_the_examples_are_wrong_in_the_way_that_they_say() -> None:
    rows = [{row[0]: row[1:] for row in table.rows} for table in example_tables()]
    missing, shorter, residual = rows
    assert missing["D"] == missing["P1"] == missing["P2"] != missing["gold"]
    # Right under the first rule alone.
    for name in ("P1", "P2"):
        assert [made == shorter["gold"][0] for made in shorter[name]] == [True, False, False]
    assert residual["D"] == residual["P1"] == residual["gold"]
    assert not set(residual["P2"]) & set(residual["gold"])
    for example in EXAMPLES:
        assert example.initial.replace(" ", "") == example.gold.replace(" ", "")


def test_the_papers_sentences_are_shown_if_the_pairs_have_them(
    results: Reproduction, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert appendix_table(results) is None
    source = results.recoveries["D"]["0"].source
    known = {"0": source_checksum(source), "1": source_checksum("another sentence"), "99": ""}
    monkeypatch.setattr(failures, "APPENDIX", known)
    table = appendix_table(results)
    assert table is not None
    assert [row[0] for row in table.rows] == [
        "0, target", "0, gold", "0, D", "0, P1", "0, P2"
    ]  # fmt: skip
    assert table.rows[1][1] == "我 参加 了 旅行困"
    del known["0"]
    assert appendix_table(results) is None


def test_what_projection_breaks_is_shown_with_what_it_does(results: Reproduction) -> None:
    broken = "这 条 路 很长", "这 条 路很 长"
    right = "我 参加 了", "我 参加 了"
    recoveries = {
        name: {str(n): recovered(*pair, method) for n, pair in enumerate((broken, right))}  # type: ignore[arg-type]
        for name, method in (("D", "direct"), ("P1", "p1"), ("P2", "p2"))
    }
    cases = [
        Case(id, recovery.initial, recovery.target_segmentation, recovery.initial)
        for id, recovery in recoveries["D"].items()
    ]
    table = broken_table(replace(results, recoveries=recoveries, cases=cases))
    assert table.caption == "Regions that D cuts as gold does and P2 does not: 1"
    [row] = table.rows
    assert row[:-1] == ("0", "路 很长", "路 很长", "路很 长", "路很 长")
    assert row[-1] == "join at 3, as 路很; cut at 4, as 路很"
