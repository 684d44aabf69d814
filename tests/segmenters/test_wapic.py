import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import process_time

import pytest

from cijie.segmenters import Segmenter, load_segmenter
from cijie.segmenters.wapic import _model


@pytest.fixture(scope="module")
def wapic() -> Segmenter:
    return load_segmenter("wapic")


def test_words(wapic: Segmenter) -> None:
    texts = ["我参加了旅行团。", "他2012年走了3.5公里……", "", "我 们　走", "好👩‍🏫"]
    assert [words.tokens for words in wapic.segment(texts)] == [
        ["我", "参加", "了", "旅行团", "。"],
        ["他", "2012年", "走", "了", "3.5", "公里", "……"],
        [],
        ["我", "们", "走"],
        ["好", "👩‍🏫"],
    ]


def test_numbers_can_be_left_to_it() -> None:
    segmenter = load_segmenter("wapic", {"numbers": False})
    [words] = segmenter.segment(["2012年"])
    assert words.tokens == ["2012", "年"]
    assert segmenter.name == load_segmenter("wapic").name + ":numbers=off"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
def test_a_model_is_loaded_once_for_all_and_for_forked_processes(wapic: Segmenter) -> None:
    for again in (wapic, pickle.loads(pickle.dumps(wapic)), load_segmenter("wapic")):
        again.load()
    assert _model.cache_info().misses == 1
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as executor:
        words, seconds = executor.submit(words_and_seconds, wapic).result(timeout=60)
    assert words == ["我", "参加", "了", "旅行团"]
    assert seconds < 1  # of the processor; loading takes more than three


def words_and_seconds(wapic: Segmenter) -> tuple[list[str], float]:
    """The words of a text, and the time that this process has taken."""
    [words] = wapic.segment(["我参加了旅行团"])
    return words.tokens, process_time()
