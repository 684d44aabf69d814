import pickle
from dataclasses import replace
from typing import Any

import cloudpickle
import numpy as np
import pytest

from cijie import Recoverer
from cijie.projection.evidence import Habits, Lexicon, Model
from cijie.similarity.context import CharacterVectors
from cijie.similarity.glyph import GlyphTable


@pytest.mark.parametrize("kind", [CharacterVectors, GlyphTable, Habits, Lexicon, Model])
def test_what_comes_with_cijie_is_pickled_by_reference(kind: Any) -> None:
    builtin = kind.builtin()
    for content in (pickle.dumps(builtin), cloudpickle.dumps(builtin)):  # runs use the second
        assert len(content) < 200
        assert repr(pickle.loads(content)) == repr(builtin)


def test_other_tables_are_pickled_whole() -> None:
    table = GlyphTable("mine", np.array([3 << 32 | 7], np.uint64), np.array([0.5]))
    assert pickle.loads(pickle.dumps(table)).similarity("\3", "\7") == 0.5
    vectors = CharacterVectors("mine", np.array([3], np.uint32), np.ones((1, 2), np.float32))
    lexicon, habits = Lexicon("mine", {1: 2.0}), Habits("mine", {1: (2, 3)})
    model = replace(Model.builtin(), unfit=0.5)
    for mine in (vectors, lexicon, habits, model):
        assert pickle.loads(pickle.dumps(mine)) == mine
    assert pickle.loads(pickle.dumps(lexicon)).levels == {1: 2.0}
    doubtful = replace(GlyphTable.builtin(), identical=0.5)
    assert pickle.loads(pickle.dumps(doubtful)).similarity("困", "困") == 0.5
    literal = GlyphTable.builtin().literal()
    assert pickle.loads(pickle.dumps(literal)).similarity("困", "困") == 0


@pytest.mark.parametrize("method", ["p1", "p2", "p3"])
def test_a_recoverer_is_pickled_in_a_kilobyte(method: str) -> None:
    recoverer = Recoverer("rjieba", method)  # type: ignore[arg-type]
    pair = "我参加了旅行困", "我参加了旅行团"
    for content in (pickle.dumps(recoverer), cloudpickle.dumps(recoverer)):
        assert len(content) < 2000
        assert pickle.loads(content).recover(*pair) == recoverer.recover(*pair)
