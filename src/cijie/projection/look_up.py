"""The dictionary baseline: the target's words are looked up in the source.

This is what people do today instead of projection, so it is here to be compared with.
"""

from __future__ import annotations

from bisect import bisect_left

from cijie.projection.boundaries import Change, Projection
from cijie.text.segmentation import Segmentation
from cijie.text.word_list import WordList, with_words


def look_up(initial: Segmentation, target: Segmentation) -> Projection:
    """Keep the target's words whole in `initial`, the source's own segmentation.

    Every change names the target word that was found, at its first place in the target.

    >>> source = Segmentation.from_tokens("旅行团长了", ["旅行", "团长", "了"])
    >>> target = Segmentation.from_tokens("去旅行团了", ["去", "旅行团", "了"])
    >>> result = look_up(source, target)
    >>> print(result.segmentation, *result.changes, sep="; ")
    旅行团 长 了; join at 2, as 旅行团; cut at 3, as 旅行团
    """
    spans = dict(zip(reversed(target.tokens), reversed(target.spans), strict=True))
    found = WordList(target.tokens).occurrences(initial.text)
    segmentation = with_words(initial, found)
    starts = [occurrence.start for occurrence in found]
    changes = []
    after = set(segmentation.boundaries)
    for at in sorted(after.symmetric_difference(initial.boundaries)):
        # The word that the boundary is in, or ends; else the one that begins there.
        k = bisect_left(starts, at) - 1
        if k < 0 or found[k].end < at:
            k += 1
        word = found[k].word
        changes.append(Change(at, "insert" if at in after else "remove", spans[word], word))
    return Projection(segmentation, tuple(changes))
