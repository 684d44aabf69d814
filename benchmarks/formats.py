"""Compare the cost of each format with JSON Lines.

    python benchmarks/formats.py PAIRS.tsv

Prints a table in Markdown: processor seconds, the best of `--rounds`, and their ratio to JSON
Lines. `pairs` reads only texts; `write` and `read` handle results of P3, with everything that the
format can hold; the others are commands that read pairs and write their results in this format
(`m2` writes M2), including start-up and segmenter. `–` marks tasks that the format does not
support. The pairs of the file are repeated with new ids.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path

from cijie import Recoverer
from cijie.corpora.formats import FORMATS, Format
from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.corpora.writing import write as write_sentences
from cijie.errors import FormatError
from cijie.jobs.batches import RECOVERED
from cijie.recovery.sentence import Field, Sentence

COMMANDS: Mapping[str, tuple[Sequence[Field], Sequence[str]]] = {
    "recover": (RECOVERED, ("segmenter", "method")),
    "align": (("links", "target"), ("method",)),
    "segment": (("words",), ("segmenter",)),
    "m2": ((), ("segmenter", "method")),
}
"""For each command, the fields of results that it writes in the format, and its options."""
TASKS = ("pairs", "write", "read", *COMMANDS)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("pairs", help="a file of pairs")
    parser.add_argument("--size", type=int, default=200_000, help="how many pairs")
    parser.add_argument("--segmenter", default="rjieba")
    parser.add_argument("--method", default="p3")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--formats", nargs="*", default=list(FORMATS))
    parser.add_argument("--tasks", nargs="*", choices=TASKS, default=TASKS)
    arguments = parser.parse_args()
    pairs = list(sentences_of(read(arguments.pairs, "pairs")))
    texts = [Sentence(pair.id, pair.source, pair.targets) for pair in pairs]
    results = [*results_of(pairs, Recoverer(arguments.segmenter, arguments.method))]
    options = {name: f"--{name}={getattr(arguments, name)}" for name in ("segmenter", "method")}
    usual: dict[str, float] = {}
    chosen = [task for task in TASKS if task in arguments.tasks]
    print("| format | " + " | ".join(chosen) + " |\n|---" + "|---" * len(chosen) + "|")
    for name in dict.fromkeys(["jsonl", *arguments.formats]):
        with tempfile.TemporaryDirectory() as folder:
            tasks = tasks_of(FORMATS[name], Path(folder), arguments.size, texts, results, options)
            best = {
                task: min(run() for _ in range(arguments.rounds))
                for task, run in tasks
                if task in chosen
            }
        usual = usual or best
        cells = (
            f"{best[task]:.1f} s, {best[task] / usual[task]:.2f}" if task in best else "–"
            for task in chosen
        )
        print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)


def results_of(pairs: Iterable[Sentence], recoverer: Recoverer) -> Iterator[Sentence]:
    """Yield the results that all formats can write."""
    for record in recoverer.recover_all(pairs):
        with suppress(FormatError):
            for name in ("text", "csv", "para", "errant"):
                FORMATS[name].writer(record.fields).row(record)
            yield record


def tasks_of(
    format: Format,
    folder: Path,
    size: int,
    texts: list[Sentence],
    results: list[Sentence],
    options: Mapping[str, str],
) -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the tasks of a format with functions that run them and return processor seconds."""
    if not format.writes:
        return
    given, written = folder / "pairs", folder / "results"
    has_pairs = "target" in format.holds and format.reads
    if has_pairs:
        write(given, format, repeated(results if "words" in format.needs else texts, size))
        yield "pairs", timed(lambda: exhaust(read(given, "pairs", ReadOptions(format.name))))
    yield "write", timed(partial(write, written, format, list(repeated(results, size))))
    if format.reads:
        write(written, format, repeated(results, size))
        yield (
            "read",
            timed(lambda: exhaust(read(written, "sentences", ReadOptions(format.name, ids="any")))),
        )
    if not has_pairs:
        return
    for name, (fields, settings) in COMMANDS.items():
        if not fields or takes(format, fields):
            to = ["--to", format.name] if fields else []
            command = [name, str(given), "-o", str(written), "--from", format.name, *to]
            command += [*map(options.__getitem__, settings), "--quiet"]
            yield name, partial(run, [sys.executable, "-m", "cijie", *command])


def takes(format: Format, fields: Sequence[Field]) -> bool:
    """Return whether results with these fields can be written in a format."""
    try:
        format.check_results(fields)
    except ValueError:
        return False
    return True


def repeated(records: list[Sentence], size: int) -> Iterator[Sentence]:
    return (replace(x, id=str(n)) for n, x in zip(range(1, size + 1), cycle(records), strict=False))


def write(path: Path, format: Format, records: Iterable[Sentence]) -> None:
    with path.open("wb") as stream:
        write_sentences(records, stream, format)


def exhaust(items: Iterable[object]) -> None:
    for _ in items:
        pass


def timed(task: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        start = time.process_time()
        task()
        return time.process_time() - start

    return run


def run(command: list[str]) -> float:
    """Run a command and return its processor seconds."""
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


if __name__ == "__main__":
    main()
