"""All readers of users' files at once: what they accept, and what they say of what they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from readers import NEEDS, Reader, readers


def given(name: str, folder: Path) -> tuple[Reader, Path]:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    reader = readers()[name]
    path = folder / reader.file
    path.parent.mkdir(exist_ok=True)
    return reader, path


@pytest.mark.parametrize("name", readers())
def test_they_accept_their_example(name: str, tmp_path: Path) -> None:
    reader, path = given(name, tmp_path)
    path.write_bytes(reader.example())
    reader.read(path)
