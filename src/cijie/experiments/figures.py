"""Figures of the experiments, drawn with Matplotlib, which the extra `figures` installs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cijie.corpora.files import StrPath, open_output
from cijie.errors import MissingExtraError
from cijie.experiments.tuning import Tuning

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS = {
    "emb": "weight of context (emb)",
    "glyph": "weight of glyph",
    "pinyin": "weight of sound (pinyin)",
    "pos": "weight of position (pos)",
    "threshold": "threshold τ",
}


def sensitivity_figure(tuning: Tuning) -> Figure:
    """How mean fold F1 depends on each weight and on the threshold, one panel each.

    For each value: the mean over all settings that have it, the band of the middle half of them,
    and the best of them; and where the chosen setting lies.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 3.2), layout="constrained")
    panels = figure.subplots(1, len(_LABELS), sharey=True)
    best = tuning.settings[tuning.best]
    for axes, (name, label) in zip(panels, _LABELS.items(), strict=True):
        values = np.array(
            [getattr(s if name == "threshold" else s.weights, name) for s in tuning.settings]
        )
        chosen = getattr(best if name == "threshold" else best.weights, name)
        _panel(axes, values, tuning.mean_f1, chosen)
        axes.set_xlabel(label)
    panels[0].set_ylabel(f"token F1 (mean of {tuning.counts.shape[1]} folds)")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return figure


def _panel(axes: Axes, values: np.ndarray, f1: np.ndarray, chosen: float) -> None:
    at = np.unique(values)
    groups = [f1[values == value] for value in at]
    low, high = (np.array([np.quantile(group, q) for group in groups]) for q in (0.25, 0.75))
    axes.fill_between(at, low, high, color="0.85", label="middle half of the settings")
    axes.plot(at, [group.mean() for group in groups], color="0.25", marker="o", ms=3, label="mean")
    axes.plot(
        at,
        [group.max() for group in groups],
        color="C0",
        ls="--",
        marker="^",
        ms=4,
        label="maximum",
    )
    axes.axvline(chosen, color="C1", lw=1, label="chosen")
    axes.grid(alpha=0.3)


def check_figure(path: StrPath) -> str:
    """The kind of figure that `path` names, `"png"` or `"svg"`; nothing is drawn yet.

    Raises:
        ValueError: another kind of file.
        MissingExtraError: Matplotlib is not installed.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in {"png", "svg"}:
        raise ValueError(f"a figure is a .png or .svg file, not {path}")
    require_matplotlib()
    return kind


def save_figure(figure: Figure, path: StrPath) -> None:
    """Write a figure, as PNG or SVG by the name; the same figure gives the same bytes.

    Raises:
        ValueError: another kind of file.
    """
    kind = check_figure(path)
    import matplotlib as mpl

    # An SVG has a date, and ids made of random numbers, unless told otherwise.
    metadata = {"Date": None} if kind == "svg" else {"Software": None}
    with open_output(path) as stream, mpl.rc_context({"svg.hashsalt": "cijie"}):
        figure.savefig(stream, format=kind, dpi=200, metadata=metadata)


def require_matplotlib() -> None:
    """Check that figures can be drawn.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "figures")
