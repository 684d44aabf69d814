"""`cijie demo`."""

from __future__ import annotations

import click


@click.command()
def demo() -> None:
    """Recover a handful of learner sentences and show what changed, and why."""
