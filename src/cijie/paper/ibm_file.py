"""Read and write models of the IBM-style aligner as NumPy archives (.npz) of plain arrays."""

from __future__ import annotations

from dataclasses import asdict
from io import BytesIO
from typing import Any

import numpy as np
import orjson

from cijie.bounds import content_of
from cijie.errors import FormatError
from cijie.files.names import StrPath
from cijie.files.output import open_output
from cijie.paper.ibm import IbmModel, Training

_FORMAT = "cijie-ibm-1"


def write_ibm_model(model: IbmModel, path: StrPath) -> None:
    """Write a model; output is deterministic.

    The archive holds `description` (JSON in UTF-8: format, training, words and characters in the
    order of their numbers), `cells`, `lexical`, `shapes` (a row m, K per table of positions) and
    `positions` (the tables, row by row, concatenated).

    Raises:
        FormatError: a word with a lone surrogate, which UTF-8 cannot express.
    """
    description = {
        "format": _FORMAT,
        "training": asdict(model.training),
        "words": list(model.words),
        "characters": list(model.characters),
    }
    try:
        text = orjson.dumps(description)
    except TypeError as error:
        raise FormatError(f"cannot be written as JSON: {error}", path=path) from error
    shapes = sorted(model.positions)
    with open_output(path) as stream:
        np.savez_compressed(
            stream,
            description=np.frombuffer(text, dtype=np.uint8),
            cells=model.cells.astype("<i8"),
            lexical=model.lexical.astype("<f8"),
            shapes=np.array(shapes, dtype="<i8").reshape(-1, 2),
            positions=np.concatenate(
                [np.empty(0), *(model.positions[shape].ravel() for shape in shapes)]
            ).astype("<f8"),
        )


def read_ibm_model(path: StrPath) -> IbmModel:
    """Read a model that `write_ibm_model` wrote.

    Raises:
        FormatError: the file is not such a model.
    """
    content = BytesIO(content_of(path))
    try:
        with np.load(content, allow_pickle=False) as archive:
            return _model(archive)
    except Exception as error:  # zipfile and NumPy raise a dozen kinds
        # NumPy's own message suggests unpickling files that are not archives.
        raise FormatError("not a model of the IBM-style aligner", path=path) from error


def _model(archive: Any) -> IbmModel:
    description = orjson.loads(archive["description"].tobytes())
    if description["format"] != _FORMAT:
        raise ValueError(f"format {description['format']!r} instead of {_FORMAT!r}")
    shapes, flat = archive["shapes"], archive["positions"]
    ends = np.cumsum(shapes[:, 0] * (shapes[:, 1] + 1))
    positions = {
        (m, k): table.reshape(m, k + 1)
        for (m, k), table in zip(shapes.tolist(), np.split(flat, ends)[:-1], strict=True)
    }
    return IbmModel(
        words={word: number for number, word in enumerate(description["words"], start=1)},
        characters={key: number for number, key in enumerate(description["characters"])},
        cells=archive["cells"].astype(np.intp),
        lexical=archive["lexical"],
        positions=positions,
        training=Training(**description["training"]),
    )
