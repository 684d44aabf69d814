"""Outcome patterns: on which tokens and sentences which systems are right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cijie.text.segmentation import Segmentation


def outcome_pattern(outcomes: Iterable[bool]) -> str:
    """One letter a system, in their order: `g` (good) if it is right, `b` (bad) if not.

    >>> outcome_pattern([False, True, True])
    'bgg'
    """
    return "".join("g" if right else "b" for right in outcomes)


def token_patterns(gold: Segmentation, systems: Sequence[Segmentation]) -> list[str]:
    """The outcome pattern of each gold token of a text.

    A system is right about a gold token if it has a token of the same span. All must be
    segmentations of the same text.

    >>> gold = Segmentation.from_tokens("去旅行团", ["去", "旅行团"])
    >>> token_patterns(gold, [Segmentation.from_tokens("去旅行团", ["去", "旅行", "团"]), gold])
    ['gg', 'bg']
    """
    tokens = [set(system.spans) for system in systems]
    return [outcome_pattern(span in having for having in tokens) for span in gold.spans]
