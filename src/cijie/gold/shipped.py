"""What cijie ships for annotators, gold and guidelines, and guidelines of others in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from cijie.files.lines import read_lines
from cijie.files.opening import StrPath


def builtin_gold() -> Path:
    """Return the path of cijie's own gold: stand-off, for part of MuCGEC's development set."""
    return _shipped("learner-dev.jsonl")


def read_guidelines(path: StrPath | None = None) -> dict[str, str]:
    """Read a guideline, by the language tag on pages: `und` for a file, which all languages show.

    Args:
        path: a file in Markdown; None is cijie's own guideline, in English and Chinese.
    """
    own = {"en": _shipped("GUIDELINE.en.md"), "zh-Hans": _shipped("GUIDELINE.zh.md")}
    paths: Mapping[str, StrPath] = own if path is None else {"und": path}
    return {tag: "\n".join(line for _, line in read_lines(x)) for tag, x in paths.items()}


def _shipped(name: str) -> Path:
    return Path(str(resources.files(__package__) / "data" / name))


def as_markup(guidelines: Mapping[str, str]) -> str:
    """Render guidelines in Markdown as HTML; HTML inside them is shown as text.

    >>> as_markup({"zh-Hans": "# 规范\\n<b>"})
    '<article lang="zh-Hans"><h1>规范</h1>\\n<p>&lt;b&gt;</p>\\n</article>'
    """
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return "".join(
        f'<article lang="{language}">{markdown.render(text)}</article>'
        for language, text in guidelines.items()
    )
