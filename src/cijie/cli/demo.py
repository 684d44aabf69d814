"""`cijie demo`."""

from __future__ import annotations

from typing import Any

from cijie.cli.options import command, make_segmenter, segmenter_options


@command()
@segmenter_options
def demo(segmenter_options: dict[str, Any]) -> None:
    """Recover a handful of learner sentences and show what changed, and why.

    S is the learner's sentence, T its correction, both as words. D cuts S without looking at T; P1,
    P2 and P3 project T's word boundaries onto S.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cijie.cli.demo_pairs import METHODS, examples

    console = Console()
    console.print("D: the segmenter alone; P1, P2, P3: T's word boundaries projected onto S\n")
    names = dict(zip(METHODS, ("D", "P1", "P2", "P3"), strict=True))
    for example in examples(make_segmenter(**segmenter_options)):
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        before = None
        for method, recovery in example.recoveries.items():
            why = "; ".join(example.why(method))
            if why and before == recovery.segmentation:
                why = "as above"
            style = "bold green" if why else ""
            table.add_row(names[method], Text(str(recovery), style), Text(why, "italic"))
            before = recovery.segmentation
        table.add_row("T", Text(example.target, "cyan"))
        console.print(Text(recovery.source, "bold"))
        console.print(table)
        console.print()
