from __future__ import annotations

import pytest

from cijie.paper.reproduction import Reproduction, run
from reproductions import CORPUS, GOLD, PAIRS, PLAN


@pytest.fixture(scope="session")
def results() -> Reproduction:
    return run(PAIRS, GOLD, PLAN, corpus=CORPUS)
