from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import FormatError
from cijie.similarity.glyph import GlyphTable

characters = st.characters(exclude_categories=["Cs"])
CSV = "CharA,CharB,similarity\n"


def codes(text: str) -> np.ndarray:
    return np.array([ord(char) for char in text], dtype=np.uint32)


def table(**pairs: float) -> GlyphTable:
    items = sorted((min(p), max(p), value) for p, value in pairs.items())
    keys = [ord(a) << 32 | ord(b) for a, b, _ in items]
    return GlyphTable("mine", np.array(keys, np.uint64), np.array([v for *_, v in items]))


@pytest.fixture(scope="module")
def builtin() -> GlyphTable:
    return GlyphTable.builtin()


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "table.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


class TestBuiltin:
    @pytest.mark.parametrize(
        "pair", ["困团", "未末", "己已", "人入", "土士", "官管", "拔拨", "喝渴", "晴睛", "情请"]
    )
    def test_look_alikes_are_high(self, builtin: GlyphTable, pair: str) -> None:
        assert builtin.similarity(*pair) >= 0.83

    @pytest.mark.parametrize("pair", ["困鸟", "我的", "一龙", "水家", "学是"])
    def test_others_are_absent(self, builtin: GlyphTable, pair: str) -> None:
        assert builtin.similarity(*pair) == 0

    @pytest.mark.parametrize(
        ("pair", "expected"),
        [
            *((pair, 0.97) for pair in ("学學", "馆館", "馆舘", "为為", "為爲", "里裡", "着著")),
            *((pair, 0.98) for pair in ("AＡ", "！!", "\uf900豈", "⼀一", "③3")),
            *((pair, 1.0) for pair in ("3三", "３三", "３3", "叁3", "2两", "〇0", "两二")),
        ],
    )
    def test_variants(self, builtin: GlyphTable, pair: str, expected: float) -> None:
        assert builtin.similarity(*pair) == expected

    def test_case_is_not_width(self, builtin: GlyphTable) -> None:
        assert builtin.similarity("Ａ", "a") == 0

    def test_values_are_known_and_few_are_very_high(self, builtin: GlyphTable) -> None:
        assert builtin.values.min() >= 0.6
        assert 400_000 < len(builtin) < 800_000
        ideographs = builtin.values[(builtin.values < 0.97) & (builtin.values >= 0.92)]
        assert 500 < len(ideographs) < 5_000

    def test_golden(self, builtin: GlyphTable) -> None:
        # Changes only when the shipped table is rebuilt differently: then change the name, too.
        pairs = ["困团", "未末", "己已", "完玩", "部陪", "请清", "發撥"]
        assert [builtin.similarity(*pair) for pair in pairs] == [
            0.885, 0.965, 0.985, 0.84, 0.86, 0.88, 0.86,
        ]  # fmt: skip

    def test_nearest(self, builtin: GlyphTable) -> None:
        near = builtin.nearest("困", 10)
        assert ("团", 0.885) in near
        assert [value for _, value in near] == sorted((v for _, v in near), reverse=True)
        assert all(builtin.similarity("困", char) == value for char, value in near)

    def test_nothing_is_near_an_unknown_character(self, builtin: GlyphTable) -> None:
        assert builtin.nearest("🙂") == []

    def test_name_carries_a_hash(self, builtin: GlyphTable) -> None:
        assert builtin.name.startswith("builtin-1/")
        assert len(builtin.name) == len("builtin-1/") + 8

    def test_every_load_is_equal(self, builtin: GlyphTable) -> None:
        assert GlyphTable.builtin() == builtin
        assert hash(GlyphTable.builtin()) == hash(builtin)

    @given(st.lists(st.tuples(characters, characters)))
    def test_symmetric_and_in_range(self, pairs: list[tuple[str, str]]) -> None:
        glyphs = table(困团=0.9, 己已=0.95)
        for measured in (glyphs, GlyphTable.identity()):
            a, b = (
                (codes("".join(side)) for side in zip(*pairs, strict=True)) if pairs else ([], [])
            )
            forth, back = measured.similarities(a, b), measured.similarities(b, a)
            assert np.array_equal(forth, back)
            assert np.all((forth >= 0) & (forth <= 1))
            assert np.array_equal(forth, [measured.similarity(*pair) for pair in pairs])

    def test_symmetric_over_the_table(self, builtin: GlyphTable) -> None:
        keys = builtin.keys[::997]
        a, b = (keys >> np.uint64(32)).astype(np.uint32), (keys & np.uint64(0xFFFFFFFF))
        assert np.array_equal(builtin.similarities(a, b), builtin.values[::997])
        assert np.array_equal(builtin.similarities(b, a), builtin.values[::997])


class TestLookUp:
    @given(characters)
    def test_identical_is_1(self, char: str) -> None:
        assert GlyphTable.identity().similarity(char, char) == 1

    def test_beyond_the_bmp(self, builtin: GlyphTable) -> None:
        assert builtin.similarity("𠮷", "吉") in (0, 0.97)
        assert builtin.similarity("𪚥", "𪚥") == 1
        assert table(𠮷吉=0.9).similarity("吉", "𠮷") == 0.9

    def test_numbers_beyond_unicode(self, builtin: GlyphTable) -> None:
        # Stand for clusters of several code points.
        a = np.array([0x110000, 0x110001], np.uint32)
        assert builtin.similarities(a, a[::-1]).tolist() == [0, 0]
        assert builtin.similarities(a, a).tolist() == [1, 1]

    def test_empty_and_shaped(self, builtin: GlyphTable) -> None:
        empty = np.empty(0, np.uint32)
        assert builtin.similarities(empty, empty).shape == (0,)
        square = codes("困团困团").reshape(2, 2)
        assert builtin.similarities(square, square.T).shape == (2, 2)

    @pytest.mark.parametrize("bad", ["", "困难", "e\u0301"])
    def test_not_one_character(self, bad: str) -> None:
        with pytest.raises(ValueError, match="single character"):
            GlyphTable.identity().similarity(bad, "困")
        with pytest.raises(ValueError, match="single character"):
            GlyphTable.identity().nearest(bad)

    def test_ties_by_code_point(self) -> None:
        near = table(人八=0.5, 人入=0.5, 人个=0.9).nearest("人")
        assert near == [("个", 0.9), ("入", 0.5), ("八", 0.5)]
        assert table(人八=0.5).nearest("人", 0) == []

    def test_pickles(self) -> None:
        again = pickle.loads(pickle.dumps(table(人八=0.5)))
        assert again.similarity("人", "八") == 0.5


class TestCsv:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_reads(self, write, encoding: str, newline: str) -> None:
        text = CSV + '困,团,0.9\n𠮷,吉,1\n",",、,0.25\n人,人,1.0\n人,八,0\n\n'
        glyphs = GlyphTable.from_csv(write(text.replace("\n", newline), encoding))
        assert len(glyphs) == 3
        assert glyphs.similarity("团", "困") == 0.9
        assert glyphs.similarity("吉", "𠮷") == 1
        assert glyphs.similarity("、", ",") == 0.25
        assert glyphs.similarity("人", "八") == 0

    def test_agreeing_duplicates(self, write) -> None:
        glyphs = GlyphTable.from_csv(write(CSV + "困,团,0.9\n团,困,.90\n困,团,0.9\n"))
        assert len(glyphs) == 1

    def test_only_a_header(self, write) -> None:
        assert len(GlyphTable.from_csv(write(CSV))) == 0

    def test_name_follows_the_content(self, write) -> None:
        first = GlyphTable.from_csv(write(CSV + "困,团,0.9\n")).name
        second = GlyphTable.from_csv(write(CSV + "困,团,0.8\n")).name
        assert first.startswith("csv/")
        assert first != second

    @pytest.mark.parametrize(
        ("text", "line", "message"),
        [
            ("", 1, "header"),
            ("a,b,c\n", 1, "header"),
            ("CharA;CharB;similarity\n", 1, "header"),
            (CSV + "困,团\n", 2, "expected 3 columns, got 2: .*困,团"),
            (CSV + "困,团,0.9,x\n", 2, "expected 3 columns, got 4"),
            (CSV + "困,团,0.9\n困难,团,0.9\n", 3, "single character.*困难"),
            (CSV + ",团,0.9\n", 2, "single character"),
            (CSV + "困,团,high\n", 2, "not a number.*high"),
            (CSV + "困,团,1.01\n", 2, r"\[0, 1\].*1\.01"),
            (CSV + "困,团,-0.1\n", 2, r"\[0, 1\]"),
            (CSV + "困,团,nan\n", 2, r"\[0, 1\]"),
            (CSV + "人,人,0.5\n", 2, "itself"),
            (CSV + "困,团,0.9\n\n团,困,0.8\n", 4, r"similarity 0\.9 in a row above: .*团,困,0\.8"),
            (CSV + '"困"x,团,0.9\n', 2, "CSV"),
        ],
    )
    def test_bad_files(self, write, text: str, line: int, message: str) -> None:
        path = write(text)
        with pytest.raises(FormatError, match=message) as caught:
            GlyphTable.from_csv(path)
        assert (caught.value.path, caught.value.line) == (str(path), line)

    def test_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "gbk.csv"
        path.write_bytes(CSV.encode() + "困,团,0.9\n".encode("gbk"))
        with pytest.raises(FormatError, match="UTF-8") as caught:
            GlyphTable.from_csv(path)
        assert caught.value.line == 2

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            GlyphTable.from_csv(tmp_path / "none.csv")
