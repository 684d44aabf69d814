"""Build self-contained HTML pages, with styles, scripts and data inside.

Every page of cijie is built here, so that all share a stylesheet, `page/base.css`, and a content
security policy.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import orjson

from cijie.corpora.jsonl import dump_line
from cijie.templates import fill, read_text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # new in Python 3.11

    from markupsafe import Markup

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.]+)";\n+', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)


def render_page(
    page: str,
    data: Mapping[str, Any] | None = None,
    *,
    data_file: str | None = None,
    folder: Traversable | None = None,
    **values: Any,
) -> bytes:
    """Fill the template `{page}.html`, which extends `base.html`.

    The styles, scripts and messages that the template asks for become part of the page. A content
    security policy allows these, by their hashes, and images in the page, and nothing else.

    Args:
        page: the name of the template.
        data: the data for the scripts of the page, as plain values.
        data_file: the name of a file next to the page that holds the data, see `render_data`; if
            None, the data are in the page.
        folder: the folder of the template; files missing there are taken from `viewer/page`. If
            None, `viewer/page`.
        values: further variables of the template; a string is text, `markupsafe.Markup` is HTML.

    Raises:
        FormatError: the text has a lone surrogate, which UTF-8 cannot express.

    >>> b"<b>" in render_page("view", {"title": "</script><b>"})
    False
    """
    shared = files("cijie.viewer") / "page"
    parts = _Parts((*([folder] if folder else []), shared, files("cijie.pictures")))
    if data_file is not None:
        # A page opened from disk may not read files, but it may run scripts next to it.
        parts.allowed["script"] += ["'self'", "file:"]
        values["data"] = _element("script", "", src=quote(data_file))
    elif data is not None:
        values["data"] = _held("data", data)
    return fill(
        f"{page}.html",
        *parts.folders,
        style=parts.style,
        script=parts.script,
        messages=parts.messages,
        policy=parts.policy,
        **values,
    ).encode()


class _Parts:
    """The parts that a template asks for, and the policy that allows them."""

    def __init__(self, folders: tuple[Traversable, ...]) -> None:
        self.folders = folders
        self.allowed: dict[str, list[str]] = {"style": [], "script": []}

    def _read(self, name: str) -> str:
        return read_text(name, *self.folders)

    def style(self, name: str) -> Markup:
        """Return a stylesheet as an element."""
        return self._allowed("style", self._read(name))

    def script(self, name: str) -> Markup:
        """Return a module with all of its imports as an element."""
        return self._allowed("script", bundle(name, self._read), type="module")

    def messages(self, *names: str) -> Markup:
        """Return tables of messages, merged, as an element."""
        tables: dict[str, list[str]] = {}
        for name in names:
            tables |= orjson.loads(self._read(f"{name}.messages.json"))
        return _held("messages", tables)

    def _allowed(self, tag: str, content: str, **attributes: str) -> Markup:
        content = f"\n{content}"
        self.allowed[tag].append(
            f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
        )
        return _element(tag, content, **attributes)

    def policy(self) -> str:
        """Return the content security policy of the page."""
        return "; ".join(
            [
                "default-src 'none'",
                *(f"{tag}-src {' '.join(found)}" for tag, found in self.allowed.items() if found),
                "img-src data:",
                "base-uri 'none'",
                "form-action 'none'",
            ]
        )


def render_data(data: Mapping[str, Any]) -> bytes:
    """Return the data of a page as a script to put next to it."""
    return f"globalThis.cijieData = {_json(data)};\n".encode()


def _held(id: str, values: Mapping[str, Any]) -> Markup:
    return _element("script", _json(values), id=id, type="application/json")


def _element(tag: str, content: str, **attributes: str) -> Markup:
    """Return an element whose content is code or data, not markup."""
    from markupsafe import Markup

    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return Markup(f"<{tag}{given}>{content}</{tag}>")


def _json(data: Mapping[str, Any]) -> str:
    # Only "</" ends a script element, and only "<!--" changes its parsing state.
    return dump_line(data).decode().rstrip().replace("<", "\\u003c")


def bundle(name: str, read: Callable[[str], str]) -> str:
    """Concatenate an ES module and its imports, each module once and after its own imports.

    A page opened from disk may not load modules from files.
    Modules may only import names from files in the same folder and export declarations. They share
    one scope, so no two of them may declare the same name: a browser would refuse the script.

    Args:
        name: the file name of the entry module.
        read: returns the text of a file, by its name.

    >>> needed = "export const b = 1;\\n"
    >>> modules = {"a.js": 'import { b } from "./b.js";\\nb();\\n', "b.js": needed}
    >>> bundle("a.js", modules.__getitem__)
    'const b = 1;\\nb();\\n'
    """
    texts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in texts:
            return
        text = read(name)
        texts[name] = ""  # not read again by a module that it needs
        for needed in _IMPORT.findall(text):
            add(needed)
        del texts[name]
        texts[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(name)
    return "".join(texts.values())
