"""Explain in sentences why boundaries are where they are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Literal, NamedTuple, TypeVar

from cijie.alignment.links import Link
from cijie.choices import Language
from cijie.pictures.layout import Recovered
from cijie.pictures.likeness import Likeness, likeness
from cijie.pictures.wording import decimal, message, visible
from cijie.projection.boundaries import Change, Doubt
from cijie.text.segmentation import Segmentation, Span

Name = TypeVar("Name")

SURE = 0.95
"""Words and decisions of at least this confidence are not marked as doubtful."""

Evidence = tuple[tuple[str, float, float], ...]
"""The features behind a decision: name, value and contribution of each."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A suggestion of a target word for the source, and whether the source's words follow it.

    Attributes:
        kind: `"join"` the characters linked to the word, or `"cut"` where it begins or ends.
        followed: whether the suggestion was followed.
        places: the source offsets of the boundaries in question.
        span: the half-open source span that is joined, or that a cut divides.
        pieces: the texts of the parts of the span, divided at the places.
        by: the span of the target word.
        word: the target word.
        end: whether a cut is where the word ends, not where it begins.
        alike: the features that link the differing characters.
        confidence: the probability that the decision is right, if the method gives one.
        evidence: the features behind the decision, if the method keeps them.
    """

    kind: Literal["join", "cut"]
    followed: bool
    places: tuple[int, ...]
    span: Span
    pieces: tuple[str, ...]
    by: Span
    word: str
    end: bool = True
    alike: tuple[Likeness, ...] = ()
    confidence: float | None = None
    evidence: Evidence = ()

    @property
    def is_apart(self) -> bool:
        """Whether there are boundaries at the places."""
        return (self.kind == "cut") == self.followed

    @property
    def _message(self) -> str:
        """The key of the message."""
        if self.kind == "cut":
            return f"{'cut' if self.followed else 'uncut'}.{'end' if self.end else 'start'}"
        if not self.followed:
            return "apart"
        return "same" if "".join(self.pieces) == self.word else "join"

    def in_language(self, language: Language = "en") -> str:
        """Return the reason as a sentence."""
        reason = message(
            f"reason.{self._message}",
            language,
            whole="".join(self.pieces),
            pieces="|".join(self.pieces),
            first=self.pieces[0],
            word=self.word,
        )
        return _sentence(reason, self.alike, language)

    __str__ = in_language

    def sure(self, language: Language = "en") -> str:
        """Return the confidence of the decision, and the alternative; empty if not known."""
        if self.confidence is None:
            return ""
        sure, rest = decimal(self.confidence), decimal(1 - self.confidence)
        other = ("" if self.is_apart else "|").join(self.pieces)
        return message("reason.sure", language, sure=sure, other=other, rest=rest)

    def weighed(self, language: Language = "en") -> str:
        """Return the features that made a difference, and how much; empty if not known."""
        features = message("reason.list", language).join(
            f"{message(f'number.{name}', language)} {value:.2f} ({part:+.2f})"
            for name, value, part in self.evidence
            if round(part, 2)
        )
        return features and message("reason.weighed", language, features=features)


def reasons(recovery: Recovered) -> list[Reason]:
    """Return the reasons for the recovered words, in text order.

    There is a reason for every changed boundary, and for every boundary that the method weighed
    and left unchanged.

    >>> from cijie import Recoverer
    >>> recovery = Recoverer(list, "p2").recover("旅行困", "旅行团", target_tokens=["旅行团"])
    >>> print(*reasons(recovery))
    旅行困 is one word, because 旅行团 is, and 困 looks like 团 (similarity .89).
    """
    decided: dict[int, Change | Doubt] = {doubt.at: doubt for doubt in recovery.doubts}
    decided |= {change.at: change for change in recovery.changes}
    # A word that joins several pieces gives one reason; each cut gives its own.
    groups: dict[tuple[bool, bool, Span, str, int], list[int]] = {}
    for at, one in sorted(decided.items()):
        followed = isinstance(one, Change)
        join = one.kind == "remove" if isinstance(one, Change) else one.boundary
        key = join, followed, one.by, one.word, -1 if join else at
        groups.setdefault(key, []).append(at)
    links = recovery.alignment.links if groups else []
    return [_reason(recovery, links, places, *key[:4]) for key, places in groups.items()]


def reasons_by(recoveries: Mapping[Name, Recovered]) -> list[dict[Name, Reason]]:
    """Return the reasons of several methods in text order, identical ones grouped, by method."""
    groups: dict[tuple[tuple[int, ...], str], dict[Name, Reason]] = {}
    for name, recovery in recoveries.items():
        for reason in reasons(recovery):
            groups.setdefault((reason.places, str(reason)), {})[name] = reason
    return [group for _, group in sorted(groups.items(), key=itemgetter(0))]


class Line(NamedTuple):
    """A line of an explanation.

    Attributes:
        kind: a reason (`"changed"` or `"left"` boundaries), or what follows one: how `"sure"` the
            decision is, and what was `"weighed"`.
        name: whose line it is, if there are several methods.
        text: the line.
    """

    kind: Literal["changed", "left", "sure", "weighed"]
    name: str
    text: str


def explain(recoveries: Mapping[str, Recovered], language: Language = "en") -> Iterator[Line]:
    """Yield the reasons as lines; a reason that methods share is given once.

    Where nothing was weighed although source and target differ, a line says so.
    """
    groups = reasons_by(recoveries)
    for group in groups:
        reason = next(iter(group.values()))
        names = {name: visible(name) if len(recoveries) > 1 else "" for name in group}
        kind: Literal["changed", "left"] = "changed" if reason.followed else "left"
        yield Line(kind, "  ".join(names.values()), reason.in_language(language))
        for name, each in group.items():
            if sure := each.sure(language):
                yield Line("sure", names[name], sure)
            if weighed := each.weighed(language):
                yield Line("weighed", names[name], weighed)
    *_, last = recoveries.values()
    source, target = last.initial.text, last.target_segmentation.text
    links = last.alignment.links
    if not groups and source != target:
        alike = [each for each in _alike(source, target, links) if each.by != "moved"]
        unchanged = message("reason.unchanged", language)
        yield Line("left", "", _sentence(unchanged, alike, language, "also"))


def _alike(source: str, target: str, links: Iterable[Link]) -> tuple[Likeness, ...]:
    """Return the features behind residual links, in the order of the target."""
    found = (
        likeness(source[link.source], target[link.target], link.score)
        for link in sorted(links, key=attrgetter("target"))
        if link.kind == "residual"
    )
    return tuple(dict.fromkeys(found))


def _sentence(clause: str, alike: Iterable[Likeness], language: Language, by: str = "and") -> str:
    more = (message(f"reason.{by}", language) + each.in_language(language) for each in alike)
    return "".join([clause, *more, message("reason.stop", language)])


def _reason(
    recovery: Recovered,
    links: Sequence[Link],
    places: Sequence[int],
    join: bool,
    followed: bool,
    by: Span,
    word: str,
) -> Reason:
    source, target = recovery.initial.text, recovery.target_segmentation.text
    linked = [link for link in links if by[0] <= link.target < by[1]]
    start, end = _span(recovery.initial, places)
    if join and linked:  # the span linked to the word, if the places are inside it
        low, high = linked[0].source, linked[-1].source + 1
        start, end = (low, high) if low < places[0] and places[-1] < high else (start, end)
    weighed = [doubt for doubt in recovery.doubts if doubt.at in places]
    return Reason(
        "join" if join else "cut",
        followed,
        tuple(places),
        (start, end),
        tuple(source[a:b].strip() for a, b in pairwise([start, *places, end])),
        by,
        word,
        not any(link.source == places[0] and link.target == by[0] for link in linked),
        _alike(source, target, linked),
        min((doubt.confidence for doubt in weighed), default=None),
        weighed[0].evidence if weighed else (),
    )


def _span(initial: Segmentation, places: Sequence[int]) -> Span:
    """Return the span from the initial word before the first place to the one after the last.

    A word that contains a place counts as both.
    """
    ends = initial.boundaries
    first = bisect_left(ends, places[0])
    last = bisect_left(ends, places[-1] + 1)
    return initial.spans[first][0], ends[min(last, len(ends) - 1)]
