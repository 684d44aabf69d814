"""The names of all variants that users choose from; light to import, for the command line."""

from __future__ import annotations

from typing import Literal

Method = Literal["direct", "dictionary", "p1", "p2", "p3"]
"""Methods of recovery; see `cijie.recovery.methods.make_method`."""

Definition = Literal["pinyin-marks", "pinyin-numbers", "tone-aware"]
"""Definitions of similarity of sound; see `cijie.similarity.phonology`."""

Position = Literal["global", "local"]
"""Definitions of position; see `cijie.similarity.features`."""

HabitsName = Literal["builtin", "none"]
"""The habits of a segmenter that P3 weighs: those of wapic, or none."""

OnError = Literal["raise", "keep"]
"""Handling of an error about one sentence: `"raise"` raises it, `"keep"` puts it in place of the
result and continues."""

Language = Literal["en", "zh"]
"""Languages of messages in pictures and pages."""

JoinRule = Literal["equal-length", "contiguous", "endpoints"]
"""When a target word of two or more characters joins source characters.

`"equal-length"`: all its characters are linked, to a contiguous source span as long as it (the
paper's appendix). `"contiguous"`: two or more of its characters are linked, and those cover a
contiguous source span. `"endpoints"`: two or more are linked; the first and the last of the source
characters are joined with all that stands between them, unless white space does. docs/method.md
compares the three."""


Detail = Literal["level", "operation", "type", "length"]
"""A table of scores of corrections that is shown on demand: the detection, where only the place of
an edit must be right; or the corrections by operation, by type or by length."""

FormatName = Literal[
    "jsonl",
    "json",
    "parquet",
    "csv",
    "csv-bom",
    "tsv",
    "lines",
    "text",
    "bmes",
    "conllu",
    "ctb",
    "mucgec",
    "para",
    "cherrant",
    "errant",
    "pharaoh",
]
"""File formats; see `cijie.corpora.formats`."""

REVIEWS = ("csv", "csv-bom", "tsv")
"""Formats in which a review has a row for each place; in others it has sentences."""
