"""Segmentations of the same sentences in several files: gold and the systems to score."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from cijie.alignment.links import Alignment
from cijie.corpora.checks import Ids
from cijie.corpora.jsonl import dump_line, parsed
from cijie.corpora.reading import ReadOptions, Sentences, read
from cijie.errors import CijieError, FormatError, counted, located
from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.recovery.records import WORDS, alignment_of, given_id, text_in, words_in
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class SegmentationFile(Mapping[str, Segmentation | list[str]]):
    """The sentences of a file by id; each segmentation is built and checked on access.

    `file[id]` is a segmentation, or, where no text is known, the words as strings.

    Attributes:
        path: the file.
        lines: its records by id, each with its line number, as lines of JSON: a tenth of the
            memory.
        texts: the texts of records that do not bring their own, each with where it is from.
        numbered: whether the file is without ids, so that they are line numbers.
    """

    path: StrPath
    lines: Mapping[str, tuple[int, bytes]]
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    numbered: bool = False

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __contains__(self, id: object) -> bool:
        return id in self.lines  # whose words need not be made and checked for that

    def record(self, id: str) -> tuple[int, Mapping[str, Any]]:
        """Return the line number and the record of a sentence.

        Raises:
            KeyError: there is no such sentence.
        """
        number, line = self.lines[id]
        return number, orjson.loads(line)

    def __getitem__(self, id: str) -> Segmentation | list[str]:
        """Return the segmentation of a sentence.

        Raises:
            KeyError: there is no such sentence.
            FormatError: spans without a text, or a text that does not match its checksum.
            SegmentationError: words that are not those of the text.
        """
        line, record = self.record(id)
        if "source" in record:
            text, owner = record["source"], "this record"
        elif id in self.texts:
            text, owner = self.texts[id]
        elif (words := _strings(record)) is not None:
            return words
        else:
            message = "no text for these spans; name the file that has it with --pairs"
            raise FormatError(message, path=self.path, line=line, id=id)
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
        """Return the segmentation of a sentence with a known text, which the file must match.

        Raises:
            KeyError: there is no such sentence.
            FormatError: as `file[id]`.
            SegmentationError: words that are not those of `text`.
        """
        found = replace(self, texts={id: (text, "the corpus")})[id]
        line, _ = self.lines[id]
        with located(path=self.path, line=line, id=id):
            return segmentation_of(text, found)

    def alignments(self, ids: Iterable[str]) -> Iterator[Alignment]:
        """Return the links of the sentences that have links.

        Raises:
            FormatError: links that are not those of an alignment of source and target.
        """
        for id in ids:
            line, record = self.record(id)
            if "links" in record:
                with located(path=self.path, line=line, id=id):
                    source, target = (text_in(record, name) for name in ("source", "target"))
                    yield alignment_of(source, target, record["links"])


def segmentation_of(text: str, words: Segmentation | Sequence[str]) -> Segmentation:
    """Convert words read from a file to a segmentation of `text`.

    Raises:
        SegmentationError: the words are not those of `text`, with offset and both characters.
    """
    if isinstance(words, Segmentation):
        if words.text == text:
            return words
        words = words.tokens
    return Segmentation.from_tokens(text, words)


def source_checksum(text: str) -> str:
    """Return the checksum that identifies a source or target in stand-off records.

    That is 16 hexadecimal digits of its UTF-8's SHA-256.
    """
    return sha256(text.encode()).hexdigest()[:16]


def read_segmentations(
    path: StrPath, options: ReadOptions | None = None, *, m2: bool = True
) -> SegmentationFile:
    """Read the segmentations in a file of any format that holds words.

    JSON lines: objects with `id` and `spans` (half-open code-point spans) or `words` (strings), and
    `source`, or `source_sha256` to check by (the stand-off form), or neither; `tokens` may be
    either.

    In formats that do not keep the white space of texts the words are known, and not the text;
    where sentences have no ids either, these are numbers.

    Args:
        path: the file; `-` is standard input.
        options: reading options; by default they follow from name and content, else
            segmented text. What cijie ships, it knows itself.
        m2: whether the words of M2 are read, whose point is its edits.

    Raises:
        CijieError: a format without words, a malformed file, a record without words, a repeated
            id.
    """
    shipped = Path(path).is_relative_to(Path(__file__).parent.parent)
    sentences = read(path, "words", None if shipped else options)
    format = sentences.format
    if format.module == "m2" and not m2:
        raise FormatError("expected words, got M2; score its edits with `cijie score`", path=path)
    if format.name == "jsonl":
        return SegmentationFile(sentences.path, dict(_standoff(sentences)))
    known = {}
    for line, sentence in sentences.numbered():
        if isinstance(sentence, CijieError):
            raise sentence
        values = sentence.as_record()
        if "white space" not in format.holds:
            values = {"words": values["words"]}
        known[sentence.id] = line, dump_line(values)
    return SegmentationFile(sentences.path, known, numbered="ids" not in format.holds)


def _standoff(sentences: Sentences) -> Iterator[tuple[str, tuple[int, bytes]]]:
    """Read the records of JSON lines by id; a text is not required."""
    [source], path, columns = sentences.paths, sentences.path, sentences.options.columns
    check_id = Ids("check", path)
    for line, text in read_lines(source, encoding=sentences.options.encoding):
        if not text:
            continue
        with located(path=path, line=line):
            record = parsed(text)
            if columns:
                record |= {x: record[theirs] for x, theirs in columns.items() if theirs in record}
            id = check_id(given_id(record, line), line)
            given = [name for name in WORDS["source"] if record.get(name) is not None]
            if not given:
                raise FormatError(f"no words: expected one of {', '.join(WORDS['source'])}", id=id)
            for name in given:
                if not isinstance(record[name], list):
                    raise FormatError(f"{name!r} is not a list", id=id)
            if not isinstance(record.get("source", ""), str):
                raise FormatError("'source' is not a string", id=id)
        yield id, (line, dump_line(record) if columns else text.encode())


def read_to_compare(
    gold: StrPath,
    systems: Sequence[StrPath],
    pairs: Iterable[Sentence] = (),
    *,
    any_target: bool = False,
    options: ReadOptions | None = None,
) -> tuple[SegmentationFile, list[SegmentationFile]]:
    """Read gold and systems, each with the missing texts and ids from the others.

    A record without a text gets that of the same id in `pairs`, else in gold, else in the first
    system that has it. Files without ids stand for `pairs` line by line, else for gold.

    Args:
        gold: the file with gold.
        systems: those of the systems.
        pairs: texts and ids.
        any_target: whether pairs and systems may have other targets than those that gold was made
            with, which its `target_sha256` name.
        options: reading options of gold and systems; see `read_segmentations`.

    Raises:
        FormatError: as `read_segmentations`; a file without ids has not as many lines as there
            are pairs or sentences in gold; a target that gold was not made with; M2, whose point
            is its edits.
    """
    pairs = list(pairs)
    texts = {pair.id: (pair.source, "the pairs") for pair in pairs}
    files = [read_segmentations(path, options, m2=False) for path in (gold, *systems)]
    ids = list(texts or files[0])
    files = [_named(file, ids) if file.numbered else file for file in files]
    reference = () if any_target else [(id, *files[0].record(id)) for id in files[0]]
    made_with = {id: (line, record.get("target_sha256")) for id, line, record in reference}

    def check(id: str, target: str, owner: str) -> None:
        line, checksum = made_with.get(id, (None, None))
        if checksum not in (None, source_checksum(target)):
            message = (
                f"gold was made with another target, of checksum {checksum}, than that of "
                f"{owner}: {target!r}"
            )
            raise FormatError(message, path=gold, line=line, id=id)

    for pair in pairs:
        check(pair.id, pair.target or "", "the pairs")
    for file in files:
        for id in file:
            _, record = file.record(id)
            if "source" in record:
                texts.setdefault(id, (record["source"], os.fspath(file.path)))
            if isinstance(record.get("target"), str):
                check(id, record["target"], os.fspath(file.path))
    first, *others = (replace(file, texts=texts) for file in files)
    return first, others


def _strings(record: Mapping[str, Any]) -> list[str] | None:
    """Return the words of a record if they are strings."""
    for name in WORDS["source"]:
        words = record.get(name)
        if words is not None and all(isinstance(word, str) for word in words):
            return list(words)
    return None


def _named(file: SegmentationFile, ids: Sequence[str]) -> SegmentationFile:
    if len(file) != len(ids):
        message = f"{counted(len(file), 'lines')} for {counted(len(ids), 'sentences')}"
        if len(file) < len(ids):
            message += f": none for id {ids[len(file)]}"
        raise FormatError(message, path=file.path)
    return replace(file, lines=dict(zip(ids, file.lines.values(), strict=True)))
