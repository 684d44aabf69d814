from collections import Counter
from pathlib import Path

import pytest

from cijie.corpora.words import read_words
from cijie.errors import FormatError


def test_words_with_and_without_frequency_and_tag(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    lines = [
        "\ufeff旅行团\r",
        f"a{' ' * 20_000}!",
        "长跑 5",
        "王小美 2 nr",
        "leap motion",
        "iPhone 15",
        "云计算 5 n",
        "云 盘 5 own",
        "北海\tns",
        "",
        "OK Go乐队 20",
        " 前后 ",
        "了 9",
    ]
    path.write_bytes("\n".join([*lines, "5 3"]).encode())
    skipped: Counter[str] = Counter()
    words = read_words(path, skipped=skipped)
    assert list(words) == [
        *("旅行团", lines[1], "长跑", "王小美", "leap motion", "iPhone 15", "云计算", "云 盘"),
        *("北海", "OK Go乐队", "前后", "5 3"),
    ]
    assert skipped == {
        "user words of one character": 1,
        "additions to user words (frequency, tag)": 7,
    }


def test_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("旅行团\n".encode("gb18030"))
    with pytest.raises(FormatError, match=r"words.txt:1: not UTF-8"):
        read_words(path)
