"""A hook of MkDocs: the reference of the commands is their own help, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click
from mkdocs.structure.pages import Page

from cijie.cli.main import cijie

_PAGE = "reference/commands.md"


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put the commands below what the page says."""
    if page.file.src_uri != _PAGE:
        return markdown
    context = click.Context(cijie, info_name="cijie", **cijie.context_settings)
    return "\n".join([markdown, *_documented(cijie, context)])


def _documented(command: click.Command, context: click.Context) -> Iterator[str]:
    """The help of a command and of those below it."""
    formatter = _Markdown()
    command.format_help(context, formatter)
    level = "###" if context.parent and context.parent.parent else "##"
    yield f"{level} {context.command_path}\n\n{formatter.getvalue()}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.commands[name]
            yield from _documented(below, click.Context(below, context, info_name=name))


class _Markdown(click.HelpFormatter):
    """Formats help as Markdown."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002
        self.write(f"```text\n{prog} {args}\n```\n\n")

    def write_heading(self, heading: str) -> None:
        self.write(f"**{_escaped(heading)}**\n\n")

    def write_paragraph(self) -> None:
        self.write("\n")

    def write_text(self, text: str) -> None:
        self.write(f"{_escaped(text)}\n\n")

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = 30,  # noqa: ARG002
        col_spacing: int = 2,  # noqa: ARG002
    ) -> None:
        self.write("| | |\n|---|---|\n")
        for name, text in rows:
            self.write(f"| `{name}` | {_escaped(text)} |\n")
        self.write("\n")


def _escaped(text: str) -> str:
    """Text without any sign of Markdown but backticks."""
    return re.sub(r"[][*_<>|\\]", r"\\\g<0>", text)
