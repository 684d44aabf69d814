"""MkDocs hook: turn notebooks, and files outside docs/ that documents link to, into pages.

The same relative link then works on the site and in the repository. Files other than Markdown are
copied. Broken links are left unchanged, and MkDocs warns about them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(?<=\]\()[^)#\s:]+(?=[)#\s])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Turn notebooks into Markdown; add the files that pages link to, recursively."""
    for file in list(files):
        if file.src_uri.endswith(".ipynb"):
            files.remove(file)
            page = str(PurePosixPath(file.src_uri).with_suffix(".md"))
            content = notebook_as_markdown(json.loads(file.content_string))
            files.append(File.generated(config, page, content=content))
    waiting = [file for file in files if file.src_uri.endswith(".md")]
    while waiting:
        document = waiting.pop()
        for link in _LINK.findall(document.content_string):
            path = _in_repository(document, link)
            outside = not path.startswith("docs/") and (PROJECT / path).is_file()
            if outside and files.get_file_from_path(path) is None:
                new = File.generated(config, path, abs_src_path=str(PROJECT / path))
                new.inclusion = InclusionLevel.NOT_IN_NAV if "/" in path else new.inclusion
                files.append(new)
                if path.endswith(".md"):
                    waiting.append(new)
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_: object) -> str:
    """Rewrite links within the repository as links within the site."""

    def on_site(link: re.Match[str]) -> str:
        target = _in_repository(page.file, link[0]).removeprefix("docs/")
        target = re.sub(r"\.ipynb$", ".md", target)
        if files.get_file_from_path(target) is None:
            return link[0]
        return relpath(target, PurePosixPath(page.file.src_uri).parent)

    return _LINK.sub(on_site, markdown)


def notebook_as_markdown(notebook: dict[str, Any]) -> str:
    """Convert a notebook with its saved outputs to Markdown."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", "")})
        if "text/html" in data:
            html = re.sub(r"<style scoped>.*?</style>", "", "".join(data["text/html"]), flags=re.S)
            yield re.sub(r"\s*\n\s*", " ", f'<div class="output">{html}</div>')
        else:
            text = "".join(data["text/plain"])
            yield f"```{{.text .output}}\n{text.rstrip()}\n```"


def _in_repository(document: File, link: str) -> str:
    """Return the target of a link in a document, as a path in the repository."""
    inside = document.generated_by is None or document.abs_src_path is None
    here = f"docs/{document.src_uri}" if inside else document.src_uri
    return normpath(PurePosixPath(here).parent / link)
