"""cijie's own format: one JSON object per line; positions are code points, and nothing is lost.

Files that are one JSON array of objects, or one object of objects by id, are read as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from cijie import bounds
from cijie.corpora.checks import Ids
from cijie.corpora.formats import as_json
from cijie.errors import FormatError, located
from cijie.files.lines import lines_or_errors, read_lines
from cijie.files.opening import StrPath, open_source
from cijie.files.output import open_output
from cijie.recovery.records import given_id
from cijie.recovery.sentence import Sentence

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units


def units(file: Sentences) -> Units:
    """Yield the lines, or the objects of one JSON value; a missing id is their number.

    Empty lines are skipped, and counted.
    """
    if file.format.name == "json":
        yield from _objects(file)
        return
    for line, text in lines_or_errors(file.source, encoding=file.options.encoding):
        if text == "":
            file.skipped["empty lines"] += 1
        else:
            yield line, line, text


def _objects(file: Sentences) -> Units:
    with open_source(file.source) as stream:
        content = bounds.whole(stream, " in one JSON value; write JSON lines")
    try:
        value = orjson.loads(content.decode(file.options.encoding or "utf-8-sig"))
    except ValueError as error:  # of the encoding, or of JSON
        raise FormatError(f"not JSON: {error}; --from jsonl reads an object a line") from error
    if isinstance(value, dict):
        value = [{"id": id, **x} if isinstance(x, dict) else x for id, x in value.items()]
    if not isinstance(value, list):
        raise FormatError(f"expected an array or an object of objects, got {value!r}")
    yield from ((number, number, each) for number, each in enumerate(value, start=1))


def sentence(content: str | dict[str, Any], id: str, file: Sentences) -> Sentence:
    """Make a sentence of a line or of an object."""
    record = parsed(content) if isinstance(content, str) else content
    if not isinstance(record, dict):
        raise FormatError(f"not a JSON object: {record!r}")
    return file.record(record, id)


def lines(sentence: Sentence, _: str) -> bytes:
    """Format everything known about a sentence as a line."""
    # Unlike `dump_line`: who writes lines adds the id to an error.
    return as_json(sentence.as_record(), orjson.OPT_APPEND_NEWLINE)


def dump_line(record: Mapping[str, Any]) -> bytes:
    """Encode a record as a line of UTF-8 JSON.

    Raises:
        FormatError: text with a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return as_json(record, orjson.OPT_APPEND_NEWLINE)
    except FormatError as error:
        raise error.at(id=record.get("id")) from error.__cause__


def write_lines(path: StrPath, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of records, which appears under its name when complete."""
    with open_output(path) as stream:
        stream.writelines(map(dump_line, records))


def read_objects(path: StrPath) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the objects of a file of JSON lines, each with its line and its optional id.

    Raises:
        FormatError: a line that is not a JSON object, an id that occurs again, bytes that are not
            UTF-8.
    """
    check_id = Ids("check", path)
    for line, text in read_lines(path):
        if text:
            with located(path=path, line=line):
                record = parsed(text)
                id = check_id(given_id(record, line), line)
            yield line, id, record


def parsed(text: str) -> dict[str, Any]:
    """Parse the object in a line.

    Raises:
        FormatError: it is not a JSON object.
    """
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        hint = _HINT if text.lstrip()[:1] == "[" or text.strip() == "{" else ""
        raise FormatError(f"not JSON: {error.msg}: {text[:80]!r}{hint}") from None
    if not isinstance(record, dict):
        hint = _HINT if isinstance(record, list) else ""
        raise FormatError(f"not a JSON object: {text[:80]!r}{hint}")
    return record


_HINT = "; --from json reads an array of objects, or an object of objects"
