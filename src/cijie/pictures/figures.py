"""Figures of results, drawn with Matplotlib, which the extra `figures` installs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from cijie.errors import UsageError
from cijie.extras import library
from cijie.files.names import StrPath
from cijie.files.output import open_output

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = Literal["pdf", "png", "svg"]

# Metadata of a figure that are left out, because they name the time or the program.
_METADATA: Mapping[Kind, tuple[str, str]] = {
    "pdf": ("Subject", "CreationDate"),
    "png": ("Description", "Software"),
    "svg": ("Description", "Date"),
}


@contextmanager
def new_figure(width: float, height: float, letters: float) -> Iterator[Figure]:
    """A figure to be drawn on.

    Args:
        width: its width in inches; as wide as it is printed, so that letters keep their size.
        height: its height in inches.
        letters: the size of letters in points.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    mpl = library("matplotlib", "figures")
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": letters}):
        yield Figure(figsize=(width, height), layout="constrained")


def add_legend(figure: Figure, axes: Axes, columns: int | None = None, **settings: Any) -> None:
    """Put the legend of a panel above a figure, for all of its panels, by default in one line.

    Args:
        figure: all panels.
        axes: the panel whose legend it is.
        columns: of the legend; None for one line.
        settings: passed on to matplotlib.
    """
    handles, labels = axes.get_legend_handles_labels()
    settings |= {"ncols": columns or len(labels), "frameon": False}
    figure.legend(handles, labels, loc="outside upper center", **settings)


def check_figure(path: StrPath) -> Kind:
    """The kind of figure that `path` names; nothing is drawn yet.

    Raises:
        UsageError: another kind of file.
        MissingExtraError: Matplotlib is not installed.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in get_args(Kind):
        raise UsageError(f"a figure is a .pdf, .png or .svg file, not {path}")
    library("matplotlib", "figures")
    return cast(Kind, kind)


def save_figure(figure: Figure, path: StrPath) -> None:
    """Write a figure, as PDF, PNG or SVG by the name; the same figure gives the same bytes.

    Raises:
        UsageError: another kind of file.
    """
    drawn = draw(figure, check_figure(path))
    with open_output(path) as stream:
        stream.write(drawn)


def draw(figure: Figure, kind: Kind, signature: str | None = None) -> bytes:
    """The file of a figure; the same figure gives the same bytes.

    Args:
        figure: what to draw.
        kind: what file to make of it.
        signature: what the figure depends on, for the description in the file's metadata.
    """
    import matplotlib as mpl

    described, dropped = _METADATA[kind]
    metadata = {described: signature, dropped: None}
    stream = BytesIO()
    # By default, the ids in an SVG are random numbers.
    with mpl.rc_context({"svg.hashsalt": "cijie"}):
        figure.savefig(stream, format=kind, dpi=300, metadata=metadata)
    return stream.getvalue()
