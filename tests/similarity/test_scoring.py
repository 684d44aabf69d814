import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.residual import ResidualAligner
from cijie.similarity.features import Candidates, Floats, GlobalPosition, Scorer
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.weights import Weights

from strategies import link_by, texts


class Scattered:
    """A context feature that looks random, from -1 to 1, and remembers how much it was asked."""

    name = "scattered"

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, candidates: Candidates) -> Floats:
        self.asked += len(candidates)
        i = candidates.source.position[candidates.source_rows]
        j = candidates.target.position[candidates.target_rows]
        scores: Floats = (i * 7919 + j * 104729) % 1000 / 499.5 - 1
        return scores


weights = st.builds(
    Weights, *[st.sampled_from([0.0, 0.1, 0.3, 0.6])] * 2, st.just(0.0), st.just(0.3)
)


@given(st.lists(st.tuples(texts, texts), max_size=4), weights, st.floats(0, 1))
def test_asking_the_context_only_where_it_matters_changes_nothing(
    pairs: list[tuple[str, str]], weights: Weights, threshold: float
) -> None:
    features = {
        "emb": Scattered(),
        "glyph": GlyphTable.identity(),
        "pos": GlobalPosition(),
    }
    scorer = Scorer(weights, features)
    everything = link_by(pairs, scorer, threshold)
    assert ResidualAligner(scorer, threshold).align(pairs) == everything


def test_the_context_is_not_asked_in_vain() -> None:
    context = Scattered()
    scorer = Scorer(Weights(), {"emb": context, "pos": GlobalPosition()})
    ResidualAligner(scorer, 0.85).align([("甲乙丙", "丁戊己")])
    assert context.asked == 0
    ResidualAligner(scorer, 0.35).align([("甲乙丙", "丁戊己")])
    assert context.asked == 3


def test_a_score_is_the_weighted_sum_of_what_is_there() -> None:
    features = {"glyph": GlyphTable.identity(), "pos": GlobalPosition()}
    seen: list[float] = []

    def score(candidates: Candidates) -> Floats:
        scores = Scorer(Weights(emb=0.1, glyph=0.6, pos=0.3), features)(candidates)
        seen.extend(scores.tolist())
        return scores

    link_by([("甲乙天地", "丙天地甲")], score, 1)
    # 甲丙, 乙丙, 甲甲, 乙甲
    assert seen == [0.3, 0.225, 0.675, 0.15]


def test_weights() -> None:
    assert Weights.of("glyph=.7, pos = .3") == Weights(0.0, 0.7, 0.0, 0.3)
    for text in ("glyph=-1", "glyph=nan", "glyph=", "glyph", "glyf=1", ""):
        with pytest.raises(ValueError, match="weight"):
            Weights.of(text)
