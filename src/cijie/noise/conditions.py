"""Synthetic benchmarks as files: a directory for each condition, with a data card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from cijie import __version__
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import SegmentationFile, read_segmentations
from cijie.errors import FormatError
from cijie.files.lines import StrPath
from cijie.files.output import open_output
from cijie.noise.corpus import Corpus
from cijie.noise.distribution import KINDS, EditDistribution
from cijie.noise.injection import Noise
from cijie.noise.synthetic import Condition, InsertionRule, make_condition
from cijie.recovery.sentence import Sentence

CARD, PAIRS, GOLD = "card.json", "pairs.jsonl", "gold.jsonl"

RECIPE = 1
"""Changes whenever the same corpus and options give other sentences than they did before."""


def write_benchmark(
    directory: StrPath,
    corpus: Corpus,
    ratios: Iterable[Fraction],
    *,
    noise: Noise,
    distribution: EditDistribution,
    insertions: InsertionRule,
    seed: int,
) -> Iterator[tuple[Condition, Mapping[str, Any]]]:
    """Make the conditions of a benchmark and write each into `directory`; give back their cards.

    The directory of a condition is called as it is, such as `r01`. In it are `pairs.jsonl`, which
    `cijie recover` reads (sources, and targets with their words), `gold.jsonl`, which
    `cijie evaluate` reads (the words of the sources), and `card.json`, which says what they are.
    """
    for ratio in ratios:
        condition = make_condition(
            corpus.sentences,
            ratio,
            noise=noise,
            distribution=distribution,
            insertions=insertions,
            seed=seed,
        )
        place = Path(directory) / condition.name
        place.mkdir(parents=True)
        contents = {
            PAIRS: b"".join(
                dump_line(
                    {
                        "id": pair.id,
                        "source": pair.source.text,
                        "target": pair.target.text,
                        "target_spans": pair.target.spans,
                    }
                )
                for pair in condition.pairs
            ),
            GOLD: b"".join(
                dump_line(Sentence(pair.id, pair.source.text, segmentation=pair.source).as_record())
                for pair in condition.pairs
            ),
        }
        card = _card(condition, corpus, noise, distribution, insertions, seed)
        card["files"] = {name: sha256(content).hexdigest() for name, content in contents.items()}
        contents[CARD] = orjson.dumps(card, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        for name, content in contents.items():
            with open_output(place / name) as stream:
                stream.write(content)
        yield condition, card


@dataclass(frozen=True, slots=True)
class StoredCondition:
    """A condition in its directory.

    Attributes:
        path: the directory.
        card: its data card.
    """

    path: Path
    card: Mapping[str, Any]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.path.name

    @property
    def checksum(self) -> str:
        """SHA-256 of the checksums of its files, as its card has them."""
        return sha256(
            "".join(self.card["files"][name] for name in (PAIRS, GOLD)).encode()
        ).hexdigest()

    @property
    def ratio(self) -> float:
        """Edits / characters of the targets."""
        return float(self.card["noise"]["ratio"])

    def pairs(self) -> list[Sentence]:
        """The pairs, with the words of the targets."""
        return list(sentences_of(read(self.path / PAIRS, "pairs")))

    def gold(self) -> SegmentationFile:
        """The words of the sources."""
        return read_segmentations(self.path / GOLD)


def read_benchmark(directory: StrPath) -> list[StoredCondition]:
    """The conditions in a directory, by their ratio, each checked against its card.

    Raises:
        FormatError: there are none, a card is not one, or a file is not that of its card.
    """
    conditions = [_read_condition(card) for card in sorted(Path(directory).glob(f"*/{CARD}"))]
    if not conditions:
        if (Path(directory) / CARD).exists():
            raise FormatError(
                "this is one condition: name the folder that it is in", path=directory
            )
        raise FormatError(
            f"no folder in it has a {CARD}, as `cijie bench synthetic` makes them", path=directory
        )
    return sorted(conditions, key=lambda condition: (condition.ratio, condition.name))


def _read_condition(path: Path) -> StoredCondition:
    try:
        card = orjson.loads(path.read_bytes())
        condition = StoredCondition(path.parent, card)
        expected = {name: str(card["files"][name]) for name in (PAIRS, GOLD)}
        _ = condition.ratio
    except (KeyError, TypeError, ValueError) as error:
        message = "not the data card of a condition that `cijie bench synthetic` has made"
        raise FormatError(message, path=path) from error
    for name, checksum in expected.items():
        file = path.with_name(name)
        found = sha256(file.read_bytes()).hexdigest() if file.exists() else "no file"
        if found != checksum:
            raise FormatError(
                f"not the file of its card: expected {checksum}, found {found}", path=file
            )
    return condition


def _card(
    condition: Condition,
    corpus: Corpus,
    noise: Noise,
    distribution: EditDistribution,
    insertions: InsertionRule,
    seed: int,
) -> dict[str, Any]:
    sources = [pair.source for pair in condition.pairs]
    targets = [pair.target for pair in condition.pairs]
    return {
        "made_by": f"cijie {__version__}, recipe {RECIPE}",
        "corpus": {
            "name": corpus.name,
            "licence": corpus.licence or None,
            "sha256": corpus.checksum,
            "sentences": len(corpus.sentences),
            "characters": condition.characters,
            "tokens": sum(len(segmentation) for _, segmentation in corpus.sentences),
        },
        "noise": {
            "ratio": float(condition.ratio),
            "seed": seed,
            "condition_seed": condition.seed,
            "kind": noise.name,
            "pool": {
                "name": noise.pool.name,
                "characters": len(noise.pool.counts),
                "occurrences": noise.pool.total,
            },
            "insertions": insertions,
            "distribution": {
                kind: float(share) for kind, share in zip(KINDS, distribution.shares, strict=True)
            },
        },
        "edits": {**condition.edits, "all": sum(condition.edits.values())},
        "substitutes_from": condition.origins,
        "dropped": condition.dropped,
        "pairs": {
            "sentences": len(condition.pairs),
            "unchanged": sum(pair.source == pair.target for pair in condition.pairs),
            "source_tokens": sum(map(len, sources)),
            "target_tokens": sum(map(len, targets)),
        },
    }
