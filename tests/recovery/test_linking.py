import sys

import pytest

from cijie import Sentence
from cijie.alignment.links import AnchorAligner
from cijie.errors import AlignmentError
from cijie.recovery.methods import link_all


def test_an_error_names_its_pair_behind_those_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["cijie.alignment.links"], "MOST_CELLS", 3)
    pairs = [Sentence("a", "我", "你"), Sentence("b", "我们", "你好"), Sentence("c", "我", "你")]
    linked = link_all(pairs, AnchorAligner())
    assert next(linked).id == "a"
    with pytest.raises(AlignmentError, match="^id b: texts that differ over"):
        next(linked)
