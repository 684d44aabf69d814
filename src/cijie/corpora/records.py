"""What a sentence is to every format: texts, and as much about them as the format can express."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from cijie.alignment.links import Alignment, Link
from cijie.errors import CijieError, FormatError, SegmentationError
from cijie.files.ids import given_id
from cijie.projection.boundaries import Change, Doubt
from cijie.recovery.given import as_segmentation
from cijie.text.segmentation import Segmentation, Span


@dataclass(frozen=True, slots=True)
class Record:
    """A source with what is known about it; what a format cannot express is None.

    Args:
        id: its identifier.
        source: the text.
        segmentation: the words of the source.
        target: its correction.
        target_segmentation: the words of the target.
        initial: the words of the source before recovery.
        alignment: the links between the characters of source and target.
        changes: what recovery changed in `initial`.
        confidences: for each word of the source the probability that it ends where it does.
        doubts: the places that recovery decided by weighing evidence.

    Raises:
        FormatError: a segmentation, an alignment, a change or a doubt of other texts than these, or
            not one confidence for each word.
    """

    id: str
    source: str
    segmentation: Segmentation | None = None
    target: str | None = None
    target_segmentation: Segmentation | None = None
    initial: Segmentation | None = None
    alignment: Alignment | None = None
    changes: tuple[Change, ...] | None = None
    confidences: tuple[float, ...] | None = None
    doubts: tuple[Doubt, ...] | None = None

    def __post_init__(self) -> None:
        for text, segmentation in (
            (self.source, self.segmentation),
            (self.source, self.initial),
            (self.target, self.target_segmentation),
        ):
            if segmentation is not None and segmentation.text != text:
                raise FormatError(f"words of {segmentation.text!r} for {text!r}", id=self.id)
        if self.alignment is not None and (
            (self.alignment.source_length, self.alignment.target_length)
            != (len(self.source), len(self.target or ""))
        ):
            raise FormatError("an alignment of other texts", id=self.id)
        placed: Iterable[Change | Doubt] = chain(self.changes or (), self.doubts or ())
        for one in placed:
            if one.at > len(self.source) or one.by[1] > len(self.target or ""):
                raise FormatError(f"beyond the texts: {one!r}", id=self.id)
        words = len(self.segmentation or ())
        if self.confidences is not None and len(self.confidences) != words:
            message = f"{len(self.confidences)} confidences for {words} words"
            raise FormatError(message, id=self.id)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], id: str) -> Record:
        """Make a record of plain values, as `as_dict` and `Recovery.as_record` give them.

        Links and changes may be dictionaries instead of sequences; a value of None is a missing
        one, and keys that are not cijie's are ignored. `id` is used where `values` has none. Words
        have the names of `words_in`.

        Raises:
            CijieError: values that are missing or do not fit.
        """
        id = given_id(values, id)
        source, target = _text(values, "source", id), values.get("target")
        if target is not None:
            target = _text(values, "target", id)
        links, changes = values.get("links"), values.get("changes")
        confidences, doubts = values.get("confidences"), values.get("doubts")
        try:
            return cls(
                id,
                source,
                words_in(values, source),
                target,
                words_in(values, target or "", of="target"),
                words_in(values, source, of="initial"),
                None if links is None else alignment_of(source, target or "", links),
                None if changes is None else tuple(_change(target or "", c) for c in changes),
                None if confidences is None else tuple(map(_number, confidences)),
                None if doubts is None else tuple(_doubt(target or "", d) for d in doubts),
            )
        except CijieError as error:
            raise type(error)(error.message, id=id) from error
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"not a record of cijie: {error}", id=id) from error

    def as_dict(self) -> dict[str, Any]:
        """The record as plain values, those that are there: what JSONL has, as cijie writes it."""
        values = {
            "id": self.id,
            "source": self.source,
            "target": self.target,
            "words": None if self.segmentation is None else self.segmentation.tokens,
            "spans": _spans(self.segmentation),
            "initial_spans": _spans(self.initial),
            "target_spans": _spans(self.target_segmentation),
            "links": None if self.alignment is None else self.alignment.as_tuples(),
            "changes": None
            if self.changes is None
            else [{"at": x.at, "kind": x.kind, "by": x.by} for x in self.changes],
            "confidences": self.confidences,
            "doubts": None if self.doubts is None else [doubt.as_dict() for doubt in self.doubts],
        }
        return {key: value for key, value in values.items() if value is not None}

    def of_source(self) -> Record:
        """The source by itself."""
        return Record(self.id, self.source, self.segmentation)

    def of_target(self) -> Record:
        """The target by itself, as the source of a record.

        Raises:
            FormatError: there is no target.
        """
        if self.target is None:
            raise FormatError("has no target", id=self.id)
        return Record(self.id, self.target, self.target_segmentation)

    def cut(self) -> Segmentation:
        """The words of the source.

        Raises:
            FormatError: there are none.
        """
        if self.segmentation is None:
            raise FormatError(
                f"has no words: {self.source!r}; `cijie recover` or `cijie segment` finds them",
                id=self.id,
            )
        return self.segmentation

    def words(self) -> list[str]:
        """The words of the source for formats that separate words by white space.

        A word with white space in it, which only who gives words can make, becomes several.
        """
        return str(self.cut()).split()


def joined(words: Sequence[str]) -> Segmentation:
    """Words without a text, as most formats have them: the text is the words, joined.

    >>> joined(["我们", "走"])
    Segmentation(text='我们走', boundaries=(2, 3))
    """
    return Segmentation.from_tokens("".join(words), words)


WORDS: dict[str, tuple[str, ...]] = {
    "source": ("spans", "tokens", "words"),
    "initial": ("initial_spans", "initial"),
    "target": ("target_spans", "target_tokens", "target_words"),
    "given": ("source_tokens", "initial_spans", "initial", "spans", "tokens", "words"),
}
"""What records call the words of the source, those before recovery, those of the target, and those
that recovery starts from; `tokens`, `initial` and `target_tokens` are version 0.1's."""


def words_in(values: Mapping[str, Any], text: str, *, of: str = "source") -> Segmentation | None:
    """The words of `text` in a record of plain values, None if it has none.

    Each value is a list of strings or of half-open code-point spans. Where there are several of the
    names in `WORDS`, the first one counts; those of the source must be the same words.

    Raises:
        SegmentationError: neither strings nor spans, not the words of `text`, or not the same.

    >>> words_in({"spans": [[0, 2], [2, 3]], "words": ["我们", "走"]}, "我们走").tokens
    ['我们', '走']
    """
    given = [name for name in WORDS[of] if values.get(name) is not None]
    if not given:
        return None
    found = as_segmentation(text, values[given[0]])
    for name in given[1:] if of == "source" else ():
        if values[name] != found.tokens:
            other = as_segmentation(text, values[name])
            if other != found:
                message = f"{name!r} and {given[0]!r} are other words: {other} / {found}"
                raise SegmentationError(message)
    return found


def alignment_of(source: str, target: str, links: Iterable[Any]) -> Alignment:
    """The links of a record, each a sequence or a dictionary, as an alignment of its texts.

    Raises:
        AlignmentError: links that cannot be those of an alignment.
        TypeError, ValueError: what is no link.
    """
    made = [Link(**link) if isinstance(link, Mapping) else Link(*link) for link in links]
    for link in made:
        _offset(link.source), _offset(link.target)
    return Alignment.from_links(len(source), len(target), made)


def _spans(segmentation: Segmentation | None) -> list[Span] | None:
    return None if segmentation is None else segmentation.spans


def _text(values: Mapping[str, Any], key: str, id: str) -> str:
    value = values.get(key)
    if not isinstance(value, str):
        found = "is missing" if value is None else f"is not a string: {value!r}"
        raise FormatError(f"{key!r} {found}", id=id)
    return value


def _change(target: str, change: Mapping[str, Any]) -> Change:
    start, end = map(_offset, change["by"])
    return Change(_offset(change["at"]), change["kind"], (start, end), target[start:end])


def _doubt(target: str, doubt: Mapping[str, Any]) -> Doubt:
    start, end = map(_offset, doubt["by"])
    return Doubt(
        _offset(doubt["at"]),
        bool(doubt["boundary"]),
        _number(doubt["confidence"]),
        (start, end),
        target[start:end],
    )


def _offset(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"not an offset: {value!r}")
    return value


def _number(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError(f"not a number: {value!r}")
    return float(value)
