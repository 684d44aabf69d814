from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment import residual
from cijie.alignment.links import anchors
from cijie.similarity.features import Candidates, Floats
from cijie.text.characters import characters

from references import greedy_links
from strategies import link_by, plain_texts, texts


def _hashed(candidates: Candidates) -> Floats:
    """A score without any pattern, with ties."""
    # What number a cluster has depends on the batch, so all clusters score alike.
    a, b = (np.minimum(chars, 0x110000) for chars in candidates.chars)
    i = candidates.source.position[candidates.source_rows]
    j = candidates.target.position[candidates.target_rows]
    return ((a * 31 + b * 17 + i * 7 + j * 13) % 11) / 10.0


def _score(source: str, target: str) -> Callable[[int, int], float]:
    return lambda i, j: ((ord(source[i]) * 31 + ord(target[j]) * 17 + i * 7 + j * 13) % 11) / 10.0


@given(st.lists(st.tuples(plain_texts, plain_texts), max_size=5), st.sampled_from([0.0, 0.35, 0.8]))
def test_links_are_those_of_the_definition(pairs: list[tuple[str, str]], threshold: float) -> None:
    anchored = [anchors(*pair) for pair in pairs]
    linked = link_by(pairs, _hashed, threshold)
    for (source, target), before, after in zip(pairs, anchored, linked, strict=True):
        assert after.anchors == before.anchors
        free_source = set(range(len(source))) - {link.source for link in before.links}
        free_target = set(range(len(target))) - {link.target for link in before.links}
        expected = greedy_links(
            sorted(free_source), sorted(free_target), _score(source, target), threshold
        )
        assert [(link.source, link.target) for link in after.residuals] == expected


@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_clusters_are_linked_as_a_whole_and_white_space_never(
    pairs: list[tuple[str, str]],
) -> None:
    for (source, target), alignment in zip(
        pairs,
        link_by(pairs, _hashed, 0.2),
        strict=True,
    ):
        for text, offsets in (
            (source, {link.source for link in alignment.residuals}),
            (target, {link.target for link in alignment.residuals}),
        ):
            split = characters(text)
            for key, core, blank in zip(split.keys, split.cores, split.blank, strict=True):
                linked = offsets & set(range(core, core + len(key)))
                assert not linked if blank else len(linked) in (0, len(key))


@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_a_batch_is_its_pairs_one_by_one(pairs: list[tuple[str, str]]) -> None:
    together = link_by(pairs, _hashed, 0.2)
    assert together == [alignment for pair in pairs for alignment in link_by([pair], _hashed, 0.2)]


@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_what_is_found_passes_the_checks(pairs: list[tuple[str, str]]) -> None:
    anchored = [anchors(*pair) for pair in pairs]
    for alignment in [*anchored, *link_by(pairs, _hashed, 0.2)]:
        assert replace(alignment) == alignment  # which makes and checks another one


def test_many_candidates_are_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = ("甲乙丙丁戊", "己庚辛壬癸")
    whole = link_by([pair], _hashed, 0.2)
    monkeypatch.setattr(residual, "_MOST_AT_ONCE", 7)
    sizes = []

    def score(candidates: Candidates) -> Floats:
        sizes.append(len(candidates))
        return _hashed(candidates)

    assert link_by([pair], score, 0.2) == whole
    assert sizes == [5] * 5


def test_a_score_must_exceed_the_threshold() -> None:
    pair = ("甲", "乙")
    for score, links in ((0.85, 0), (np.nextafter(0.85, 1), 1)):
        [linked] = link_by([pair], lambda c, score=score: np.full(len(c), score), 0.85)
        assert len(linked.residuals) == links


def test_gaps_are_numbered_alike_on_both_sides() -> None:
    pairs = [("甲天乙", "丙天丁戊"), ("己", "庚"), ("天", "辛天壬")]
    seen: list[Candidates] = []

    def score(candidates: Candidates) -> Floats:
        seen.append(candidates)
        return np.zeros(len(candidates))

    link_by(pairs, score, 0.5)
    [candidates] = seen
    source, target = candidates.source, candidates.target
    same = source.gap[candidates.source_rows] == target.gap[candidates.target_rows]
    chars = [(chr(a), chr(b)) for a, b, same in zip(*candidates.chars, same, strict=True) if same]
    assert chars == [("甲", "丙"), ("乙", "丁"), ("乙", "戊"), ("己", "庚")]
    assert target.gap_size.tolist() == [1, 2, 2, 1, 1, 1]
    assert target.gap_offset.tolist() == [0, 0, 1, 0, 0, 0]


@given(
    st.lists(st.tuples(plain_texts, plain_texts), min_size=1, max_size=4),
    st.integers(1, 6),
)
def test_long_texts_are_compared_within_a_window(pairs: list[tuple[str, str]], window: int) -> None:
    anchored = [anchors(*pair) for pair in pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(residual, "WINDOW", window)
        found = [
            (pair, i, j)
            for some in residual.candidate_batches(pairs, anchored)
            for pair, i, j in zip(
                some.target.pair[some.target_rows].tolist(),
                some.source.position[some.source_rows].tolist(),
                some.target.position[some.target_rows].tolist(),
                strict=True,
            )
        ]
    expected = []
    for number, (pair, alignment) in enumerate(zip(pairs, anchored, strict=True)):
        source, target = (
            [k for k, char in enumerate(text) if k not in linked and not char.isspace()]
            for text, linked in zip(
                pair,
                ({x.source for x in alignment.links}, {x.target for x in alignment.links}),
                strict=True,
            )
        )
        for rank, j in enumerate(target):
            first = rank * len(source) // len(target) - window // 2
            first = max(0, min(first, len(source) - window))
            expected += [(number, i, j) for i in source[first : first + window]]
    assert found == expected


def test_moved_characters_are_linked_within_the_window_only() -> None:
    apart = residual.WINDOW + 1
    for between, linked in ((apart // 3, 1), (apart, 0)):
        moved = "".join(chr(0x4E00 + k) for k in range(between))
        other = "".join(chr(0x6E00 + k) for k in range(between))
        pair = f"我{moved}", f"{other}你"

        def alike(candidates: Candidates) -> Floats:
            a, b = candidates.chars
            return ((a == ord("我")) & (b == ord("你"))).astype(float)

        [found] = link_by([pair], alike, 0.5)
        assert len(found.residuals) == linked
