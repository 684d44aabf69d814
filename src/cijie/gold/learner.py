"""The learner benchmark: choose a correction of each sentence as its target, or join gold to them.

The corpus is a user's own copy of MuCGEC.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from math import fsum
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import orjson
from msgspec import Meta, Struct
from rapidfuzz.distance import Levenshtein

from cijie.batching import batched
from cijie.checking import checked
from cijie.corpora.jsonl import read_objects, write_lines
from cijie.corpora.reading import SKIPPED, read, sentences_of
from cijie.errors import FormatError, counted, located
from cijie.files.opening import StrPath
from cijie.files.output import new_directory, open_output
from cijie.gold.annotation import Annotation, check_text, read_returned
from cijie.gold.sheets import Item, Sheet, laid_out, page_of, source_data
from cijie.recovery.sentence import Sentence, nearest
from cijie.signatures import signed
from cijie.similarity.sentences import Encoder, load_encoder, sentence_vectors

Basis = Literal["automatic", "votes", "levenshtein"]
"""The reason for choosing a correction: both rankings put it first, annotators voted for it, or,
failing both, its Levenshtein distance."""

_BATCH = 64
# Encoders may differ in later digits from batch to batch, and from machine to machine.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Ranking:
    """The corrections of a sentence, ranked by two measures of similarity to the sentence.

    Args:
        sentence: the sentence with its corrections.
        levenshtein: the numbers of the corrections, from 1, by ascending Levenshtein distance;
            ties in the order of the corpus.
        context: the numbers of the corrections by descending cosine of sentence vectors, rounded
            to six digits; ties by ascending Levenshtein distance.
    """

    sentence: Sentence
    levenshtein: tuple[int, ...]
    context: tuple[int, ...]

    @property
    def is_automatic(self) -> bool:
        """True if both rankings put the same correction first, so that no vote is needed."""
        return self.levenshtein[0] == self.context[0]

    def as_record(self) -> dict[str, Any]:
        """Return the two rankings as plain values."""
        return {"levenshtein": self.levenshtein, "context": self.context}


def rank(sentences: Iterable[Sentence], encoder: Encoder) -> Iterator[Ranking]:
    """Rank the corrections of each sentence, which must have at least one.

    >>> from cijie.similarity.sentences import load_encoder
    >>> sentence = Sentence("1", "他今天不来。", ("他今天不好。", "今天他不会来。"))
    >>> [ranking] = rank([sentence], load_encoder("embedded"))
    >>> ranking.levenshtein, ranking.context, ranking.is_automatic
    ((1, 2), (2, 1), False)
    """
    for batch in batched(sentences, _BATCH):
        texts = dict.fromkeys(text for each in batch for text in (each.source, *each.targets))
        vectors = dict(zip(texts, sentence_vectors(encoder, list(texts)), strict=True))
        for sentence in batch:
            numbers = range(1, len(sentence.targets) + 1)
            distances = {
                number: Levenshtein.distance(sentence.source, target)
                for number, target in zip(numbers, sentence.targets, strict=True)
            }
            cosines = {
                number: round(float(vectors[sentence.source] @ vectors[target]), _DIGITS)
                for number, target in zip(numbers, sentence.targets, strict=True)
            }
            levenshtein = sorted(numbers, key=distances.__getitem__)
            context = sorted(levenshtein, key=lambda number: -cosines[number])
            yield Ranking(sentence, tuple(levenshtein), tuple(context))


Vote = frozenset[int]
"""The numbers, from 1, of the corrections that an annotator finds best: one, several equally good
ones, or none if no correction is good."""

NONE_IS_GOOD = 0
"""The number that an empty vote counts for."""

Ballot = Mapping[str, Vote]
"""The votes on one sentence, by annotator."""


class _Cast(Struct, frozen=True):
    """A line of a file of votes."""

    annotator: Annotated[str, Meta(min_length=1)]
    source_sha256: str
    references: Vote


def read_votes(
    paths: Iterable[StrPath], rankings: Mapping[str, Ranking], skipped: Counter[str] | None = None
) -> dict[str, dict[str, Vote]]:
    """Read votes, from any number of files, into ballots by sentence.

    A vote is a JSON object with `id`, `source_sha256`, `references` (a `Vote` as a list) and
    `annotator`. Other keys are ignored. Votes on sentences whose rankings agree are skipped.

    Args:
        paths: the files.
        rankings: the sentences voted on, by id.
        skipped: counts the skipped votes, by reason.

    Raises:
        FormatError: a vote on an unknown sentence, on another text, for an unknown correction,
            without an annotator, or a second vote by the same annotator.
    """
    skipped = Counter() if skipped is None else skipped
    ballots: dict[str, dict[str, Vote]] = {}
    for name, id, vote in read_returned(paths, rankings, _vote):
        if rankings[id].is_automatic:
            skipped["votes on sentences that need none"] += 1
        else:
            ballots.setdefault(id, {})[name] = vote
    return ballots


def _vote(record: dict[str, Any], ranking: Ranking, _: str) -> tuple[str, Vote]:
    cast = checked(record, _Cast)
    check_text("source", ranking.sentence.source, cast.source_sha256)
    there = ranking.levenshtein
    for reference in sorted(cast.references.difference(there)):
        raise FormatError(f"no reference {reference!r}: the sheet has {len(there)}")
    return cast.annotator, cast.references


def choose(ranking: Ranking, ballot: Ballot) -> tuple[int, Basis]:
    """Choose the correction of a sentence that is its target.

    Where the rankings agree, it is their first correction; else the one that more than half of the
    voters find best, or `NONE_IS_GOOD`. If more than half find several best, the one with most
    votes is taken; ties go to the nearest by Levenshtein distance. Without such a majority it is
    the nearest of all.

    Returns:
        Its number, from 1, or `NONE_IS_GOOD`, and the reason.

    >>> ranking = Ranking(Sentence("1", "甲", ("乙", "丙", "丁")), (2, 1, 3), (1, 2, 3))
    >>> def chosen(*votes): return choose(ranking, dict(zip("ABC", map(frozenset, votes))))
    >>> chosen([1], [3], [3]), chosen([1, 2], [1, 2]), chosen([], [], [1])
    ((3, 'votes'), (2, 'votes'), (0, 'votes'))
    >>> chosen([1], [2]), chosen()
    ((2, 'levenshtein'), (2, 'levenshtein'))
    """
    nearest = ranking.levenshtein[0]
    if ranking.is_automatic:
        return nearest, "automatic"
    counts = _counts(ballot)
    best = max((NONE_IS_GOOD, *ranking.levenshtein), key=lambda reference: counts[reference])
    return (best, "votes") if 2 * counts[best] > len(ballot) else (nearest, "levenshtein")


def _counts(ballot: Ballot) -> Counter[int]:
    return Counter(reference for vote in ballot.values() for reference in vote or {NONE_IS_GOOD})


@dataclass(frozen=True, slots=True)
class VotingAgreement:
    """The agreement of annotators in their votes.

    Attributes:
        unanimous: the number of sentences with two votes or more, all alike.
        majority: the number of other sentences decided by more than half of the voters.
        disputed: the number of sentences without such a majority.
        pairwise: the share of agreeing pairs of votes on a sentence, averaged over the sentences
            with two or more votes; 0 if there are none. Votes for several corrections agree by
            the share of corrections they have in common (Jaccard index).

    >>> a, b = frozenset({1}), frozenset({2})
    >>> VotingAgreement.of([{"A": a, "B": a, "C": a}, {"A": a, "B": b, "C": a}, {"A": b}])
    VotingAgreement(unanimous=1, majority=2, disputed=0, pairwise=0.6666666666666666)
    """

    unanimous: int
    majority: int
    disputed: int
    pairwise: float

    @classmethod
    def of(cls, ballots: Iterable[Ballot]) -> VotingAgreement:
        """Measure the agreement in the ballots of sentences."""
        ballots = list(ballots)
        kinds = Counter(map(_kind, ballots))
        shares = [_agreeing(ballot) for ballot in ballots if len(ballot) > 1]
        pairwise = fsum(shares) / len(shares) if shares else 0.0
        return cls(kinds["unanimous"], kinds["majority"], kinds["disputed"], pairwise)

    def __str__(self) -> str:
        sentences = counted(self.unanimous + self.majority + self.disputed, "sentences")
        return (
            f"votes on {sentences}: {self.unanimous:,} unanimous, {self.majority:,} by majority, "
            f"{self.disputed:,} disputed; mean pairwise agreement {self.pairwise:.1%}"
        )


def _agreeing(ballot: Ballot) -> float:
    """Return the share of agreeing pairs of votes."""
    pairs = list(combinations(ballot.values(), 2))
    return sum(len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs) / len(pairs)


def _kind(ballot: Ballot) -> str:
    if len(ballot) > 1 and len(set(ballot.values())) == 1:
        return "unanimous"
    return "majority" if 2 * max(_counts(ballot).values()) > len(ballot) else "disputed"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark as files.

    Attributes:
        files: the records of each file, by its name.
        card: the data card: origin, settings and figures.
        to_vote: the sentences whose rankings disagree.
    """

    files: Mapping[str, Sequence[Mapping[str, Any]]]
    card: Mapping[str, Any]
    to_vote: Sequence[Ranking] = ()

    def write(
        self, folder: StrPath, voters: Iterable[str], guidelines: Mapping[str, str]
    ) -> list[str]:
        """Write the files, the data card `card.json` and pages for voters into a new folder.

        Args:
            folder: a folder that does not exist or is empty.
            voters: the names of those who vote where the rankings disagree.
            guidelines: the guidelines on their pages, see `Sheet.write`.

        Returns:
            The file names of the pages, such as `vote-A.html`; none if no vote is needed.

        Raises:
            UsageError: the folder is not empty.
        """
        with new_directory(folder) as made:
            for name, records in self.files.items():
                write_lines(made / name, records)
            with open_output(made / "card.json") as stream:
                stream.write(orjson.dumps(self.card, option=orjson.OPT_INDENT_2) + b"\n")
            pages = {name: page_of(made, "vote", name) for name in voters if self.to_vote}
            items = list(map(voting_item, self.to_vote))
            for name, page in pages.items():
                Sheet("vote", items).write(page, name, guidelines)
        return [page.name for page in pages.values()]


def choose_targets(
    corpus: StrPath,
    *,
    context: Encoder | str = "embedded",
    votes: Iterable[StrPath] = (),
) -> Benchmark:
    """Choose one correction of each sentence of a corpus as its target; see `choose`.

    Args:
        corpus: a file of sources with their corrections, in any format that has them.
        context: the character encoder of the context ranking: `"embedded"`, the name or directory
            of a `transformers` model, or an encoder.
        votes: files of votes on sentences whose rankings disagree.

    Returns:
        A benchmark of `pairs.jsonl`, the chosen pairs, and `voting-sheet.jsonl`, the sentences
        whose rankings disagree.

    Raises:
        FormatError: as `cijie.corpora.reading.read` and `read_votes`, or no sentence has a
            correction.
        MissingExtraError: an encoder is not installed.
    """
    corpus_card = _corpus_card(corpus)
    skipped: Counter[str] = Counter()
    sentences = _corrected(corpus, skipped)
    if not sentences:
        raise FormatError("no sentence has a correction", path=corpus)
    encoder = load_encoder(context) if isinstance(context, str) else context
    rankings = {ranking.sentence.id: ranking for ranking in rank(sentences, encoder)}
    ballots = read_votes(votes, rankings, skipped)
    pairs: list[dict[str, Any]] = []
    for id, ranking in rankings.items():
        number, basis = choose(ranking, ballots.get(id, {}))
        if number == NONE_IS_GOOD:
            skipped["sentences without a good correction"] += 1
            continue
        sentence = ranking.sentence
        target = sentence.targets[number - 1]
        pair = Sentence(id, sentence.source, (target,), reference=number)
        pairs.append(pair.as_record() | {"chosen_by": basis})
    chosen_by = Counter(record["chosen_by"] for record in pairs)
    card = {
        "signature": signed("benchmark:learner", f"encoder:{encoder.name}", "pooling:mean"),
        "corpus": corpus_card,
        "left_out": dict(sorted(skipped.items())),
        "pairs": len(pairs),
        "chosen_by": {basis: chosen_by[basis] for basis in get_args(Basis)},
        "votes": VotingAgreement.of(ballots.values()) if ballots else None,
    }
    to_vote = [ranking for ranking in rankings.values() if not ranking.is_automatic]
    files = {"pairs.jsonl": pairs, "voting-sheet.jsonl": list(map(_voting_record, to_vote))}
    return Benchmark(files, card, to_vote)


def join(corpus: StrPath, gold: StrPath) -> Benchmark:
    """Join stand-off gold to a corpus, with the corrections that it is based on.

    Args:
        corpus: a file of sources with their corrections, in any format that has them.
        gold: stand-off gold, such as `builtin_gold()`.

    Returns:
        A benchmark of `pairs.jsonl`, the pairs with gold, and `gold.jsonl`, the gold with its
        texts.

    Raises:
        FormatError: as `cijie.corpora.reading.read` and `join_gold`, or the gold is empty.
        SegmentationError: as `join_gold`.
    """
    corpus_card, gold_checksum = _corpus_card(corpus), _checksum(gold)
    skipped: Counter[str] = Counter()
    sentences = {sentence.id: sentence for sentence in _corrected(corpus, skipped)}
    joined = join_gold(sentences, gold)
    if not joined:
        raise FormatError("no sentence", path=gold)
    if without := len(sentences) - len(joined):
        skipped["sentences without gold"] = without
    card = {
        "signature": signed("benchmark:learner", f"gold:{gold_checksum[:8]}"),
        "corpus": corpus_card,
        "left_out": dict(sorted(skipped.items())),
        "pairs": len(joined),
        "tokens": sum(len(each.words) for each in joined),
    }
    files = {
        "pairs.jsonl": [each.as_record(words=False) for each in joined],
        "gold.jsonl": [each.of_source().as_record() for each in joined],
    }
    return Benchmark(files, card)


def join_gold(sentences: Mapping[str, Sentence], gold: StrPath) -> list[Sentence]:
    """Join stand-off gold to its sentences, in the order of `sentences`.

    `reference` in a record names the correction that the gold is based on; the default is the
    correction nearest to the source.

    Args:
        sentences: sentences with their corrections, by id.
        gold: a file of records with `id`, `spans` and, optionally, `source_sha256`, `reference`
            and `target_sha256`.

    Returns:
        The sentences with gold, each with its correction and the gold words.

    Raises:
        FormatError: an unknown sentence or correction, or a text that does not match its
            checksum, with its id.
        SegmentationError: the words do not match the text.
    """
    joined = {}
    for line, id, record in read_objects(gold):
        with located(path=gold, line=line, id=id):
            if id not in sentences:
                raise FormatError("the corpus has no correction of this sentence")
            sentence = sentences[id]
            found = Annotation.of(record, sentence.source)
            number = found.reference
            if number is None:
                number = nearest(sentence.source, sentence.targets) + 1
            if number not in range(1, len(sentence.targets) + 1):
                there = len(sentence.targets)
                raise FormatError(f"no reference {number!r}: the corpus has {there}")
            target = sentence.targets[number - 1]
            check_text("target", target, found.target_sha256)
        words = found.segmentation
        joined[id] = Sentence(id, sentence.source, (target,), reference=number, segmentation=words)
    return [joined[id] for id in sentences if id in joined]


def voting_item(ranking: Ranking) -> Item:
    """Build a sentence whose corrections are voted on."""
    sentence = ranking.sentence
    return {
        "id": sentence.id,
        **source_data(sentence.source),
        "references": [laid_out(sentence.source, target) for target in sentence.targets],
        "ranking": ranking.as_record(),
    }


def _voting_record(ranking: Ranking) -> dict[str, Any]:
    sentence = ranking.sentence
    return {
        "id": sentence.id,
        "source": sentence.source,
        "references": sentence.targets,
        "ranking": ranking.as_record(),
    }


def _corrected(corpus: StrPath, skipped: Counter[str]) -> list[Sentence]:
    """Return the sentences of a corpus that have a correction; count the others by reason."""
    sentences = read(corpus, "corrections")
    found = list(sentences_of(sentences))
    skipped.update(sentences.skipped)
    skipped.update(SKIPPED[each.status] for each in found if each.status is not None)
    return [each for each in found if each.status is None]


def _corpus_card(corpus: StrPath) -> dict[str, str]:
    name = Path(corpus).name.encode("utf-8", "replace").decode()  # it may not be UTF-8
    return {"name": name, "sha256": _checksum(corpus)}


def _checksum(path: StrPath) -> str:
    if not Path(path).is_file():
        raise FormatError("not a regular file, so it cannot be read twice", path=path)
    return sha256(Path(path).read_bytes()).hexdigest()
