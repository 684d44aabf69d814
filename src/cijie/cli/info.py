"""`cijie info`."""

from __future__ import annotations

from cijie.cli.options import command


@command()
def info() -> None:
    """Show versions, the segmenters that are installed, and the data that cijie ships."""
    import platform
    from importlib.metadata import version

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from cijie import __version__
    from cijie.projection.evidence import Model
    from cijie.projection.lexicon import Lexicon
    from cijie.segmenters import adapters
    from cijie.similarity.context import CharacterVectors
    from cijie.similarity.glyph import GlyphTable

    console = Console()
    console.print(f"cijie {__version__}, Python {platform.python_version()}", highlight=False)
    libraries = Table("library", "version", box=None)
    for name in ("numpy", "rapidfuzz", "pypinyin", "regex", "orjson"):
        libraries.add_row(name, version(name))
    segmenters = Table("segmenter", "version", "to install", box=None)
    for adapter in adapters().values():
        installed = adapter.installed()
        segmenters.add_row(
            adapter.extra,
            installed or "not installed",
            "" if installed else escape(adapter.to_install()),
        )
    data = Table("data", "name", box=None)
    data.add_row("glyph table", GlyphTable.builtin().name)
    data.add_row("character vectors", CharacterVectors.builtin().name)
    data.add_row("word list", Lexicon.builtin().name)
    data.add_row("model of P3", Model.builtin().name)
    for table in (libraries, segmenters, data):
        console.print()
        console.print(table)
