"""Convert plain values, from JSON lines, tables or users, to sentences, and validate them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import isnan
from numbers import Real
from operator import index
from typing import Annotated, Any, Literal

import msgspec

from cijie.alignment.links import Alignment
from cijie.checking import checked
from cijie.errors import FormatError, SegmentationError, located
from cijie.projection.boundaries import Change, Doubt
from cijie.recovery.sentence import Recovery, Sentence, Status, index_of, nearest
from cijie.text.segmentation import Segmentation

PairLike = Sentence | tuple[str, str] | Mapping[str, Any]
"""A pair as user input: `(source, target)`; a mapping with `source`, `target` and optionally `id`,
`source_tokens` and `target_tokens` (words as accepted by `as_segmentation`); or a `Sentence` with
a target."""

Words = Iterable[str] | Iterable[tuple[int, int]]
"""Words as accepted by `as_segmentation`."""

WORDS: dict[str, tuple[str, ...]] = {
    "source": ("spans", "tokens", "words"),
    "initial": ("source_tokens", "initial_spans", "initial_words"),
    "target": ("target_spans", "target_tokens", "target_words"),
}
"""The keys in records for the words of the source, its initial words, and the target's words."""

_Offset = Annotated[int, msgspec.Meta(ge=0)]
_Span = tuple[_Offset, _Offset]


class _Link(msgspec.Struct, array_like=True):
    source: _Offset
    target: _Offset
    kind: Literal["anchor", "residual"] = "anchor"
    score: float | None = None


class _Change(msgspec.Struct):
    at: _Offset
    kind: Literal["insert", "remove"]
    by: _Span


class _Doubt(msgspec.Struct):
    at: _Offset
    boundary: bool
    confidence: Annotated[float, msgspec.Meta(ge=0, le=1)]
    by: _Span


class _Corrections(msgspec.Struct):
    """The part of a record about the corrections of its source."""

    target: str | None = None
    references: tuple[str, ...] | None = None
    reference: Annotated[int, msgspec.Meta(ge=1)] | None = None
    status: Status | None = None
    label: str | None = None


class _Links(msgspec.Struct):
    links: Sequence[_Link]


class _Result(msgspec.Struct):
    """The part of a record about the results of recovery."""

    changes: tuple[_Change, ...] | None = None
    confidences: tuple[float, ...] | None = None
    doubts: tuple[_Doubt, ...] | None = None


def sentence_of(
    values: Mapping[str, Any],
    id: str,
    *,
    results: bool = True,
    skipped: Counter[str] | None = None,
) -> Sentence:
    """Build a sentence from plain values in the form of `Sentence.as_record`.

    Links may be dictionaries instead of sequences. None is a missing value, and unknown keys are
    ignored. The keys of words are in `WORDS`. Without a target, the nearest reference is used.

    Args:
        values: the values.
        id: the id if `values` has none.
        results: whether to read links, changes, confidences and doubts as well.
        skipped: counts the sentences whose words were edited after recovery; their changes,
            confidences and doubts, which belong to other words, are dropped.

    Returns:
        A `Recovery` if words, target words, initial words, links and changes are all present.

    Raises:
        CijieError: values are missing, malformed or inconsistent; raised with the id.

    >>> sentence_of({"source": "旅行困", "target": "旅行团", "spans": [[0, 2], [2, 3]]}, "1").words
    ['旅行', '困']
    """
    id = given_id(values, id)
    with located(id=id):
        source = text_in(values, "source")
        known = _corrections(values, source) | {
            "segmentation": words_in(values, source),
            "initial": words_in(values, source, of="initial"),
        }
        if not results:
            return Sentence(id, source, **known)
        known |= _result(values, source, known)
        if _is_edited(known):
            known |= {"changes": None, "confidences": (), "doubts": ()}
            if skipped is not None:
                skipped["results for edited words"] += 1
        is_recovery = None not in (
            *(known["target_segmentations"] or (None,)),
            *(known[x] for x in ("segmentation", "initial", "alignment", "changes")),
        )
        return (Recovery if is_recovery else Sentence)(id, source, **known)


def given_id(values: Mapping[str, Any], default: object) -> str:
    """Return the id of a record, a string or a whole number, as a string; `default` if missing.

    Numbers may be from Python, NumPy or pandas, including whole floats. None, NaN and pandas' NA
    are missing values.

    Raises:
        FormatError: the id is neither a string nor a whole number.

    >>> [given_id({"id": id}, 1) for id in ("5", 5, 5.0, None, float("nan"))]
    ['5', '5', '5', '1', '1']
    """
    id = values.get("id")
    if isinstance(id, str):
        return str(id)  # not a subclass, such as NumPy's
    if _is_missing(id):
        return str(default)
    if type(id).__name__ not in _BOOLEAN:
        with suppress(TypeError):
            return str(index(id))  # type: ignore[arg-type]
        if isinstance(id, Real) and (number := float(id)).is_integer() and abs(number) < _EXACT:
            return str(int(number))
    raise FormatError(f"'id' is neither a string nor a whole number: {id!r}", id=default)


_MISSING = {"NAType", "NaTType"}  # pandas' NA and NaT, recognised without importing pandas
_BOOLEAN = {"bool", "bool_"}  # NumPy's
_EXACT = 1 << 53  # not every larger whole number is a floating-point number


def _is_edited(known: Mapping[str, Any]) -> bool:
    """Return whether the words were edited after recovery."""
    words, initial, changes = (known[x] for x in ("segmentation", "initial", "changes"))
    if words is None:
        return False
    if initial is not None and changes is not None:
        ends = set(initial.boundaries).symmetric_difference(change.at for change in changes)
        return ends != set(words.boundaries)
    return bool(known["confidences"]) and len(known["confidences"]) != len(words)


def words_in(values: Mapping[str, Any], text: str, *, of: str = "source") -> Segmentation | None:
    """Return the words of `text` in a record of plain values, or None if it has none.

    Each value is a list of strings or of half-open code-point spans. If several of the keys in
    `WORDS` are present, the first one is used. The words of the source must be identical under
    all keys, except that edited `words` win in the output of recovery.

    Args:
        values: a record.
        text: the text that the words spell.
        of: the entry of `WORDS` to read: `source`, `initial` or `target`.

    Raises:
        SegmentationError: the words are neither strings nor spans, do not spell `text`, or are
            not identical.

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
                if name == "words" and values.get("initial_spans") is not None:
                    return other  # edited in the output of recovery
                message = f"{name!r} and {given[0]!r} are different words: {other} / {found}"
                raise SegmentationError(message)
    return found


def alignment_of(source: str, target: str, links: object) -> Alignment:
    """Convert the links of a record, each a sequence or a dictionary, to an alignment.

    Args:
        source: the source text.
        target: the target text.
        links: a sequence of links.

    Raises:
        FormatError: the links are malformed.
        AlignmentError: links are out of range or not one-to-one, or anchors are out of order.
    """
    if isinstance(links, (list, tuple)):  # dictionaries, as in columns of Arrow, become sequences
        names = _Link.__struct_fields__
        links = [
            [{"kind": "anchor", **x}.get(name) for name in names] if isinstance(x, Mapping) else x
            for x in links
        ]
    found = checked({"links": links}, _Links).links
    rows = [(x.source, x.target, x.kind, x.score) for x in found]
    return Alignment.from_tuples(len(source), len(target), rows)


def _corrections(values: Mapping[str, Any], source: str) -> dict[str, Any]:
    found = checked(values, _Corrections)
    target, texts, number = found.target, found.references, found.reference
    if texts is None:
        texts = () if target is None else (target,)
    elif not texts:
        raise FormatError("'references' is empty")
    elif number is None:
        number = (texts.index(target) if target in texts else nearest(source, texts)) + 1
    chosen = index_of(number, texts)
    if len(texts) > 1 and target not in (None, texts[chosen]):
        raise FormatError(f"the target is not reference {number}: {target!r} / {texts[chosen]!r}")
    words = values.get("reference_spans")
    cut: list[Segmentation | None]
    if words is not None and len(texts) > 1:
        if not isinstance(words, (list, tuple)) or len(words) != len(texts):
            raise FormatError(
                f"'reference_spans': expected the words of {len(texts)} references, got {words!r}"
            )
        cut = [as_segmentation(text, each) for text, each in zip(texts, words, strict=True)]
    else:
        cut = [None for _ in texts]
    given = words_in(values, texts[chosen] if texts else "", of="target")
    if given is not None and texts:
        cut[chosen] = given
    return {
        "targets": texts,
        "target_segmentations": tuple(cut) if any(x is not None for x in cut) else (),
        "reference": number,
        "status": found.status,
        "label": found.label,
    }


def _result(values: Mapping[str, Any], source: str, known: Mapping[str, Any]) -> dict[str, Any]:
    found = checked(values, _Result)
    texts, number = known["targets"], known["reference"]
    target = texts[index_of(number, texts)] if texts else ""
    links = values.get("links")
    return {
        "alignment": None if links is None else alignment_of(source, target, links),
        "changes": None
        if found.changes is None
        else tuple(Change(x.at, x.kind, x.by, target[slice(*x.by)]) for x in found.changes),
        "confidences": found.confidences or (),
        "doubts": tuple(
            Doubt(x.at, x.boundary, x.confidence, x.by, target[slice(*x.by)])
            for x in found.doubts or ()
        ),
    }


def as_pair(pair: PairLike, number: int) -> Sentence:
    """Convert a pair of any form to a sentence with a target; `number` is the default id.

    Raises:
        CijieError: the value is not a pair, source or target is missing or not a string, or words
            do not spell their text; raised with the id.
    """
    if isinstance(pair, Sentence):
        if not pair.targets:
            raise FormatError("'target' is missing", id=pair.id)
        return pair
    if isinstance(pair, Mapping):
        values = pair
    elif isinstance(pair, tuple | list) and len(pair) == 2:
        values = {"source": pair[0], "target": pair[1]}
    else:
        message = f"expected (source, target), or 'source' and 'target' by name, got {pair!r}"
        raise FormatError(message, id=number)
    id = given_id(values, number)
    with located(id=id):
        source, target = (text_in(values, name) for name in ("source", "target"))
        return pair_of(id, source, target, values.get("source_tokens"), values.get("target_tokens"))


def pair_of(
    id: str, source: str, target: str, source_tokens: object = None, target_tokens: object = None
) -> Sentence:
    """Build a sentence from a source, its target and, optionally, their words.

    Args:
        id: the id of the sentence.
        source: the source text.
        target: the target text.
        source_tokens: the words of the source as strings or spans, or None.
        target_tokens: the words of the target as strings or spans, or None.

    Raises:
        SegmentationError: words do not spell their text.
    """
    words = _given("target_tokens", target, target_tokens)
    return Sentence(
        id,
        source,
        (target,),
        initial=_given("source_tokens", source, source_tokens),
        target_segmentations=() if words is None else (words,),
    )


def _given(name: str, text: str, words: object) -> Segmentation | None:
    """Return the words of a text that are called `name`, or None if they are missing."""
    try:
        return None if _is_missing(words) else as_segmentation(text, words)
    except SegmentationError as error:
        raise SegmentationError(f"{name}: {error.message}") from None


def as_segmentation(text: str, words: object) -> Segmentation:
    """Return the segmentation of a text by its words.

    Args:
        text: the text.
        words: strings, or half-open code-point spans.

    Raises:
        SegmentationError: the words have another form, or do not spell the text.

    >>> as_segmentation("我们去", ["我们", "去"]).spans
    [(0, 2), (2, 3)]
    """
    if isinstance(words, Iterable) and not isinstance(words, str | bytes | Mapping):
        listed = list(words)
        if all(isinstance(word, str) for word in listed):
            return Segmentation.from_tokens(text, listed)
        if all(map(_is_span, listed)):
            return Segmentation.from_spans(text, [(index(a), index(b)) for a, b in listed])
    raise SegmentationError(f"words must be strings or spans, not {words!r}")


def _is_span(word: Any) -> bool:
    try:
        start, end = word
        if type(start) is int and type(end) is int:  # the usual case, and fast
            return start >= 0 and end >= 0
        offsets = not isinstance(word, str) and bool not in (type(start), type(end))
        return offsets and index(start) >= 0 and index(end) >= 0
    except (TypeError, ValueError):
        return False


def text_in(values: Mapping[str, Any], name: str) -> str:
    """Return a text from a record of plain values.

    Raises:
        FormatError: the text is missing or not a string.
    """
    value = values.get(name)
    if not isinstance(value, str):
        found = "is missing" if _is_missing(value) else f"is not a string: {value!r}"
        raise FormatError(f"{name!r} {found}")
    return value


def _is_missing(value: object) -> bool:
    """Return whether a value is None, NaN, or pandas' NA or NaT: an empty cell."""
    is_nan = isinstance(value, Real) and not isinstance(value, int) and isnan(value)
    return value is None or is_nan or type(value).__name__ in _MISSING
