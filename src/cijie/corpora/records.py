"""What a sentence is to every format: texts, and as much about them as the format can express."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal, get_args

from cijie.alignment.links import Alignment, Block, Link
from cijie.errors import FormatError, SegmentationError, located
from cijie.files.ids import given_id
from cijie.projection.boundaries import Change, Doubt
from cijie.recovery.given import as_segmentation, text_in
from cijie.recovery.pair import Corrected, nearest
from cijie.recovery.recovery import Recovery, as_values
from cijie.text.segmentation import Segmentation

Part = Literal[
    "words",
    "target",
    "target words",
    "initial words",
    "links",
    "changes",
    "confidences",
    "doubts",
    "references",
    "status",
]
"""What a record may have beside its source."""

Status = Literal["no error", "not annotatable", "no reference"]
"""Why a source has no correction: it needs none (and is its own target), nobody could correct it,
or nobody has."""


@dataclass(frozen=True, slots=True)
class Record:
    """A source with what is known about it; what is not known is None.

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
        references: all corrections of the source, where there are several; the target is one.
        reference_segmentations: their words.
        reference: the number of the target among the corrections, from 1.
        status: why there is no correction.

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
    references: tuple[str, ...] | None = None
    reference_segmentations: tuple[Segmentation, ...] | None = None
    reference: int | None = None
    status: Status | None = None

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
        placed: tuple[Change | Doubt, ...] = (*(self.changes or ()), *(self.doubts or ()))
        for one in placed:
            if one.at > len(self.source) or one.by[1] > len(self.target or ""):
                raise FormatError(f"beyond the texts: {one!r}", id=self.id)
        if self.confidences is not None:
            words = len(self.segmentation or ())
            if len(self.confidences) != words:
                message = f"{len(self.confidences)} confidences for {words} words"
                raise FormatError(message, id=self.id)
        if self.reference_segmentations is not None and self.references != tuple(
            segmentation.text for segmentation in self.reference_segmentations
        ):
            raise FormatError("words of other references", id=self.id)

    @classmethod
    def of(cls, id: str, recovery: Recovery) -> Record:
        """A recovery as a record."""
        return cls(
            id,
            recovery.source,
            # The same words, and as one object they are written out once.
            recovery.segmentation if recovery.changes else recovery.initial,
            recovery.target,
            recovery.target_segmentation,
            recovery.initial,
            recovery.alignment,
            recovery.changes,
            recovery.confidences or None,
            recovery.doubts if recovery.confidences else None,
        )

    @classmethod
    def with_targets(
        cls,
        id: str,
        source: Segmentation | str,
        targets: Sequence[Segmentation] | Sequence[str],
        *,
        status: Status | None = None,
    ) -> Record:
        """A source with all its corrections; the nearest of them is its target.

        All of them are given with their words, or as texts.

        Raises:
            AlignmentError: texts that are too long to be compared.
        """
        text, words = (source, None) if isinstance(source, str) else (source.text, source)
        if not targets:
            return cls(id, text, words, status=status)
        if len(targets) == 1:
            target = targets[0]
            if isinstance(target, str):
                return cls(id, text, words, target, status=status)
            return cls(id, text, words, target.text, target, status=status)
        cut = tuple([target for target in targets if isinstance(target, Segmentation)])
        texts = tuple([target if isinstance(target, str) else target.text for target in targets])
        with located(id=id):
            number = nearest(text, texts)
        return cls(
            id,
            text,
            words,
            texts[number],
            cut[number] if cut else None,
            references=texts,
            reference_segmentations=cut or None,
            reference=number + 1,
            status=status,
        )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], id: str, *, pair: bool = False) -> Record:
        """Make a record of plain values, as `as_dict` and `Recovery.as_record` give them.

        Links and changes may be dictionaries instead of sequences; a value of None is a missing
        one, and keys that are not cijie's are ignored. `id` is used where `values` has none. Words
        have the names of `words_in`. Without a target, the nearest of the references is it.

        Args:
            values: the values.
            id: what the id is where `values` has none.
            pair: take no more than what recovery starts from: texts, references, and the words
                that are given, as `initial` and `target_segmentation`.

        Raises:
            CijieError: values that are missing or do not fit.
        """
        id = given_id(values, id)
        with located(id=id):
            try:
                return cls(id, **_pair(values) if pair else _everything(values))
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                raise FormatError(f"not a record of cijie: {error}") from error

    def as_dict(self, *, words: bool = True) -> dict[str, Any]:
        """The record as plain values, those that are there: what JSONL has, as cijie writes it.

        Without `words` the words of source and target are left out.
        """
        values = as_values(
            self.id,
            self.source,
            self.target,
            self.segmentation if words else None,
            self.initial if words else None,
            self.target_segmentation if words else None,
            self.alignment,
            self.changes,
            self.confidences,
            self.doubts,
        )
        if self.reference is not None:
            values["reference"] = self.reference
        if self.references is not None:
            values["references"] = self.references
        if self.reference_segmentations is not None:
            values["reference_spans"] = [words.spans for words in self.reference_segmentations]
        if self.status is not None:
            values["status"] = self.status
        return values

    @property
    def parts(self) -> list[Part]:
        """What the record has beside its source."""
        return [name for name, attribute in _PARTS.items() if getattr(self, attribute) is not None]

    @property
    def targets(self) -> tuple[str, ...]:
        """All corrections."""
        if self.references is not None:
            return self.references
        return () if self.target is None else (self.target,)

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

    @property
    def given(self) -> Segmentation | None:
        """The words of the source that recovery starts from, where there are any."""
        return self.segmentation if self.initial is None else self.initial

    def corrected(self) -> Corrected:
        """The source with all its targets, and the words that are given for it and the nearest."""
        return Corrected(self.id, self.source, self.targets, self.given, self.target_segmentation)

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


_PARTS: dict[Part, str] = {
    "words": "segmentation",
    "target": "target",
    "target words": "target_segmentation",
    "initial words": "initial",
    "links": "alignment",
    "changes": "changes",
    "confidences": "confidences",
    "doubts": "doubts",
    "references": "references",
    "status": "status",
}

WORDS: dict[str, tuple[str, ...]] = {
    "source": ("spans", "tokens", "words"),
    "initial": ("initial_spans", "initial", "initial_words", "source_tokens"),
    "target": ("target_spans", "target_tokens", "target_words"),
    "given": (
        *("source_tokens", "initial_spans", "initial", "initial_words"),
        *("spans", "tokens", "words"),
    ),
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


def joined(words: Sequence[str]) -> Segmentation:
    """Words without a text, as most formats have them: the text is the words, joined.

    >>> joined(["我们", "走"])
    Segmentation(text='我们走', boundaries=(2, 3))
    """
    return Segmentation.from_tokens("".join(words), words)


def alignment_of(source: str, target: str, links: Iterable[Any]) -> Alignment:
    """The links of a record, each a sequence or a dictionary, as an alignment of its texts.

    Raises:
        AlignmentError: links that cannot be those of an alignment.
        KeyError, TypeError, ValueError: what is no link.
    """
    rows = sorted(map(_link, links), key=itemgetter(0))
    blocks: list[Block] = []
    residuals: list[Link] = []
    first = target_first = size = 0
    for i, j, kind, score in rows:
        if kind != "anchor" or score is not None:
            residuals.append(Link(i, j, kind, score))
        elif size and i == first + size and j == target_first + size:
            size += 1
        else:
            if size:
                blocks.append((first, target_first, size))
            first, target_first, size = i, j, 1
    if size:
        blocks.append((first, target_first, size))
    return Alignment(len(source), len(target), tuple(blocks), tuple(residuals))


def _link(link: Any) -> tuple[int, int, Any, float | None]:
    if isinstance(link, dict | Mapping):  # a dictionary first, for that is told fast
        link = [link["source"], link["target"], link.get("kind", "anchor"), link.get("score")]
    if type(link) is list and len(link) == 4:
        i, j, kind, score = link
        if type(i) is int and type(j) is int and (score is None or type(score) is float):
            return i, j, kind, score  # as nearly always
    parts = list(link)
    missing: list[Any] = ["anchor", None][len(parts) - 2 :] if len(parts) >= 2 else []
    i, j, kind, score = parts + missing
    return _offset(i), _offset(j), kind, None if score is None else _number(score)


def _everything(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a record."""
    source, target = text_in(values, "source"), values.get("target")
    links, changes = values.get("links"), values.get("changes")
    confidences, doubts = values.get("confidences"), values.get("doubts")
    found = _targets(values, source)
    target = found["target"] or ""
    return {
        "source": source,
        "segmentation": words_in(values, source),
        "initial": words_in(values, source, of="initial"),
        **found,
        "alignment": None if links is None else alignment_of(source, target, links),
        "changes": None if changes is None else tuple(_change(target, x) for x in changes),
        "confidences": None if confidences is None else tuple(map(_number, confidences)),
        "doubts": None if doubts is None else tuple(_doubt(target, x) for x in doubts),
    }


def _pair(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a record that has only what recovery starts from."""
    source = text_in(values, "source")
    return {
        "source": source,
        "initial": words_in(values, source, of="given"),
        **_targets(values, source),
    }


def _targets(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    references, number, status = (values.get(x) for x in ("references", "reference", "status"))
    if references is not None:
        references = _strings(references)
    if number is not None and not (isinstance(number, int) and number > 0):
        raise FormatError(f"'reference' is not a number from 1: {number!r}")
    if status is not None and status not in get_args(Status):
        raise FormatError(f"'status' is none of {', '.join(get_args(Status))}: {status!r}")
    target = None if values.get("target") is None else text_in(values, "target")
    if target is None and references is not None:
        if not references:
            raise FormatError("'references' is empty")
        number = number or nearest(source, references) + 1
        if number > len(references):
            raise FormatError(f"there is no reference {number}: {len(references)} in this record")
        target = references[number - 1]
    words = values.get("reference_spans")
    if words is not None and references is not None:
        words = tuple(map(as_segmentation, references, words))
    return {
        "target": target,
        "target_segmentation": words_in(values, target or "", of="target"),
        "references": references,
        "reference_segmentations": words,
        "reference": number,
        "status": status,
    }


def _strings(references: object) -> tuple[str, ...]:
    if hasattr(references, "tolist"):
        references = references.tolist()
    if not isinstance(references, (list, tuple)) or not all(
        isinstance(reference, str) for reference in references
    ):
        raise FormatError(f"'references' is not a list of strings: {references!r}")
    return tuple(references)


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
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"not an offset: {value!r}")
    return value


def _number(value: object) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"not a number: {value!r}")
    return float(value)
