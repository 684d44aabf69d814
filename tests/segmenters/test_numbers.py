from itertools import pairwise

import pytest

from cijie.segmenters.wapic import keep_whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2012年12月25号", ["2012年", "12月", "25号"]),
        ("他3年没来", ["他", "3", "年", "没", "来"]),
        ("涨了3.14%", ["涨", "了", "3.14%"]),
        ("花了1,200.50元", ["花", "了", "1,200.50", "元"]),
        ("３０％的人", ["３０％", "的", "人"]),
        ("1,2,3", ["1", ",", "2", ",", "3"]),
        ("早上8:30见", ["早", "上", "8:30", "见"]),
        ("他花了3.8万", ["他", "花", "了", "3.8万"]),
        ("3月份", ["3月份"]),
        ("好……再见——", ["好", "……", "再", "见", "——"]),
        ("……。。", ["……", "。", "。"]),
        ("2.5.", ["2.5", "."]),
    ],
)
def test_what_stays_whole(text: str, words: list[str]) -> None:
    starts = [*keep_whole(text, range(len(text))), len(text)]
    assert [text[a:b] for a, b in pairwise(starts)] == words
