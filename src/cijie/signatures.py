"""Signatures: one line that names everything a result depends on."""

from __future__ import annotations

import re
from hashlib import sha256

from cijie import __version__

_SHORT = ("cijie", "score", "segmenter", "method")


def signed(*parts: str) -> str:
    """Join the parts of a signature, after the version of cijie.

    >>> signed("method:p1", "join:equal-length").partition("|")[2]
    'method:p1|join:equal-length'
    """
    return "|".join([f"cijie:{__version__}", *parts])


def short(signature: str) -> str:
    """Shorten a signature to the names in it and a digest of the whole.

    The code is the beginning of its SHA-256: two signatures with the same code are the same.

    >>> long = "cijie:0.2.0|segmenter:wapic-0.1.0:numbers=off|method:p1|join:equal-length"
    >>> short(long)
    'cijie 0.2.0, wapic 0.1.0, p1, #7317bedc'
    >>> short("cijie:0.2.0|segmenter:wapic-0.1.0:numbers=off+opencc-1.4.2|method:p1")
    'cijie 0.2.0, wapic 0.1.0+opencc 1.4.2, p1, #89db87f9'
    """
    names: dict[str, dict[str, None]] = {name: {} for name in _SHORT}
    for part in signature.split("|"):
        name, _, value = part.rpartition("]")[2].partition(":")
        if value.startswith("function:"):
            value = value.removeprefix("function:")
        elif name == "segmenter":  # libraries with versions and options, joined by plus signs
            value = re.sub(r"-(?=\d)", " ", re.sub(r":[^+]*", "", value))
        elif name in names:
            value = value.partition(":")[0]
        names.get(name, {})[value] = None
    (version, *_), *others = names.values()
    code = sha256(signature.encode()).hexdigest()[:8]
    return ", ".join(
        [f"cijie {version}", *(each for found in others for each in found), f"#{code}"]
    )
