"""The figures that the paper reports, to be shown beside those of a run.

All are copied from Wang, Li, Yuan and Park, "Chinese Word Boundary Recovery through Character
Alignment Projection", and are about all 1,079 pairs of its learner benchmark. Nothing here is
computed, and nothing that a run computes depends on it. The paper's weights and threshold are the
defaults of `cijie.experiments.settings.Setting`.

Each table has the name of the table of a run that it belongs beside. Its rows are called as there,
its columns are those that the paper reports, and its caption says where.
"""

from __future__ import annotations

from cijie.evaluation.tables import Column, Table

CITATION = (
    "Wang, Li, Yuan and Park, “Chinese Word Boundary Recovery through Character Alignment "
    "Projection”"
)

_F1 = Column("F1", ".4f")

DATA = Table(
    "data",
    "learner benchmark",
    (
        Column("pairs"),
        Column("number"),
        Column("source characters"),
        Column("gold source words"),
        Column("target words"),
    ),
    (("all", 1_079, 48_778, 32_536, 33_140),),
)
SCORES = Table(
    "scores",
    "Table 1",
    (Column("system"), _F1),
    (("D", 0.9891), ("P1", 0.9899), ("P2", 0.9916)),
)
DIFFERENCES = Table(
    "differences",
    "Table 1",
    (Column("systems"), Column("p", ".4f")),
    (("P1 vs D", 0.2690), ("P2 vs D", 0.0026), ("P2 vs P1", 0.0006)),
)
ABLATION = Table(
    "ablation",
    "Table 2",
    (Column("setting"), _F1),
    (
        ("P2", 0.9916),
        ("- emb", 0.9902),
        ("- glyph", 0.9899),
        ("- pinyin", 0.9916),
        ("- pos", 0.9899),
    ),
)
ERRORS = Table(
    "errors",
    "Table 3",
    (Column("system"), Column("over"), Column("under"), Column("drift")),
    (("D", 172, 52, 3), ("P1", 120, 88, 3), ("P2", 88, 84, 4)),
)
LINKS = Table(
    "links",
    "section 5.1",
    (
        Column("system"),
        Column("source coverage", ".2%"),
        Column("target coverage", ".2%"),
        Column("residual links"),
        Column("crossing an anchor"),
        Column("in sentences"),
    ),
    (("P1", 0.9309, 0.9136, "", "", ""), ("P2", 0.9561, 0.9384, 1_230, 737, 334)),
)
IBM = Table(
    "ibm",
    "IBM-style aligner",
    (Column("system"), _F1),
    (("D", 0.9891), ("P2", 0.9916), ("IBM", 0.9489)),
)
