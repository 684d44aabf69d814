"""What is particular to one adapter; what all have in common is in test_contract.py."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cijie.errors import MissingExtraError, SegmentationError, SegmenterError
from cijie.segmenters import LIBRARIES, Segmenter, load_segmenter

import models

TEXTS = ["我们明天去公园玩。", "她 喜欢学汉语，也喜欢唱歌", "今天很高兴deep learning"]


def tokens(segmenter: Segmenter, texts: list[str]) -> list[list[str]]:
    return [words.tokens for words in segmenter.segment(texts)]


@pytest.fixture(scope="module")
def legacy(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("ltp_extension")
    return str(models.ltp_legacy(tmp_path_factory.mktemp("legacy"))["model"])


def test_ltp_extension_takes_a_directory_or_a_file(legacy: str) -> None:
    whole = load_segmenter("ltp-extension", {"model": legacy})
    file = load_segmenter("ltp-extension", {"model": f"{legacy}/cws_model.bin"})
    assert tokens(whole, TEXTS) == tokens(file, TEXTS)
    assert tokens(whole, TEXTS)[0] == ["我们", "明天", "去", "公园", "玩", "。"]
    assert whole.name.endswith(f":model={legacy}")


@pytest.mark.filterwarnings("ignore")
def test_ltp_and_ltp_extension_cut_alike(legacy: str) -> None:
    pytest.importorskip("ltp", reason="ltp needs PyTorch: pip install --group models")
    both = [load_segmenter(name, {"model": legacy}) for name in ("ltp", "ltp-extension")]
    first, second = (tokens(segmenter, TEXTS) for segmenter in both)
    assert first == second


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    pytest.importorskip("ltp_extension")
    missing = load_segmenter("ltp-extension", {"model": str(tmp_path / "no.bin")})
    with pytest.raises(SegmenterError, match=r"^ltp-extension-.*no\.bin failed: .*No such file"):
        list(missing.segment(["我们"]))


@pytest.mark.parametrize("name", ["ltp-extension", "pkuseg"])
def test_a_model_is_needed(name: str) -> None:
    with pytest.raises(ValueError, match=f"segmenter {name} needs the option 'model'"):
        load_segmenter(name)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts an object in the place of a library, as if it were installed in version 9."""

    def install(name: str, stand_in: object) -> None:
        monkeypatch.setitem(sys.modules, name, stand_in)
        monkeypatch.setattr("cijie.segmenters.base.version", lambda _: "9")

    return install


class _Ltp:
    """Cuts after every character of at most 510, and forgets the others."""

    device = ""

    def __init__(self, path: str) -> None:
        assert path == "LTP/small"
        self.tokenizer = object()

    def to(self, device: str) -> None:
        _Ltp.device = device

    def pipeline(self, texts: list[str], tasks: list[str]) -> Any:
        assert tasks == ["cws"]
        return SimpleNamespace(cws=[list(text[:510]) for text in texts])


def test_ltp_from_the_hub_on_a_device(library: Any) -> None:
    library("ltp", SimpleNamespace(LTP=_Ltp))
    segmenter = load_segmenter("ltp", {"device": "cuda:0"})
    assert tokens(segmenter, ["我们" * 600]) == [list("我们" * 600)]
    assert _Ltp.device == "cuda:0"
    assert segmenter.name == "ltp-9:model=LTP/small:device=cuda:0"


def test_hanlp_from_the_hub(library: Any) -> None:
    def load(name: str) -> Any:
        assert name == "COARSE_ELECTRA_SMALL_ZH"
        return lambda text: [text[:2], text[2:]]

    library("hanlp", SimpleNamespace(load=load))
    segmenter = load_segmenter("hanlp")
    assert tokens(segmenter, ["我们 明天去", ""]) == [["我们", "明天", "去"], []]
    assert segmenter.name == "hanlp-9:model=COARSE_ELECTRA_SMALL_ZH"


def test_stanza_from_the_hub(library: Any) -> None:
    def pipeline(lang: str, **options: Any) -> Any:
        assert (lang, options) == (
            "zh-hant",
            {"processors": "tokenize", "verbose": False, "download_method": "reuse"},
        )
        halves = [[(0, 1)], [(1, 2)]]  # two sentences of one token
        sentences = [
            SimpleNamespace(
                tokens=[SimpleNamespace(text="<UNK>", start_char=a, end_char=b) for a, b in spans]
            )
            for spans in halves
        ]
        return lambda text: SimpleNamespace(sentences=sentences)

    method = SimpleNamespace(REUSE_RESOURCES="reuse")
    library("stanza", SimpleNamespace(Pipeline=pipeline, DownloadMethod=method))
    segmenter = load_segmenter("stanza", {"lang": "zh-hant"})
    assert tokens(segmenter, ["我們 走吧"]) == [["我", "們", "走", "吧"]]
    assert segmenter.name == "stanza-9:lang=zh-hant"


def test_words_that_are_not_the_texts_are_an_error(library: Any) -> None:
    library("hanlp", SimpleNamespace(load=lambda name: lambda text: ["你"]))
    with pytest.raises(SegmentationError, match="expected '我'"):
        list(load_segmenter("hanlp").segment(["我"]))


def test_a_library_that_lacks_another_one_says_so(library: Any) -> None:
    def load(name: str) -> Any:
        raise ModuleNotFoundError("No module named 'requests'")

    library("hanlp", SimpleNamespace(load=load))
    with pytest.raises(SegmenterError, match="hanlp-9.*ModuleNotFoundError: .*'requests'.* work: "):
        list(load_segmenter("hanlp").segment(["我"]))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_that_is_not_installed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(distribution: str) -> str:
        raise PackageNotFoundError(distribution)

    monkeypatch.setattr("cijie.segmenters.base.version", missing)
    options = {"model": "m"} if name in ("ltp-extension", "pkuseg") else {}
    extra = "rjieba" if name == "wapic" else name  # wapic has none: it is a dependency
    with pytest.raises(MissingExtraError, match=rf"pip install 'cijie\[{extra}\]'"):
        load_segmenter(name, options)
