"""HTML from templates in which all text is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # new in Python 3.11

    from jinja2 import Environment


def fill(template: str, *folders: Traversable, **values: Any) -> str:
    """Render a Jinja template.

    Args:
        template: the name of its file.
        folders: where it and what it extends or includes are looked for, in this order.
        values: what it names; a string is text, one with `__html__` is HTML.

    Raises:
        FileNotFoundError: there is no such template.
        jinja2.UndefinedError: it names a value that is not given.
    """
    return _environment(folders).get_template(template).render(values)


@cache
def _environment(folders: tuple[Traversable, ...]) -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(lambda name: read_text(name, *folders)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def read_text(name: str, *folders: Traversable) -> str:
    """Read a text file from the first of the folders that has it.

    Raises:
        FileNotFoundError: none has it.
    """
    *others, last = folders
    folder = next((each for each in others if (each / name).is_file()), last)
    return (folder / name).read_text(encoding="utf-8")
