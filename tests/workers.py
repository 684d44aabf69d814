"""What other processes are given to do in tests."""

import os
import sys
import time


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
    if text == "die":
        os._exit(9)
    if text == "exit":
        sys.exit(0)
    if text == "sleep":
        time.sleep(3600)
    return list(text)


def double_or_worse(text: str) -> str:
    """A text twice; some do what they say instead."""
    if text == "unsendable":
        raise Unsendable(text, why="it wants two arguments")
    return 2 * "".join(characters_or_worse(text))


def slow_characters_or_worse(text: str) -> list[str]:
    """Both: `characters_or_worse`, after a while."""
    time.sleep(0.0005)
    return characters_or_worse(text)


def slow_characters(text: str) -> list[str]:
    """One word a character, after a while."""
    time.sleep(0.0005)
    return list(text)
