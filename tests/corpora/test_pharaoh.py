from io import BytesIO
from pathlib import Path

import pytest

from cijie.alignment import Alignment, Link
from cijie.corpora.formats import format_named
from cijie.corpora.pharaoh import read_pharaoh
from cijie.corpora.writing import write
from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence


def test_links_come_back(tmp_path: Path) -> None:
    alignment = Alignment(3, 3, ((0, 0, 1), (1, 2, 1)), (Link(2, 1, "residual", 0.9),))
    records = [Sentence("1", "我去了", "我了去", alignment=alignment)]
    records.append(Sentence("2", "", "", alignment=Alignment(0, 0)))
    stream = BytesIO()
    write(records, stream, format_named("pharaoh"))
    assert stream.getvalue() == b"0-0 1-2 2-1\n\n"
    (tmp_path / "x").write_bytes(stream.getvalue())
    assert list(read_pharaoh(tmp_path / "x")) == [[(0, 0), (1, 2), (2, 1)], []]


@pytest.mark.parametrize("line", ["0", "0-", "0-1-2", "a-b"])
def test_what_is_no_link(tmp_path: Path, line: str) -> None:
    (tmp_path / "x").write_text(f"0-0\n{line}\n")
    with pytest.raises(FormatError, match=":2: expected links"):
        list(read_pharaoh(tmp_path / "x"))
