"""Measure the growth of time and memory with file size, for every reader and every method.

    python benchmarks/growth.py

Prints tables in Markdown: processor seconds, minus the time for an empty file, and peak memory in
MiB, each in its own process. Files are generated: many sentences of 45 characters; one sentence;
one sentence that is one word. Methods get one pair in which 2 % or all of the characters differ;
every character is a word. `–` is a refusal, whose message is printed below. An input of 1 MB should
take less than ten seconds or be refused.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import orjson

SIZES = (64_000, 256_000, 1_000_000)  # bytes of text
LENGTHS = (1_000, 4_000, 16_000, 64_000, 256_000)  # characters
FORMATS = (
    *("jsonl", "csv", "mucgec", "text", "bmes", "conllu", "para", "cherrant", "errant"),
    "parquet",
)
METHODS = ("direct", "dictionary", "p1", "p2", "p3")
SENTENCE = 45
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3000)]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--formats", nargs="*", default=FORMATS)
    parser.add_argument("--methods", nargs="*", default=METHODS)
    arguments = parser.parse_args()
    refused: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        if arguments.formats:
            print_readers(Path(folder), arguments.formats, refused)
        if arguments.methods:
            print_methods(Path(folder), arguments.methods, refused)
    for what, message in refused.items():
        print(f"- {what}: {message}")


def print_readers(folder: Path, formats: Sequence[str], refused: dict[str, str]) -> None:
    shapes = ("many", "one", "one word")
    print_row("read", [f"{shape}, {size // 1000:,} kB" for shape in shapes for size in SIZES])
    print_row("---", ["---"] * len(shapes) * len(SIZES))
    base, made = folder / "base.jsonl", folder / "made"
    for name in formats:
        cells = []
        for shape in shapes:
            for size in (0, *SIZES):
                base.write_bytes(b"".join(sentences(shape, size)))
                ran = run("convert", base, made, "--to", name)
                if not ran.message:
                    ran = run("convert", made, os.devnull, "--from", name, "--to", "jsonl")
                if not size:
                    start = ran.seconds
                    continue
                cells.append(ran.cell(start))
                if ran.message:
                    refused[f"{name}, {shape}"] = ran.message
        print_row(name, cells)


def print_methods(folder: Path, methods: Sequence[str], refused: dict[str, str]) -> None:
    shares = {"2 % differ": 0.02, "all differ": 1.0}
    print()
    print_row("method", [f"{what}, {length:,}" for what in shares for length in LENGTHS])
    print_row("---", ["---"] * len(shares) * len(LENGTHS))
    pairs = folder / "pairs.tsv"
    for method in methods:
        cells = []
        for what, share in shares.items():
            for length in (1, *LENGTHS):
                pairs.write_text("1\t{}\t{}\n".format(*differing(length, share)), encoding="utf-8")
                options = ("--method", method, "--segmenter", "builtins:list")
                ran = run("recover", pairs, "-o", os.devnull, *options)
                if length == 1:
                    start = ran.seconds
                    continue
                cells.append(ran.cell(start))
                if ran.message:
                    refused[f"{method}, {what}"] = ran.message
        print_row(method, cells)


def print_row(name: str, cells: Sequence[str]) -> None:
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


@dataclass(frozen=True, slots=True)
class Ran:
    """The time and memory of a command, and its message if it failed."""

    seconds: float
    memory: int
    message: str

    def cell(self, start: float) -> str:
        if self.message:
            return "–"
        return f"{max(0.0, self.seconds - start):.1f} s, {self.memory:,}"


def run(*arguments: object) -> Ran:
    command = [sys.executable, "-c", RUN, *map(str, arguments), "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *said, took = done.stderr.splitlines()
    seconds, memory = took.split()
    return Ran(float(seconds), int(memory) // 1024, said[-1] if done.returncode else "")


# A process measures itself best.
RUN = """
import resource, sys
from cijie.__main__ import main
try:
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
"""


def sentences(shape: str, size: int) -> list[bytes]:
    """Generate records with `size` bytes of source text; a character has three bytes in UTF-8."""
    random = Random(size)
    length = size // 3
    each = SENTENCE if shape == "many" else length
    return [
        orjson.dumps(record(str(start), min(each, length - start), shape == "one word", random))
        + b"\n"
        for start in range(0, length, each or 1)
    ]


def record(id: str, length: int, one_word: bool, random: Random) -> dict[str, Any]:
    source = "".join(random.choices(HAN, k=length))
    target = "".join(c if k % 15 else random.choice(HAN) for k, c in enumerate(source))
    ends = [length] if one_word else [*range(2, length, 2), length]
    spans = list(zip([0, *ends], ends, strict=False))
    return {"id": id, "source": source, "target": target, "spans": spans, "target_spans": spans}


def differing(length: int, share: float) -> tuple[str, str]:
    """Generate two texts in which the given share of characters differs."""
    random = Random(length)
    source = random.choices(HAN[:1500], k=length)
    target = [random.choice(HAN[1500:]) if random.random() < share else c for c in source]
    return "".join(source), "".join(target)


if __name__ == "__main__":
    main()
