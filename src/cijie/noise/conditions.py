"""The files of synthetic benchmarks: a corpus; and a directory per condition, with a data card."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from cijie import __version__
from cijie.corpora.ctb import read_ctb
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.corpora.segmentations import SegmentationFile, read_segmentations
from cijie.errors import CijieError, FormatError, UsageError, counted, printable
from cijie.files.opening import StrPath
from cijie.files.output import open_output
from cijie.noise.injection import KINDS
from cijie.noise.synthetic import Condition, Recipe, make_condition
from cijie.recovery.sentence import Sentence

CARD, PAIRS, GOLD = "card.json", "pairs.jsonl", "gold.jsonl"

RECIPE = 1
"""The version of the generator; it changes whenever the same input gives other sentences."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Segmented sentences, with the name and licence to pass on with them.

    Args:
        name: the name of the corpus.
        licence: the licence of the corpus; empty if not known.
        sentences: the sentences, with their words.

    Raises:
        CijieError: a sentence without words, or two sentences with the same id.
    """

    name: str
    licence: str
    sentences: tuple[Sentence, ...]

    def __post_init__(self) -> None:
        seen = set()
        for each in self.sentences:
            each.known_words()
            if each.id in seen:
                raise CijieError(f"duplicate id in {self.name}", id=each.id)
            seen.add(each.id)

    @property
    def texts(self) -> Iterator[str]:
        """The texts of the sentences."""
        return (each.source for each in self.sentences)

    @property
    def checksum(self) -> str:
        """The SHA-256 of the corpus as JSON Lines, as written by `cijie convert`."""
        digest = sha256()
        for each in self.sentences:
            digest.update(dump_line(each.of_source().as_record()))
        return digest.hexdigest()


def read_corpus(
    path: StrPath,
    *,
    files: Container[int] | None = None,
    sentences: int | None = None,
    licence: str = "",
    options: ReadOptions | None = None,
) -> Corpus:
    """Read a corpus in any format with words: CoNLL-U, segmented text, CTB 5.1 and others.

    Args:
        path: the file, or the directory of the Penn Chinese Treebank.
        files: the numbers of the treebank's files to read; all if None.
        sentences: the number of sentences to take, from the start; all if None.
        licence: the licence of the corpus.
        options: reading options; unset ones are inferred from name and content.

    Raises:
        CijieError: a malformed or empty file, a sentence without words, two sentences with the
            same id, or fewer sentences than requested.
        UsageError: `files` for anything but the treebank.
    """
    options = options or ReadOptions()
    found = read(path, "words", replace(options, ids="any"))
    corpus: Iterable[Sentence] = sentences_of(found)
    if files is not None:
        if found.format.name != "ctb":
            raise UsageError(f"only the Penn Chinese Treebank has numbered files: {path}")
        corpus = read_ctb(path, files=files)
    taken = tuple(islice(corpus, sentences))
    if not taken:
        raise FormatError("found no sentence", path=path)
    if sentences is not None and len(taken) < sentences:
        raise FormatError(
            f"expected {counted(sentences, 'sentences')}, found {len(taken):,}", path=path
        )
    return Corpus(printable(Path(path).stem), licence, taken)


def write_benchmark(
    directory: StrPath, corpus: Corpus, ratios: Iterable[Fraction], recipe: Recipe
) -> Iterator[StoredCondition]:
    """Make the conditions of a benchmark, and write each into `directory`.

    The directory of a condition is named after it, such as `r01`. It contains `pairs.jsonl` for
    `cijie recover` (sources, and targets with their words), `gold.jsonl` for `cijie evaluate` (the
    words of the sources), and `card.json`, which describes them.

    Args:
        directory: an empty or new folder.
        corpus: segmented sentences, the targets.
        ratios: shares of the characters to edit, from 0 to 1.
        recipe: the settings of the noise.
    """
    for ratio in ratios:
        condition = make_condition(corpus.sentences, ratio, recipe)
        place = Path(directory) / condition.name
        place.mkdir(parents=True)
        given = (replace(pair, segmentation=None) for pair in condition.pairs)
        contents = {
            PAIRS: b"".join(dump_line(pair.as_record()) for pair in given),
            GOLD: b"".join(dump_line(pair.of_source().as_record()) for pair in condition.pairs),
        }
        card = _card(condition, corpus, recipe)
        card["files"] = {name: sha256(content).hexdigest() for name, content in contents.items()}
        contents[CARD] = orjson.dumps(card, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        for name, content in contents.items():
            with open_output(place / name) as stream:
                stream.write(content)
        yield StoredCondition(place, card)


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
        """The name of the condition."""
        return self.path.name

    @property
    def checksum(self) -> str:
        """The SHA-256 of the checksums of its files in the card."""
        return sha256(
            "".join(self.card["files"][name] for name in (PAIRS, GOLD)).encode()
        ).hexdigest()

    @property
    def ratio(self) -> float:
        """The number of edits per character of the targets."""
        return float(self.card["noise"]["ratio"])

    @property
    def seed(self) -> int:
        """The seed of the noise."""
        return int(self.card["noise"]["seed"])

    def __str__(self) -> str:
        card = self.card
        pairs, edits, dropped = card["pairs"], card["edits"], card["dropped"]
        return (
            f"{self.name}: {counted(pairs['sentences'], 'pairs')}, "
            f"{pairs['unchanged']:,} unchanged; "
            f"{', '.join(f'{kind} {edits[kind]:,}' for kind in KINDS)}; "
            f"{counted(dropped, 'empty sources')} dropped"
        )

    def pairs(self) -> list[Sentence]:
        """Read the pairs, with the words of the targets."""
        return list(sentences_of(read(self.path / PAIRS, "pairs")))

    def gold(self) -> SegmentationFile:
        """Read the gold words of the sources."""
        return read_segmentations(self.path / GOLD)


def read_benchmark(directory: StrPath) -> list[StoredCondition]:
    """Read the conditions in a directory, ordered by ratio, each checked against its card.

    Raises:
        FormatError: no conditions, a malformed card, or a file that does not match its card.
    """
    conditions = [_read_condition(card) for card in sorted(Path(directory).glob(f"*/{CARD}"))]
    if not conditions:
        if (Path(directory) / CARD).exists():
            raise FormatError(
                "this is one condition; give the folder that holds it", path=directory
            )
        raise FormatError(
            f"found no condition with a {CARD}; `cijie bench synthetic` makes them", path=directory
        )
    return sorted(conditions, key=lambda condition: (condition.ratio, condition.name))


def _read_condition(path: Path) -> StoredCondition:
    try:
        card = orjson.loads(path.read_bytes())
        condition = StoredCondition(path.parent, card)
        expected = {name: str(card["files"][name]) for name in (PAIRS, GOLD)}
        _ = condition.ratio, condition.seed
    except (KeyError, TypeError, ValueError) as error:
        message = "not a data card of `cijie bench synthetic`"
        raise FormatError(message, path=path) from error
    for name, checksum in expected.items():
        file = path.with_name(name)
        found = sha256(file.read_bytes()).hexdigest() if file.exists() else "no file"
        if found != checksum:
            raise FormatError(
                f"not the file of its card: expected {checksum}, found {found}", path=file
            )
    return condition


def _card(condition: Condition, corpus: Corpus, recipe: Recipe) -> dict[str, Any]:
    pairs, noise = condition.pairs, recipe.noise
    shares = zip(KINDS, recipe.distribution.shares, strict=True)
    return {
        "made_by": f"cijie {__version__}, recipe {RECIPE}",
        "corpus": {
            "name": corpus.name,
            "licence": corpus.licence or None,
            "sha256": corpus.checksum,
            "sentences": len(corpus.sentences),
            "characters": condition.characters,
            "tokens": sum(len(each.spans) for each in corpus.sentences),
        },
        "noise": {
            "ratio": float(condition.ratio),
            "seed": recipe.seed,
            "condition_seed": condition.seed,
            "kind": noise.name,
            "pool": noise.pool.name,
            "kinds": recipe.kinds,
            "distribution": {kind: float(share) for kind, share in shares},
        },
        "edits": {**condition.edits, "all": sum(condition.edits.values())},
        "dropped": len(corpus.sentences) - len(pairs),
        "pairs": {
            "sentences": len(pairs),
            "unchanged": sum(pair.segmentation == pair.target_segmentation for pair in pairs),
            "source_tokens": sum(len(pair.segmentation or ()) for pair in pairs),
            "target_tokens": sum(len(pair.target_segmentation or ()) for pair in pairs),
        },
    }
