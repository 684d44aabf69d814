from pathlib import Path

import pytest

from cijie.corpora.ctb import read_ctb
from cijie.errors import FormatError

SEGMENTED = """\
<DOC>
<DOCID>EXAMPLE</DOCID>
<BODY>
<HEADLINE>
<S ID=1>
学生 去 北京
</S>
</HEADLINE>
<TEXT>
<S ID=2>
他们 （ 昨天 ） 到
了 。
</S>
</TEXT>
</BODY>
</DOC>
"""
BRACKETED = """\
<S ID=1>
( (IP-HLN (NP-SBJ (NN 学生))
          (VP (VV 去) (NP-OBJ (NR 北京)))) )
</S>
<S ID=2>
( (IP (NP-SBJ (-NONE- *pro*)) (NP (PN 他们)) (PU -LRB-) (NT 昨天) (PU -RRB-)
      (VP (VV 到) (AS 了)) (PU 。)) )
</S>
"""


def write(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_segmented(tmp_path: Path, encoding: str) -> None:
    records = list(read_ctb(write(tmp_path, "chtb_0007.nw.seg", SEGMENTED, encoding)))
    assert [(record.id, str(record.known_words())) for record in records] == [
        ("chtb_0007-1", "学生 去 北京"),
        ("chtb_0007-2", "他们 （ 昨天 ） 到 了 。"),
    ]


def test_raw_text_has_no_words(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"chtb_007\.raw: raw text has no words"):
        list(read_ctb(write(tmp_path, "chtb_007.raw", SEGMENTED, "gb18030")))


def test_bracketed(tmp_path: Path) -> None:
    records = list(read_ctb(write(tmp_path, "chtb_007.fid", BRACKETED)))
    assert [str(record.known_words()) for record in records] == [
        "学生 去 北京",
        "他们 ( 昨天 ) 到 了 。",
    ]


def test_a_directory_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for name in ("chtb_1000.nw", "chtb_400.fid", "chtb_0401.fid", "chtb_99.fid"):
        write(tmp_path, name, BRACKETED)
    write(tmp_path, "README", "not of the treebank")
    ids = [record.id for record in read_ctb(tmp_path)]
    assert ids[::2] == ["chtb_99-1", "chtb_400-1", "chtb_0401-1", "chtb_1000-1"]
    some = [record.id for record in read_ctb(tmp_path, files=range(400, 551))]
    assert some[::2] == ["chtb_400-1", "chtb_0401-1"]
    with pytest.raises(FormatError, match="no file chtb_… with one of these numbers"):
        list(read_ctb(tmp_path, files=range(5)))


def test_a_folder_without_files_of_the_treebank(tmp_path: Path) -> None:
    (tmp_path / "segmented").mkdir()
    write(tmp_path / "segmented", "chtb_400.seg", SEGMENTED)
    with pytest.raises(FormatError, match="name the folder that has them"):
        list(read_ctb(tmp_path))
    assert len(list(read_ctb(tmp_path / "segmented", files={400}))) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("学生 去 北京\n", "no sentence"),
        ("<DOC>\n<S ID=3>\n( (IP (NN 学生) )\n</S>\n", ":2: id chtb_1-3: unclosed bracket"),
        ("<S ID=3>\n( (NN 学生) ) )\n</S>\n", ":1: id chtb_1-3: unmatched closing bracket"),
    ],
)
def test_files_that_are_not_of_that_form(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        list(read_ctb(write(tmp_path, "chtb_1.fid", text)))


def test_an_encoding_that_does_not_fit(tmp_path: Path) -> None:
    path = write(tmp_path, "chtb_1.seg", SEGMENTED, "gb18030")
    with pytest.raises(FormatError, match=":6: not utf-8"):
        list(read_ctb(path, encoding="utf-8"))
