"""Fuzz every reader and the pipeline: `python scripts/fuzz.py [TARGET …]`.

Requires atheris and the packages of the tests. Each target runs for `--seconds` in its own process,
which is restarted for the remaining time if it dies. A finding is an exception other than cijie's
own, an error that does not name its file, a broken invariant, a crash, 30 seconds without an
answer, or 3 GiB of memory; its input is kept in `--findings`, with the traceback. Prints a table in
Markdown.

The targets are the readers of `tests/readers.py`, whose records are then converted to every other
format and back, and the properties below, whose texts and links `tests/strategies.py` generates.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import atheris

with atheris.instrument_imports(include=["cijie"]):
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    from cijie.alignment.links import Alignment
    from cijie.choices import JoinRule
    from cijie.corpora.jsonl import dump_line, parsed
    from cijie.corpora.m2 import read_m2, write_block
    from cijie.edits.annotate import annotate_sentences, cut_words
    from cijie.edits.blocks import Dialect
    from cijie.edits.edits import apply_edits
    from cijie.edits.types import EditTyper
    from cijie.errors import CijieError
    from cijie.projection.boundaries import project
    from cijie.recovery.records import sentence_of
    from cijie.recovery.recoverer import Recoverer
    from cijie.recovery.sentence import Sentence
    from cijie.text.characters import characters
    from cijie.text.segmentation import Segmentation

    from readers import Reader, readers
    from strategies import aligned, segmentations, texts

Target = Callable[[bytes], None]

LIMITS = ("-timeout=30", "-rss_limit_mb=3072", "-max_len=4096", "-print_final_stats=0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all, if none is named")
    parser.add_argument("--seconds", type=int, default=180, help="for each target")
    parser.add_argument("--findings", type=Path, default=Path("findings"))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        [name] = options.targets
        fuzz(name, options.seconds, options.findings)
        return
    print("| target | executions | seconds | findings |\n|---|---|---|---|", flush=True)
    for name in options.targets or [*readers(), *properties()]:
        folder = options.findings / name
        folder.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        executions = 0
        while (left := options.seconds - (time.monotonic() - start)) >= 1:
            command = [sys.executable, __file__, name, "--here", "--seconds", str(round(left))]
            (folder / "executions").write_text("0")
            with (folder / "log").open("wb") as log:
                subprocess.run(
                    [*command, "--findings", str(folder)], check=False, stdout=log, stderr=log
                )
            executions += int((folder / "executions").read_text())
        found = [path for path in folder.glob("*-*") if path.suffix != ".txt"]
        seconds = time.monotonic() - start
        print(f"| {name} | {executions:,} | {seconds:.0f} | {len(found)} |", flush=True)


def fuzz(name: str, seconds: int, findings: Path) -> None:
    """Run a target in this process; libFuzzer ends the process."""
    seeds = findings / "corpus"
    seeds.mkdir(exist_ok=True)
    known = readers()
    if name in known:
        (seeds / "example").write_bytes(known[name].example())
        target = reading(known[name], findings / "files")
    else:
        target = properties(findings)[name]
    executions = 0
    written_at = 0.0

    def counted(data: bytes) -> None:
        nonlocal executions, written_at
        executions += 1
        if time.monotonic() > written_at + 0.5:
            written_at = time.monotonic()
            (findings / "executions").write_text(str(executions))
        try:
            target(data)
        except Exception as error:
            keep(error, data, findings)

    arguments = [f"-max_total_time={seconds}", f"-artifact_prefix={findings}/", *LIMITS]
    atheris.Setup([sys.argv[0], *arguments, str(seeds)], counted)
    atheris.Fuzz()


def keep(error: Exception, data: bytes, folder: Path) -> None:
    """Keep the first input for each place where an exception is raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__}-{Path(frame.filename).stem}-{frame.lineno}"
    if not (folder / place).exists():
        (folder / place).write_bytes(data)
        (folder / f"{place}.txt").write_text(traceback.format_exc(), errors="backslashreplace")


def reading(reader: Reader, folder: Path) -> Target:
    """Return a target that reads a file with the fuzzer's bytes."""
    path = folder / reader.file
    path.parent.mkdir(parents=True, exist_ok=True)

    def target(data: bytes) -> None:
        path.write_bytes(data)
        try:
            reader.read(path)
        except CijieError as error:
            if error.path is None:
                raise AssertionError("an error without its file") from error

    return target


def properties(folder: Path = Path()) -> dict[str, Target]:
    """Return the properties of all texts, words and links, by name; files go to `folder`."""
    recoverers = {
        name: Recoverer(list, name) for name in ("direct", "dictionary", "p1", "p2", "p3")
    }
    path = folder / "x.m2"
    any_text = st.one_of(texts, st.text(st.characters(exclude_categories=())))
    any_words = any_text.flatmap(lambda text: segmentations(st.just(text)))

    @given(st.sampled_from([*recoverers]), any_words, any_words)
    def recover(method: str, initial: Segmentation, target: Segmentation) -> None:
        pair = Sentence(
            "x",
            initial.text,
            (target.text,),
            initial=initial,
            target_segmentations=(target,),
        )
        [recovery] = recoverers[method].recover_all([pair])
        assert (recovery.source, recovery.target) == (initial.text, target.text)
        check_words(recovery.segmentation)
        try:
            line = dump_line(recovery.as_record("x")).decode()
        except CijieError:  # a lone surrogate
            return
        record = sentence_of(parsed(line), "")
        assert (record.segmentation, record.initial) == (recovery.segmentation, initial)
        assert (record.alignment, record.changes) == (recovery.alignment, recovery.changes)

    @given(aligned(), st.sampled_from(get_args(JoinRule)))
    def projection(case: tuple[Segmentation, Segmentation, Alignment], rule: JoinRule) -> None:
        check_words(project(*case, join_rule=rule).segmentation)

    @given(any_text, st.lists(any_text), st.lists(st.tuples(st.integers(), st.integers())))
    def segmentation(text: str, tokens: list[str], spans: list[tuple[int, int]]) -> None:
        for words in (tokens, list(text)):
            with suppress(CijieError):
                check_words(Segmentation.from_tokens(text, words))
        with suppress(CijieError):
            check_words(Segmentation.from_spans(text, spans))

    @given(any_text, st.lists(any_text, max_size=3), st.sampled_from(["errant", "cherrant"]))
    def m2(source: str, targets: list[str], dialect: Dialect) -> None:
        try:
            cut = cut_words([(Sentence("x", source, tuple(targets)), ())], recoverers["p1"])
            [blocks] = annotate_sentences(cut, EditTyper())
            with path.open("wb") as stream:
                write_block(blocks.references, stream, dialect)
        except (CijieError, UnicodeEncodeError):
            return
        [block] = read_m2(path)
        for target, annotation in zip(targets, block.annotations, strict=False):
            applied = "".join(apply_edits(block.source, annotation.edits))
            assert applied == "".join(Segmentation.from_tokens(target, target.split()).tokens)

    quiet = settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    tests: tuple[Any, ...] = recover, projection, segmentation, m2
    return {test.__name__: quiet(test).hypothesis.fuzz_one_input for test in tests}


def check_words(segmentation: Segmentation) -> None:
    """Check that every character is in exactly one word, except white space between words."""
    text, spans = segmentation.text, segmentation.spans
    assert spans == sorted(spans)
    covered = [offset for start, end in spans for offset in range(start, end)]
    assert len(covered) == len(set(covered))
    split = characters(text)
    for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True):
        assert blank or set(range(start, end)) <= set(covered)


if __name__ == "__main__":
    main()
