"""Segmentations of the same sentences in several files: gold, and the systems to be scored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any

import orjson

from cijie.alignment.links import Alignment
from cijie.corpora.jsonl import parse_line
from cijie.corpora.records import WORDS, alignment_of, words_in
from cijie.errors import FormatError, counted, located
from cijie.files.ids import given_id, id_checker
from cijie.files.lines import StrPath, read_lines
from cijie.recovery.pair import Pair
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class _Records(Mapping[str, tuple[int, Mapping[str, Any]]]):
    """Records by id, each with its line number, kept as their lines: a tenth of the memory."""

    lines: Mapping[str, tuple[int, bytes]]

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __contains__(self, id: object) -> bool:
        return id in self.lines

    def __getitem__(self, id: str) -> tuple[int, Mapping[str, Any]]:
        number, line = self.lines[id]
        return number, orjson.loads(line)


@dataclass(frozen=True, slots=True)
class SegmentationFile(Mapping[str, Segmentation | list[str]]):
    """The sentences of a file by id, each segmentation made and checked when it is asked for.

    `file[id]` is a segmentation, or, where no text is known, the words as strings.

    Attributes:
        path: the file.
        records: its records by id, each with its line number.
        texts: the texts of records that do not bring their own, each with where it is from.
        numbered: whether the file is without ids, so that they are line numbers.
    """

    path: StrPath
    records: Mapping[str, tuple[int, Mapping[str, Any]]]
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    numbered: bool = False

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[str]:
        return iter(self.records)

    def __contains__(self, id: object) -> bool:
        return id in self.records  # whose words need not be made and checked for that

    def __getitem__(self, id: str) -> Segmentation | list[str]:
        """The segmentation of a sentence.

        Raises:
            KeyError: there is no such sentence.
            FormatError: spans without a text, or a text that does not match its checksum.
            SegmentationError: words that are not those of the text.
        """
        line, record = self.records[id]
        if "source" in record:
            text, owner = record["source"], "this record"
        elif id in self.texts:
            text, owner = self.texts[id]
        elif (words := _strings(record)) is not None:
            return words
        else:
            raise FormatError("there is no text for these spans", path=self.path, line=line, id=id)
        checksum = record.get("source_sha256")
        if checksum not in (None, source_checksum(text)):
            raise FormatError(
                f"the text of {owner} does not match the checksum {checksum}: {text!r}",
                path=self.path,
                line=line,
                id=id,
            )
        with located(path=self.path, line=line, id=id):
            found = words_in(record, text)
        assert found is not None  # else it would not have been read
        return found

    def of_text(self, id: str, text: str) -> Segmentation:
        """The segmentation of a sentence whose text is known, to which the file must keep.

        Raises:
            KeyError: there is no such sentence.
            FormatError: as `file[id]`.
            SegmentationError: words that are not those of `text`.
        """
        found = replace(self, texts={id: (text, "the corpus")})[id]
        line, _ = self.records[id]
        with located(path=self.path, line=line, id=id):
            return segmentation_of(text, found)

    def alignments(self, ids: Iterable[str]) -> Iterator[Alignment]:
        """The links of those sentences that have them.

        Raises:
            FormatError: links that are not those of an alignment of source and target.
        """
        for id in ids:
            line, record = self.records[id]
            if "links" not in record:
                continue
            try:
                yield alignment_of(record["source"], record["target"], record["links"])
            except (KeyError, TypeError, ValueError) as error:
                raise FormatError(
                    f"bad links: {error}", path=self.path, line=line, id=id
                ) from error


def segmentation_of(text: str, words: Segmentation | Sequence[str]) -> Segmentation:
    """What has been read from a file as a segmentation of `text`.

    Raises:
        SegmentationError: the words are not those of `text`, with offset and both characters.
    """
    if isinstance(words, Segmentation):
        if words.text == text:
            return words
        words = words.tokens
    return Segmentation.from_tokens(text, words)


def source_checksum(text: str) -> str:
    """What stand-off records name a source, or a target, by.

    That is 16 hexadecimal digits of its UTF-8's SHA-256.
    """
    return sha256(text.encode()).hexdigest()[:16]


def read_segmentations(path: StrPath) -> SegmentationFile:
    """Read the segmentations in a file, of either format.

    JSON lines: objects with `id` and `spans` (half-open code-point spans) or `words` (strings), and
    `source`, or `source_sha256` to check by (the stand-off form), or neither. Version 0.1 called
    either `tokens`. They are recognised by the name `*.jsonl` or `*.ndjson`, or because the first
    line is a JSON object.

    Anything else is plain text: a sentence a line, white space between its words. The ids are the
    line numbers, and what white space the text had is not known.

    Raises:
        FormatError: a line that is no such object, a repeated id, bytes that are not UTF-8.
    """
    lines = read_lines(path)
    first = list(islice(lines, 1))
    lines = chain(first, lines)
    if Path(path).suffix not in {".jsonl", ".ndjson"} and not any(map(_is_object, first)):
        plain = {str(line): (line, {"words": text.split()}) for line, text in lines}
        return SegmentationFile(path, plain, numbered=True)
    check_id = id_checker("check", path)
    kept = {}
    for line, text in lines:
        record = parse_line(text, path, line)
        with located(path=path, line=line):
            id = check_id(given_id(record, line), line)
        given = {name: record[name] for name in WORDS["source"] if record.get(name) is not None}
        if not given:
            message = f"no words: none of {', '.join(WORDS['source'])}"
            raise FormatError(message, path=path, line=line, id=id)
        for name, value in given.items():
            if not isinstance(value, list):
                raise FormatError(f"{name!r} is not a list", path=path, line=line, id=id)
        if not isinstance(record.get("source", ""), str):
            raise FormatError("'source' is not a string", path=path, line=line, id=id)
        kept[id] = line, text.encode()
    return SegmentationFile(path, _Records(kept))


def read_to_compare(
    gold: StrPath,
    systems: Sequence[StrPath],
    pairs: Iterable[Pair] = (),
    *,
    any_target: bool = False,
) -> tuple[SegmentationFile, list[SegmentationFile]]:
    """Read gold and systems, each with the texts and ids that it takes from the others.

    A record without a text gets that of the same id in `pairs`, else in gold, else in the first
    system that has it. Files without ids stand for `pairs` line by line, else for gold.

    Args:
        gold: the file with gold.
        systems: those of the systems.
        pairs: texts and ids.
        any_target: whether pairs and systems may have other targets than those that gold was made
            with, which its `target_sha256` tell.

    Raises:
        FormatError: as `read_segmentations`; a file without ids has not as many lines as there
            are pairs or sentences in gold; a target that gold was not made with.
    """
    pairs = list(pairs)
    texts = {pair.id: (pair.source, "the pairs") for pair in pairs}
    files = [read_segmentations(path) for path in (gold, *systems)]
    ids = list(texts or files[0])
    files = [_named(file, ids) if file.numbered else file for file in files]
    check = _TargetCheck({} if any_target else files[0].records, gold)
    for pair in pairs:
        check(pair.id, pair.target, "the pairs")
    for file in files:
        for id, (_, record) in file.records.items():
            if "source" in record:
                texts.setdefault(id, (record["source"], os.fspath(file.path)))
            if isinstance(record.get("target"), str):
                check(id, record["target"], os.fspath(file.path))
    reference, *others = (replace(file, texts=texts) for file in files)
    return reference, others


class _TargetCheck:
    """Refuses targets that gold was not made with, where gold says which those are."""

    def __init__(self, gold: Mapping[str, tuple[int, Mapping[str, Any]]], path: StrPath) -> None:
        self._path = path
        self._made_with = {
            id: (line, record["target_sha256"])
            for id, (line, record) in gold.items()
            if record.get("target_sha256") is not None
        }

    def __call__(self, id: str, target: str, owner: str) -> None:
        line, checksum = self._made_with.get(id, (None, None))
        if checksum not in (None, source_checksum(target)):
            raise FormatError(
                f"gold was made with another target, of checksum {checksum}, than that of "
                f"{owner}: {target!r}",
                path=self._path,
                line=line,
                id=id,
            )


def _strings(record: Mapping[str, Any]) -> list[str] | None:
    """The words of a record as strings, where it has them so."""
    for name in WORDS["source"]:
        words = record.get(name)
        if words is not None and all(isinstance(word, str) for word in words):
            return list(words)
    return None


def _is_object(line: tuple[int, str]) -> bool:
    try:
        return isinstance(orjson.loads(line[1]), dict)
    except orjson.JSONDecodeError:
        return False


def _named(file: SegmentationFile, ids: Sequence[str]) -> SegmentationFile:
    if len(file) != len(ids):
        message = f"{counted(len(file), 'lines')} for {counted(len(ids), 'sentences')}"
        if len(file) < len(ids):
            message += f": none for id {ids[len(file)]}"
        raise FormatError(message, path=file.path)
    return replace(file, records=dict(zip(ids, file.records.values(), strict=True)))
