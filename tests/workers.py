"""What other processes are given to do in tests."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from typing import Any


def environment() -> dict[str, str]:
    """The environment of a process that imports what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class Unsendable(Exception):
    """An error that no other process can read."""

    def __init__(self, text: str, *, why: str) -> None:
        super().__init__(f"{text}: {why}")


def characters_or_worse(text: str) -> list[str]:
    """One word a character; some texts do what they say instead."""
    if text == "raise":
        raise KeyError(text)
    if text == "exit":
        sys.exit(0)
    if text == "interrupt":
        raise KeyboardInterrupt
    if text == "sleep":
        time.sleep(3600)
    if text in ("fork and die", "both") and os.fork() == 0:
        time.sleep(3600)
        os._exit(0)
    if text == "start and die":
        subprocess.Popen(["sleep", "3599.25"], close_fds=False)
    if text in ("half a message", "both"):
        _die_in_the_midst_of_a_message()
    if "die" in text:
        os._exit(9)
    return list(text)


def _die_in_the_midst_of_a_message() -> None:
    """See to it that this process is killed when it has written half of its next message."""

    def send_half(self: Any, message: Any, write: object = None) -> None:
        os.write(self.fileno(), bytes(message)[: len(message) // 2])
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(Connection, "_send", send_half)  # noqa: B010


def double_or_worse(text: str) -> str:
    """A text twice; some do what they say instead."""
    if text == "unsendable":
        raise Unsendable(text, why="it wants two arguments")
    return 2 * "".join(characters_or_worse(text))


def restarted_or_late(text: str) -> int:
    """The process, which loky restarts after its second call; some texts take a while."""
    from loky import process_executor

    setattr(process_executor, "_MEMORY_LEAK_CHECK_DELAY", 0)  # noqa: B010
    setattr(process_executor, "_MAX_MEMORY_LEAK_SIZE", -(1 << 60))  # noqa: B010
    time.sleep(2.5 if text == "late" else 0)
    return os.getpid()


def slow_characters_or_worse(text: str) -> list[str]:
    """Both: `characters_or_worse`, after a while."""
    time.sleep(0.0005)
    return characters_or_worse(text)


def slow_characters(text: str) -> list[str]:
    """One word a character, after a while."""
    time.sleep(0.0005)
    return list(text)
