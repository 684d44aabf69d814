"""Reviews: tables of the places that recovery is least sure of, on which a person decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cijie.corpora.csv import CsvWriter, cells_of, lacking, read_rows
from cijie.errors import CijieError, FormatError, SegmentationError, UsageError, located
from cijie.files.opening import StrPath, stem_and_ending
from cijie.projection.boundaries import Change
from cijie.recovery.sentence import Recovery, Sentence
from cijie.text.segmentation import Segmentation, Span

if TYPE_CHECKING:
    from cijie.pictures.reasons import Reason

_CONTEXT = 20  # characters on each side
_NAMES = ("id", "place", "left", "words", "right", "alternative", "confidence", "reason")
_DECISION = "decision"
_DECIDED = 1.0  # the confidence where a person decided


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A place that recovery decided by weighing evidence.

    Attributes:
        reason: the decision, and why it was made.
        span: the half-open source span of the words around the place.
        words: these words, separated by spaces.
        alternative: the words under the opposite decision.
    """

    reason: Reason
    span: Span
    words: str
    alternative: str

    @property
    def place(self) -> str:
        """The source offsets in question."""
        return " ".join(map(str, self.reason.places))

    def cells(self, recovery: Recovery) -> list[str]:
        """Return the cells of its row, all but the decision."""
        start, end = self.span
        left, right = recovery.source[:start], recovery.source[end:]
        sure = f"{self.reason.confidence:.4g}"
        return [
            *(recovery.id, self.place, left[-_CONTEXT:], self.words, right[:_CONTEXT]),
            *(self.alternative, sure, str(self.reason)),
        ]


def doubtful(recovery: Recovery) -> list[Doubtful]:
    """Return the places that were decided by weighing evidence, not by a person, in text order.

    >>> from cijie import recover
    >>> recovery = recover("旅行困", "旅行团", segmenter=list, target_tokens=["旅行团"])
    >>> [(each.place, each.words, each.alternative) for each in doubtful(recovery)]
    [('1 2', '旅行困', '旅 行 困')]
    """
    from cijie.pictures.reasons import reasons  # runs without a review do without it

    found = []
    for reason in reasons(recovery):
        if reason.confidence not in (None, _DECIDED):
            places = {*reason.places}
            ends = {*recovery.segmentation.boundaries}
            start = max((end for end in ends - places if end < min(places)), default=0)
            span = start, min(end for end in ends - places if end > max(places))
            words, others = (
                " ".join(cut.text[a:b] for a, b in cut.spans if span[0] <= a and b <= span[1])
                for cut in (recovery.segmentation, _cut(recovery.source, ends ^ places))
            )
            found.append(Doubtful(reason, span, words, others))
    return found


class ReviewWriter(CsvWriter):
    """Writes a row for each doubtful place; `format` is `"csv"`, `"csv-bom"` or `"tsv"`."""

    def __init__(self, format: str) -> None:
        super().__init__(format, [*_NAMES, _DECISION])

    def rows(self, recovery: Recovery) -> list[tuple[float, bytes]]:
        """Return the rows of a recovery, each with the confidence."""
        return [
            (each.reason.confidence or 0.0, self.format_row([*each.cells(recovery), None]))
            for each in doubtful(recovery)
        ]


@dataclass(frozen=True, slots=True)
class Decision:
    """A row of a review, with what a person decided.

    Attributes:
        id, place, words, alternative: what the row is about.
        decided: `"accept"`, `"reject"`, other words, or nothing yet.
        path, line: where it stands.
    """

    id: str
    place: str
    words: str
    alternative: str
    decided: str
    path: str
    line: int

    @property
    def chosen(self) -> str:
        """The words that were chosen, separated by spaces; as they are if nothing is decided."""
        ways = {"": self.words, "accept": self.words, "reject": self.alternative}
        return ways.get(self.decided, self.decided)

    def error(self, message: str) -> CijieError:
        """Return an error about the row."""
        return FormatError(message, path=self.path, line=self.line, id=self.id)


Decisions = Sequence[Mapping[str, Sequence[Decision]]]
"""The decisions of several reviews, by the id of the sentence, in the order of their making."""


def read_decisions(path: StrPath) -> dict[str, list[Decision]]:
    """Read a review.

    Raises:
        FormatError: a malformed file, a column that is missing or occurs again, more cells than
            columns, or a place that occurs again.
        UsageError: the file is neither `.csv` nor `.tsv`.
    """
    path = str(path)
    _, ending = stem_and_ending(path)
    if ending not in (".csv", ".tsv"):
        raise UsageError(f"expected a review, *.csv or *.tsv, got {path}")
    found: dict[str, list[Decision]] = {}
    needed = ("id", "place", "words", "alternative", _DECISION)
    try:
        (_, header), *rows = read_rows(path, ending[1:])
        if not header:
            raise FormatError("the file is empty")
        for name in needed:
            if name not in header:
                hint = "`cijie recover --review` writes a review"
                raise FormatError(lacking(name, header, ending[1:], hint), line=1)
        for line, row in rows:
            with located(line=line):
                cells = cells_of(header, row)
            id, place, words, alternative, decided = (cells.get(name, "") for name in needed)
            decided = " ".join(decided.split())
            if decided.lower() in ("accept", "reject"):
                decided = decided.lower()
            made = Decision(id, place, words, alternative, decided, path, line)
            if any(place == other.place for other in found.get(id, ())):
                raise made.error(f"a second row for the place {place!r}")
            if any(row):
                found.setdefault(id, []).append(made)
    except FormatError as error:
        if "--encoding" in error.message:  # which is that of the pairs
            error.message = f"{error.message.partition(';')[0]}; save it as CSV in UTF-8"
        raise error.at(path=path) from error.__cause__
    return found


def by_place(decisions: Decisions) -> list[Decision]:
    """Return one row for each place of several reviews, one with a decision if there is one."""
    found: dict[tuple[str, str], Decision] = {}
    for row in (row for each in decisions for rows in each.values() for row in rows):
        if not found.setdefault((row.id, row.place), row).decided:
            found[row.id, row.place] = row
    return list(found.values())


def decide(recovery: Recovery, reviews: Iterable[Sequence[Decision]]) -> Recovery:
    """Return a recovery as one or several persons decided.

    Each row is about the recovery as it is given, or as earlier reviews decided it. The confidence
    at a place that was decided is 1. A boundary that is changed against the initial segmentation is
    a change by the target word that the row is about.

    Args:
        recovery: the recovery that was reviewed.
        reviews: the rows of each review, those without a decision included.

    Raises:
        FormatError: a row that is not about this recovery, a decision that is none, or two that
            contradict each other.
    """
    known: list[Mapping[str, Doubtful]] = []
    decided: dict[int, tuple[bool, Reason, Decision]] = {}
    result = recovery
    for rows in reviews:
        known.append({each.place: each for each in doubtful(result)})
        for row in rows:
            found = _matching(row, [each[row.place] for each in known if row.place in each], result)
            for at, is_end in _ends(row, found, recovery.source).items():
                before, _, other = decided.setdefault(at, (is_end, found.reason, row))
                if before != is_end:
                    message = f"{row.decided!r} contradicts {other.decided!r}"
                    raise row.error(f"{message} in {other.path}:{other.line}")
        result = _changed(recovery, decided)
    return result


def _matching(row: Decision, found: Sequence[Doubtful], recovery: Recovery) -> Doubtful:
    """Return the place that a row is about."""
    same = "segmenter, method and their options must be those of the review"
    if not found:
        raise row.error(f"no doubtful place {row.place!r} in this recovery: {recovery}; {same}")
    for each in found:
        if (each.words, each.alternative) == (row.words, row.alternative):
            return each
    expected = f"expected words {found[-1].words!r} and alternative {found[-1].alternative!r}"
    hint = f"other words go into the column 'decision'; {same}, earlier reviews included"
    raise row.error(f"{expected}, got {row.words!r} and {row.alternative!r}; {hint}")


def _ends(row: Decision, found: Doubtful, source: str) -> dict[int, bool]:
    """Return the source offsets that a row decides, each with whether a word ends there."""
    if row.decided in ("", "accept", "reject"):
        is_end = found.reason.is_apart == (row.decided == "accept")
        return dict.fromkeys(found.reason.places, is_end) if row.decided else {}
    start, end = found.span
    text = source[start:end]
    words = None
    with suppress(SegmentationError):
        words = Segmentation.from_tokens(text, row.decided.split())
    if words is None or str(words) != row.decided:  # a boundary within a character is left out
        message = f"expected accept, reject or the words of {text!r}, got {row.decided!r}"
        raise row.error(message)
    ends = {0, *words.boundaries}  # words of a person's own begin and end where the span does
    return {at: at - start in ends for at in range(max(start, 1), end + 1)}


def _changed(recovery: Recovery, decided: Mapping[int, tuple[bool, Reason, Any]]) -> Recovery:
    if not decided:
        return recovery
    initial = recovery.initial.boundaries
    ends = {*recovery.segmentation.boundaries} - {*decided}
    ends |= {at for at, (is_end, *_) in decided.items() if is_end}
    changes = {change.at: change for change in recovery.changes}
    for at, (is_end, reason, _) in decided.items():
        if is_end == (at in initial):
            changes.pop(at, None)
        elif at not in changes:
            changes[at] = Change(at, "insert" if is_end else "remove", reason.by, reason.word)
    words = _cut(recovery.source, ends) if changes else recovery.initial
    doubts = tuple(
        doubt._replace(boundary=doubt.at in ends, confidence=_DECIDED)
        if doubt.at in decided
        else doubt
        for doubt in recovery.doubts
    )
    before = dict(zip(recovery.spans, recovery.confidences, strict=True))
    sure = []
    last = 0
    for start, end in words.spans:
        if (start, end) in before and not any(last <= at <= end for at in decided):
            sure.append(before[start, end])
        else:
            near = (doubt.confidence for doubt in doubts if last <= doubt.at <= end)
            sure.append(min(near, default=1.0))
        last = end
    return replace(
        recovery,
        segmentation=words,
        changes=tuple(changes[at] for at in sorted(changes)),
        confidences=tuple(sure),
        doubts=doubts,
    )


def _cut(text: str, ends: Iterable[int]) -> Segmentation:
    return Segmentation(text, tuple(sorted(ends)))


def about_known(
    pairs: Iterable[Sentence | CijieError], decisions: Decisions
) -> Iterator[Sentence | CijieError]:
    """Yield the pairs, and in the end refuse decisions about others.

    Raises:
        FormatError: a decision about a sentence that is not among the pairs.
    """
    left = {id: rows[0] for each in decisions for id, rows in each.items()}
    for pair in pairs:
        if isinstance(pair, Sentence):
            left.pop(pair.id, None)
        yield pair
    for row in left.values():
        raise row.error("none of the pairs has this id")
