"""`cijie ablate`."""

from __future__ import annotations

from typing import Any

from cijie.cli.options import (
    check_output,
    command,
    make_method,
    output_option,
    p2_threshold_option,
    p2_weights_option,
    quiet_option,
    trial_options,
)
from cijie.cli.options.paper import experiment_options, make_cases
from cijie.signatures import signed


@command()
@experiment_options
@p2_weights_option
@p2_threshold_option
@output_option
@trial_options
@quiet_option
def ablate(
    output: str,
    weights: str | None,
    threshold: float | None,
    trials: int,
    seed: int,
    quiet: bool,
    result_format: Any,
    feature_options: dict[str, Any],
    join_rule: Any,
    **case_options: Any,
) -> None:
    """Remove each of P2's features in turn, and score the rest on PAIRS with gold.

    A feature is removed by setting its weight to 0; the other weights stay as they are.
    """
    from cijie.alignment.residual import ResidualAligner
    from cijie.files.output import open_output
    from cijie.paper import ablation
    from cijie.paper.grid import Setting
    from cijie.paper.report import render_ablation

    check_output(output)
    method = make_method(method="p2", weights=weights, threshold=threshold, **feature_options)
    aligner = method.aligner
    assert isinstance(aligner, ResidualAligner)
    cases = make_cases(**case_options, quiet=quiet)
    results = ablation.ablate(
        cases,
        aligner.scorer.features,
        Setting(aligner.scorer.weights, aligner.threshold),
        join_rule=join_rule,
        trials=trials,
        seed=seed,
    )
    signature = signed(aligner.signature, f"join:{join_rule}", f"trials:{trials}", f"seed:{seed}")
    with open_output(output) as stream:
        stream.write(render_ablation(results, signature, result_format).encode())
