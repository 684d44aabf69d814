"""Pages from their sources: one HTML file each, with styles, scripts and data inside.

Every page of cijie is built here, so that all have one stylesheet, `page/base.css`, and one content
security policy.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from cijie.corpora.jsonl import dump_line

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable  # new in Python 3.11

_SLOT = re.compile(
    r'<link rel="stylesheet" href="(?P<style>[\w.-]+)">'
    r'|<script src="(?P<script>[\w.-]+)"></script>'
    r"|<!-- (?P<part>\w+) -->"
)


def render_page(
    page: str,
    data: Mapping[str, Any] | None = None,
    *,
    data_file: str | None = None,
    parts: Mapping[str, str] | None = None,
    folder: Traversable | None = None,
) -> bytes:
    """Build the page whose template is `{page}.html`.

    The styles and scripts that the template names come into the page. So does what a comment of one
    word stands for: `<!-- data -->`, one of the parts, or a file such as `head.html`, which all
    pages share. `<!-- policy -->`, in the head, becomes a content security policy: it lets the page
    use these styles and scripts, by their hashes, and images in the page, and load nothing.

    Args:
        page: the name of the template.
        data: what the scripts of the page show, as plain values.
        data_file: the name of the file beside the page that holds the data, as `render_data` gives
            them; if None, the data are in the page.
        parts: markup for the comments of the template, by their words; texts in it are escaped.
        folder: where the template is. What is not there is that of `viewer/page`, and so is the
            template if this is None.

    Raises:
        FormatError: text with a lone surrogate, which UTF-8 cannot express.

    >>> b"<b>" in render_page("view", {"title": "</script><b>"})
    False
    """
    shared = files("cijie.viewer") / "page"

    def read(name: str) -> str:
        own = (folder or shared) / name
        return (own if own.is_file() else shared / name).read_text(encoding="utf-8")

    allowed: dict[str, list[str]] = {"style": [], "script": []}
    markup = dict(parts or {})
    if data_file is not None:
        # A page on disk may not read files, but it may run scripts that lie beside it.
        allowed["script"] += ["'self'", "file:"]
        markup["data"] = f'<script src="{quote(data_file)}"></script>'
    elif data is not None:
        markup["data"] = f'<script id="data" type="application/json">{_escaped(data)}</script>'

    def fill(slot: re.Match[str]) -> str:
        if word := slot["part"]:
            if word == "policy":
                return slot[0]  # known in the end
            return (
                markup[word] if word in markup else _SLOT.sub(fill, read(f"{word}.html").rstrip())
            )
        tag = "style" if slot["style"] else "script"
        content = f"\n{read(slot[tag])}"
        allowed[tag].append(f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'")
        return f"<{tag}>{content}</{tag}>"

    filled = _SLOT.sub(fill, read(f"{page}.html"))
    policy = [
        "default-src 'none'",
        *(f"{tag}-src {' '.join(sources)}" for tag, sources in allowed.items() if sources),
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    content = "; ".join(policy)
    tag = f'<meta http-equiv="Content-Security-Policy" content="{content}">'
    # The head comes first, so that nothing which was filled in is taken for it.
    return filled.replace("<!-- policy -->", tag, 1).encode()


def render_data(data: Mapping[str, Any]) -> bytes:
    """The data of a page as the script that lies beside it."""
    return f"globalThis.cijieData = {_escaped(data)};\n".encode()


def _escaped(data: Mapping[str, Any]) -> str:
    # Nothing in a script element ends it but "</", nothing changes its state but "<!--".
    return dump_line(data).decode().rstrip().replace("<", "\\u003c")
