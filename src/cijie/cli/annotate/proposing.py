"""What is proposed to annotators: options, and the proposals that they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    FILE,
    INPUT_GROUP,
    METHOD_GROUP,
    OUTPUT_GROUP,
    echo_input,
    grouped,
    make_segmenter,
    option,
    read_pairs,
    unique_names,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.gold.proposals import Proposals

proposing_options = grouped(
    "proposing_options",
    methods=option(
        "--method",
        "methods",
        group=METHOD_GROUP,
        type=click.Choice(["direct", "dictionary", "p1", "p2", "p3"]),
        multiple=True,
        help="Propose what this method recovers; may be repeated.  "
        "[default: direct, p1, p2 and p3, if there is no --system]",
    ),
    systems=option(
        "--system",
        "systems",
        group=INPUT_GROUP,
        metavar="FILE",
        type=FILE,
        multiple=True,
        help="Propose the segmentations in a file, of any format that `cijie evaluate` reads; may "
        "be repeated.",
    ),
    least_sure_first=option(
        "--least-sure-first",
        group=OUTPUT_GROUP,
        is_flag=True,
        help="Order sentences by how sure p3 is, and not as in PAIRS.",
    ),
)


def proposed(
    *,
    input_options: Mapping[str, Any],
    segmenter_options: Mapping[str, Any],
    methods: tuple[Any, ...],
    systems: tuple[str, ...],
    least_sure_first: bool,
    quiet: bool,
) -> Iterator[Proposals]:
    """Proposals as the options want them; at the end they are summed up on standard error."""
    from cijie.corpora.segmentations import read_to_compare
    from cijie.gold.proposals import propose

    skipped: Counter[str] = Counter()
    pairs = list(read_pairs(**input_options, skipped=skipped))
    if not systems:
        methods = methods or ("direct", "p1", "p2", "p3")
    if least_sure_first and "p3" not in methods:
        raise click.UsageError("--least-sure-first goes with --method p3")
    named = {}
    if systems:
        first, others = read_to_compare(systems[0], systems[1:], pairs)
        named = dict(zip(unique_names(systems, methods), [first, *others], strict=True))
    segmenter = make_segmenter(**segmenter_options)
    made = progress(propose(pairs, methods, segmenter, named), "sentences", quiet=quiet)
    differing = 0
    for proposals in sorted(made, key=attrgetter("confidence")) if least_sure_first else made:
        differing += len(proposals.distinct) > 1
        yield proposals
    if not quiet:
        echo_input(len(pairs), skipped)
        names = ", ".join([*methods, *named])
        differ = f"they differ in {counted(differing, 'sentences')}"
        click.echo(f"proposals: {names}; {differ}", err=True)
        click.echo(f"segmenter:{segmenter.name}", err=True)
