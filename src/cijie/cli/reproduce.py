"""`cijie reproduce`."""

from __future__ import annotations

from collections import Counter
from time import perf_counter
from typing import Any

import click

from cijie.cli.options import (
    FILE,
    INPUT,
    INPUT_GROUP,
    RUNNING_GROUP,
    GoldFile,
    command,
    echo_input,
    join_rule_option,
    make_method,
    make_segmenter,
    new_directory_option,
    option,
    own_options,
    p2_feature_options,
    quiet_option,
    refuse,
    segmenter_options,
    trial_options,
)
from cijie.cli.options.corpus import corpus_options, make_noise, noise_option, read_corpus
from cijie.cli.options.paper import make_features
from cijie.cli.progress import progress


@command()
@option(
    "--pairs",
    group=INPUT_GROUP,
    type=INPUT,
    required=True,
    help="The pairs, MuCGEC's format or *.jsonl.",
)
@option(
    "--gold",
    group=INPUT_GROUP,
    type=GoldFile(exists=True, dir_okay=False, allow_dash=True),
    required=True,
    help="Gold segmentations of the sources, as `cijie evaluate` takes them, or builtin.",
)
@option(
    "--votes",
    group=INPUT_GROUP,
    type=FILE,
    multiple=True,
    help="A file of votes on corrections, as `cijie bench learner` takes them; may be repeated.",
)
@option(
    "--synthetic",
    group=INPUT_GROUP,
    metavar="CORPUS",
    type=click.Path(exists=True),
    help="Segmented sentences to make the synthetic benchmark of, in any format that "
    "`cijie bench synthetic` takes.",
)
@corpus_options
@noise_option
@new_directory_option
@option(
    "--quick",
    group=RUNNING_GROUP,
    is_flag=True,
    help="A first look: weights in steps of .2, three levels of noise, at most 1,000 trials.",
)
@p2_feature_options
@join_rule_option
@segmenter_options
@trial_options
@quiet_option
def reproduce(
    pairs: str,
    gold: str,
    output: str,
    votes: tuple[str, ...],
    synthetic: str | None,
    corpus_options: dict[str, Any],
    noise: str,
    quick: bool,
    join_rule: Any,
    trials: int,
    seed: int,
    quiet: bool,
    feature_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Run the paper's experiments on pairs with gold, and show them beside the paper's figures.

    DIR gets each table as .tsv and .tex, each figure as .pdf, .png and .svg, and index.html, one
    page with all of it, the paper's claims first. The same input gives the same bytes. The options
    of features are for P2; P3 takes only the glyph table. Files that show sentences contain texts
    of the pairs.
    """
    from functools import partial

    from cijie.corpora.reading import read, sentences_of
    from cijie.corpora.segmentations import read_to_compare
    from cijie.extras import library
    from cijie.files.output import new_directory
    from cijie.gold.learner import choose_targets
    from cijie.paper import reproduction as experiments
    from cijie.paper.page import as_files

    started = perf_counter()
    library("matplotlib", "figures")
    if [pairs, gold].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    if synthetic is None:
        refuse(["files", "sentences", "noise"], "without --synthetic")
    file = read(pairs, "pairs")
    has_corrections = pairs != "-" and not file.format.named
    if not has_corrections:
        refuse(["votes"], "on pairs with one correction each")
    known = list(sentences_of(file))
    skipped = Counter(file.skipped)
    reference, _ = read_to_compare(gold, (), known)
    selection = choose_targets(pairs, votes=votes).card if has_corrections else None
    corpus = read_corpus(synthetic, **corpus_options) if synthetic else None
    # P3 has definitions of its own, but shares the table.
    shared = {"glyph_table": feature_options["glyph_table"], "join_rule": join_rule}
    plan = experiments.Plan(
        segmenter=make_segmenter(**segmenter_options),
        methods={
            name: make_method(
                method=method,
                **own_options(method, {**(feature_options if method == "p2" else {}), **shared}),
            )
            for name, method in experiments.SYSTEMS.items()
        },
        features=make_features(feature_options),
        join_rule=join_rule,
        noise=partial(make_noise, noise),
        trials=trials,
        seed=seed,
    )

    def watch(items: Any, what: str) -> Any:
        return progress(items, what, quiet=quiet)

    with new_directory(output) as directory:
        results = experiments.reproduce(
            known,
            reference,
            plan.quick() if quick else plan,
            corpus=corpus,
            skipped=skipped,
            watch=watch,
        )
        for name, content in as_files(results, selection).items():
            (directory / name).write_bytes(content)
    if not quiet:
        echo_input(len(results.cases), skipped)
        if corpus is None:
            click.echo("no synthetic benchmark without --synthetic CORPUS", err=True)
        click.echo(results.signature, err=True)
        click.echo(f"{output}: index.html; {perf_counter() - started:.0f} s", err=True)
