from __future__ import annotations

import pytest

from cijie.paper.reproduction import Reproduction, reproduce
from reproductions import CORPUS, GOLD, PAIRS, PLAN


@pytest.fixture(scope="session")
def results() -> Reproduction:
    return reproduce(PAIRS, GOLD, PLAN, corpus=CORPUS)
