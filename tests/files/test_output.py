import socket
import subprocess
import sys
from pathlib import Path

import portalocker
import pytest

from cijie.errors import CijieError
from cijie.files.output import locked

from workers import environment

HOLD = "import sys, cijie.files.output as l, pathlib\nwith l.locked(pathlib.Path(sys.argv[1])):\n"


def holder(path: Path, then: str = "input()") -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [sys.executable, "-c", f"{HOLD}    print('held', flush=True)\n    {then}", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_the_second_one_is_told_who_the_first_one_is(tmp_path: Path) -> None:
    out = tmp_path / "out[1].jsonl"
    with holder(out) as first:
        said = f"process {first.pid} on {socket.gethostname()} is writing it now"
        with pytest.raises(CijieError) as caught, locked(out):
            pass
        assert str(caught.value) == f"{out}: {said}"
        with locked(tmp_path / "out1.jsonl"):
            first.communicate(b"\n")
    with locked(out):
        pass
    assert not list(tmp_path.iterdir())


def test_a_process_that_is_killed_holds_no_lock(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with holder(out) as first:
        first.kill()
        first.communicate()
    with locked(out) as held:
        assert held
    assert not list(tmp_path.iterdir())


def test_one_of_many_at_once_has_it(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("0")
    once = (
        "import sys, pathlib, cijie.files.output as l\n"
        "from cijie.errors import CijieError\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "for _ in range(300):\n"
        "    try:\n"
        "        with l.locked(path):\n"
        "            path.write_text(str(int(path.read_text()) + 1))\n"
        "            print('x', end='')\n"
        "    except CijieError:\n"
        "        pass\n"
    )
    many = [
        subprocess.Popen(
            [sys.executable, "-c", once, str(count)], stdout=subprocess.PIPE, env=environment()
        )
        for _ in range(4)
    ]
    counted = sum(len(one.communicate()[0]) for one in many)
    assert int(count.read_text()) == counted > 0


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise portalocker.LockException("not supported")

    monkeypatch.setattr(portalocker, "lock", no_locks)
    with locked(tmp_path / "out") as held:
        assert not held
    assert not list(tmp_path.iterdir())
