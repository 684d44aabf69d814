"""What segmenters and toolkits give: words, or a dictionary of results with the words in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NAMES = ("tok", "tok/fine", "tok/coarse", "cws")  # HanLP's, and LTP's


def words_of(result: Any) -> Any:
    """The words in what HanLP or LTP gives for a text; anything else is given back as it is.

    Args:
        result: a dictionary with `tok`, `tok/fine` or `tok/coarse` (HanLP), or with `cws` (LTP,
            also as an attribute): the words of the text, or those of each of its sentences.

    Raises:
        ValueError: a dictionary with none of these, or with several.

    >>> words_of({"tok/fine": [["我们", "去"], ["好"]], "pos/ctb": [["PN", "VV"], ["VA"]]})
    ['我们', '去', '好']
    >>> words_of(["我们", "去"])
    ['我们', '去']
    """
    if isinstance(result, Mapping):
        found = [name for name in _NAMES if name in result]
        if len(found) != 1:
            raise ValueError(
                f"one of {', '.join(_NAMES)} is wanted in a dictionary of results, not "
                f"{', '.join(found) or 'none'}"
            )
        words = result[found[0]]
    elif hasattr(result, "cws"):
        words = result.cws
    else:
        return result
    if all(isinstance(word, str) for word in words):
        return list(words)
    return [word for sentence in words for word in sentence]
