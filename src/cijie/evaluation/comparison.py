"""Systems against gold, and against one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain, combinations
from typing import Protocol

from rapidfuzz.distance import Prefix

from cijie.errors import CijieError, SegmentationError, describe
from cijie.evaluation.contested import contested_regions
from cijie.evaluation.errors import ErrorCounts, error_regions
from cijie.evaluation.patterns import token_patterns
from cijie.evaluation.scores import Counts, Scores, boundary_counts, token_counts
from cijie.evaluation.significance import PairedTest, paired_test
from cijie.segmentation import Segmentation
from cijie.wording import counted


class HasSegmentation(Protocol):
    """Something with a segmentation, such as a `Recovery`."""

    @property
    def segmentation(self) -> Segmentation: ...


Segmented = Segmentation | HasSegmentation | Sequence[str]
"""A sentence with its words: a segmentation, a recovery, or words, as a list of strings or as one
string with white space between them."""

Corpus = Mapping[str, Segmented] | Iterable[Segmented]
"""Sentences by id, or one after another (their ids then are their numbers from 1)."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One system against gold.

    `precision`, `recall` and `f1` are the headline, micro-averaged over words.

    Attributes:
        tokens: counts of words in each sentence, in the order of gold: what significance tests
            resample.
        scores: the scores over all sentences.
        errors: how many error regions there are of each kind.
    """

    tokens: tuple[Counts, ...]
    scores: Scores
    errors: ErrorCounts

    @property
    def precision(self) -> float:
        """The share of the system's words that are gold words."""
        return self.scores.tokens.precision

    @property
    def recall(self) -> float:
        """The share of the gold words that the system has."""
        return self.scores.tokens.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.scores.tokens.f1

    @property
    def signature(self) -> str:
        """What the scores are, of what, by which version."""
        return _signature(self)

    def __str__(self) -> str:
        scores, errors = self.scores, self.errors
        return (
            f"F1 {self.f1:.4f} (precision {self.precision:.4f}, recall {self.recall:.4f}; "
            f"macro F1 {scores.macro_f1:.4f}; boundary F1 {scores.boundaries.f1:.4f}), "
            f"{scores.exact:,} of {counted(scores.sentences, 'sentences')} exact; errors: "
            f"{errors.over:,} over, {errors.under:,} under, {errors.drift:,} drift"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several systems against the same gold, and against one another.

    Attributes:
        ids: the sentences scored.
        systems: the evaluation of each system, by name, in the order given.
        tests: the significance tests of each pair of systems, `(later, earlier)` in that order, so
            that a difference is positive where the later one is better.
        token_patterns: how many gold words have which outcome pattern, one letter a system.
        contested_patterns: how many contested regions have which outcome pattern.
        left_out: how many sentences of each system were not scored.
        gold_left_out: how many sentences of gold were not.
        trials: how many random trials each test made.
        seed: what they were seeded with.
    """

    ids: tuple[str, ...]
    systems: Mapping[str, Evaluation]
    tests: Mapping[tuple[str, str], PairedTest]
    token_patterns: Counter[str]
    contested_patterns: Counter[str]
    left_out: Mapping[str, int]
    gold_left_out: int
    trials: int
    seed: int

    @property
    def contested_right(self) -> dict[str, int]:
        """In how many contested regions each system is right."""
        return {
            name: sum(
                count for pattern, count in self.contested_patterns.items() if pattern[k] == "g"
            )
            for k, name in enumerate(self.systems)
        }

    @property
    def signature(self) -> str:
        """What the scores are, of what, by which version, and how differences were tested."""
        signature = _signature(next(iter(self.systems.values())))
        return f"{signature}|trials:{self.trials}|seed:{self.seed}" if self.tests else signature


def evaluate(gold: Corpus, system: Corpus) -> Evaluation:
    """Score a system's segmentations against gold.

    A word is correct if gold has one of the same span; white space is in no word. Words that are
    given without their text are found in the text that the other side brings.

    Args:
        gold: the gold segmentations, by id or in order.
        system: the system's, of the same texts, in the same way. Sentences with an id that gold
            has not are not scored.

    Raises:
        CijieError: the system lacks a sentence, or, where there are no ids, has one too many.
        SegmentationError: the texts differ, with id, offset and both characters.

    >>> result = evaluate(["我 参加 了 旅行团", "好"], ["我 参加 了 旅行 团", "好"])
    >>> round(result.f1, 4), result.errors.over
    (0.7273, 1)
    """
    [evaluation] = compare(gold, {"system": system}).systems.values()
    return evaluation


def compare(
    gold: Corpus,
    systems: Mapping[str, Corpus],
    *,
    intersection: bool = False,
    trials: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Score systems against gold and test all pairs of them for significance.

    Args:
        gold: the gold segmentations, by id or in order.
        systems: the systems' segmentations of the same texts, by name.
        intersection: whether to score only the sentences that gold and all systems have; else a
            sentence of gold that a system lacks is an error.
        trials: how many random trials each test makes; see `paired_test`.
        seed: seeds them.

    Raises:
        CijieError: a system lacks a sentence of gold, or, where there are no ids, has one too many.
        SegmentationError: the texts differ, with id, offset and both characters.
        ValueError: no system, or, where there are several, no trials or a negative seed.

    >>> result = compare(["旅行团"], {"D": ["旅行 团"], "P1": ["旅行团"]}, trials=99)
    >>> result.systems["P1"].f1, result.contested_patterns, result.tests["P1", "D"].difference
    (1.0, Counter({'bg': 1}), 1.0)
    """
    if not systems:
        raise ValueError("there is no system to evaluate")
    reference = _by_id(gold)
    given = {name: _by_id(system) for name, system in systems.items()}
    for name, system in given.items():
        missing = next((id for id in reference if id not in system), None)
        if missing is not None and not intersection:
            raise CijieError(f"{name} has no such sentence, but gold has", id=missing)
        extra = next((id for id in system if id not in reference), None)
        if extra is not None and not isinstance(systems[name], Mapping):
            raise CijieError(f"{name} has such a sentence, but gold has not", id=extra)
    ids = [id for id in reference if all(id in system for system in given.values())]
    names, sides = ("gold", *given), (reference, *given.values())
    sentences = [of_one_text(id, names, [side[id] for side in sides]) for id in ids]
    evaluations = {
        name: _evaluation([(gold, systems[k]) for gold, *systems in sentences])
        for k, name in enumerate(given)
    }
    return Comparison(
        ids=tuple(ids),
        systems=evaluations,
        tests={
            (b, a): paired_test(
                evaluations[b].tokens, evaluations[a].tokens, trials=trials, seed=seed
            )
            for a, b in combinations(evaluations, 2)
        },
        token_patterns=sum(
            (token_patterns(gold, systems) for gold, *systems in sentences), Counter()
        ),
        contested_patterns=Counter(
            region.pattern
            for gold, *systems in sentences
            for region in contested_regions(gold, systems)
        ),
        left_out={name: len(system) - len(ids) for name, system in given.items()},
        gold_left_out=len(reference) - len(ids),
        trials=trials,
        seed=seed,
    )


def _by_id(corpus: Corpus) -> Mapping[str, Segmented]:
    if isinstance(corpus, Mapping):
        return corpus
    if isinstance(corpus, str):
        raise TypeError(f"a corpus is a list of sentences, not one string: {corpus!r}")
    return {str(number): sentence for number, sentence in enumerate(corpus, start=1)}


def _evaluation(sentences: Sequence[tuple[Segmentation, Segmentation]]) -> Evaluation:
    tokens = tuple(token_counts(gold, system) for gold, system in sentences)
    boundaries = [boundary_counts(gold, system) for gold, system in sentences]
    regions = (region for gold, system in sentences for region in error_regions(gold, system))
    return Evaluation(tokens, Scores.of(tokens, boundaries), ErrorCounts.of(regions))


def of_one_text(
    id: str, names: Sequence[str], sentences: Sequence[Segmented]
) -> list[Segmentation]:
    """The segmentations of one sentence, each by its name, checked to be of the same text.

    Raises:
        SegmentationError: the texts differ, with id, offset and both characters.

    >>> gold, system = of_one_text("1", ["gold", "D"], ["旅行团", "旅行 团"])
    >>> gold.text, system.boundaries
    ('旅行团', (2, 3))
    """
    found = [_segmentation_or_words(sentence) for sentence in sentences]
    sides = list(zip(names, found, strict=True))
    # Words alone do not tell the white space between them, so a text that is given goes first.
    given = ((name, side.text) for name, side in sides if isinstance(side, Segmentation))
    joined = ((name, "".join(side)) for name, side in sides if not isinstance(side, Segmentation))
    owner, text = next(chain(given, joined))
    segmentations = []
    for name, side in sides:
        if isinstance(side, Segmentation):
            if side.text != text:
                raise _difference(owner, text, name, side.text, id)
            segmentations.append(side)
            continue
        try:
            segmentations.append(Segmentation.from_tokens(text, side))
        except SegmentationError as error:
            raise SegmentationError(f"{name}: {error.message}", id=id) from error
    return segmentations


def _segmentation_or_words(sentence: Segmented) -> Segmentation | Sequence[str]:
    if isinstance(sentence, Segmentation):
        return sentence
    if isinstance(sentence, str):
        return sentence.split()
    return sentence if isinstance(sentence, Sequence) else sentence.segmentation


def _difference(owner: str, text: str, name: str, other: str, id: str) -> SegmentationError:
    at = Prefix.similarity(text, other)
    return SegmentationError(
        f"the texts differ at offset {at}: {owner} has {describe(text[at : at + 1])}, "
        f"{name} has {describe(other[at : at + 1])}",
        id=id,
    )


def _signature(evaluation: Evaluation) -> str:
    sentences = evaluation.scores.sentences
    return f"cijie:{version('cijie')}|score:token-f1|average:micro|sentences:{sentences}"
