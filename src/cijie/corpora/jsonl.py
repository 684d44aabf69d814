"""cijie's own format: one JSON object a line, every position a code point, nothing lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import orjson

from cijie.corpora.base import Found, InputFile, as_json
from cijie.corpora.checks import id_checker
from cijie.errors import FormatError, located
from cijie.files.lines import read_lines
from cijie.files.output import open_output
from cijie.recovery.records import given_id
from cijie.recovery.sentence import Sentence

if TYPE_CHECKING:
    from cijie.files.names import StrPath


def read(file: InputFile) -> Iterator[Found]:
    """Read its lines; the id is the line's number if it is missing."""
    return file.each(file.rows(look=False), _sentence)


def _sentence(content: str, id: str, file: InputFile) -> Sentence:
    return file.sentence(parsed(content), id)


def lines(sentence: Sentence, _: str) -> bytes:
    """All that is known of a sentence, as a line."""
    return dump_line(sentence.as_record())


def dump_line(record: Mapping[str, Any]) -> bytes:
    """One record as a line of UTF-8 JSON.

    Raises:
        FormatError: text with a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return as_json(record, orjson.OPT_APPEND_NEWLINE)
    except FormatError as error:
        raise error.at(id=record.get("id")) from error.__cause__


def write_lines(path: StrPath, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of records, which appears under its name when it is complete."""
    with open_output(path) as stream:
        stream.writelines(map(dump_line, records))


def read_objects(path: StrPath) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with its line and its id, which it need not have.

    Raises:
        FormatError: a line that is not a JSON object, an id that occurs again, bytes that are not
            UTF-8.
    """
    check_id = id_checker("check", path)
    for line, text in read_lines(path):
        with located(path=path, line=line):
            record = parsed(text)
            id = check_id(given_id(record, line), line)
        yield line, id, record


def parsed(text: str) -> dict[str, Any]:
    """The object in a line.

    Raises:
        FormatError: it is not a JSON object.
    """
    try:
        record = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        hint = _HINT if text[:1] == "[" or text.strip() == "{" else ""
        raise FormatError(f"not JSON: {error.msg}: {text[:80]!r}{hint}") from None
    if not isinstance(record, dict):
        hint = _HINT if isinstance(record, list) else ""
        raise FormatError(f"not a JSON object: {text[:80]!r}{hint}")
    return record


_HINT = "; expected one object a line, arrays are not read"
