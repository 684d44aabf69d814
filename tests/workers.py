"""What other processes are given to do in tests."""

import os
import time


def characters_or_worse(text: str) -> list[str]:
    """One word a character; `raise` and `die` do what they say."""
    if text == "raise":
        raise KeyError(text)
    if text == "die":
        os._exit(9)
    return list(text)


def slow_characters(text: str) -> list[str]:
    """One word a character, after a while."""
    time.sleep(0.0005)
    return list(text)
