"""Sentences of files, as tests want them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cijie.corpora.reading import Purpose, ReadOptions, read, sentences_of
from cijie.recovery.sentence import Sentence


def read_pairs(source: Any, format: str | None = None, **options: Any) -> list[Sentence]:
    """The pairs of a file."""
    return _read(source, format, "pairs", **options)


def read_records(source: Any, format: str | None = None, **options: Any) -> list[Sentence]:
    """The sentences of a file, whose ids need not differ."""
    return _read(source, format, "sentences", **{"ids": "any", **options})


def _read(
    source: Any,
    format: str | None,
    purpose: Purpose,
    *,
    skipped: Counter[str] | None = None,
    **options: Any,
) -> list[Sentence]:
    sentences = read(source, purpose, ReadOptions(format, **options))
    found = list(sentences_of(sentences))
    if skipped is not None:
        skipped.update(sentences.skipped)
    return found
