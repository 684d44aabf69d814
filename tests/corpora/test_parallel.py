from pathlib import Path

import pytest

from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence

from sentences import read_pairs


def _files(tmp_path: Path, source: str, target: str) -> tuple[Path, Path]:
    paths = tmp_path / "S.txt", tmp_path / "T.txt"
    for path, text in zip(paths, (source, target), strict=True):
        path.write_bytes(text.encode())
    return paths


def test_pair_n_is_line_n(tmp_path: Path) -> None:
    assert read_pairs(_files(tmp_path, "甲\n\n丙", "乙\n\n丁\n")) == [
        Sentence("1", "甲", "乙", reference=1),
        Sentence("2", "", "", reference=1),
        Sentence("3", "丙", "丁", reference=1),
    ]


@pytest.mark.parametrize(("source", "target"), [("甲\n", "乙\n丁\n"), ("甲\n丁\n", "乙\n")])
def test_the_longer_file_is_not_cut(tmp_path: Path, source: str, target: str) -> None:
    paths = _files(tmp_path, source, target)
    longer = paths[source.count("\n") < target.count("\n")]
    with pytest.raises(FormatError, match=r":2: .* ends before this line: '丁'") as caught:
        read_pairs(paths)
    assert caught.value.path == str(longer)
