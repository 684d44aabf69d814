"""Disturb runs again and again: `python scripts/soak.py [ATTACK …] --seconds 600`.

The attacks take turns until the time is up. Each makes one random disturbance and checks the
invariants: a run ends within a minute and leaves no process; an output is complete or missing; a
resumed run gives the bytes of an undisturbed run; two runs never mix; damaged files are errors.
Prints the number of times of each disturbance. The first violation ends the soak with exit code 1
and its folder is kept.

Requires the packages of the tests.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from cijie.errors import CijieError

from readers import readers
from workers import environment

PATIENCE = 60.0  # seconds within which every run must end
PAIRS = 3000  # about three seconds of work in one process

Attack = Callable[[Path, Random], tuple[str, int]]
"""Disturbs runs in an empty folder; returns a description and a count, or raises `Finding`."""


class Finding(Exception):
    """An invariant is violated."""


def main() -> int:
    attacks = all_attacks()
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(attacks)}")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rounds", type=int, help="end after so many rounds instead")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random = Random(options.seed)
    counts: Counter[str] = Counter()
    end = time.monotonic() + options.seconds
    rounds = 0
    failed = False
    while not failed and (rounds < options.rounds if options.rounds else time.monotonic() < end):
        rounds += 1
        for name in options.attacks or attacks:
            folder = Path(tempfile.mkdtemp(prefix=f"soak-{name}-"))
            try:
                what, times = attacks[name](folder, random)
            except Finding as finding:
                print(f"{name}, round {rounds}, in {folder}: {finding}", file=sys.stderr)
                failed = True
                break
            counts[f"{name}: {what}"] += times
            shutil.rmtree(folder)
    print("| what was done | times |\n|---|---|")
    for what, times in sorted(counts.items()):
        print(f"| {what} | {times:,} |")
    return int(failed)


def all_attacks() -> dict[str, Attack]:
    return {
        "early-end": end_early,
        "kill": kill_and_go_on,
        "collision": collide,
        "damage": damage,
        "parts": disturb_parts,
        "file": read_damaged,
    }


def write_pairs(path: Path, rows: dict[int, str] | None = None, count: int = 0) -> Path:
    """Write pairs, some of them with the given rows."""
    rows = rows or {}
    lines = (rows.get(k, f"{k}\t第{k}次旅行困\t第{k}次旅行团") for k in range(count or PAIRS))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def command(pairs: object, output: object, *more: object) -> list[str]:
    """Return the command of a run whose segmenter is slow, or obeys the commands in texts."""
    options = ["recover", pairs, "-o", output, "-q", "--method", "p1", *more]
    options += ["--segmenter", "workers:slow_characters_or_worse"]
    return [sys.executable, "-m", "cijie", *map(str, options)]


class Process:
    """A command in its own session."""

    def __init__(self, arguments: list[str], stdout: int | None = None) -> None:
        self.popen = subprocess.Popen(
            arguments,
            env=environment(),
            stdout=stdout,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def ended(self) -> tuple[int, str]:
        """Wait for the end; return exit code and standard error; check that no process is left."""
        try:
            _, said = self.popen.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            stacks = [" ".join(each.cmdline()) for each in self.session()]
            os.killpg(self.popen.pid, signal.SIGKILL)
            raise Finding(f"it hangs: {stacks}") from None
        deadline = time.monotonic() + PATIENCE
        while left := self.session():
            if time.monotonic() > deadline:
                names = [" ".join(each.cmdline()) for each in left]
                os.killpg(self.popen.pid, signal.SIGKILL)
                raise Finding(f"processes are left: {names}")
            time.sleep(0.02)
        return self.popen.returncode, said.decode()

    def session(self) -> list[psutil.Process]:
        """Return the running processes of the session."""
        found = []
        for process in psutil.process_iter():
            try:
                if os.getsid(process.pid) == self.popen.pid and process.status() != "zombie":
                    found.append(process)
            except (ProcessLookupError, psutil.NoSuchProcess):
                pass
        return found

    def kill(self, number: int = signal.SIGKILL) -> bool:
        """Send a signal to the whole session, as a terminal does, if it is still running."""
        if self.popen.poll() is not None:
            return False
        os.killpg(self.popen.pid, number)
        return True

    def workers(self) -> list[psutil.Process]:
        """Return the workers that have started."""
        found = []
        for each in self.session():
            with suppress(psutil.NoSuchProcess):
                if "popen_loky" in str(each.cmdline()):
                    found.append(each)
        return found

    def kill_a_worker(self, random: Random) -> bool:
        """Kill a worker, if there is one; return whether there was."""
        found = self.workers()
        if found:
            with suppress(psutil.NoSuchProcess):
                random.choice(found).kill()
        return bool(found)


def undisturbed(pairs: Path, *more: str) -> dict[str, bytes]:
    """Return the output files of an undisturbed run, by the end of their names."""
    folder = pairs.parent / "undisturbed"
    folder.mkdir()
    code, said = Process(command(pairs, folder / "out", *more)).ended()
    if code:
        raise Finding(f"an undisturbed run fails: {said}")
    made = {path.name.removeprefix("out"): path.read_bytes() for path in folder.iterdir()}
    shutil.rmtree(folder)
    return made


def compare(out: Path, expected: dict[str, bytes]) -> None:
    for end, content in expected.items():
        if out.with_name(f"{out.name}{end}").read_bytes() != content:
            raise Finding(f"{out.name}{end} is not that of an undisturbed run")


WAYS = (
    *("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"),
    *("bad row", "segmenter raises", "segmenter exits", "segmenter interrupts"),
    *("closed pipe", "full device"),
)
DEATHS = (
    *("dead worker", "worker dead in its first 400 ms", "worker forks and dies"),
    *("worker dies in the midst of a message",),
)


def end_early(folder: Path, random: Random) -> tuple[str, int]:
    """End a run early, in a random way."""
    workers = random.choice([1, 2, 2, 2])
    way = random.choice(WAYS if workers == 1 else [*WAYS, *DEATHS])
    at = random.randrange(PAIRS)
    rows = {
        "bad row": "no pair",
        "segmenter raises": f"{at}\traise\t甲",
        "segmenter exits": f"{at}\texit\t甲",
        "segmenter interrupts": f"{at}\tinterrupt\t甲",
        "worker forks and dies": f"{at}\tfork and die\t甲",
        "worker dies in the midst of a message": f"{at}\thalf a message\t甲",
    }
    pairs = write_pairs(folder / "pairs.tsv", {at: rows[way]} if way in rows else {})
    output = {"closed pipe": "-", "full device": "/dev/full"}.get(way, str(folder / "out"))
    process = Process(command(pairs, output, "--workers", workers), subprocess.PIPE)
    codes = {1}
    if way.startswith("SIG"):
        time.sleep(random.uniform(0.3, 4))
        number = signal.Signals[way]
        if random.random() < 0.5:
            process.kill(number)
        elif process.popen.poll() is None:
            process.popen.send_signal(number)
        # Before Python has started, the signal is handled by the system.
        codes = {128 + number, -number}
    elif way == "dead worker":
        time.sleep(random.uniform(1, 4))
        process.kill_a_worker(random)
    elif way == "worker dead in its first 400 ms":
        while process.popen.poll() is None and not process.workers():
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.4))
        process.kill_a_worker(random)
    elif way == "closed pipe":
        assert process.popen.stdout is not None
        process.popen.stdout.read(random.choice([0, 1, 100_000]))
        process.popen.stdout.close()
        process.popen.stdout = None
    code, said = process.ended()
    left = {path.name for path in folder.iterdir()} - {pairs.name}
    if code == 0 and way.startswith(("SIG", "dead")):
        way = "nothing, as it was finished"
        codes, left = {0}, left - {"out"}
    if code not in codes or "Traceback" in said:
        raise Finding(f"{way}: exit code {code}: {said}")
    if code == 1 and way in DEATHS and " while it worked on id " not in said:
        raise Finding(f"{way}: no pairs are named: {said}")
    if left and code != -signal.SIGKILL:
        raise Finding(f"{way}: there is left {left}")
    return f"{way}, {'two workers' if workers > 1 else 'one process'}", 1


def kill_and_go_on(folder: Path, random: Random) -> tuple[str, int]:
    """Kill or stop a run again and again, and resume it."""
    pairs = write_pairs(folder / "pairs.tsv", {700: "700\tno pair", 701: "no pair"})
    options = ["--on-error", "keep"]
    expected = undisturbed(pairs, *options)
    workers = random.choice([1, 2])
    out = folder / "out"
    killed = 0
    while True:
        process = Process(command(pairs, out, *options, "--resume", "--workers", workers))
        if random.random() < 0.2:  # perhaps while it starts
            time.sleep(random.uniform(0.3, 3))
        else:
            wait_for_a_batch(process, out.with_name("out.part"))
            time.sleep(random.uniform(0, 0.5))
        number = random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        killed += process.kill(number)
        code, said = process.ended()
        if code not in {0, -number, 128 + number}:
            raise Finding(f"going on fails: {said}")
        if code == 0:
            compare(out, expected)
            return f"kills, {'two workers' if workers > 1 else 'one process'}", killed


def wait_for_a_batch(process: Process, part: Path) -> None:
    """Wait until a run has kept a batch since its start."""
    began = part.stat().st_size if part.exists() else 2000  # its beginning has less
    while process.popen.poll() is None:
        time.sleep(0.005)
        with suppress(FileNotFoundError):
            if part.stat().st_size > began:
                return


def collide(folder: Path, random: Random) -> tuple[str, int]:
    """Let two runs write the same output."""
    pairs = write_pairs(folder / "pairs.tsv", count=PAIRS // 3)
    expected = undisturbed(pairs)
    options = [random.choice([[], ["--resume"], ["--workers", "2"]]) for _ in range(2)]
    first = Process(command(pairs, folder / "out", *options[0]))
    time.sleep(random.uniform(0, 1))
    second = Process(command(pairs, folder / "out", *options[1]))
    ends = [first.ended(), second.ended()]
    codes = sorted(code for code, _ in ends)
    if codes not in ([0, 0], [0, 1]):
        raise Finding(f"exit codes {codes}: {ends}")
    if codes == [0, 1] and not any("is writing it now" in said for _, said in ends):
        raise Finding(f"one fails, but not for the other: {ends}")
    compare(folder / "out", expected)
    if codes == [0, 0]:
        return "one after the other, by chance", 1
    return "two runs at once, of which one fails", 1


def damage(folder: Path, random: Random) -> tuple[str, int]:
    """Flip a bit in a file from which a run resumes."""
    pairs = write_pairs(folder / "pairs.tsv")
    out = folder / "out"
    part = folder / "out.part"
    expected = undisturbed(pairs)
    process = Process(command(pairs, out, "--resume"))
    wait_for_a_batch(process, part)
    time.sleep(random.uniform(0, 1))
    process.kill()
    process.ended()
    path = part if part.exists() else out
    content = bytearray(path.read_bytes())
    at = random.randrange(len(content))
    content[at] ^= 1 << random.randrange(8)
    path.write_bytes(content)
    code, said = Process(command(pairs, out, "--resume")).ended()
    if code == 0:
        compare(out, expected)
        return f"a bit flipped in {path.name}, what is damaged is done again", 1
    if code != 1 or not ("out.part: not what" in said or "out.journal.json: " in said):
        raise Finding(f"exit code {code}: {said}")
    return f"a bit flipped in {path.name}, an error", 1


def disturb_parts(folder: Path, random: Random) -> tuple[str, int]:
    """Kill workers of a run over parts, or the whole run, and resume it."""
    (folder / "in").mkdir()
    rows = [f'{{"id": "{k}", "source": "第{k}次困", "target": "第{k}次团"}}\n' for k in range(1600)]
    for number in range(4):
        lines = rows[number * 400 : number * 400 + 400]
        (folder / "in" / f"{number}.jsonl").write_text("".join(lines), encoding="utf-8")
    whole = folder / "whole.jsonl"
    whole.write_text("".join(rows), encoding="utf-8")
    expected = undisturbed(whole)[""]
    arguments = command(folder / "in" / "*.jsonl", folder / "out")
    killed = 0
    while True:
        process = Process([*arguments, "--workers", "2"])
        time.sleep(random.uniform(2, 8))
        if random.random() < 0.5:
            killed += process.kill_a_worker(random)
        else:
            killed += process.kill()
        code, said = process.ended()
        if code not in {0, -signal.SIGKILL} and "a worker process died" not in said:
            raise Finding(f"going on fails: {said}")
        if code == 0:
            break
    parts = [(folder / "out" / f"{number}.jsonl").read_bytes() for number in range(4)]
    if b"".join(parts) != expected:
        raise Finding("the parts are not those of an undisturbed run")
    return "kills of workers or runs", killed


def read_damaged(folder: Path, random: Random) -> tuple[str, int]:
    """Let each reader read damaged files."""
    times = 0
    for name, reader in readers().items():
        content = bytearray(reader.example())
        for _ in range(random.randrange(1, 6)):
            at = random.randrange(len(content) + 1)
            size = random.choice([1, 1, 2, 8, 64])
            new = random.choice([random.randbytes(size), content[:size], content[-size:], b""])
            content[at : at + random.choice([0, size])] = new
        path = folder / name / reader.file
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        try:
            reader.read(path)
        except CijieError as error:
            if error.path is None:
                raise Finding(f"{path} is not named: {error}") from error
        except Exception as error:
            raise Finding(f"{path}: {type(error).__name__}: {error}") from error
        times += 1
    return "damaged files read, or refused with their name", times


if __name__ == "__main__":
    sys.exit(main())
