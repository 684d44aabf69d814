from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cijie import FormatError, Recoverer, Segmentation
from cijie.paper.ibm import IbmAligner, IbmModel, read_ibm_model, train_ibm, write_ibm_model


@pytest.fixture
def model() -> IbmModel:
    target = Segmentation.from_tokens("他很好\U00020bb7", ["他", "很好", "\U00020bb7"])
    return train_ibm([("他狠好", target), ("他好", Segmentation("他好", (1, 2)))])


def test_a_model_comes_back_as_it_was(model: IbmModel, tmp_path: Path) -> None:
    write_ibm_model(model, tmp_path / "model.npz")
    again = read_ibm_model(tmp_path / "model.npz")
    assert (again.words, again.characters) == (model.words, model.characters)
    assert again.digest == model.digest
    write_ibm_model(again, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()


def test_a_recoverer_takes_the_aligner_of_a_file(model: IbmModel, tmp_path: Path) -> None:
    write_ibm_model(model, tmp_path / "model.npz")
    recoverer = Recoverer(list, IbmAligner(read_ibm_model(tmp_path / "model.npz")))
    assert f"method:ibm|model:{model.digest}" in recoverer.signature


def test_another_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    path.write_text("他很好")
    with pytest.raises(FormatError, match=r"model\.npz: not a model"):
        read_ibm_model(path)
    np.savez(path, cells=np.arange(3))
    with pytest.raises(FormatError, match="not a model"):
        read_ibm_model(path)


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    np.savez(path, description=np.array([{}], dtype=object))
    with pytest.raises(FormatError, match="not a model"):
        read_ibm_model(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("lexical", lambda values: values[1:]),
        ("lexical", lambda values: values * np.nan),
        ("positions", lambda values: values * 0),
        ("positions", lambda values: values[1:]),
        ("shapes", lambda values: -values),
        ("cells", lambda values: values[::-1]),
        ("description", lambda values: values[:0]),
    ],
)
def test_tables_that_do_not_fit(
    name: str, change: Callable[[Any], Any], model: IbmModel, tmp_path: Path
) -> None:
    write_ibm_model(model, path := tmp_path / "model.npz")
    with np.load(path) as archive:
        arrays = dict(archive)
    np.savez(path, **{**arrays, name: change(arrays[name])})
    with pytest.raises(FormatError, match="not a model"):
        read_ibm_model(path)
