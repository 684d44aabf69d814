"""Input in many parts: each is recovered by itself, and what is finished is not done again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from threading import Event
from typing import IO, Any
from uuid import uuid4

import orjson

from cijie.corpora import arrow
from cijie.corpora.jsonl import pair_of, parse_line
from cijie.corpora.records import WORDS
from cijie.errors import CijieError, FormatError, WorkerError
from cijie.files.ids import id_checker
from cijie.files.lines import decoded, set_apart
from cijie.files.urls import library, matching, open_url
from cijie.jobs.batches import batches
from cijie.jobs.work import Tally, Work
from cijie.recovery.pair import Pair

_READ = ["id", "source", "target", "references", *WORDS["given"], *WORDS["target"]]

BESIDE = (".quarantine.jsonl", ".summary.json")
"""How the names of the files end that lie beside the output of a part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the input and the files that it becomes; all are URLs of fsspec, or paths.

    Args:
        input: JSON lines or Parquet, by its name; `.gz` and the like are unpacked.
        output: JSON lines.
        quarantine: records that cannot be read or recovered, if there are any.
        summary: counts and signature; it is written last, so a part that has one is finished.
    """

    input: str
    output: str
    quarantine: str
    summary: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of a part.

    Attributes:
        input: where it was read.
        signature: everything that its output depends on but the input.
        tally: the counts; those of all parts are their sum.
    """

    input: str
    signature: str
    tally: Tally


def parts(pattern: str, folder: str) -> list[Part]:
    """The parts that a pattern such as `in/*.parquet` or `s3://bucket/*.jsonl` stands for, sorted.

    Raises:
        CijieError: there are none, two have the same name, or one is in the folder to write to.
    """
    outputs, root = library().core.url_to_fs(folder)
    root = outputs.unstrip_protocol(_real(outputs, root)).rstrip("/")
    found = []
    for stem, url in matching(pattern).items():
        filesystem, path = library().core.url_to_fs(url)
        for place in (path, _real(filesystem, path)):
            parent = _real(filesystem, place.rpartition("/")[0])
            if filesystem.unstrip_protocol(parent).rstrip("/") == root:
                raise CijieError("the parts lie in the folder to write to", path=folder)
        out = f"{root}/{stem}"
        found.append(Part(url, f"{out}.jsonl", *(out + ending for ending in BESIDE)))
    return found


def _real(filesystem: Any, path: str) -> str:
    """A path without symbolic links and `..`, where there are such things."""
    if isinstance(filesystem, library().implementations.local.LocalFileSystem):
        return str(Path(path).resolve())
    return path


def read_summary(part: Part) -> Summary | None:
    """What became of a part, or None if it is not finished."""
    try:
        with open_url(part.summary) as stream:
            values = orjson.loads(stream.read())
        return Summary(values["input"], values["signature"], Tally.from_dict(values["tally"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise FormatError(f"not a summary of cijie: {error}", path=part.summary) from error


def recover_part(work: Work, part: Part, given_up: Event | None = None) -> Summary:
    """Recover a part and write what it becomes, each file as a whole.

    What is there is written over, so that a part may be done twice, even at the same time.

    Args:
        work: what to do with a batch.
        part: the part.
        given_up: set when nobody waits for the part any longer.

    Raises:
        WorkerError: the part was given up.
        CijieError: a record that cannot be read or recovered, with its place, unless they are to
            be quarantined.
    """
    unread: list[CijieError] | None = [] if work.on_error == "quarantine" else None
    tally = Tally()
    quarantined: list[bytes] = []
    with _written(part.output) as stream:
        pairs = read_part(part.input, unread)
        try:
            for batch in batches(pairs, work.recoverer.batch_size, unread=unread):
                if given_up is not None and given_up.is_set():
                    raise WorkerError(f"given up: {part.input}")
                done = work(batch)
                stream.write(done.output)
                quarantined.append(done.quarantine)
                tally += done.tally
        except CijieError as error:
            raise type(error)(
                error.message, path=error.path or part.input, line=error.line, id=error.id
            ) from error
    if tally.quarantined:
        with _written(part.quarantine) as stream:
            stream.writelines(quarantined)
    summary = Summary(part.input, work.signature, tally)
    with _written(part.summary) as stream:
        stream.write(orjson.dumps(asdict(summary), option=orjson.OPT_INDENT_2))
    return summary


def read_part(url: str, unread: list[CijieError] | None = None) -> Iterator[Pair]:
    """The pairs in a part; ids are unique within it.

    Args:
        url: JSON lines or Parquet, by its name.
        unread: takes the errors of records that then are left out, instead of their being raised.

    Raises:
        FormatError: another name, a record that is no pair, a repeated id.
        MissingExtraError: a library is missing.
    """
    suffixes = PurePosixPath(url).suffixes
    check_id = id_checker("check", url)
    with open_url(url) as stream:
        records: Iterator[tuple[int, Any]]
        if ".parquet" in suffixes:
            records = _rows(stream, url)
        elif {".jsonl", ".ndjson"} & set(suffixes):
            records = decoded(stream, url, unread)
        else:
            raise FormatError("not named *.jsonl, *.ndjson or *.parquet", path=url)
        for number, content in records:
            try:
                record = content if isinstance(content, dict) else parse_line(content, url, number)
                id = number if record.get("id") is None else record["id"]
                pair = pair_of(record, check_id(str(id), number))
            except CijieError as error:
                set_apart(type(error)(error.message, path=url, line=number, id=error.id), unread)
                continue
            yield pair


def _rows(stream: IO[bytes], url: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a Parquet file that concern pairs, with their numbers from 1."""
    with arrow.reading(url, "a Parquet"):
        from pyarrow.parquet import ParquetFile

        file = ParquetFile(stream)
        columns = [name for name in _READ if name in file.schema_arrow.names]
        number = 0
        for batch in file.iter_batches(batch_size=1024, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield number, {name: value for name, value in row.items() if value is not None}


@contextmanager
def _written(url: str) -> Iterator[IO[bytes]]:
    """A file that appears under its name when it is complete; others may write it meanwhile."""
    filesystem, path = library().core.url_to_fs(url)
    folder, _, name = path.rpartition("/")
    filesystem.makedirs(folder, exist_ok=True)
    temporary = f"{folder}/.{name}.{uuid4().hex}.part"
    try:
        with filesystem.open(temporary, "wb") as stream:
            yield stream
        if isinstance(filesystem, library().implementations.local.LocalFileSystem):
            os.replace(temporary, path)  # noqa: PTH105
        else:
            filesystem.mv(temporary, path)
    except BaseException:
        if filesystem.exists(temporary):
            filesystem.rm(temporary)
        raise


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of workers that were killed."""
    filesystem, path = library().core.url_to_fs(folder)
    for left in filesystem.glob(f"{path.rstrip('/')}/.*.part"):
        filesystem.rm(left)


def unfinished(all_parts: Sequence[Part], signature: str) -> tuple[list[Part], Tally]:
    """The parts that are to be done, and the counts of the others.

    Raises:
        CijieError: a part was finished with another signature.
    """
    left, tally = [], Tally()
    for part in all_parts:
        summary = read_summary(part)
        if summary is None:
            left.append(part)
        elif summary.signature != signature:
            raise CijieError(
                f"made with {summary.signature}, not with {signature}; write to another folder",
                path=part.summary,
            )
        else:
            tally += summary.tally
    return left, tally
