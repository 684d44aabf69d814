import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes depends on the machine, and on what its first use has to import.
settings.register_profile("cijie", deadline=None)
settings.load_profile("cijie")

# Tests do not depend on what the user has chosen.
for variable in ("CIJIE_SEGMENTER", "CIJIE_CONFIG"):
    os.environ.pop(variable, None)


@pytest.fixture
def signals_heeded() -> Iterator[None]:
    """Signals that are not ignored, as shells have them in the background, and pass it on."""
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
