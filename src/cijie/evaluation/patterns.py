"""Outcome patterns: on which words which systems are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cijie.text.segmentation import Segmentation


def outcome_pattern(outcomes: Iterable[bool]) -> str:
    """One letter a system, in their order: `g` (good) if it is right, `b` (bad) if not.

    >>> outcome_pattern([False, True, True])
    'bgg'
    """
    return "".join("g" if right else "b" for right in outcomes)


def word_patterns(gold: Segmentation, systems: Sequence[Segmentation]) -> list[str]:
    """The outcome pattern of each gold word of a text.

    A system is right about a gold word if it has a word of the same span. All must be
    segmentations of the same text.

    >>> gold = Segmentation.from_tokens("去旅行团", ["去", "旅行团"])
    >>> word_patterns(gold, [Segmentation.from_tokens("去旅行团", ["去", "旅行", "团"]), gold])
    ['gg', 'bg']
    """
    words = [set(system.spans) for system in systems]
    return [outcome_pattern(span in having for having in words) for span in gold.spans]


def token_patterns(gold: Segmentation, systems: Sequence[Segmentation]) -> Counter[str]:
    """Count the `word_patterns` of a text.

    >>> gold = Segmentation.from_tokens("去旅行团", ["去", "旅行团"])
    >>> systems = [Segmentation.from_tokens("去旅行团", ["去", "旅行", "团"]), gold]
    >>> token_patterns(gold, systems)
    Counter({'gg': 1, 'bg': 1})
    """
    return Counter(word_patterns(gold, systems))
