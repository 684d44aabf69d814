from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from cijie import Recoverer

from strategies import texts

pytestmark = pytest.mark.filterwarnings("ignore")  # of a library that is not ours


@pytest.fixture(scope="module")
def vocab() -> Any:
    return pytest.importorskip("spacy.vocab").Vocab()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("我们 去", ["我", "们", "去"]),
        (" 我\u3000去  ", [" ", "我", "\u3000", "去", " "]),
        ("", []),
        (" ", [" "]),
        ("我  去", ["我", " ", "去"]),
    ],
)
def test_words_and_white_space_are_tokens(vocab: Any, text: str, tokens: list[str]) -> None:
    doc = Recoverer(list, "p1").recover(text, text).to_doc(vocab)
    assert doc.text == text
    assert [token.text for token in doc] == tokens


@given(texts)
def test_the_text_is_the_source_and_the_words_are_the_recovered_ones(text: str) -> None:
    vocab = pytest.importorskip("spacy.vocab").Vocab()
    recovery = Recoverer(list, "p1").recover(text, text)
    doc = recovery.to_doc(vocab)
    assert doc.text == text
    spans = [(token.idx, token.idx + len(token)) for token in doc]
    assert [span for span in spans if span in recovery.spans] == recovery.spans


def test_links_and_changes_go_along_to_the_disk(vocab: Any) -> None:
    recovery = Recoverer(list, "p1").recover(
        "我们旅行困", "我们旅行团", target_tokens=["我们", "旅行团"]
    )
    doc = recovery.to_doc(vocab)
    assert doc._.cijie_changes == [{"at": 1, "kind": "remove", "by": (0, 2)}]
    assert [link[:2] for link in doc._.cijie_links] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    again = type(doc)(vocab).from_bytes(doc.to_bytes())
    assert again._.cijie_changes == [{"at": 1, "kind": "remove", "by": [0, 2]}]
