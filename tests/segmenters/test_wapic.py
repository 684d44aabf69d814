import pickle

import pytest

from cijie.segmenters.wapic import WapicSegmenter


@pytest.fixture(scope="module")
def wapic() -> WapicSegmenter:
    return WapicSegmenter()


def test_words(wapic: WapicSegmenter) -> None:
    texts = ["我参加了旅行团。", "他2012年走了3.5公里……", "", "我 们　走", "好👩‍🏫"]
    assert [words.tokens for words in wapic.segment(texts)] == [
        ["我", "参加", "了", "旅行团", "。"],
        ["他", "2012年", "走", "了", "3.5", "公里", "……"],
        [],
        ["我", "们", "走"],
        ["好", "👩‍🏫"],
    ]


def test_numbers_can_be_left_to_it() -> None:
    segmenter = WapicSegmenter(numbers=False)
    [words] = segmenter.segment(["2012年"])
    assert words.tokens == ["2012", "年"]
    assert segmenter.name == WapicSegmenter().name + ":numbers=off"


def test_a_pickle_leaves_the_model_behind(wapic: WapicSegmenter) -> None:
    assert wapic.loaded is not None
    copy = pickle.loads(pickle.dumps(wapic))
    assert copy._loaded is None
    assert copy.name == wapic.name
