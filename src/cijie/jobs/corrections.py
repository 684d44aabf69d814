"""Scoring files of system corrections against files of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any

from cijie.corpora.corrections import (
    are_m2,
    read_blocks,
    read_corrections,
    read_lines_of_corrections,
    with_source_words,
)
from cijie.corpora.m2 import write_block
from cijie.corpora.reading import ReadOptions
from cijie.edits.annotate import Corrections, SentenceBlocks, edit_blocks
from cijie.edits.blocks import Dialect
from cijie.edits.counting import Ignored, Rules, Scoring
from cijie.edits.scoring import CorrectionScores, score_blocks
from cijie.edits.types import Level, Tagger
from cijie.errors import UsageError, located
from cijie.files.opening import StrPath, named_files
from cijie.files.output import new_directory, open_output
from cijie.recovery.sentence import Sentence
from cijie.signatures import signed

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
    by_order: bool = False,
    write_m2: StrPath | None = None,
    dialect: Dialect = "cherrant",
    skipped: Counter[str] | None = None,
    watch: Watch | None = None,
    beta: float = 0.5,
    rules: Rules = "cherrant",
    ignore: Ignored | None = None,
    trials: int = 10_000,
    seed: int = 0,
    **options: Any,
) -> CorrectionScores:
    """Score files of corrections against a file of references, as `cijie score` does.

    The files have texts, or, all of them, edits as M2; what edits are made of is said for texts.

    Args:
        references: a file of sources with references and ids; with `sources` files of lines, one
            for each reference of a source.
        systems: the files of one system or several, by the names of the systems or else called
            after the files: sources with one correction each; with `sources` files of lines.
        sources: a file of lines, if the others are such files, too: line n of each belongs to line
            n of the others.
        read: reading options of files with ids; the encoding applies to files of lines, too.
        intersection: whether to take only the sentences that all have.
        level: whether edits are of words or of characters.
        source_words: a file of the words of the sources, instead of recovered ones.
        tagger: adds parts of speech to the types of edits; see `cijie.edits.types.EditTyper`.
        by_order: whether blocks of M2 belong together although their sources differ.
        write_m2: a folder to make, for the edits of references and systems as M2.
        dialect: whose M2 they are.
        skipped: counts skipped sentences.
        watch: shows how many sentences are done.
        beta: how much recall weighs in F.
        rules: whose rules count; see `cijie.edits.counting.Rules`.
        ignore: the edits that do not count, on either side.
        trials: how many random trials each significance test makes.
        seed: seeds them.
        options: those of `Recoverer`, where edits are of words: `segmenter`, `method` and others.

    Raises:
        CijieError: files that cannot be read or do not fit, no sentence to score.
        UsageError: settings that do not go together.
    """
    scoring = Scoring(beta, rules, ignore, trials, seed)
    named, skipped = named_files(systems, ["references"]), Counter() if skipped is None else skipped
    if "references" in named:
        raise UsageError("no system can be called 'references': choose another name")
    encoding = None if read is None else read.encoding
    if sources is not None:
        lines = [references] if isinstance(references, (str, PathLike)) else references
        sentences = read_lines_of_corrections(
            sources, list(named.values()), lines, skipped=skipped, options=read
        )
    elif not isinstance(references, (str, PathLike)):
        raise UsageError("several files of references are files of lines: give sources, too")
    elif are_m2([references, *named.values()], read):
        if level == "char" or source_words or tagger or intersection or write_m2 or options:
            raise UsageError("M2 has edits: only how they are scored can be chosen")
        blocks = read_blocks(references, named, by_order=by_order, encoding=encoding)
        return score_blocks(list(named), blocks, scoring)
    else:
        sentences = read_corrections(
            references, named, intersection=intersection, skipped=skipped, options=read
        )
    if by_order:
        raise UsageError("by_order is about M2")
    blocks, basis = _blocks(
        sentences, source_words=source_words, level=level, tagger=tagger, **options
    )
    with ExitStack() as stack:
        if watch is not None:
            blocks = watch(blocks, "sentences")
        if write_m2 is not None:
            folder = stack.enter_context(new_directory(write_m2))
            blocks = _written(blocks, folder, list(named), dialect, stack)
        return score_blocks(list(named), blocks, scoring, basis)


def write_edits(
    sentences: Iterable[Sentence],
    output: StrPath,
    *,
    dialect: Dialect = "cherrant",
    level: Level = "word",
    source_words: StrPath | None = None,
    tagger: Tagger | str | None = None,
    **options: Any,
) -> tuple[int, Counter[str], str]:
    """Write the edits between sources and their targets as M2, as `cijie m2` does.

    Args:
        sentences: the sentences, as `read(..., "corrections")` gives them; block n is sentence n.
        output: the file; `-` is standard output.
        dialect: whose M2.
        level: whether edits are of words or of characters.
        source_words: a file of the words of the sources, instead of recovered ones.
        tagger: adds parts of speech to the types of edits; see `cijie.edits.types.EditTyper`.
        options: those of `Recoverer`, where edits are of words.

    Returns:
        How many blocks there are, how many edits of each type, and a signature.

    Raises:
        CijieError: a sentence that cannot be segmented or written, with its id.
        UsageError: settings that do not go together.
    """
    blocks, basis = _blocks(
        ((sentence, ()) for sentence in sentences),
        source_words=source_words,
        level=level,
        tagger=tagger,
        **options,
    )
    count, types = 0, Counter[str]()
    with open_output(output) as stream:
        for block in blocks:
            count += 1
            with located(id=block.id):
                written = write_block(block.references, stream, dialect)
            for annotation in written.annotations:
                types.update(edit.type for edit in annotation.edits)
    return count, types, signed(basis, f"dialect:{dialect}")


def _blocks(
    sentences: Iterable[Corrections], *, source_words: StrPath | None, **settings: Any
) -> tuple[Iterator[SentenceBlocks], str]:
    """Yield the blocks of `cijie.edits.annotate.edit_blocks`, with the words of the sources from a
    file.
    """
    if source_words is not None:
        sentences = with_source_words(sentences, source_words)
    return edit_blocks(sentences, given=source_words is not None, **settings)


def _written(
    sentences: Iterable[SentenceBlocks],
    folder: Path,
    names: Sequence[str],
    dialect: Dialect,
    stack: ExitStack,
) -> Iterator[SentenceBlocks]:
    """Yield the sentences unchanged, and write each to a file of M2 per system."""
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
