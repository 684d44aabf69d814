"""`cijie bench`."""

from __future__ import annotations

import click

from cijie.cli.bench.learner import learner
from cijie.cli.bench.run import run
from cijie.cli.bench.synthetic import synthetic
from cijie.cli.options import Group


@click.group(cls=Group, sections={"Commands": (synthetic, run, learner)})
def bench() -> None:
    """Make benchmarks of corpora that you have, and run methods on them."""
