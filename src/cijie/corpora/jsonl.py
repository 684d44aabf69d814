"""cijie's own format: one JSON object a line, every position a code point, nothing lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any

import orjson

from cijie.corpora.records import Record, words_in
from cijie.errors import CijieError, FormatError, SegmentationError
from cijie.files.ids import IdPolicy, given_id, id_checker
from cijie.files.lines import StrPath, read_lines, set_apart
from cijie.recovery.pair import Corrected, Pair, nearest


def read_jsonl(
    path: StrPath,
    *,
    ids: IdPolicy = "check",
    choose: Callable[[str, Sequence[str]], int] = nearest,
    unread: list[CijieError] | None = None,
) -> Iterator[Pair]:
    """Read pairs: objects with `source` and `target`, or `source` and a list `references`.

    `reference` is the number of the target among the corrections, from 1; it may be missing.

    `id` is the line number if it is missing. Words that are given are used instead of a
    segmenter's, each a list of strings or of half-open code-point spans: of the source under
    `source_tokens`, else `initial_spans`, else `spans` or `words`; of the target under
    `target_spans` or `target_tokens`. So the records that cijie writes can be read again.

    Args:
        path: the file; `-` is standard input.
        ids: what to do about an id that occurs again.
        choose: picks among several references: from the source and the references to an index.
        unread: takes the errors of lines that then are left out, instead of their being raised.

    Raises:
        FormatError: a line that is not such an object, a repeated id, bytes that are not UTF-8.
        SegmentationError: words that are not those of their text.
    """
    check_id = id_checker(ids, path)
    for line, text in read_lines(path, unread):
        try:
            record = parse_line(text, path, line)
            pair = pair_of(record, check_id(given_id(record, line), line), choose)
        except CijieError as error:
            set_apart(error.at(path=path, line=line), unread, text)
            continue
        yield pair


def read_sentences(path: StrPath) -> Iterator[Corrected]:
    """Read pairs as `read_jsonl` does, each with all its references: sentence n is line n.

    Raises:
        FormatError: as `read_jsonl`.
        SegmentationError: as `read_jsonl`.
    """
    check_id = id_checker("check", path)
    for line, text in read_lines(path):
        try:
            record = parse_line(text, path, line)
            pair = pair_of(record, check_id(given_id(record, line), line))
        except CijieError as error:
            raise type(error)(error.message, path=path, line=line, id=error.id) from error
        targets = (pair.target,) if _has_one(record) else tuple(record["references"])
        yield Corrected(pair.id, pair.source, targets, pair.initial, pair.target_segmentation)


def pair_of(
    record: Mapping[str, Any],
    id: str,
    choose: Callable[[str, Sequence[str]], int] = nearest,
) -> Pair:
    """The pair that a record of plain values is; see `read_jsonl`.

    Raises:
        FormatError: a text is missing, or not a string.
        SegmentationError: words that are not those of their text.
    """
    source = _text(record, "source")
    target, reference = _target(record, source, choose)
    try:
        return Pair(
            id,
            source,
            target,
            words_in(record, source, of="given"),
            words_in(record, target, of="target"),
            reference,
        )
    except SegmentationError as error:
        raise SegmentationError(error.message, id=id) from error


def read_records(path: StrPath) -> Iterator[Record]:
    """Read what cijie writes, whole; `id` is the line number if it is missing.

    Raises:
        FormatError: a line that is not such an object, bytes that are not UTF-8.
        SegmentationError: words that are not those of their text.
    """
    for line, text in read_lines(path):
        try:
            yield Record.from_dict(parse_line(text, path, line), str(line))
        except CijieError as error:
            raise type(error)(error.message, path=path, line=line, id=error.id) from error


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records as JSON lines; nothing is lost."""
    for record in records:
        stream.write(dump_line(record.as_dict()))


def dump_line(record: Mapping[str, Any]) -> bytes:
    """One record as a line of UTF-8 JSON.

    Raises:
        FormatError: text with a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise FormatError(f"cannot be written as JSON: {error}", id=record.get("id")) from error


def parse_line(text: str, path: StrPath, line: int) -> dict[str, Any]:
    """The object in one line of a file.

    Raises:
        FormatError: it is not a JSON object, with file and line.
    """
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}: {text[:80]!r}", path=path, line=line) from None
    if not isinstance(record, dict):
        raise FormatError(f"not a JSON object: {text[:80]!r}", path=path, line=line)
    return record


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        found = "is missing" if value is None else f"is not a string: {value!r}"
        raise FormatError(f"{key!r} {found}", id=record.get("id"))
    return value


def _target(
    record: Mapping[str, Any], source: str, choose: Callable[[str, Sequence[str]], int]
) -> tuple[str, int | None]:
    if _has_one(record):
        reference = record.get("reference")
        if reference is not None and not (isinstance(reference, int) and reference > 0):
            message = f"'reference' is not a number from 1: {reference!r}"
            raise FormatError(message, id=record.get("id"))
        return _text(record, "target"), reference
    references = record["references"]
    if not isinstance(references, list) or not all(isinstance(x, str) for x in references):
        raise FormatError(
            f"'references' is not a list of strings: {references!r}", id=record.get("id")
        )
    if not references:
        raise FormatError("'references' is empty", id=record.get("id"))
    number = choose(source, references)
    return references[number], number + 1


def _has_one(record: Mapping[str, Any]) -> bool:
    """Whether it says which target it has, and does not leave the choice among references."""
    return "target" in record or record.get("references") is None
