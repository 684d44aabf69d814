from __future__ import annotations

import csv
import json
from dataclasses import dataclass

import pytest

from cijie.alignment.links import Alignment, anchors
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.report import render
from cijie.evaluation.tables import Table
from cijie.text.segmentation import Segmentation

from strategies import words

LINKS = """\
system  source coverage  target coverage  anchors  residual links  crossing  in sentences\
  of residual links  of source characters  of linked characters
p_1              75.00%          100.00%        3               0         0             0\
              0.00%                 0.00%                 0.00%"""


@dataclass
class Recovered:
    segmentation: Segmentation
    alignment: Alignment


@pytest.fixture
def comparison() -> Comparison:
    recovered = Recovered(words("我 旅行团"), anchors("我旅行团", "旅行团"))
    return compare(["我 旅行团"], {"直接": ["我 旅行 团"], "p_1": [recovered]}, trials=99)


def test_text(comparison: Comparison) -> None:
    signature = comparison.signature
    assert render(comparison, "text") == (
        f"""\
Token scores (micro-averaged) and other scores
system  precision  recall      F1  macro F1  boundary F1  sentence accuracy
直接       0.3333  0.5000  0.4000    0.4000       0.6667             0.0000
p_1        1.0000  1.0000  1.0000    1.0000       1.0000             1.0000

Error regions
system  over  under  drift  all  over share  under share  drift share
直接       1      0      0    1      100.0%         0.0%         0.0%
p_1        0      0      0    0        0.0%         0.0%         0.0%

Differences in token F1, with 95% interval; sentences won, lost, tied
caution: no randomisation p-value (only one sentence differs); no bootstrap p-value (all \
sentences have the same scores); 1 sentence: fewer than 50 are too few to rely on
systems      difference      low     high  p (randomisation)  p (bootstrap)  won  lost  tied
p_1 vs 直接     +0.6000  +0.6000  +0.6000                  -              -    1     0     0

Contested regions, which the systems segment differently: 1
system  right   share
直接        0    0.0%
p_1         1  100.0%

Outcome patterns (g: right, b: wrong) of 直接, p_1
pattern  gold tokens  contested regions  sentences
gg                 1                  0          0
bg                 1                  1          1

Links, and residual links that cross an anchor (without anchors, another link)
{LINKS}

{signature}
"""
    )


def test_one_system_is_not_compared() -> None:
    text = render(compare(["旅行团"], {"D": ["旅行团"]}), "text")
    assert [line for line in text.splitlines() if line and not line[0].isspace()] == [
        "Token scores (micro-averaged) and other scores",
        "system  precision  recall      F1  macro F1  boundary F1  sentence accuracy",
        "D          1.0000  1.0000  1.0000    1.0000       0.0000             1.0000",
        "Error regions",
        "system  over  under  drift  all  over share  under share  drift share",
        "D          0      0      0    0        0.0%         0.0%         0.0%",
        text.splitlines()[-1],
    ]
    assert "trials" not in text


def test_json(comparison: Comparison) -> None:
    record = json.loads(render(comparison, "json"))
    assert record["signature"] == comparison.signature
    rows = {name: table["rows"] for name, table in record.items() if name != "signature"}
    assert rows["scores"]["直接"]["precision"] == 1 / 3
    assert rows["errors"]["直接"] | {"over": 1, "over share": 1} == rows["errors"]["直接"]
    assert list(rows["links"]) == ["p_1"]
    assert rows["links"]["p_1"]["source coverage"] == 0.75
    assert rows["differences"]["p_1 vs 直接"]["p (randomisation)"] is None
    assert record["differences"]["note"].startswith("caution: no randomisation p-value")
    assert rows["patterns"]["bg"] == {"gold tokens": 1, "contested regions": 1, "sentences": 1}
    assert rows["contested"]["p_1"] == {"right": 1, "share": 1}


def test_tsv_is_one_table_of_unrounded_values(comparison: Comparison) -> None:
    rows = list(csv.DictReader(render(comparison, "tsv").splitlines(), delimiter="\t"))
    assert {tuple(row) for row in rows} == {("table", "row", "column", "value")}
    values = {(row["table"], row["row"], row["column"]): row["value"] for row in rows}
    assert len(values) == len(rows)
    assert float(values["scores", "直接", "precision"]) == 1 / 3
    assert values["signature", "", ""] == comparison.signature


def test_latex(comparison: Comparison) -> None:
    latex = render(comparison, "latex")
    assert latex.startswith(f"% {comparison.signature}\n\n\\begin{{table}}\n")
    assert r"p\_1 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 & 1.0000 \\" in latex
    assert r"95\% interval" in latex
    assert r"p\_1 vs 直接 & $+0.6000$ & $+0.6000$ & $+0.6000$ & - & - & 1 & 0 & 0 \\" in latex
    assert latex.count(r"\toprule") == latex.count(r"\end{table}") == 6


def test_latex_of_any_name() -> None:
    table = Table("t", "", "system", {}, [("a&b%c$d#e_f{g}h~i^j\\",)])
    row = table.as_latex().splitlines()[7]
    assert row == (
        r"a\&b\%c\$d\#e\_f\{g\}h\textasciitilde{}i\textasciicircum{}j\textbackslash{} \\"
    )


def test_markdown() -> None:
    rows = [("a|b", 0.5, None), ("c", 1, 0.25)]
    table = Table("t", "Scores", "system", {"F1": ".4f", "p": ".3g"}, rows, "caution")
    assert table.as_markdown() == (
        "Scores\n\n| system | F1 | p |\n| --- | ---: | ---: |\n"
        "| a&#124;b | 0.5000 | - |\n| c | 1.0000 | 0.25 |\n\ncaution"
    )


def test_a_missing_value_is_empty_in_tsv() -> None:
    table = Table("t", "Scores", "system", {"F1": ".4f", "p": ".3g"}, [("a|b", 0.5, None)])
    assert table.as_tsv().splitlines()[1] == "t\ta|b\tp\t"


def test_a_table_is_rectangular() -> None:
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table("t", "", "a", {}, [("b", 1)])


def test_an_unknown_format(comparison: Comparison) -> None:
    with pytest.raises(ValueError, match="unknown format 'html'"):
        render(comparison, "html")  # type: ignore[arg-type]
