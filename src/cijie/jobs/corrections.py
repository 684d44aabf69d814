"""Files of systems that correct sentences, scored against files of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any

from cijie.corpora.corrections import (
    edit_blocks,
    read_blocks,
    read_corrections,
    read_lines_of_corrections,
)
from cijie.corpora.m2 import write_block
from cijie.corpora.reading import ReadOptions
from cijie.edits.annotate import SentenceBlocks
from cijie.edits.blocks import Dialect
from cijie.edits.correction_scores import CorrectionScores
from cijie.edits.counting import Rules
from cijie.edits.scoring import score_blocks
from cijie.edits.types import Level, Tagger
from cijie.errors import UsageError, located
from cijie.files.names import StrPath, named_files
from cijie.files.output import new_directory

Watch = Callable[[Iterable[SentenceBlocks], str], Iterator[SentenceBlocks]]
"""Gives sentences on, and shows how many they are."""


def score_files(
    references: StrPath | Sequence[StrPath],
    systems: StrPath | Sequence[StrPath] | Mapping[str, StrPath],
    *,
    sources: StrPath | None = None,
    read: ReadOptions | None = None,
    intersection: bool = False,
    level: Level = "word",
    source_words: StrPath | None = None,
    tagger: Tagger | str | None = None,
    write_m2: StrPath | None = None,
    dialect: Dialect = "cherrant",
    skipped: Counter[str] | None = None,
    watch: Watch | None = None,
    beta: float = 0.5,
    rules: Rules = "cherrant",
    trials: int = 10_000,
    seed: int = 0,
    **options: Any,
) -> CorrectionScores:
    """Score files of corrections against a file of references: what `cijie score` does with texts.

    Args:
        references: a file of sources with references and ids; with `sources` files of lines, one
            for each reference of a source.
        systems: the files of one system or several, by the names of the systems or else called
            after the files: sources with one correction each; with `sources` files of lines.
        sources: a file of lines, if the others are such files, too: line n of each belongs to line
            n of the others.
        read: what is said about files with ids; the encoding is about files of lines, too.
        intersection: whether to take only the sentences that all have.
        level: whether edits are of words or of characters.
        source_words: a file of the words of the sources, instead of recovered ones.
        tagger: adds parts of speech to the types of edits; see `cijie.edits.types.EditTyper`.
        write_m2: a folder to make, for the edits of references and systems as M2.
        dialect: whose M2 they are.
        skipped: counts what was left out.
        watch: shows how many sentences are done.
        beta: how much recall weighs in F.
        rules: whose rules count; see `cijie.edits.counting.Rules`.
        trials: how many random trials each significance test makes.
        seed: seeds them.
        options: those of `Recoverer`, where edits are of words: `segmenter`, `method` and others.

    Raises:
        CijieError: files that cannot be read or do not fit, no sentence to score.
        UsageError: settings that do not go together.
    """
    named, skipped = named_files(systems, ["references"]), Counter() if skipped is None else skipped
    if "references" in named:
        raise UsageError("no system can be called 'references': choose another name")
    if sources is None:
        if not isinstance(references, (str, PathLike)):
            raise UsageError("several files of references are files of lines: give sources, too")
        sentences = read_corrections(
            references, named, intersection=intersection, skipped=skipped, options=read
        )
    else:
        lines = [references] if isinstance(references, (str, PathLike)) else references
        sentences = read_lines_of_corrections(
            sources, list(named.values()), lines, skipped=skipped, options=read
        )
    blocks, basis = edit_blocks(
        sentences, level=level, source_words=source_words, tagger=tagger, **options
    )
    with ExitStack() as stack:
        if watch is not None:
            blocks = watch(blocks, "sentences")
        if write_m2 is not None:
            folder = stack.enter_context(new_directory(write_m2))
            blocks = _written(blocks, folder, list(named), dialect, stack)
        return score_blocks(
            list(named), blocks, beta=beta, rules=rules, trials=trials, seed=seed, basis=basis
        )


def score_m2_files(
    references: StrPath,
    systems: StrPath | Sequence[StrPath] | Mapping[str, StrPath],
    *,
    by_order: bool = False,
    encoding: str | None = None,
    beta: float = 0.5,
    rules: Rules = "cherrant",
    trials: int = 10_000,
    seed: int = 0,
) -> CorrectionScores:
    """Score files of M2 against a file of M2, block by block: what `cijie score` does with M2.

    Args:
        references: the edits of the references.
        systems: those of one system or several, by the names of the systems or else called after
            the files.
        by_order: whether blocks belong together although their sources differ.
        encoding: that of the files; UTF-8 if None.
        beta: how much recall weighs in F.
        rules: whose rules count; see `cijie.edits.counting.Rules`.
        trials: how many random trials each significance test makes.
        seed: seeds them.

    Raises:
        CijieError: files that cannot be read or do not fit, no sentence to score.
        UsageError: settings that do not go together.
    """
    named = named_files(systems)
    blocks = read_blocks(references, named, by_order=by_order, encoding=encoding)
    return score_blocks(list(named), blocks, beta=beta, rules=rules, trials=trials, seed=seed)


def _written(
    sentences: Iterable[SentenceBlocks],
    folder: Path,
    names: Sequence[str],
    dialect: Dialect,
    stack: ExitStack,
) -> Iterator[SentenceBlocks]:
    """The same sentences; meanwhile they are written to files of M2, one for each system."""
    streams = [
        stack.enter_context((folder / f"{name}.m2").open("wb")) for name in ("references", *names)
    ]
    for sentence in sentences:
        with located(id=sentence.id):
            for stream, block in zip(
                streams, (sentence.references, *sentence.outputs), strict=True
            ):
                write_block(block, stream, dialect)
        yield sentence
