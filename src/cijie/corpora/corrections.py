"""Sources with their references and the corrections of systems, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from cijie.corpora.checks import Labels
from cijie.corpora.m2 import read_m2
from cijie.corpora.plain import side_by_side
from cijie.corpora.reading import ReadOptions, Sentences, format_of_lines, read, sentences_of
from cijie.corpora.segmentations import read_segmentations
from cijie.edits.annotate import Corrections, SentenceBlocks
from cijie.errors import CijieError, FormatError, counted, located
from cijie.files.opening import StrPath, name_of
from cijie.recovery.sentence import Sentence
from cijie.text.characters import text_difference


def are_m2(paths: Iterable[StrPath], options: ReadOptions | None = None) -> bool:
    """Return whether all files are M2, of either dialect; mixed files are an error.

    Raises:
        FormatError: some are, and some are not; or a format is unknown.
        UsageError: no such format or encoding, or no columns to name in it.
    """
    found = {path: read(path, "corrections", options).format.module == "m2" for path in paths}
    if len(set(found.values())) > 1:
        is_m2, is_not = (next(p for p, m2 in found.items() if m2 == so) for so in (True, False))
        message = (
            f"{name_of(is_m2)} is M2, but this is not: give only texts, or only M2; "
            "cijie score --write-m2 makes M2 from texts"
        )
        raise FormatError(message, path=is_not)
    return True in found.values()


def read_lines_of_corrections(
    sources: StrPath,
    systems: Sequence[StrPath],
    references: Sequence[StrPath],
    *,
    skipped: Counter[str],
    options: ReadOptions | None = None,
) -> Iterator[Corrections]:
    """Read files of lines: line n of each belongs to line n of the others.

    An empty line is an empty text, but in a file of references it is no reference, and counted.
    Labels in the place of references are understood as everywhere.

    Args:
        sources: the file of sources.
        systems: one file of corrections for each system.
        references: files of references.
        skipped: counts skipped sentences, by reason.
        options: reading options.

    Raises:
        FormatError: one file is shorter, or bytes that are not in the encoding.
    """
    options = options or ReadOptions()
    format_of_lines(options.format)  # refuses those of single files
    count, labels = len(systems), Labels(options.labels)
    for line, source, *texts in side_by_side([sources, *systems, *references], options):
        given = [text for text in texts[count:] if text or not source]
        if len(given) < len(references):
            skipped["empty references"] += len(references) - len(given)
        with located(path=name_of(references[0]), line=line):
            sentence = labels(Sentence.with_targets(str(line), source, given), skipped)
        yield sentence, [x if isinstance(x, str) else x.text for x in texts[:count]]


def read_corrections(
    references: StrPath,
    systems: Mapping[str, StrPath],
    *,
    intersection: bool = False,
    skipped: Counter[str],
    options: ReadOptions | None = None,
) -> Iterator[Corrections]:
    """Read files with ids: the sentences of `references`, with the correction of each system.

    Args:
        references: a file of sources with references.
        systems: files of sources with one correction each, by the names of the systems.
        intersection: whether to take only the sentences that all have; else one that a system lacks
            is an error. Those that the references lack are left out.
        skipped: counts skipped sentences.
        options: reading options.

    Raises:
        FormatError: files that cannot be read, or are of another format; a system without a
            correction, or with several, for a sentence. A label such as 无法标注 is a correction
            that changes nothing.
        CijieError: a sentence that a system lacks, or another source than in the references.
    """
    outputs = {name: dict(_outputs(name, path, options, skipped)) for name, path in systems.items()}
    known = set[str]()
    sentences = _with_ids(references, options)
    for corrected in sentences_of(sentences):
        known.add(corrected.id)
        missing = next((name for name, made in outputs.items() if corrected.id not in made), None)
        if missing is not None:
            if intersection:
                skipped["sentences that a system lacks"] += 1
                continue
            message = (
                f"the references have this sentence, but {missing} does not; "
                "--intersection skips it"
            )
            raise CijieError(message, id=corrected.id)
        made_of = [made[corrected.id] for made in outputs.values()]
        for name, (source, _) in zip(outputs, made_of, strict=True):
            if source != corrected.source:
                owners = {name: source, "the file of references": corrected.source}
                raise CijieError(text_difference(owners), id=corrected.id)
        yield corrected, [target for _, target in made_of]
    skipped.update(sentences.skipped)
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
                sources = {
                    str(references): " ".join(reference.source),
                    str(path): " ".join(block.source),
                }
                message = (
                    f"block {number} has another source than in {references}: "
                    f"{text_difference(sources)}. Write both anew from the texts with cijie score "
                    "--write-m2, or compare blocks --by-order"
                )
                raise FormatError(message, path=path)
        yield SentenceBlocks(str(number), reference, tuple(outputs))


def _outputs(
    name: str, path: StrPath, options: ReadOptions | None, skipped: Counter[str]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Map each id to the source and the correction of a system."""
    sentences = _with_ids(path, options)
    for line, sentence in sentences.numbered():
        if isinstance(sentence, CijieError):
            raise sentence
        targets = sentence.targets
        if sentence.status == "not annotatable":
            targets = (sentence.source,)  # a system that corrects nothing
            skipped[f"labels of {name} in the place of corrections, taken for no change,"] += 1
        elif sentence.status == "no reference" and not sentences.format.named:
            targets = ("",)  # an empty field: the system deletes the whole sentence
        if len(targets) != 1:
            message = f"expected 1 correction, got {len(targets)}"
            if targets:
                message += "; are system and references swapped?"
            raise FormatError(message, path=path, line=line, id=sentence.id)
        yield sentence.id, (sentence.source, targets[0])


def _with_ids(path: StrPath, options: ReadOptions | None) -> Sentences:
    """Read the sentences of a file, which must have ids."""
    sentences = read(path, "corrections", options)
    if "ids" not in sentences.format.holds:
        message = f"expected sources with ids and corrections; {sentences.format} has no ids"
        raise FormatError(message, path=path)
    return sentences


def with_source_words(sentences: Iterable[Corrections], path: StrPath) -> Iterator[Corrections]:
    """Give each source its words from a file, as initial words, lazily.

    The sentences of a file without ids, as M2 or lines of words, belong to them in order, and must
    be as many. Those of a file with ids belong to the sentence of the same id; others are left out.

    Raises:
        FormatError: not as many sentences, or one without words; a file that cannot be read.
        SegmentationError: words that are not those of the source, with line and id.
    """
    words = read_segmentations(path)
    number = 0
    for number, (corrected, outputs) in enumerate(sentences, start=1):
        key = str(number) if words.numbered else corrected.id
        if key not in words:
            raise FormatError("no words for this source", path=path, id=corrected.id)
        yield replace(corrected, initial=words.of_text(key, corrected.source)), outputs
    if words.numbered and len(words) > number:
        message = f"expected {counted(number, 'sources')}, got {len(words):,}"
        raise FormatError(message, path=path)
