"""What cijie ships for annotators, gold and guidelines, and guidelines of others in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from cijie.files.lines import read_lines
from cijie.files.opening import StrPath

_ANY = "und"
LANGUAGES = {"en": "en", "zh": "zh-Hans", _ANY: _ANY}
"""The languages of guidelines, and their language tags on pages."""


def builtin_gold() -> Path:
    """Return the path of cijie's own gold: stand-off, for part of MuCGEC's development set."""
    return _shipped("learner-dev.jsonl")


def builtin_guidelines() -> list[Path]:
    """Return the paths of cijie's own guideline for annotators, one per language."""
    return [_shipped("GUIDELINE.en.md"), _shipped("GUIDELINE.zh.md")]


def _shipped(name: str) -> Path:
    return Path(str(resources.files(__package__) / "data" / name))


def read_guidelines(paths: Iterable[StrPath]) -> dict[str, str]:
    """Read guidelines by language: `*.en.md`, `*.zh.md`; other files are for all languages."""
    read = {}
    for path in paths:
        language = Path(path).with_suffix("").suffix.removeprefix(".")
        text = "\n".join(line for _, line in read_lines(path))
        read[language if language in LANGUAGES else _ANY] = text
    return read


def as_markup(guidelines: Mapping[str, str]) -> str:
    """Render guidelines in Markdown as HTML; HTML inside them is shown as text.

    >>> as_markup({"zh": "# 规范\\n<b>"})
    '<article lang="zh-Hans"><h1>规范</h1>\\n<p>&lt;b&gt;</p>\\n</article>'
    """
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return "".join(
        f'<article lang="{LANGUAGES[language]}">{markdown.render(text)}</article>'
        for language, text in guidelines.items()
    )
