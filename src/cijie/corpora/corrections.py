"""Sources with their references, and what systems make of them, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rapidfuzz.distance import Prefix

from cijie.corpora.formats import Format
from cijie.corpora.m2 import read_m2
from cijie.corpora.parallel import side_by_side
from cijie.corpora.reading import read_corrected, reading_of
from cijie.corpora.telling import Told, format_to_read
from cijie.edits.annotate import SentenceBlocks
from cijie.edits.cutting import Corrections
from cijie.errors import CijieError, FormatError, describe
from cijie.files.lines import StrPath
from cijie.recovery.pair import NO_ERROR, NOT_ANNOTATABLE, Corrected, Pair

if TYPE_CHECKING:
    from typing_extensions import Unpack


def is_m2(path: StrPath, **told: Unpack[Told]) -> bool:
    """Whether a file is M2, of either dialect; `told` is what is said about it.

    Raises:
        FormatError: it cannot be told what it is.
        UsageError: no such format or encoding, or no columns to name in it.
    """
    return reading_of(path, wanted="pairs", **told).format.module == "m2"


def read_lines_of_corrections(
    sources: StrPath,
    systems: Sequence[StrPath],
    references: Sequence[StrPath],
    *,
    encoding: str | None = None,
    skipped: Counter[str],
) -> Iterator[Corrections]:
    """Read files of lines: line n of each belongs to line n of the others.

    An empty line is an empty text, but in a file of references it is no reference, and counted.

    Raises:
        FormatError: one file is shorter, bytes that are not in the encoding, a reference that is
            one of MuCGEC's sentinels.
    """
    count = len(systems)
    for line, (source, *texts) in side_by_side([sources, *systems, *references], encoding):
        targets = []
        for path, text in zip(references, texts[count:], strict=True):
            if text in (NO_ERROR, NOT_ANNOTATABLE) and text != source:
                message = f"{text} is no correction: give the source again, or an empty line"
                raise FormatError(message, path=path, line=line)
            if text or not source:
                targets.append(text)
            else:
                skipped["empty references"] += 1
        yield Corrected(str(line), source, tuple(targets)), texts[:count]


def read_corrections(
    references: StrPath,
    systems: Mapping[str, StrPath],
    *,
    intersection: bool = False,
    skipped: Counter[str],
    **told: Unpack[Told],
) -> Iterator[Corrections]:
    """Read files with ids: the sentences of `references`, with what each system makes of them.

    Args:
        references: a file of sources with references.
        systems: files of sources with one correction each, by the names of the systems.
        intersection: whether to take only the sentences that all have; else one that a system lacks
            is an error. Those that the references lack are left out.
        skipped: counts what was left out.
        told: what is said about the files, as in `Told`.

    Raises:
        FormatError: files that cannot be read, or are of another format; a system without a
            correction, or with several, for a sentence.
        CijieError: a sentence that a system lacks, or another source than in the references.
    """
    outputs = {name: dict(_outputs(path, **told)) for name, path in systems.items()}
    told["format"] = _with_ids(references, **told)
    known = set[str]()
    for corrected in read_corrected(references, skipped=skipped, **told):
        known.add(corrected.id)
        missing = next((name for name, made in outputs.items() if corrected.id not in made), None)
        if missing is not None:
            if intersection:
                skipped["sentences that a system lacks"] += 1
                continue
            message = (
                f"{missing} has no such sentence, but the references have; "
                "--intersection leaves it out"
            )
            raise CijieError(message, id=corrected.id)
        pairs = [made[corrected.id] for made in outputs.values()]
        for name, pair in zip(outputs, pairs, strict=True):
            if pair.source != corrected.source:
                raise _difference(name, pair.source, corrected)
        yield corrected, [pair.target for pair in pairs]
    for name, made in outputs.items():
        if more := sum(id not in known for id in made):
            skipped[f"sentences of {name} that the references lack"] += more


def read_blocks(
    references: StrPath,
    systems: Mapping[str, StrPath],
    *,
    by_order: bool = False,
    encoding: str | None = None,
) -> Iterator[SentenceBlocks]:
    """Read files of M2: block n of each belongs to block n of the others.

    Args:
        references: the references' file.
        systems: the systems' files, by name.
        by_order: whether blocks belong together although their sources differ.
        encoding: that of the files; UTF-8 if None.

    Raises:
        FormatError: not equally many blocks; sources that differ, with the first such block; what
            has no place in M2.
    """
    paths = [references, *systems.values()]
    files = (read_m2(path, encoding=encoding) for path in paths)
    for number, blocks in enumerate(zip_longest(*files), start=1):
        reference, *outputs = blocks
        for path, block in zip(paths, blocks, strict=True):
            if block is None:
                longer = next(p for p, b in zip(paths, blocks, strict=True) if b is not None)
                raise FormatError(f"ends before block {number} of {longer}", path=path)
            if block.source != reference.source and not by_order:
                where = _first_difference(reference.source, block.source)
                message = (
                    f"block {number} has another source than in {references}: {where}. Write both "
                    "anew from the texts with cijie score --write-m2, or compare blocks --by-order"
                )
                raise FormatError(message, path=path)
        yield SentenceBlocks(str(number), reference, tuple(outputs))


def _first_difference(there: Sequence[str], here: Sequence[str]) -> str:
    for number, words in enumerate(zip_longest(there, here), start=1):
        if words[0] != words[1]:
            word, other = ("missing" if word is None else repr(word) for word in words)
            return f"word {number} is {word} there, {other} here"
    raise AssertionError


def _difference(name: str, source: str, corrected: Corrected) -> CijieError:
    at = Prefix.similarity(source, corrected.source)
    here, there = (describe(text[at : at + 1]) for text in (source, corrected.source))
    return CijieError(
        f"the sources differ at offset {at}: {name} has {here}, the references have {there}",
        id=corrected.id,
    )


def _outputs(path: StrPath, **told: Unpack[Told]) -> Iterator[tuple[str, Pair]]:
    format = told["format"] = _with_ids(path, **told)
    for line, record in reading_of(path, wanted="pairs", **told).records("check"):
        targets = record.targets
        if record.status == "no reference" and not format.named:
            targets = ("",)  # an empty field: the system deletes the whole sentence
        if len(targets) != 1:
            message = f"has no correction, but `{record.status}`"
            if targets or record.status is None:
                message = f"one correction is wanted, not {len(targets)} of them"
                if len(targets) > 1:
                    message += "; are system and references swapped?"
            raise FormatError(message, path=path, line=line, id=record.id)
        yield record.id, Pair(record.id, record.source, targets[0])


def _with_ids(path: StrPath, **told: Unpack[Told]) -> Format:
    """The format of a file, which must have ids."""
    format = format_to_read(path, wanted="pairs", **told)
    if "ids" not in format.holds:
        message = f"sources with ids and corrections are wanted, and {format.what} has no ids"
        raise FormatError(message, path=path)
    return format
