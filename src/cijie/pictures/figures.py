"""Draw figures of results with Matplotlib, which the extra `figures` installs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from cijie.errors import UsageError
from cijie.extras import library
from cijie.files.opening import StrPath
from cijie.files.output import open_output

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = Literal["pdf", "png", "svg"]

# For each kind, the metadata field for the signature, and one to omit: it names time or program.
_METADATA: Mapping[Kind, tuple[str, str]] = {
    "pdf": ("Subject", "CreationDate"),
    "png": ("Description", "Software"),
    "svg": ("Description", "Date"),
}


@contextmanager
def new_figure(width: float, height: float, letters: float) -> Iterator[Figure]:
    """Create a figure to draw on.

    Args:
        width: the width in inches; the printed width, so that letters keep their size.
        height: the height in inches.
        letters: the font size in points.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    mpl = library("matplotlib", "figures")
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": letters}):
        yield Figure(figsize=(width, height), layout="constrained")


def add_legend(figure: Figure, axes: Axes, columns: int | None = None, **settings: Any) -> None:
    """Put one panel's legend above a figure, for all of its panels.

    Args:
        figure: the figure with all panels.
        axes: the panel that the legend is taken from.
        columns: the number of columns of the legend; None for a single line.
        settings: further arguments of `Figure.legend`.
    """
    handles, labels = axes.get_legend_handles_labels()
    settings |= {"ncols": columns or len(labels), "frameon": False}
    figure.legend(handles, labels, loc="outside upper center", **settings)


def check_figure(path: StrPath) -> Kind:
    """Return the kind of figure that `path` names, before anything is drawn.

    Raises:
        UsageError: an unknown file extension.
        MissingExtraError: Matplotlib is not installed.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in get_args(Kind):
        raise UsageError(f"a figure is a .pdf, .png or .svg file, not {path}")
    library("matplotlib", "figures")
    return cast(Kind, kind)


def save_figure(figure: Figure, path: StrPath) -> None:
    """Write a figure as PDF, PNG or SVG, by the file extension; output is deterministic.

    Raises:
        UsageError: an unknown file extension.
    """
    drawn = draw(figure, check_figure(path))
    with open_output(path) as stream:
        stream.write(drawn)


def draw(figure: Figure, kind: Kind, signature: str | None = None) -> bytes:
    """Return a figure as the content of a file; output is deterministic.

    Args:
        figure: the figure.
        kind: the file format.
        signature: the signature of the results, for the description in the file's metadata.
    """
    import matplotlib as mpl

    described, dropped = _METADATA[kind]
    metadata = {described: signature, dropped: None}
    stream = BytesIO()
    # By default, the ids in an SVG are random numbers.
    with mpl.rc_context({"svg.hashsalt": "cijie"}):
        figure.savefig(stream, format=kind, dpi=300, metadata=metadata)
    return stream.getvalue()
