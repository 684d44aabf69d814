"""Pages from their sources: one HTML file each, with styles, scripts and data inside."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import quote

from cijie.corpora.jsonl import dump_line

Page = Literal["view", "annotate"]

_STYLE = re.compile(r'<link rel="stylesheet" href="([\w.-]+)">')
_SCRIPT = re.compile(r'<script src="([\w.-]+)"></script>')
_POLICY = "<!-- policy -->"
_DATA = "<!-- data -->"


def render_page(page: Page, data: Mapping[str, Any], data_file: str | None = None) -> bytes:
    """A page of `viewer/page/`, with its data.

    A content security policy lets the page run its own styles and scripts, by their hashes, and
    nothing else, and lets it load nothing.

    Args:
        page: which one.
        data: what it shows, as plain values.
        data_file: the name of the file beside the page that holds the data, as `render_data` gives
            them; if None, the data are in the page.

    Raises:
        FormatError: text with a lone surrogate, which UTF-8 cannot express.

    >>> b"<b>" in render_page("view", {"title": "</script><b>"})
    False
    """
    hashes: dict[str, list[str]] = {"style": [], "script": []}

    def inline(tag: str, found: re.Match[str]) -> str:
        content = f"\n{_source(found[1])}"
        hashes[tag].append(f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'")
        return f"<{tag}>{content}</{tag}>"

    html = _source(f"{page}.html")
    html = _STYLE.sub(lambda found: inline("style", found), html)
    html = _SCRIPT.sub(lambda found: inline("script", found), html)
    if data_file is not None:
        # A page on disk may not read files, but it may run scripts that lie beside it.
        hashes["script"] += ["'self'", "file:"]
        held = f'<script src="{quote(data_file)}"></script>'
    else:
        held = f'<script id="data" type="application/json">{_escaped(data)}</script>'
    policy = "; ".join(
        [
            "default-src 'none'",
            *(f"{tag}-src {' '.join(allowed)}" for tag, allowed in hashes.items()),
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    before, after = html.replace(_POLICY, tag).split(_DATA)
    return "".join([before, held, after]).encode()


def render_data(data: Mapping[str, Any]) -> bytes:
    """The data of a page as the script that lies beside it."""
    return f"globalThis.cijieData = {_escaped(data)};\n".encode()


def _escaped(data: Mapping[str, Any]) -> str:
    # Nothing in a script element ends it but "</", nothing changes its state but "<!--".
    return dump_line(data).decode().rstrip().replace("<", "\\u003c")


def _source(name: str) -> str:
    return files("cijie.viewer").joinpath("page", name).read_text(encoding="utf-8")
