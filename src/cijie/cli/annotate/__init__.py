"""`cijie annotate`: a command a file."""

from __future__ import annotations

import click

from cijie.cli.annotate.adjudicate import adjudicate
from cijie.cli.annotate.agreement import agreement
from cijie.cli.annotate.merge import merge
from cijie.cli.annotate.page import page
from cijie.cli.annotate.propose import propose
from cijie.cli.annotate.start import start
from cijie.cli.options import Group


@click.group(cls=Group)
def annotate() -> None:
    """Annotate how sources are segmented: pages, merging, adjudication, agreement.

    `start` makes a folder with a page for each annotator; `merge` and `adjudicate` take that folder
    to gold. The other commands do single steps, with files of your own.

    Annotations are spans of code points with checksums of the texts that they belong to; they hold
    no text themselves.
    """


for command in (start, merge, adjudicate, agreement, propose, page):
    annotate.add_command(command)
