"""Figures of the experiments, drawn with Matplotlib, which the extra `figures` installs."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from cijie.errors import UsageError
from cijie.extras import library
from cijie.files.lines import StrPath
from cijie.files.output import open_output
from cijie.paper.grid import Setting
from cijie.paper.tuning import Tuning

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Kind = Literal["pdf", "png", "svg"]

# What describes a figure, and what is left out: it tells when or by what the file was made.
_METADATA: Mapping[Kind, tuple[str, str]] = {
    "pdf": ("Subject", "CreationDate"),
    "png": ("Description", "Software"),
    "svg": ("Description", "Date"),
}
_LABELS = {
    "emb": r"$\lambda_\mathrm{emb}$ (context)",
    "glyph": r"$\lambda_\mathrm{glyph}$ (shape)",
    "pinyin": r"$\lambda_\mathrm{pinyin}$ (sound)",
    "pos": r"$\lambda_\mathrm{pos}$ (position)",
    "threshold": r"$\tau$ (threshold)",
}


def sensitivity_figure(tuning: Tuning) -> Figure:
    """How mean fold F1 depends on each weight and on the threshold, one panel each.

    For each value: the mean over all settings that have it, the band of the middle half of them,
    and the best of them; and where the chosen and the paper's setting lie.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    library("matplotlib", "figures")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    settings = tuning.settings
    with mpl.rc_context({"font.size": 8}):
        # As wide as a page of print, so that letters keep their size there.
        figure = Figure(figsize=(7, 2.3), layout="constrained")
        panels = figure.subplots(1, len(_LABELS), sharey=True)
        for axes, (name, label) in zip(panels, _LABELS.items(), strict=True):
            values = np.array([_value(setting, name) for setting in settings])
            _panel(axes, values, tuning.mean_f1)
            chosen, paper = _value(settings[tuning.best], name), _value(Setting(), name)
            axes.axvline(chosen, color="#d55e00", lw=1.2, label="chosen setting")
            axes.axvline(paper, color="0.3", lw=1.2, ls=":", label="paper's setting")
            axes.set_xlabel(label)
        panels[0].set_ylabel(f"token F1 (mean of {tuning.counts.shape[1]} folds)")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


def _value(setting: Setting, name: str) -> float:
    value: float = getattr(setting if name == "threshold" else setting.weights, name)
    return value


def _panel(axes: Axes, values: np.ndarray, f1: np.ndarray) -> None:
    at = np.unique(values)
    groups = [f1[values == value] for value in at]
    low, high = (np.array([np.quantile(group, q) for group in groups]) for q in (0.25, 0.75))
    mean, maximum = ([float(each(group)) for group in groups] for each in (np.mean, np.max))
    axes.fill_between(at, low, high, color="0.85", label="middle half of the settings")
    axes.plot(at, mean, color="0.25", lw=1, marker="o", ms=2.5, label="mean")
    axes.plot(at, maximum, color="#0072b2", lw=1, ls="--", marker="^", ms=3.5, label="maximum")
    ticks = [at[0], (at[0] + at[-1]) / 2, at[-1]]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.grid(alpha=0.3)


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
    # The ids in an SVG are made of random numbers, unless told otherwise.
    with mpl.rc_context({"svg.hashsalt": "cijie"}):
        figure.savefig(stream, format=kind, dpi=300, metadata=metadata)
    return stream.getvalue()
