"""Sheets for annotators as plain values for the annotation page.

There are three kinds: proposals, of which an annotator makes an annotation; adjudication sheets,
which hold several annotators' versions; voting sheets, which ask for the best reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Literal

from cijie.alignment import anchors
from cijie.corpora.jsonl import dump_line, parse_line
from cijie.corpora.records import as_segmentation, words_in
from cijie.corpora.segmentations import source_checksum
from cijie.errors import CijieError, FormatError
from cijie.files.ids import id_checker
from cijie.files.lines import StrPath, read_lines
from cijie.viewer.packing import flat, pack_characters, pack_spans

Mode = Literal["annotate", "adjudicate", "vote"]


def sheet_data(path: StrPath, *, annotator: str, start: str | None = None) -> dict[str, Any]:
    """The data of the annotation page.

    Args:
        path: the sheet, JSON lines; what kind it is, its first record says.
        annotator: who fills it in; the name is in what is exported.
        start: the name of the proposal that annotation starts from, the first one if None; where
            there is none of that name, a sentence starts as one word.

    Raises:
        FormatError: a sheet without records, or a record that is not like the first one or not as
            it should be.
    """
    mode: Mode | None = None
    items = []
    check_id = id_checker("check", path)
    for line, text in read_lines(path):
        record = parse_line(text, path, line)
        id = check_id(str(record.get("id", line)), line)
        try:
            found = _mode(record)
            if mode not in (None, found):
                raise CijieError(f"a record to {found} in a sheet to {mode}")
            mode = found
            items.append({"id": id, **_item(mode, record, start)})
        except CijieError as error:
            raise FormatError(error.message, path=path, line=line, id=id) from error
    if mode is None:
        raise FormatError("there is nothing to annotate", path=path)
    return {
        "mode": mode,
        "annotator": annotator,
        "checksum": sha256(dump_line({"items": items})).hexdigest()[:16],
        "items": items,
    }


def _mode(record: Mapping[str, Any]) -> Mode:
    if "references" in record:
        return "vote"
    return "adjudicate" if "regions" in record else "annotate"


def _item(mode: Mode, record: Mapping[str, Any], start: str | None) -> dict[str, Any]:
    source = _text(record, "source")
    item = {
        "source": source,
        "characters": pack_characters(source),
        "source_sha256": source_checksum(source),
    }
    if mode == "vote":
        return item | _choices(record, source)
    target = _text(record, "target")
    proposals = record.get("proposals")
    if not isinstance(proposals, dict):
        raise CijieError(f"'proposals' is not an object: {proposals!r}")
    versions = {name: as_segmentation(source, spans) for name, spans in proposals.items()}
    comments = record.get("comments", {})
    if not isinstance(comments, dict):
        raise CijieError(f"'comments' is not an object: {comments!r}")
    first = next(iter(versions), None) if start is None else start
    words = words_in(record, target, of="target")
    return item | {
        "reference": record.get("reference"),
        "target": _laid_out(source, target),
        "target_sha256": source_checksum(target),
        "target_words": "" if words is None else pack_spans(words.spans),
        "proposals": [[name, pack_spans(version.spans)] for name, version in versions.items()],
        "comments": [[name, str(comment)] for name, comment in comments.items()],
        "start": list(versions).index(first) if first in versions else -1,
        "regions": flat(_spans(record.get("regions", []), len(source))),
    }


def _choices(record: Mapping[str, Any], source: str) -> dict[str, Any]:
    references, choices = record["references"], record.get("choices")
    if not isinstance(references, list) or not all(isinstance(x, str) for x in references):
        raise CijieError(f"'references' is not a list of strings: {references!r}")
    ranking = record.get("ranking", {})
    if not isinstance(ranking, dict):
        raise CijieError(f"'ranking' is not an object: {ranking!r}")
    for numbers in (choices, *ranking.values()):
        if not isinstance(numbers, list) or not all(
            isinstance(number, int) and 1 <= number <= len(references) for number in numbers
        ):
            raise CijieError(f"not numbers of references, 1 to {len(references)}: {numbers!r}")
    if not choices:
        raise CijieError("there is nothing to choose between")
    return {
        "choices": [[number, *_laid_out(source, references[number - 1])] for number in choices],
        "ranking": ranking,
    }


def _laid_out(source: str, target: str) -> list[Any]:
    """A target with what a page needs to set it under its source."""
    return [target, pack_characters(target), flat(anchors(source, target).anchors)]


def _spans(spans: object, length: int) -> Iterator[tuple[int, int]]:
    if not isinstance(spans, list):
        raise CijieError(f"'regions' is not a list of spans: {spans!r}")
    before = 0
    for span in spans:
        match span:
            case [int(start), int(end)] if before <= start < end <= length:
                yield start, end
                before = end
            case _:
                raise CijieError(f"a region is out of range or order: {span!r}")


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise CijieError(f"{key!r} is not a string: {value!r}")
    return value
