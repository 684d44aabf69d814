"""The figures that the paper reports, to be shown beside those of a run.

All are copied from Wang, Li, Yuan and Park, "Chinese Word Boundary Recovery through Character
Alignment Projection", and are about all 1,079 pairs of its learner benchmark. Nothing here is
computed, and nothing that a run computes depends on it. The paper's weights and threshold are the
defaults of `cijie.paper.grid.Setting`.

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

BENCHMARKS = Table(
    "benchmarks",
    "Tables 4 and 6",
    (
        Column("sentences of"),
        Column("sentences"),
        Column("levels of noise"),
        Column("gold source tokens"),
        Column("target tokens"),
    ),
    (
        ("the learner benchmark", 1_079, "", 32_536, 33_140),
        ("the synthetic benchmark", 1_079, 10, "", ""),
    ),
)
SELECTION = Table(
    "selection",
    "Table 5",
    (Column("decided by"), Column("sentences"), Column("share", ".1%")),
    (
        ("both rankings, which agree", 765, ""),
        ("votes, where they disagree", 314, ""),
        ("votes: unanimous", 115, 0.366),
        ("votes: majority", 199, 0.634),
        ("votes: disputed", 0, 0.0),
        ("votes: mean pairwise agreement", "", 0.577),
    ),
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
    (Column("systems"), Column("difference", "+.4f"), Column("p", ".4f")),
    (
        ("P1 vs D", 0.0008, 0.2690),
        ("P2 vs D", "", 0.0026),
        ("P2 vs P1", 0.0017, 0.0006),
    ),
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
    (
        *map(Column, ("system", "over", "under", "drift")),
        *(Column(f"{kind} share", ".1%") for kind in ("over", "under", "drift")),
    ),
    (
        ("D", 172, 52, 3, 0.758, 0.229, 0.013),
        ("P1", 120, 88, 3, 0.569, 0.417, 0.014),
        ("P2", 88, 84, 4, 0.500, 0.477, 0.023),
    ),
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
CROSSING = Table(
    "crossing",
    "section 5.1",
    (
        Column("system"),
        *(
            Column(f"of {whole}", ".2%")
            for whole in ("residual links", "source characters", "linked source characters")
        ),
    ),
    (("P2", 0.5992, 0.0151, 0.0158),),
)
_IBM = 0.9489
IBM = Table("ibm", "IBM-style aligner", SCORES.columns, (*SCORES.rows, ("IBM", _IBM)))
READINGS = Table(
    "readings",
    "Tables 1 and 3",
    (*SCORES.columns, Column("over/under/drift")),
    (
        *(
            (name, f1, f"{over}/{under}/{drift}")
            for (name, f1), (_, over, under, drift, *_) in zip(
                SCORES.rows, ERRORS.rows, strict=True
            )
        ),
        ("IBM", _IBM, ""),
    ),
)
