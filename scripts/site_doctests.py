"""Griffe extension: show doctests at the end of docstrings as examples."""

from __future__ import annotations

from textwrap import indent
from typing import Any

import griffe


class Doctests(griffe.Extension):
    """Inserts the heading that Griffe expects above doctests."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring and (start := obj.docstring.value.find("\n>>> ")) >= 0:
            text, examples = obj.docstring.value[:start], obj.docstring.value[start + 1 :]
            obj.docstring.value = f"{text}\n\nExamples:\n{indent(examples, '    ')}"
