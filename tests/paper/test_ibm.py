from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import AlignedSent, IBMModel1

from cijie import CijieError, Recoverer, Segmentation
from cijie.paper.ibm import IbmAligner, IbmModel, train_ibm

# No character occurs twice in a source: there NLTK's normalisation departs from EM.
CORPUS = [
    ("我参加旅行困", "我 参加 旅行团"),
    ("旅行困很大", "旅行团 很 大"),
    ("他参加了比塞", "他 参加 了 比赛"),
    ("比塞很大", "比赛 很 大"),
    ("我很好", "我 很 好"),
    ("我爱他", "我 爱 他"),
    ("他好", "他 很 好"),
]
PAIRS = [
    (source, Segmentation.from_tokens(words.replace(" ", ""), words.split()))
    for source, words in CORPUS
]


def lexical(model: IbmModel, word: str | None, char: str) -> float:
    number = 0 if word is None else model.words[word]
    cell = number * len(model.characters) + model.characters[char]
    [at] = np.flatnonzero(model.cells == cell)
    return float(model.lexical[at])


def test_words_are_generated_as_by_nltk_while_positions_are_uniform() -> None:
    model = train_ibm(PAIRS, lexical_iterations=8, iterations=0, tolerance=0)
    corpus = [AlignedSent(list(source), target.tokens) for source, target in PAIRS]
    theirs = IBMModel1(corpus, 8)
    for source, target in PAIRS:
        for char in source:
            for word in (None, *target.tokens):
                expected = theirs.translation_table[char][word]
                assert lexical(model, word, char) == pytest.approx(expected, abs=1e-9)


def test_distortion_is_that_of_a_plain_loop() -> None:
    model = train_ibm(PAIRS, lexical_iterations=0, iterations=5, tolerance=0)
    p = {(w, c): 1 / len(model.characters) for w in (None, *model.words) for c in model.characters}
    d: dict[tuple[int, int, int, int], float] = {}
    for _ in range(5):
        lexical_counts: dict[tuple[str | None, str], float] = {}
        position_counts: dict[tuple[int, int, int, int], float] = {}
        for source, target in PAIRS:
            words, m = [None, *target.tokens], len(source)
            for j, char in enumerate(source):
                joint = [
                    d.get((j, i, m, len(words)), 1 / m) * p[word, char]
                    for i, word in enumerate(words)
                ]
                for i, word in enumerate(words):
                    share = joint[i] / sum(joint)
                    for table, key in (
                        (lexical_counts, (word, char)),
                        (position_counts, (j, i, m, len(words))),
                    ):
                        table[key] = table.get(key, 0) + share
        p = {
            (w, c): count / sum(x for (other, _), x in lexical_counts.items() if other == w)
            for (w, c), count in lexical_counts.items()
        }
        d = {
            key: count / sum(x for other, x in position_counts.items() if other[1:] == key[1:])
            for key, count in position_counts.items()
        }
    for (word, char), value in p.items():
        assert lexical(model, word, char) == pytest.approx(value, abs=1e-9)
    for (j, i, m, size), value in d.items():
        assert model.positions[m, size - 1][j, i] == pytest.approx(value, abs=1e-9)


def log_likelihood(model: IbmModel) -> float:
    total = 0.0
    for source, target in PAIRS:
        words = (None, *target.tokens)
        generated = np.array([[lexical(model, word, char) for word in words] for char in source])
        joint = generated * model.positions[len(source), len(target)]
        total += float(np.log(joint.sum(axis=1)).sum())
    return total


def test_em_never_loses_likelihood() -> None:
    found = [log_likelihood(train_ibm(PAIRS, iterations=n, tolerance=0)) for n in range(6)]
    assert found == sorted(found)


def test_a_tolerance_ends_each_stage_early() -> None:
    few = train_ibm(PAIRS, lexical_iterations=2, iterations=2, tolerance=0)
    assert train_ibm(PAIRS, lexical_iterations=50, iterations=50, tolerance=9).digest == few.digest


def test_empty_sides_are_skipped() -> None:
    empty = Segmentation("", ())
    blank = Segmentation(" ", ())
    model = train_ibm(
        [*PAIRS, ("", PAIRS[0][1]), ("我", empty), ("\u3000", PAIRS[0][1]), ("", blank)]
    )
    assert model.digest == train_ibm(PAIRS).digest
    with pytest.raises(CijieError, match="no pair with characters on both sides"):
        train_ibm([("", empty)])


def test_a_misspelt_word_is_joined_as_in_the_target() -> None:
    recoverer = Recoverer(list, IbmAligner(train_ibm(PAIRS)))
    recovery = recoverer.recover(
        "我参加旅行困", "我参加旅行团", target_tokens=["我", "参加", "旅行团"]
    )
    assert recovery.words == ["我", "参加", "旅行困"]
    assert {link.kind for link in recovery.alignment.links} == {"residual"}


def test_what_the_model_does_not_know_stays_unlinked() -> None:
    recoverer = Recoverer(list, IbmAligner(train_ibm(PAIRS)))
    recovery = recoverer.recover("猫狗", "鸟鱼虫", target_tokens=["鸟鱼", "虫"])
    assert len(recovery.alignment) == 0
    assert recovery.words == ["猫", "狗"]


def by_hand(generates: Mapping[str, Sequence[str]]) -> IbmModel:
    """A model in which each word generates its characters, and NULL none."""
    chars = sorted(set().union(*generates.values()))
    words = {word: number for number, word in enumerate(generates, start=1)}
    cells = [
        words[word] * len(chars) + chars.index(char)
        for word, generated in generates.items()
        for char in sorted(generated)
    ]
    return IbmModel(
        words,
        {char: number for number, char in enumerate(chars)},
        np.array(cells),
        np.full(len(cells), 0.5),
        {},
    )


def test_identical_characters_of_a_word_come_first() -> None:
    aligner = IbmAligner(by_hand({"旅行团": "旅行困大"}))
    source, target = Segmentation("行困旅大", (4,)), Segmentation("旅行团", (3,))
    [alignment] = aligner.align_words([(source, target)])
    assert [(link.source, link.target) for link in alignment.links] == [(0, 1), (1, 2), (2, 0)]


def test_a_cluster_is_linked_with_all_its_code_points_or_not_at_all() -> None:
    cluster = "👩\u200d🏫"
    aligner = IbmAligner(by_hand({"我": ["我"], cluster: [cluster, "困"]}))
    target = Segmentation.from_tokens(f"我{cluster}", ["我", cluster])
    sources = [Segmentation(source, (1, len(source))) for source in (f"我{cluster}", "我困")]
    whole, other = aligner.align_words([(source, target) for source in sources])
    assert [(link.source, link.target) for link in whole.links] == [(k, k) for k in range(4)]
    assert [(link.source, link.target) for link in other.links] == [(0, 0)]


@given(
    st.lists(st.tuples(st.text("旅行 困团\u200b", max_size=5), st.text("旅行困 团", max_size=5)))
)
def test_probabilities_are_never_nan(texts: list[tuple[str, str]]) -> None:
    pairs = [(source, Segmentation.from_tokens(target, target.split())) for source, target in texts]
    try:
        model = train_ibm(pairs)
    except CijieError:
        return
    for source, target in pairs:
        if source.split() and len(target):
            shares = model.posteriors(source, target.tokens)
            assert np.allclose(shares.sum(axis=1), 1)
    IbmAligner(model).align_words(
        [(Segmentation.from_tokens(source, source.split()), target) for source, target in pairs]
    )


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="negative"):
        train_ibm(PAIRS, iterations=-1)
