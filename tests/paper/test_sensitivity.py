from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cijie.paper.grid import Setting, simplex
from cijie.paper.tuning import Tuning, sensitivity_figure
from cijie.pictures.figures import save_figure


@pytest.fixture
def tuning() -> Tuning:
    settings = [Setting(weights, threshold) for weights in simplex(2) for threshold in (0.3, 0.6)]
    correct = np.arange(2 * len(settings)).reshape(-1, 2)
    counts = np.stack([np.full_like(correct, 40), np.full_like(correct, 40), correct], axis=2)
    return Tuning(settings, counts, "")


def test_each_panel_shows_mean_and_maximum_for_each_value(tuning: Tuning) -> None:
    panels = sensitivity_figure(tuning).axes
    assert len(panels) == 5
    mean, maximum, chosen, paper = panels[0].get_lines()
    assert list(mean.get_xdata()) == [0, 0.5, 1]
    emb = np.array([setting.weights.emb for setting in tuning.settings])
    for value, average, best in zip(
        (0, 0.5, 1), mean.get_ydata(), maximum.get_ydata(), strict=True
    ):
        assert average == pytest.approx(tuning.mean_f1[emb == value].mean())
        assert best == tuning.mean_f1[emb == value].max()
    assert chosen.get_xdata()[0] == tuning.settings[tuning.best].weights.emb
    assert paper.get_xdata()[0] == Setting().weights.emb


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_figure_gives_the_same_bytes(kind: str, tuning: Tuning, tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_figure(sensitivity_figure(tuning), tmp_path / f"{name}.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    assert (tmp_path / f"a.{kind}").stat().st_size > 1000


def test_other_kinds_of_file_are_refused(tuning: Tuning, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.pdf, \.png or \.svg"):
        save_figure(sensitivity_figure(tuning), tmp_path / "a.gif")
    assert not list(tmp_path.iterdir())
