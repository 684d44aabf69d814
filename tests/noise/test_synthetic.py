"""Noise: how much there is, where, and the gold segmentation of what comes out."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.noise.injection import EditDistribution, Noise, Pool
from cijie.noise.randomness import RandomStream
from cijie.noise.synthetic import Condition, Recipe, make_condition
from cijie.recovery.sentence import Sentence
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

from strategies import segmentations, words

SUBSTITUTIONS, DELETIONS, INSERTIONS = (
    EditDistribution(*(Fraction(int(k == n)) for k in range(3))) for n in range(3)
)
POOL = "ABCDEFG"  # in no target
NOISE = Noise(Pool.of([POOL], "test"))
TEXT = "".join(map(chr, range(0x4E00, 0x4E00 + 120)))  # every character once

Targets = list[tuple[str, Segmentation]]

odd_corpora = st.lists(segmentations(), max_size=6).map(
    lambda targets: [(str(n), target) for n, target in enumerate(targets)]
)
ratios = st.fractions(0, 1, max_denominator=1000)


def made(targets: Targets, ratio: Fraction, **recipe: Any) -> Condition:
    corpus = [Sentence(id, target.text, segmentation=target) for id, target in targets]
    return make_condition(corpus, ratio, Recipe(**{"noise": NOISE, **recipe}))


def sides(pair: Sentence) -> tuple[Segmentation, Segmentation]:
    """The words of source and target."""
    assert pair.target_segmentation
    return pair.known_words(), pair.target_segmentation


@st.composite
def distinct_corpora(draw: st.DrawFn) -> Targets:
    """Sentences in which no character occurs twice, with white space between some words."""
    targets: Targets = []
    left = TEXT
    for number in range(draw(st.integers(1, 6))):
        lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
        tokens = [left[sum(lengths[:k]) : sum(lengths[: k + 1])] for k in range(len(lengths))]
        left = left[sum(lengths) :]
        blanks = [draw(st.sampled_from(["", "", " ", "\u3000"])) for _ in tokens]
        text = "".join(token + blank for token, blank in zip(tokens, blanks, strict=True))
        targets.append((f"s{number}", Segmentation.from_tokens(text, tokens)))
    return targets


@given(odd_corpora, ratios, st.integers(0))
def test_the_number_of_edits_is_exact_and_every_source_has_gold_words(
    targets: Targets, ratio: Fraction, seed: int
) -> None:
    condition = made(targets, ratio, seed=seed)
    visible = sum(characters(target.text).blank.count(0) for _, target in targets)
    assert condition.characters == visible
    assert sum(condition.edits.values()) == round(ratio * visible)
    assert condition.edits == EditDistribution().apportion(round(ratio * visible))
    assert all(len(pair.source) for pair in condition.pairs)
    given = dict(targets)
    assert [pair.id for pair in condition.pairs] == [
        id for id in given if any(pair.id == id for pair in condition.pairs)
    ]
    assert all(sides(pair)[1] == given[pair.id] for pair in condition.pairs)


@given(distinct_corpora(), ratios, st.integers(0, 99))
def test_gold_words_follow_the_edits(targets: Targets, ratio: Fraction, seed: int) -> None:
    condition = made(targets, ratio, seed=seed)
    for pair in condition.pairs:
        kept = [char for char in pair.source if char not in POOL]
        # What is kept is in its order, white space where it was.
        places = iter(pair.target)
        assert all(char in places for char in kept)
        assert [x for x in kept if x.isspace()] == [x for x in pair.target if x.isspace()]
        # Characters that are kept are in one word if, and only if, they were in one word.
        before, after = map(_word_numbers, reversed(sides(pair)))
        visible = [char for char in kept if not char.isspace()]
        assert all((before[a] == before[b]) == (after[a] == after[b]) for a, b in pairwise(visible))
    sources = "".join(pair.source for pair in condition.pairs)
    substituted, deleted, inserted = condition.edits.values()
    assert sum(char in POOL for char in sources) == substituted + inserted
    visible_before = sum(not char.isspace() for _, t in targets for char in t.text)
    visible_after = sum(not char.isspace() for char in sources)
    assert visible_after == visible_before - deleted + inserted


@given(distinct_corpora(), ratios, st.integers(0, 99))
def test_insertions_leave_the_words_of_the_target(
    targets: Targets, ratio: Fraction, seed: int
) -> None:
    for pair in made(targets, ratio, distribution=INSERTIONS, seed=seed).pairs:
        own = [token for token in pair.words if _without_pool(token)]
        assert [_without_pool(token) for token in own] == sides(pair)[1].tokens
        assert all(token[0] not in POOL and token[-1] not in POOL for token in own)
        assert all(len(token) == 1 for token in pair.words if not _without_pool(token))


@given(segmentations(), st.integers(0, 99))
def test_substitution_keeps_the_words(target: Segmentation, seed: int) -> None:
    pool = Noise(Pool.of(["我天a"], "test"))
    condition = made(
        [("1", target)], Fraction(1), noise=pool, distribution=SUBSTITUTIONS, seed=seed
    )
    for pair in condition.pairs:
        assert len(pair.known_words()) == len(target)
        old, new = characters(pair.target), characters(pair.source)
        for before, after, blank in zip(old.keys, new.keys, old.blank, strict=True):
            assert (before == after) == bool(blank)


@given(odd_corpora, st.integers(0, 99))
def test_without_noise_sources_are_targets(targets: Targets, seed: int) -> None:
    condition = made(targets, Fraction(0), seed=seed)
    assert [(pair.id, *sides(pair)) for pair in condition.pairs] == [
        (id, target, target) for id, target in targets if len(target)
    ]


def test_what_is_empty_is_dropped() -> None:
    targets = [("a", words("我 参加 了")), ("b", words("")), ("c", words("旅行团"))]
    condition = made(targets, Fraction(1), distribution=DELETIONS)
    assert condition.pairs == ()


def test_kinds_are_apportioned_or_drawn() -> None:
    targets = [("1", Segmentation(TEXT, (len(TEXT),)))]

    def edits(seed: int, kinds: str) -> tuple[int, ...]:
        return tuple(made(targets, Fraction(1, 2), seed=seed, kinds=kinds).edits.values())

    assert {edits(seed, "apportioned") for seed in range(9)} == {(29, 19, 12)}
    drawn = [edits(seed, "drawn") for seed in range(300)]
    assert {sum(each) for each in drawn} == {60}
    means = [sum(kind) / 300 for kind in zip(*drawn, strict=True)]
    assert means == pytest.approx([60 * 0.483, 60 * 0.318, 60 * 0.199], abs=1)
    # The variance is that of independent draws, 60 p (1 - p).
    variance = sum((each[0] - means[0]) ** 2 for each in drawn) / 300
    assert variance == pytest.approx(60 * 0.483 * 0.517, rel=0.3)
    assert edits(0, "drawn") == edits(0, "drawn") == drawn[0]


def test_what_is_inserted_at_the_edge_of_a_word_is_a_word_of_its_own() -> None:
    noise = Noise(Pool.of(["x"], "test"))
    sources = {"x 旅行 参加", "旅x行 参加", "旅行 x 参加", "旅行 参x加", "旅行 参加 x"}
    assert sources == {
        str(pair.segmentation)
        for seed in range(60)
        for pair in made(
            [("1", words("旅行 参加"))],
            Fraction(1, 4),
            noise=noise,
            distribution=INSERTIONS,
            seed=seed,
        ).pairs
    }


def test_every_character_is_as_likely_to_be_edited() -> None:
    target = words("我 参加 了 旅行团")
    counts = [0] * 7
    for seed in range(700):
        [pair] = made([("1", target)], Fraction(1, 7), distribution=SUBSTITUTIONS, seed=seed).pairs
        counts = [count + (char in POOL) for count, char in zip(counts, pair.source, strict=True)]
    assert sum(counts) == 700
    assert all(60 < count < 140 for count in counts)  # 100 +- 4 standard deviations


def test_places_and_insertions_do_not_depend_on_how_substitutes_are_drawn() -> None:
    class Thirsty(Noise):
        """Draws more numbers for a substitute."""

        def substitution(self, char: str, stream: RandomStream) -> str:
            stream.bits()
            return super().substitution(char, stream)

    targets = [("1", words(" ".join(TEXT)))]
    texts = [
        made(targets, Fraction(1, 2), noise=noise).pairs[0].source
        for noise in (NOISE, Thirsty(NOISE.pool))
    ]
    assert len(texts[0]) == len(texts[1])
    differing = [(a, b) for a, b in zip(*texts, strict=True) if a != b]
    assert all(char in POOL for pair in differing for char in pair)
    assert 0 < len(differing) <= EditDistribution().apportion(60)["substitution"]


def test_every_condition_has_a_seed_of_its_own() -> None:
    seeds = {made([], Fraction(r, 100), seed=seed).seed for seed in range(10) for r in range(1, 11)}
    assert len(seeds) == 100


@pytest.mark.parametrize("ratio", [Fraction(-1, 100), Fraction(101, 100)])
def test_a_ratio_is_from_0_to_1(ratio: Fraction) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        made([], ratio)


def test_a_cluster_that_an_edit_makes_stays_whole() -> None:
    # Without what stands between them, the two regional indicators are a flag.
    target = Segmentation.from_tokens("🇨我🇳", ["🇨", "我", "🇳"])
    sources = {
        made([("1", target)], Fraction(1, 3), distribution=DELETIONS, seed=seed)
        .pairs[0]
        .segmentation
        for seed in range(20)
    }
    assert Segmentation("🇨🇳", (2,)) in sources


def test_pairs_of_neighbouring_conditions_differ() -> None:
    targets = [("1", words(" ".join(TEXT)))]
    conditions = [made(targets, Fraction(r, 100)) for r in range(1, 11)]
    texts = [condition.pairs[0].source for condition in conditions]
    # They are not nested: what one leaves out or replaces is not what the next one does.
    assert all(set(TEXT) - set(a) - (set(TEXT) - set(b)) for a, b in pairwise(texts[4:]))


def _word_numbers(segmentation: Segmentation) -> dict[str, int]:
    """The number of the word that each character is in."""
    return {char: n for n, token in enumerate(segmentation.tokens) for char in token}


def _without_pool(token: str) -> str:
    return "".join(char for char in token if char not in POOL)
