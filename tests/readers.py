"""Every reader of files that users give, each with a file that it reads: to be given worse ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from gzip import compress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import orjson

from cijie.cli.settings import read_settings
from cijie.corpora.formats import FORMATS, Format
from cijie.corpora.jsonl import dump_line
from cijie.corpora.m2 import read_m2
from cijie.corpora.reading import read
from cijie.corpora.segmentations import read_segmentations, read_to_compare, source_checksum
from cijie.corpora.words import read_words
from cijie.corpora.writing import write
from cijie.errors import CijieError, MissingExtraError, UsageError
from cijie.evaluation.comparison import compare
from cijie.gold.annotation import gold_record, read_annotations
from cijie.gold.learner import Ranking, join_gold, read_votes
from cijie.gold.study import Study
from cijie.jobs.batches import Extent, names_for
from cijie.jobs.journal import Journal, kept
from cijie.noise.conditions import read_benchmark
from cijie.paper.ibm import IbmAligner, read_ibm_model, train_ibm, write_ibm_model
from cijie.recovery.records import sentence_of
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence
from cijie.similarity.glyph import GlyphTable
from cijie.text.segmentation import Segmentation
from cijie.viewer.page_data import page_data
from cijie.viewer.shown import side_by_side

from sentences import read_pairs, read_records

NEEDS = {"parquet": "pyarrow"}
"""The libraries that some of them want, beyond those of cijie itself."""

SOURCE, TARGET = "我们去 旅行困👩\u200d🏫", "我们去了旅行团👩\u200d🏫"
WORDS = {
    SOURCE: ["我们", "去", "旅行", "困", "👩\u200d🏫"],
    TARGET: ["我们", "去", "了", "旅行团", "👩\u200d🏫"],
    "么什": ["么", "什"],
    "什么": ["什么"],
}
PAIRS = [
    Sentence("1", SOURCE, (TARGET,), reference=1),
    Sentence("b", "么什", ("什么",), reference=1),
]


@dataclass(frozen=True, slots=True)
class Reader:
    """A function that reads all of a file, what makes a file that it accepts, and its name."""

    read: Callable[[Path], object]
    example: Callable[[], bytes]
    file: str = "x"


def readers() -> dict[str, Reader]:
    """All readers by name; those of `cijie convert` have the names of their formats."""
    of_formats = {
        name: Reader(partial(_records, name), partial(example, name))
        for name, format in FORMATS.items()
        if format.reads
    }
    jsonl, mucgec = partial(example, "jsonl"), partial(example, "mucgec")
    return of_formats | {
        "blocks": Reader(_blocks, partial(example, "cherrant")),
        "pairs-jsonl": Reader(lambda path: list(read_pairs(path, "jsonl")), jsonl),
        "pairs-mucgec": Reader(lambda path: list(read_pairs(path, "mucgec")), mucgec),
        "parallel": Reader(
            lambda path: list(read((path, path), "pairs")), f"{SOURCE}\n\n{TARGET}\n".encode
        ),
        "packed": Reader(
            lambda path: list(read_pairs(path)), lambda: compress(example("jsonl")), "x.jsonl.gz"
        ),
        "gb18030": Reader(
            lambda path: list(read_records(path, "mucgec", encoding="gb18030")),
            lambda: example("mucgec").decode().encode("gb18030"),
        ),
        "utf-16": Reader(
            lambda path: list(read_records(path, "tsv", encoding="utf-16")),
            lambda: example("tsv").decode().encode("utf-16"),
        ),
        "segmentations": Reader(_segmentations, jsonl, "x.jsonl"),
        "results": Reader(_results, jsonl, "x.jsonl"),
        "words": Reader(lambda path: list(read_words(path)), "旅行团 5 n\n我们\n了\n".encode),
        "settings": Reader(read_settings, b'# why\nweights = "emb=.5"\nthreshold = 5\n'.strip),
        "glyphs": Reader(GlyphTable.from_csv, "CharA,CharB,similarity\n困,团,0.9\n".encode),
        "ibm": Reader(_align, _model),
        "journal": Reader(_resume, _journal, "x.journal.json"),
        "kept": Reader(_resume, lambda: _journal() + b"abc" + _journal() + b"abc", "x.part"),
        "card": Reader(_condition, _card, "r01/card.json"),
        "gold": Reader(
            lambda path: join_gold({"1": Sentence("1", SOURCE, (TARGET,))}, path), _gold
        ),
        "annotations": Reader(
            lambda path: read_annotations([path], {pair.id: pair for pair in PAIRS}), _gold
        ),
        "study": Reader(
            lambda path: Study.open(path.parent),
            b'{"annotators": ["A", "B"], "checksum": "0", "start": "agreed"}'.strip,
            "study.json",
        ),
        "votes": Reader(lambda path: read_votes([path], {"1": _ranking()}), _vote),
    }


@cache
def recovered() -> tuple[Sentence, ...]:
    """Two records with everything that a record can have."""
    recoverer = Recoverer(WORDS.__getitem__, "p3")
    return tuple(sentence_of(each.as_record(), "") for each in recoverer.recover_all(PAIRS))


READ_ONLY = {
    "ctb": "<S ID=1>\n( (IP (NN 我们) (-NONE- *pro*)\n (PU -LRB-)) )\n</S>\n<S ID=b>\n"
    "( (NN 去) )\n</S>\n",
    "json": '[{"id": "1", "source": "我们去", "target": "我们走", "words": ["我们", "去"]}]',
}


def example(name: str) -> bytes:
    """A file of that format."""
    return READ_ONLY[name].encode() if name in READ_ONLY else written(name, recovered())


def written(name: str, records: Iterable[Sentence]) -> bytes:
    """Records in a format."""
    stream = BytesIO()
    write(records, stream, FORMATS[name])
    return stream.getvalue()


def _records(name: str, path: Path) -> None:
    """Read records; what can be written of them in any format comes back, and is written again."""
    records = list(read_records(path, name))
    for other, format in FORMATS.items():
        if format.reads and format.writes:
            check_round_trip(records, other, path)


def check_round_trip(records: Sequence[Sentence], name: str, path: Path) -> None:
    """What a format can hold of records comes back, and is written in the same bytes again."""
    try:
        content = written(name, records)
    except (CijieError, UsageError, MissingExtraError):  # the format has no place for something
        return
    path.write_bytes(content)
    back = list(read_records(path, name))
    format = FORMATS[name]
    for found, record in zip(back, records, strict=True):
        assert held(found, format) == held(record, format), name
    assert written(name, back) == content


def held(record: Sentence, format: Format) -> dict[str, Any]:
    """What of a record a format can hold, and what is not known."""

    def text(value: str | None) -> str | None:
        spaces = "white space" in format.holds
        return value if value is None or spaces else "".join(value.split())

    def words(value: Segmentation | None) -> list[str] | None:
        # A text without words has none, whether a segmentation says so or not.
        return None if value is None else value.tokens or None

    def of_target(value: Segmentation | None) -> list[str] | str | None:
        found = words(value)
        # In M2 no edit is about the cut alone, so a target with the source's text has its words.
        # In ERRANT's, which has no line for a target, so has what is unchanged in any target.
        if found and format.module == "m2" and "".join(found) == text(record.source):
            found = words(record.segmentation)
        return found and "".join(found) if format.name == "errant" else found

    if format.module == "m2" and record.status is None and _is_unchanged(record):
        # What M2 says of a target that has the text of the source.
        record = replace(record, status="no error")
    several = len(record.targets) > 1
    named = format.named or format.name == "conllu"
    cut = record.target_segmentations
    parts: dict[str, Any] = {
        "ids": record.id,
        "words": words(record.segmentation),
        # Without names, nothing tells which of several corrections is the target.
        "target": text(record.target) if named or not several else None,
        "target words": of_target(record.target_segmentation)
        if format.named or not several
        else None,
        "initial words": words(record.initial),
        "links": record.alignment,
        "changes": record.changes,
        "confidences": record.confidences,
        "doubts": record.doubts,
        "references": (
            [*map(text, record.targets)] if several else None,
            [*map(of_target, cut)] if several and cut and "target words" in format.holds else None,
            record.reference if named else None,
        ),
        "status": record.status,
    }
    found: dict[str, Any] = {"source": text(record.source)}
    return found | {name: parts[name] for name in format.holds if name in parts}


def _is_unchanged(record: Sentence) -> bool:
    """Whether all corrections have the text of the source, white space aside."""
    cut = record.target_segmentations or (None,)
    assert record.segmentation is not None
    text = "".join(record.segmentation.tokens)
    return all(each is not None and "".join(each.tokens) == text for each in cut)


def _blocks(path: Path) -> None:
    blocks = list(read_m2(path))
    path.write_bytes("".join(f"{block}\n" for block in blocks).encode())
    assert list(read_m2(path)) == blocks


def _segmentations(path: Path) -> object:
    file = read_segmentations(path)
    return dict(file), list(file.alignments(file))


def _results(path: Path) -> object:
    gold, [file] = read_to_compare(path, [path], PAIRS)
    comparison = compare(gold, {"x": file}, trials=1)
    sentences = side_by_side(gold, {"x": file}, gold=gold)
    return page_data(["x"], sentences, title="x", comparison=comparison)


def _model() -> bytes:
    """A model, its arrays not compressed, so that what is done to the file reaches them."""
    model = train_ibm([(SOURCE, Segmentation.from_tokens(TARGET, WORDS[TARGET]))], iterations=1)
    with TemporaryDirectory() as folder:
        write_ibm_model(model, path := Path(folder) / "x")
        with np.load(path) as archive:
            np.savez(stream := BytesIO(), **archive)
    return stream.getvalue()


def _align(path: Path) -> object:
    pair = (
        Segmentation.from_tokens(SOURCE, WORDS[SOURCE]),
        Segmentation.from_tokens(TARGET, WORDS[TARGET]),
    )
    return IbmAligner(read_ibm_model(path)).align_words([pair])


def _journal() -> bytes:
    return Journal("s", outputs=(Extent(3, sha256(b"abc").hexdigest()), Extent())).as_bytes()


def _resume(path: Path) -> None:
    path.with_name("x").unlink(missing_ok=True)
    with kept(names_for(path.with_name("x")), "s"):
        pass


def _condition(path: Path) -> object:
    for name in ("pairs.jsonl", "gold.jsonl"):
        path.with_name(name).touch()
    return [condition.checksum for condition in read_benchmark(path.parent.parent)]


def _card() -> bytes:
    files = dict.fromkeys(("pairs.jsonl", "gold.jsonl"), sha256().hexdigest())
    return orjson.dumps({"noise": {"ratio": 0.01, "seed": 0}, "files": files})


def _gold() -> bytes:
    return dump_line(gold_record(PAIRS[0], Segmentation.from_tokens(SOURCE, WORDS[SOURCE])))


def _vote() -> bytes:
    checksum = source_checksum(SOURCE)
    return dump_line({"id": "1", "source_sha256": checksum, "references": [2], "annotator": "A"})


def _ranking() -> Ranking:
    return Ranking(Sentence("1", SOURCE, (TARGET, SOURCE[:3])), (1, 2), (2, 1))
