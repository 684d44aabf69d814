"""Taggers by name, each of a library that stands in for the real one where that is not here."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from cijie import score
from cijie.errors import MissingExtraError, SegmenterError, UsageError
from cijie.segmenters import load_tagger
from cijie.segmenters.taggers import TAGGERS

WORDS = ["他", "昨天", "去", "学校", "。"]
UNIVERSAL = ["PRON", "NOUN", "VERB", "NOUN", "PUNCT"]


class _Ltp:
    def __init__(self, model: str) -> None:
        assert model == "LTP/base"

    def pipeline(self, texts: list[list[str]], tasks: list[str]) -> Any:
        assert (texts, tasks) == ([WORDS], ["pos"])
        return SimpleNamespace(pos=[["r", "nt", "v", "n", "wp"]])


class _Thulac:
    """Cuts into characters, so that words have the tags of their last one."""

    def __init__(self, model_path: str | None) -> None:
        assert model_path is None

    def cut(self, text: str) -> list[list[str]]:
        tags = dict(zip("他昨天去学校。", ["r", "v", "t", "v", "v", "n", "x"], strict=True))
        return [[char, tags.get(char, "")] for char in text]


def _stanza(lang: str, *, processors: str, tokenize_pretokenized: bool, verbose: bool) -> Any:
    assert (lang, processors, tokenize_pretokenized) == ("zh-hans", "tokenize,pos", True)
    words = [SimpleNamespace(upos=tag) for tag in UNIVERSAL]
    return lambda texts: SimpleNamespace(sentences=[SimpleNamespace(words=words)])


def _module(name: str, **values: Any) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(values)
    return made


LIBRARIES: dict[str, list[ModuleType]] = {
    "thulac": [_module("thulac", thulac=_Thulac)],
    "ltp:model=LTP/base": [_module("ltp", LTP=_Ltp)],
    "hanlp": [_module("hanlp", load=lambda _: lambda words: ["PN", "NT", "VV", "NN", "PU"])],
    "stanza": [_module("stanza", Pipeline=_stanza)],
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_tags_are_universal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cijie.segmenters.base.version", lambda _: "9")
    for module in LIBRARIES[name]:
        monkeypatch.setitem(sys.modules, module.__name__, module)
    tagger, called = load_tagger(name)
    assert tagger(WORDS) == UNIVERSAL
    assert "-9" in called


def test_jieba_tags_each_word_by_itself() -> None:
    pytest.importorskip("jieba")
    tagger, called = load_tagger("jieba")
    assert tagger([*WORDS, "旅行困", "了"]) == [*UNIVERSAL, "VERB", "AUX"]
    assert called.startswith("jieba-")


def test_spacy_takes_the_words_as_they_are(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    blank = spacy.blank("xx")
    blank.add_pipe("attribute_ruler").add([[{"ORTH": "去"}]], {"POS": "VERB"})
    blank.to_disk(tmp_path)
    tagger, _ = load_tagger(f"spacy:model={tmp_path}")
    assert tagger(["他", "去"]) == ["X", "VERB"]


def test_a_function_is_taken_as_it_is() -> None:
    assert load_tagger(list) == (list, "given")
    function, called = load_tagger("builtins:list")
    assert (function, called) == (list, "builtins:list")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jeiba", "unknown tagger 'jeiba': did you mean 'jieba'\\?, or module:function"),
        ("jieba:model=x", "tagger jieba takes no options, got 'model'"),
        ("no_such_module:f", "tagger no_such_module:f: No module"),
        ("sys:maxsize", "tagger sys:maxsize must be a function"),
    ],
)
def test_what_is_no_tagger(name: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cijie.segmenters.base.version", lambda _: "9")
    with pytest.raises(UsageError, match=message):
        load_tagger(name)


def test_every_tagger_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("cijie.segmenters.base.version", missing)
    for name in TAGGERS:
        with pytest.raises(MissingExtraError, match=f"cijie.{name}."):
            load_tagger(name)


def test_as_many_tags_as_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cijie.segmenters.base.version", lambda _: "9")
    monkeypatch.setitem(sys.modules, "hanlp", _module("hanlp", load=lambda _: lambda words: ["NN"]))
    tagger, _ = load_tagger("hanlp")
    with pytest.raises(SegmenterError, match="hanlp-9.* failed: ValueError"):
        tagger(WORDS)


def test_a_reference_is_right_in_each_type() -> None:
    pytest.importorskip("jieba")
    sources, references = ["他去学较里", "我看书了"], [["他来学校里"], ["我读书"]]
    best = [texts[0] for texts in references]
    scores = score(sources, best, references, segmenter=list, tagger="jieba", trials=9)
    found = scores.systems["system"].by("type")
    assert "S:VERB" in found
    assert {counts.f(0.5) for counts in found.values()} == {1}
    assert "|types:builtin-1/" in scores.signature
    assert ",jieba-" in scores.signature
