"""MkDocs hook: generate the command reference from the commands' own help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import click
import cloup
from mkdocs.structure.pages import Page

from cijie.cli.main import cijie
from cijie.cli.options.base import SHOW_ALL

_PAGE = "reference/commands.md"


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Append the commands to the page."""
    if page.file.src_uri != _PAGE:
        return markdown
    context = cijie.context_class(cijie, info_name="cijie", **cijie.context_settings)
    context.meta[SHOW_ALL] = True
    return "\n".join([markdown, *_documented(cijie, context)])


def _documented(command: click.Command, context: click.Context) -> Iterator[str]:
    """Yield the help of a command and of its subcommands."""
    formatter = _Markdown()
    command.format_help(context, formatter)
    level = "###" if context.parent and context.parent.parent else "##"
    yield f"{level} {context.command_path}\n\n{formatter.getvalue()}"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from _documented(below, below.context_class(below, context, info_name=name))


class _Markdown(cloup.HelpFormatter):
    """Formats help as Markdown."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:  # noqa: ARG002
        self.write(f"```text\n{prog} {args}\n```\n\n")

    def write_command_help_text(self, cmd: click.Command) -> None:
        self.write(f"{_escaped(cmd.help or '')}\n\n")

    def write_many_sections(
        self,
        sections: Sequence[cloup.HelpSection],
        aligned: bool = True,  # noqa: ARG002
    ) -> None:
        for section in sections:
            self.write(f"**{_escaped(section.heading)}**\n\n| | |\n|---|---|\n")
            for name, text in section.definitions:
                told = text(1000) if callable(text) else text
                self.write(f"| `{name}` | {_escaped(told)} |\n")
            self.write("\n")


def _escaped(text: str) -> str:
    """Escape all Markdown syntax except backticks."""
    return re.sub(r"[][*_<>|\\]", r"\\\g<0>", text)
