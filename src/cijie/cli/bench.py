"""`cijie bench`: `synthetic`, `run` and `learner`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
import cloup

from cijie.cli.annotate import Guidelines
from cijie.cli.options.base import (
    GOLD_FILE,
    READ_FILE,
    READ_FILE_OR_STDIN,
    Command,
    Readable,
    argument,
    option,
    options,
    refuse,
)
from cijie.cli.options.files import FigureOutput, NewDirectory, Reading, Trials, left_out
from cijie.cli.options.methods import SegmenterChoice, make_methods
from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.errors import UsageError, counted
from cijie.files.lines import read_lines
from cijie.files.output import new_directory
from cijie.gold.learner import choose_targets, join
from cijie.gold.sheets import names_given
from cijie.gold.shipped import read_guidelines
from cijie.noise.conditions import Corpus, read_benchmark, read_corpus, write_benchmark
from cijie.noise.injection import EditDistribution, Noise, Pool
from cijie.noise.runs import BenchmarkRun, TargetWords, f1_figure, of_all_seeds, render_results
from cijie.noise.synthetic import Recipe

Number = TypeVar("Number")


@options("Input")
class CorpusChoice:
    """The sentences to take from a corpus, and how to replace characters.

    Attributes:
        files: The files to take of the Penn Chinese Treebank.
        sentences: Take only the first N sentences of the corpus.
        noise: Substitutes are any characters, or those that look or sound like the right one.
        kinds: Kinds of edits: exactly their shares (apportioned), or drawn for each edit (drawn).
    """

    files: str | None = option(None, metavar="N-N,…")
    sentences: int | None = option(None, at_least=1)
    noise: Literal["uniform", "similar"] = option("uniform", group="Noise")
    kinds: Literal["apportioned", "drawn"] = option("apportioned", group="Noise")

    def read_corpus(self, path: str, **options: Any) -> Corpus:
        """Read the corpus; further options are those of `read_corpus`."""
        numbers = parse_numbers(self.files, int, "numbers of files") if self.files else None
        return read_corpus(path, files=numbers, sentences=self.sentences, **options)

    def recipe(self, pool: Pool, **options: Any) -> Recipe:
        """Return the recipe of the noise, with the characters of the pool; further options are
        those of `Recipe`.
        """
        noise = Noise.similar(pool) if self.noise == "similar" else Noise(pool)
        return Recipe(noise, kinds=self.kinds, **options)


def parse_numbers(text: str, number: Callable[[str], Number], what: str) -> list[Number]:
    """Parse a list of numbers and of ranges in steps of one.

    Args:
        text: the list.
        number: makes a number of its text.
        what: what the numbers are, for messages.

    Raises:
        UsageError: something else than a number.

    >>> parse_numbers("1-3,12.5", float, "ratios")
    [1.0, 2.0, 3.0, 12.5]
    """
    found: list[object] = []
    for part in text.split(","):
        span = re.fullmatch(r"\s*(\d+)-(\d+)\s*", part)
        found += range(int(span[1]), int(span[2]) + 1) if span else [part]
    try:
        return [number(str(each)) for each in found]
    except (ArithmeticError, ValueError) as error:
        raise UsageError(f"expected {what}, got {text!r}") from error


@options("Noise")
class SyntheticChoice(CorpusChoice, Reading, NewDirectory):
    """The corpus, and the noise to add.

    Attributes:
        licence: Licence of the corpus, for the data card.
        ratios: Edits per 100 characters, a condition for each ratio; 0 is the clean baseline.
        dist: Shares of substitutions, deletions and insertions.
        dist_from: Take the shares from these pairs.
        pool: Draw wrong characters from this text, as often as they occur there.  [default: the
            corpus]
        seed: The seed of the noise.
    """

    corpus: str = argument(type=Readable(folders=True, stdin=False))
    licence: str = option("", group="Output")
    ratios: str = option("0-10", metavar="R-R,…")
    dist: str = option(".483,.318,.199", metavar="SUB,DEL,INS")
    dist_from: str | None = option(None, type=READ_FILE_OR_STDIN, metavar="PAIRS")
    pool: str | None = option(None, type=READ_FILE)
    seed: int = option(0, at_least=0, group="Running")

    def __post_init__(self) -> None:
        if self.dist_from is not None:
            refuse(["dist"], "with --dist-from")

    def distribution(self) -> EditDistribution:
        """Return the shares of the kinds of edits."""
        if self.dist_from is None:
            return EditDistribution.parse(self.dist)
        pairs = sentences_of(read(self.dist_from, "pairs", ReadOptions(ids="any")))
        return EditDistribution.estimate((pair.source, pair.target or "") for pair in pairs)

    def characters(self, texts: Iterable[str]) -> Pool:
        """Return the pool of wrong characters."""
        if self.pool is None:
            return Pool.of(texts, "corpus")
        return Pool.of((text for _, text in read_lines(self.pool)), Path(self.pool).name)


@Command
def synthetic(given: SyntheticChoice) -> None:
    """Make noisy sources of the segmented sentences in CORPUS, with their gold segmentation.

    CORPUS is CoNLL-U, segmented text, or a directory of the Penn Chinese Treebank. Each ratio gets
    a directory in DIR, with pairs.jsonl for `cijie recover`, gold.jsonl for `cijie evaluate` and
    card.json. The same corpus and options give the same bytes everywhere. What is made contains
    the corpus and is under its licence.
    """
    ratios = parse_numbers(
        given.ratios, lambda percent: Fraction(Decimal(percent)) / 100, "ratios in per cent"
    )
    if not ratios or min(ratios) < 0 or max(ratios) > 1 or len(set(ratios)) < len(ratios):
        raise click.UsageError(f"expected different ratios from 0 to 100, got {given.ratios!r}")
    corpus = given.read_corpus(given.corpus, licence=given.licence, options=given.options())
    recipe = given.recipe(
        given.characters(corpus.texts),
        distribution=given.distribution(),
        seed=given.seed,
    )
    with new_directory(given.output) as directory:
        for condition in write_benchmark(directory, corpus, ratios, recipe):
            given.say(condition)


@options("Method")
class Benchmark:
    """A benchmark, and what to run on it.

    Attributes:
        methods: The methods to run, each with its options after colons:
            p2:position=local:threshold=.8.
        target: Whose target words are projected. gold: the corpus's. auto: the segmenter's.
        segmenters: Run over each of these segmenters; a name may stand before one:
            mine=mymodule:cut.
    """

    directories: tuple[str, ...] = argument(
        metavar="DIRECTORY...", type=click.Path(exists=True, file_okay=False)
    )
    methods: str = option("direct,p1,p2,p3", metavar="METHOD,…")
    target: Literal["gold", "auto", "both"] = "gold"
    segmenters: str | None = option(None, metavar="[NAME=]SEGMENTER,…", group="Segmenter")


@Command
def run(given: Benchmark, segmenter: SegmenterChoice, output: FigureOutput, trials: Trials) -> None:
    """Run methods on the conditions in DIRECTORY, which `cijie bench synthetic` has made.

    Several directories are several seeds: conditions of the same name are counted together.
    Every method starts from the same segmentation of the sources. Where the condition without
    noise is there, tables and figures also show how much less F1 is than on that. F1 without noise
    says how near the segmenter's convention is to the corpus's: where they cut words differently,
    it is low however good the segmenter is. Files that do not match their card are refused.
    """
    segmenters = {"": segmenter}
    if given.segmenters is not None:
        refuse(["segmenter", "segmenter_option"], "with --segmenters")
        named = [part.strip().rpartition("=") for part in given.segmenters.split(",")]
        segmenters = {name or each: replace(segmenter, segmenter=each) for name, _, each in named}
        if len(segmenters) < len(named):
            raise click.UsageError(
                f"--segmenters: expected different names, got {given.segmenters}"
            )
    methods = make_methods(given.methods)
    conditions = [each for folder in given.directories for each in read_benchmark(folder)]
    # Conditions of a small corpus with little noise may have the same sentences.
    noisy = Counter((each.name, each.seed, each.checksum) for each in conditions if each.ratio)
    if twice := [name for (name, *_), times in noisy.items() if times > 1]:
        raise click.UsageError(f"expected benchmarks of different seeds, got {twice[0]} twice")
    loaded = {name: each.load() for name, each in segmenters.items()}
    chosen = BenchmarkRun(loaded, methods, **vars(trials))
    targets: Sequence[TargetWords] = ("gold", "auto") if given.target == "both" else (given.target,)
    watched = output.watch(conditions, "conditions")
    results = of_all_seeds(result for each in watched for result in chosen.on(each, targets))
    signature = chosen.signature(conditions)
    output.write_tables(render_results(results, signature, output.table_format), signature)
    output.draw(lambda: f1_figure(results))
    if len(noisy) == len(conditions):
        output.say("there is no loss without the condition of ratio 0: --ratios 0,…")


@options("Output")
class Learners(NewDirectory, Guidelines):
    """Sentences of learners, and how to choose a correction of each.

    Attributes:
        context: Vectors of characters: embedded, or the name or directory of a transformers model.
        votes: A file of votes; may be repeated.
        gold: Choose nothing: join this gold, or builtin, to the corrections that it was made with.
        voters: Write a page for each voter: how many (called A, B, C, …), or names with commas.
    """

    corpus: str = argument(metavar="MUCGEC", type=READ_FILE)
    context: str = option("embedded", metavar="CONTEXT", group="Method")
    votes: tuple[str, ...] = option((), type=READ_FILE, group="Input")
    gold: str | None = option(None, type=GOLD_FILE, group="Input")
    voters: str | None = option(None, metavar="N|NAMES")

    def __post_init__(self) -> None:
        if self.gold is not None:
            refuse(
                ["votes", "voters", "context"], "with --gold, which says what corrections to take"
            )
        if self.voters is None:
            refuse(["guideline"], "without --voters")


@Command
def learner(given: Learners) -> None:
    """Choose one correction of each sentence in MUCGEC as its target, or join gold to them.

    Corrections are ranked by Levenshtein distance and by the cosine of sentence vectors. Where both
    put the same one first, it is chosen. The other sentences go to voting-sheet.jsonl; a majority
    of --votes decides on them, or else the Levenshtein distance. If a majority finds no correction
    good, the sentence is left out. The chosen pairs go to pairs.jsonl, for `cijie recover` and
    `cijie annotate`.

    With --gold, pairs.jsonl has the pairs that have gold, and gold.jsonl the gold with its texts,
    for `cijie evaluate`. Figures and checksums are in card.json. The other files hold texts of
    MUCGEC and stay under its licence.
    """
    names = names_given(given.voters) if given.voters is not None else []
    if given.gold is None:
        benchmark = choose_targets(given.corpus, context=given.context, votes=given.votes)
    else:
        benchmark = join(given.corpus, given.gold)
    output, card = given.output, benchmark.card
    guidelines = read_guidelines(given.guideline) if given.guideline is not None else {}
    pages = benchmark.write(output, names, guidelines)
    given.say(counted(card["pairs"], "pairs") + left_out(card["left_out"]))
    if given.gold is None:
        given.say(
            "chosen: {automatic:,} automatic, {votes:,} by votes, "
            "{levenshtein:,} by Levenshtein distance".format(**card["chosen_by"]),
            *[card["votes"]] * bool(card["votes"]),
        )
    given.say(given.signed(card["signature"]))
    if pages:
        # A page that is called vote-A.html exports votes-A.jsonl.
        votes = (page.replace("vote", "votes", 1).replace(".html", ".jsonl") for page in pages)
        files = " ".join(f"--votes {output}/{name}" for name in votes)
        given.say_next(
            f"give each voter a page of {output}: {', '.join(pages)}",
            f"put what they export into {output}",
            f"cijie bench learner {given.corpus} -o DIR {files}",
        )
    elif given.gold is None:
        given.say_next(f"cijie annotate start {output}/pairs.jsonl --annotators 3 -o study")


bench = cloup.Group(
    "bench",
    help="Make benchmarks of corpora that you have, and run methods on them.",
    sections=[cloup.Section("Commands", [synthetic, run, learner])],
)
