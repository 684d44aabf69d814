"""Sheets for annotators as the annotation page shows them.

There are three kinds: proposals, of which an annotator makes an annotation; adjudication sheets,
which hold several annotators' versions; voting sheets, which ask for the best corrections.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from typing import Any, Literal

from cijie.alignment import anchors
from cijie.corpora.jsonl import dump_line, read_objects
from cijie.corpora.segmentations import source_checksum
from cijie.errors import FormatError, located
from cijie.files.lines import StrPath
from cijie.gold.guideline import as_markup
from cijie.gold.proposals import Proposals, read_proposals
from cijie.viewer.packing import flat, pack_characters, pack_spans
from cijie.viewer.pages import render_page

Mode = Literal["annotate", "adjudicate", "vote"]


def sheet_data(
    path: StrPath, *, annotator: str, start: str = "agreed", study: str | None = None
) -> dict[str, Any]:
    """The data of the annotation page.

    Args:
        path: the sheet, JSON lines; what kind it is, its first record says.
        annotator: who fills it in; the name is in what is exported.
        start: what annotation starts from, see `Proposals.start`.
        study: what the page keeps answers under, with the annotator's name; if None, a checksum of
            the sentences of the sheet.

    Raises:
        FormatError: a sheet without records, or a record that is not as it should be.
        SegmentationError: words that are not those of their text.
        CijieError: there is no proposal to start from.
    """
    mode = _mode(path)
    if mode == "vote":
        items = list(_voting_items(path))
    else:
        with located(path=path):
            items = [_item(x, mode, start) for x in read_proposals(path).values()]
    return {
        "mode": mode,
        "annotator": annotator,
        "checksum": study or _checksum(mode, items),
        "start": start,
        "items": items,
    }


def annotation_page(data: Mapping[str, Any], guidelines: Mapping[str, str]) -> bytes:
    """The annotation page: one HTML file that holds all it needs.

    Args:
        data: what it shows, as `sheet_data` gives it.
        guidelines: a text in Markdown by language, `en` and `zh`; one of both languages, or none.
    """
    return render_page("annotate", data, parts={"guideline": as_markup(guidelines)})


def _mode(path: StrPath) -> Mode:
    for _, _, record in islice(read_objects(path), 1):
        if "references" in record:
            return "vote"
        return "adjudicate" if "regions" in record else "annotate"
    raise FormatError("there is nothing to annotate", path=path)


def _checksum(mode: Mode, items: Iterable[Mapping[str, Any]]) -> str:
    """What makes a sheet the same sheet, whatever is proposed and whoever fills it in."""
    keys = ("id", "source", "target", "references")
    what = [[item.get(key) for key in keys] for item in items]
    return sha256(dump_line({"mode": mode, "items": what})).hexdigest()[:16]


def sheet_item(proposals: Proposals) -> dict[str, Any]:
    """A sentence with its versions, and the regions in which they differ."""
    pair = proposals.pair
    words = pair.target_segmentation
    return {
        "id": pair.id,
        **_source(pair.source),
        "reference": pair.reference,
        "target": _laid_out(pair.source, pair.target),
        "target_sha256": source_checksum(pair.target),
        "target_words": "" if words is None else pack_spans(words.spans),
        "proposals": [[names, pack_spans(each.spans)] for names, each in proposals.distinct],
        "remarks": [[name, x.flag, x.comment] for name, x in proposals.remarks.items()],
        "regions": flat(proposals.regions),
    }


def _item(proposals: Proposals, mode: Mode, start: str) -> dict[str, Any]:
    # Regions are what an adjudicator has to decide; an annotator decides the whole sentence.
    item = sheet_item(proposals) | {"start": pack_spans(proposals.start(start).spans)}
    return item if mode == "adjudicate" else item | {"regions": []}


def _voting_items(path: StrPath) -> Iterator[dict[str, Any]]:
    for line, id, record in read_objects(path):
        with located(path=path, line=line, id=id):
            item = _voting_item(record)
        yield {"id": id, **item}


def _voting_item(record: Mapping[str, Any]) -> dict[str, Any]:
    source, references = record.get("source"), record.get("references")
    ranking = record.get("ranking", {})
    if not isinstance(source, str):
        raise FormatError(f"'source' is not a string: {source!r}")
    if not isinstance(references, list) or not all(isinstance(x, str) for x in references):
        raise FormatError(f"'references' is not a list of strings: {references!r}")
    if not references:
        raise FormatError("there is nothing to choose between")
    if not isinstance(ranking, dict):
        raise FormatError(f"'ranking' is not an object: {ranking!r}")
    for numbers in ranking.values():
        if not isinstance(numbers, list) or not all(
            isinstance(number, int) and 1 <= number <= len(references) for number in numbers
        ):
            raise FormatError(f"not numbers of references, 1 to {len(references)}: {numbers!r}")
    return {
        **_source(source),
        "references": [_laid_out(source, reference) for reference in references],
        "ranking": ranking,
    }


def _source(source: str) -> dict[str, Any]:
    return {
        "source": source,
        "characters": pack_characters(source),
        "source_sha256": source_checksum(source),
    }


def _laid_out(source: str, target: str) -> list[Any]:
    """A target with what a page needs to set it under its source."""
    return [target, pack_characters(target), flat(anchors(source, target).anchors)]
