"""Build the learner benchmark, pairs and gold, from a user's own copy of MuCGEC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import orjson

from cijie.corpora.jsonl import read_objects, write_lines
from cijie.corpora.reading import SKIPPED, read, sentences_of
from cijie.errors import FormatError, located
from cijie.files.opening import StrPath
from cijie.files.output import new_directory, open_output
from cijie.gold.annotation import Annotation, check_text
from cijie.gold.selection import (
    NONE_IS_GOOD,
    Basis,
    Ranking,
    VotingAgreement,
    choose,
    rank,
    read_votes,
)
from cijie.gold.sheets import Sheet, page_of, voting_item
from cijie.recovery.sentence import Sentence, nearest
from cijie.signatures import signed
from cijie.similarity.sentences import Encoder, load_encoder


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
    """Choose one correction of each sentence of a corpus as its target; see `select`.

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
