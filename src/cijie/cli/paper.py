"""The paper's experiments: `cijie tune`, `ablate`, `reproduce` and `train-ibm`."""

from __future__ import annotations

from collections import Counter
from time import perf_counter

import click

from cijie.cli.bench import CorpusChoice
from cijie.cli.options.base import (
    GOLD_FILE,
    OUTPUT_FILE_NO_DASH,
    READ_FILE,
    READ_FILE_OR_STDIN,
    Command,
    option,
    options,
    refuse,
)
from cijie.cli.options.files import (
    FigureOutput,
    Messages,
    NewDirectory,
    PairOptions,
    TableOutput,
    Trials,
    left_out,
    write,
)
from cijie.cli.options.methods import P2, P2Features, SegmenterChoice
from cijie.cli.settings import settings_text
from cijie.corpora.reading import sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import CijieError, counted
from cijie.evaluation.tables import render_tables
from cijie.paper import ibm
from cijie.paper import reproduce as paper
from cijie.paper import tuning as tunings
from cijie.paper.grid import Grid, Setting, SettingScorer, make_cases
from cijie.paper.reproduction import Plan
from cijie.recovery.recoverer import segment_pairs
from cijie.recovery.sentence import Recovery
from cijie.signatures import signed


@options("Input")
class GoldPairs(PairOptions):
    """Pairs with gold.

    Attributes:
        gold: Gold segmentations of the sources, as `cijie evaluate` takes them.
    """

    gold: str = option(type=GOLD_FILE)

    def cases(self, segmenter: SegmenterChoice, messages: Messages) -> list[Recovery]:
        """Return the segmented pairs that have gold.

        Raises:
            CijieError: a file cannot be read, or no pair has gold.
        """
        read = self.sentences()
        pairs = list(sentences_of(read))
        skipped = Counter(read.skipped)
        reference, _ = read_to_compare(self.gold, (), pairs)
        loaded = segmenter.load()
        made = make_cases(pairs, reference, loaded, skipped)
        messages.say(counted(len(made), "pairs") + left_out(skipped), f"segmenter:{loaded.name}")
        if not made:
            raise CijieError("no pair has gold: the ids of the pairs and of gold do not match")
        return made


@options("Output")
class Tuning(FigureOutput):
    """The output of tuning, and the division of the pairs.

    Attributes:
        best: Write the chosen setting to this TOML file, for `cijie recover --config`.
        folds: How many folds the pairs are divided into.
        seed: Which division into folds it is.
    """

    best: str | None = option(None, type=OUTPUT_FILE_NO_DASH)
    folds: int = option(5, at_least=2, group="Running")
    seed: int = option(0, group="Running")


@Command
def tune(
    pairs: GoldPairs, features: P2Features, segmenter: SegmenterChoice, output: Tuning
) -> None:
    """Choose P2's weights and threshold by cross-validation on PAIRS with gold.

    All weights in steps of .1 that add up to 1 are tried with every threshold from .30 to .90, in
    steps of .05. These 3,718 settings are ranked by their mean F1 over the folds.
    """
    grid = Grid(
        pairs.cases(segmenter, output),
        features.features(),
        folds=output.folds,
        seed=output.seed,
        join_rule=features.join_rule,
    )
    what = f"of {len(grid.vectors)} weight vectors"
    tuning = tunings.tune(grid, output.watch(grid.counts(), what))
    output.write_tables(tunings.render_tuning(tuning, output.table_format), tuning.signature)
    if output.best:
        chosen = tuning.settings[tuning.best]
        settings = {
            "method": "p2",
            "weights": str(chosen.weights),
            "threshold": chosen.threshold,
            **{name.replace("_", "-"): value for name, value in features.given().items()},
        }
        del settings["join-rule"]
        text = f"# chosen by cijie tune: {tuning.signature}\n{settings_text(settings)}"
        write(output.best, text.encode())
    output.draw(lambda: tunings.sensitivity_figure(tuning))


@Command
def ablate(
    pairs: GoldPairs, p2: P2, segmenter: SegmenterChoice, output: TableOutput, trials: Trials
) -> None:
    """Remove each of P2's features in turn, and score the rest on PAIRS with gold.

    A feature is removed by setting its weight to 0; the other weights stay as they are.
    """
    aligner = p2.aligner()
    features = aligner.scorer.features
    scorer = SettingScorer(pairs.cases(segmenter, output), features, join_rule=p2.join_rule)
    setting = Setting(aligner.scorer.weights, aligner.threshold)
    results = tunings.ablate(scorer, setting, **vars(trials))
    signature = signed(
        aligner.signature, f"join:{p2.join_rule}", f"trials:{trials.trials}", f"seed:{trials.seed}"
    )
    table = tunings.ablation_table(results)
    output.write_tables(render_tables([table], signature, output.table_format), signature)


@options("Input")
class Reproduction(CorpusChoice):
    """The input of the experiments.

    Attributes:
        pairs: The pairs, MuCGEC's format or *.jsonl.
        gold: Gold segmentations of the sources, as `cijie evaluate` takes them, or builtin.
        votes: A file of votes on corrections, as `cijie bench learner` takes them; may be repeated.
        correction: The target of several corrections: nearest, or selected as by `cijie bench
            learner`.
        synthetic: Segmented sentences for the synthetic benchmark, as `cijie bench synthetic` takes
            them.
    """

    pairs: str = option(type=READ_FILE_OR_STDIN)
    gold: str = option(type=GOLD_FILE)
    votes: tuple[str, ...] = option((), type=READ_FILE)
    correction: paper.Correction = "nearest"
    synthetic: str | None = option(None, metavar="CORPUS", type=click.Path(exists=True))

    def __post_init__(self) -> None:
        if self.synthetic is None:
            refuse(["files", "sentences", "noise", "kinds"], "without --synthetic")


@Command
def reproduce(
    given: Reproduction,
    features: P2Features,
    segmenter: SegmenterChoice,
    output: NewDirectory,
    trials: Trials,
) -> None:
    """Run the paper's experiments on pairs with gold, and show them beside the paper's figures.

    DIR gets each table as .tsv and .tex, each figure as .pdf, .png and .svg, and index.html, one
    page with all of it, the paper's claims first; index.zh.html is the same in Chinese. The same
    input gives the same bytes. The options of features are for P2; P3 takes only the glyph table.
    Files that show sentences contain texts of the pairs.
    """
    started = perf_counter()
    corpus = given.read_corpus(given.synthetic) if given.synthetic else None
    p2_features = features.features()  # errors in them are usage errors
    plan = Plan(
        segmenter.load(),
        p2_features,
        features.given(),
        recipe=given.recipe,
        **vars(trials),
    )
    results = paper.reproduce(
        given.pairs,
        given.gold,
        output.output,
        plan,
        votes=given.votes,
        correction=given.correction,
        corpus=corpus,
        watch=output.watch,
    )
    output.say(counted(len(results.cases), "pairs") + left_out(results.skipped))
    if corpus is None:
        output.say("no synthetic benchmark without --synthetic CORPUS")
    output.say(
        output.signed(results.signature),
        f"{output.output}: index.html; {perf_counter() - started:.0f} s",
    )


@options("Method")
class Training(Messages):
    """The training of the model, and its output.

    Attributes:
        output: The model to write, an .npz file.
        iterations: The most iterations of EM, after those with uniform positions.
        lexical_iterations: The most iterations with uniform positions, which come first.
        tolerance: Stop when the log-likelihood per character grows by less.
    """

    output: str = option(names="-o --output", type=OUTPUT_FILE_NO_DASH, group="Output")
    iterations: int = option(20, at_least=0)
    lexical_iterations: int = option(5, at_least=0)
    tolerance: float = option(0.001, type=click.FloatRange(min=0))


@Command
def train_ibm(pairs: PairOptions, segmenter: SegmenterChoice, training: Training) -> None:
    """Train the model of the method ibm on PAIRS.

    `cijie recover --method ibm --ibm-model MODEL` uses it, on the same pairs or on others.
    """
    sentences = pairs.sentences()
    segmented = segment_pairs(segmenter.load(), sentences_of(sentences))
    read = list(training.watch(segmented, "pairs"))
    taught = [pair for pair in read if pair.initial and pair.target_segmentation]
    empty = Counter({"pairs with an empty side": len(read) - len(taught)})
    model = ibm.train_ibm(
        ((pair.source, pair.target_segmentation) for pair in taught),
        lexical_iterations=training.lexical_iterations,
        iterations=training.iterations,
        tolerance=training.tolerance,
    )
    ibm.write_ibm_model(model, training.output)
    training.say(
        counted(len(taught), "pairs") + left_out(sentences.skipped + empty),
        training.signed(signed(ibm.IbmAligner(model).signature)),
    )
