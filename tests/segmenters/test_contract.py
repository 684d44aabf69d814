"""What every adapter keeps to, checked with the library itself wherever it is installed."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from cijie.errors import SegmenterError
from cijie.segmenters import LIBRARIES, load_segmenter
from cijie.segmenters.base import LibrarySegmenter, Segmenter
from cijie.text.characters import characters

import models

# What a library warns of is its own affair.
pytestmark = pytest.mark.filterwarnings("ignore")

CASES: dict[str, Callable[[Path], dict[str, Any]] | None] = {
    "wapic": None,
    "rjieba": None,
    "jieba": None,
    "ltp neural": models.ltp_neural,
    "ltp legacy": models.ltp_legacy,
    "ltp-extension": models.ltp_legacy,
    "pkuseg": models.pkuseg,
    "thulac": None,
    "hanlp": models.hanlp,
    "stanza": models.stanza,
}

TEXTS = {
    "plain": "老师说：明天放假，我们去公园玩。",
    "blank": "老师说：\u3000明天 放假\u00a0了\t。",
    "blank at the edges": " \u3000我们走\n",
    "blank within a word": "旅 行 团",
    "only blank": " \u3000\t",
    "empty": "",
    "emoji": "今天👩\u200d🏫很好🙂🇨🇳",
    "mixed script": "我学deep learning课，花了3.8万，ＯＫ。",
    "traditional": "我去圖書舘",
    "combining": "cafe\u0301店",
    "selector": "葛\U000e0100城先生",
    "beyond the BMP": "𪚥先生来了，𠮷田也来了",
    "zero-width": "没\u200b有错\ufeff",
    "only zero-width": "\u200b",
    "invisible at the edges": "\u200b\x00我去cafe\u0301\ufeff",
    "control": "我\x00们",
    "compatibility": "２个㎡、①",
    "5,000 characters": "他参加了旅行团，很高兴。" * 416 + "我们走吧",
    "5,000 characters without a mark": "我们明天去公园玩很高" * 500,
}


@pytest.fixture(scope="session", params=CASES)
def segmenter(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> LibrarySegmenter:
    case: str = request.param
    name = case.split(maxsplit=1)[0]
    if LIBRARIES[name].installed() is None:
        pytest.skip(f"{LIBRARIES[name].distribution} is not installed: cijie[{name}] brings it")
    build = CASES[case]
    options = build(tmp_path_factory.mktemp("model")) if build else {}
    made = load_segmenter(name, options)
    assert isinstance(made, LibrarySegmenter)
    with redirect_stdout(StringIO()) as out:
        assert callable(made.load())
    assert not out.getvalue(), "standard output is for data"
    return made


def test_every_adapter_is_here() -> None:
    assert {case.split()[0] for case in CASES} == set(LIBRARIES)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_each_character_is_in_one_word_and_white_space_in_none(
    segmenter: LibrarySegmenter, text: str
) -> None:
    _check_words(segmenter, text)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_segmenter_of_traditional_text_does_so_too(text: str) -> None:
    pytest.importorskip("opencc", reason="opencc is not installed: cijie[traditional] brings it")
    _check_words(load_segmenter(re.compile(r"\S{1,2}").findall, {"traditional": True}), text)


def _check_words(segmenter: Segmenter, text: str) -> None:
    [result] = segmenter.segment([text])
    assert result.text == text
    owners = [0] * len(text)
    for start, end in result.spans:
        for offset in range(start, end):
            owners[offset] += 1
    split = characters(text)
    expected = [0] * len(text)
    for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True):
        expected[start:end] = [1 - blank] * (end - start)
    assert owners == expected


def test_a_batch_is_its_texts_one_by_one(segmenter: LibrarySegmenter) -> None:
    batch = list(segmenter.segment(list(TEXTS.values())))
    assert batch == [one for text in TEXTS.values() for one in segmenter.segment([text])]


def test_white_space_ends_words_and_no_more(segmenter: LibrarySegmenter) -> None:
    apart = [part.boundaries[-1] for part in segmenter.segment(["我们", "明天"])]
    [together] = segmenter.segment(["我们 明天"])
    assert apart == [2, 2]
    assert {2, 5} <= set(together.boundaries)


def test_the_name_has_library_and_version(segmenter: LibrarySegmenter) -> None:
    assert segmenter.name.startswith(
        f"{segmenter.library.distribution}-{segmenter.library.installed()}"
    )


def test_a_pickle_leaves_the_model_behind(segmenter: LibrarySegmenter) -> None:
    assert callable(segmenter.load())
    copy = _without_model(segmenter)
    assert copy._loaded is None
    assert copy.name == segmenter.name


def test_a_changed_library_is_named_with_the_versions_that_work(
    segmenter: LibrarySegmenter,
) -> None:
    changed = _without_model(segmenter)
    changed._loaded = object()  # type: ignore[assignment]
    with pytest.raises(SegmenterError) as caught:
        list(changed.segment(["我们"]))
    assert segmenter.name in str(caught.value)
    assert f"(known to work: {segmenter.library.works_with})" in str(caught.value)


def _without_model(segmenter: LibrarySegmenter) -> LibrarySegmenter:
    copy: LibrarySegmenter = pickle.loads(pickle.dumps(segmenter))
    return copy
