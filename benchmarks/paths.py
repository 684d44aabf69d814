"""Measure the cost of a run for every path from input to output file.

    python benchmarks/paths.py PAIRS.tsv
    python benchmarks/paths.py PAIRS.tsv --python BEFORE/.venv/bin/python

Prints a table in Markdown: processor seconds of all processes, wall-clock seconds, and MiB of the
largest process, including start-up; the best of `--rounds`. With `--python`, another checkout is
measured in turn, for comparison. `–` marks a path that fails there. The pairs of the file, in
MuCGEC's format, are repeated with new ids. Requires pyarrow and the segmenter.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path

PARTS = 8
PATHS = {
    "JSON lines": "recover pairs.jsonl -o out.jsonl",
    "lines with tabs, to text": "recover pairs.tsv -o out.txt",
    "Parquet, to Parquet": "recover pairs.parquet -o out.parquet",
    "JSON lines, --workers 2": "recover pairs.jsonl -o out.jsonl --workers 2",
    "JSON lines, --resume": "recover pairs.jsonl -o resumed.jsonl --resume",
    "the same again": "recover pairs.jsonl -o resumed.jsonl --resume",
    "JSON lines, --on-error keep": "recover pairs.jsonl -o out.jsonl --on-error keep",
    "parts of JSON lines, --workers 2": "recover parts/*.jsonl -o out --workers 2",
    "the same again, finished": "recover parts/*.jsonl -o out --workers 2",
    "parts of Parquet, --workers 2": "recover parts/*.parquet -o out-parquet --workers 2",
    "align": "align pairs.jsonl -o out.jsonl",
    "segment": "segment sources.txt -o out.txt",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("pairs", help="a file in MuCGEC's format")
    parser.add_argument("--size", type=int, default=200_000, help="how many pairs")
    parser.add_argument("--segmenter", default="rjieba")
    parser.add_argument("--method", default="p3")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--python", help="the interpreter of another checkout")
    parser.add_argument("--paths", nargs="*", default=PATHS)
    arguments = parser.parse_args()
    pythons = [*filter(None, [arguments.python]), sys.executable]
    names = ["before", "after"][-len(pythons) :]
    print("| path | " + " | ".join(names) + " |\n|---" + "|---" * len(names) + "|")
    with tempfile.TemporaryDirectory() as folder:
        # In its own process, because the memory of this one counts for the processes it starts.
        given = arguments.pairs, arguments.size, folder
        writing = get_context("spawn").Process(target=write_inputs, args=given)
        writing.start()
        writing.join()
        for path in arguments.paths:
            command = [*PATHS[path].split(), "-q"]
            if command[0] != "align":
                command += ["--segmenter", arguments.segmenter]
            if command[0] != "segment":
                command += ["--method", arguments.method]
            best = [""] * len(pythons)
            least = [float("inf")] * len(pythons)
            for _ in range(arguments.rounds):
                for k, python in enumerate(pythons):
                    place = Path(folder, names[k])
                    if "again" not in path:
                        clear(place)
                    cpu, clock, memory = run([python, "-m", "cijie", *command], place)
                    if cpu < least[k]:
                        least[k] = cpu
                        best[k] = f"{cpu:.1f} s, {clock:.1f} s, {memory:,}"
            print(f"| {path} | " + " | ".join(cell or "–" for cell in best) + " |", flush=True)


def write_inputs(pairs: str, size: int, folder: str) -> None:
    import orjson
    import pyarrow as pa
    from pyarrow.parquet import write_table

    from cijie.corpora.reading import read, sentences_of

    some = list(sentences_of(read(pairs, "pairs")))
    rows = [
        {"id": str(k), "source": pair.source, "target": (pair.target or "")}
        for k, pair in zip(range(size), cycle(some), strict=False)
    ]
    lines = [orjson.dumps(row) + b"\n" for row in rows]
    inputs = Path(folder, "inputs")
    (inputs / "parts").mkdir(parents=True)
    (inputs / "pairs.jsonl").write_bytes(b"".join(lines))
    write_table(pa.Table.from_pylist(rows), inputs / "pairs.parquet")
    tabs = "".join("{id}\t{source}\t{target}\n".format(**row) for row in rows)
    (inputs / "pairs.tsv").write_text(tabs, encoding="utf-8")
    texts = "".join(f"{row['source']}\n" for row in rows)
    (inputs / "sources.txt").write_text(texts, encoding="utf-8")
    share = -(-size // PARTS)
    for part, start in enumerate(range(0, size, share)):
        path = inputs / "parts" / f"{part}.jsonl"
        path.write_bytes(b"".join(lines[start : start + share]))
        table = pa.Table.from_pylist(rows[start : start + share])
        write_table(table, inputs / "parts" / f"{part}.parquet")


def clear(place: Path) -> None:
    """Make an empty folder with links to the inputs."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for path in (place.parent / "inputs").iterdir():
        (place / path.name).symlink_to(path)


def run(command: list[str], place: Path) -> tuple[float, float, int]:
    """Return processor seconds (infinite on failure), wall-clock seconds, and MiB of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=place, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    clock = time.perf_counter() - start
    cpu = usage.ru_utime + usage.ru_stime
    return (float("inf") if status else cpu), clock, usage.ru_maxrss // 1024


if __name__ == "__main__":
    main()
