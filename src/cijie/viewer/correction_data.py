"""Build the data of the page of corrections, as plain values.

All edits are counted by `cijie.edits`; the page only adds them up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from cijie.edits.blocks import Annotation
from cijie.edits.correction_scores import CorrectionScores
from cijie.edits.counting import Match
from cijie.edits.edits import apply_edits
from cijie.errors import located
from cijie.text.segmentation import Segmentation
from cijie.viewer.page_data import short_names
from cijie.viewer.texts import text_data, word_lengths


def correction_data(scores: CorrectionScores) -> dict[str, Any]:
    """Build the data of the page of corrections, whose form is that of `page_data`.

    What differs:

    - `variant` is `edits`; `beta` is the weight of recall in F; `summary` is as in `cijie score
      --format json`.
    - A sentence has the words of its source as the only `words`. Its `targets` are the references
      that a system is compared with, then the correction of each system, and have `marks`: the
      first word, the end, and the outcome of each edit.
    - `errors` are the edits: start, end, outcome (see `OUTCOMES`), type in a list, numbers of the
      systems, correction; `contested` are those on which systems differ: start, end, pattern, type
      in a list. A letter of the pattern is `b` for a system that has a wrong edit or misses a
      right one.

    Raises:
        CijieError: edits of M2 that overlap.
    """
    systems = list(scores.systems.values())
    sentences = []
    for id, first in systems[0].matches.items():
        if first is not None:
            with located(id=id):
                matches = [match for each in systems if (match := each.matches[id])]
                sentences.append({"id": id, **_sentence(matches)})
    return {
        "title": ", ".join(scores.systems),
        "variant": "edits",
        "beta": systems[0].beta,
        "signature": scores.signature,
        "systems": list(scores.systems),
        "labels": short_names(list(scores.systems)),
        "tallies": [{} for _ in systems],
        "summary": scores.as_record(),
        "sentences": sentences,
    }


def _sentence(matches: Sequence[Match]) -> dict[str, Any]:
    source = matches[0].source
    text, ends = "".join(source), [0, *accumulate(map(len, source))]
    edits: dict[tuple[Any, ...], list[int]] = {}
    references: dict[int, tuple[Annotation, dict[tuple[int, int], str]]] = {}
    rows = []
    for number, match in enumerate(matches):
        _, outcomes = references.setdefault(match.reference.annotator, (match.reference, {}))
        made: dict[tuple[int, int], str] = {}
        for edit, outcome in match.judged:
            place = edit.start, edit.end
            span = tuple(ends[max(at, 0)] for at in place)
            found = *span, outcome, edit.type, " ".join(edit.correction)
            edits.setdefault(found, []).append(number)
            if outcome != "missed":
                made[place] = outcome
            if outcome != "wrong" and outcomes.get(place) != "missed":
                outcomes[place] = outcome
        rows.append(_row(source, match.output, made))
    contested: dict[tuple[Any, ...], set[int]] = {}
    for (start, end, outcome, type, correction), numbers in edits.items():
        if outcome != "hit":
            contested.setdefault((start, end, type, correction), set()).update(numbers)
    return {
        **text_data("source", text),
        "words": [word_lengths(Segmentation.from_tokens(text, source))],
        "targets": [*(_row(source, *each) for each in references.values()), *rows],
        "errors": [
            (start, end, outcome, [type], numbers, correction)
            for (start, end, outcome, type, correction), numbers in sorted(edits.items())
        ],
        "contested": [
            (start, end, "".join("gb"[k in bad] for k, _ in enumerate(matches)), [type])
            for (start, end, type, _), bad in sorted(contested.items())
            if len(bad) < len(matches)
        ],
    }


def _row(
    source: Sequence[str], annotation: Annotation, outcomes: Mapping[tuple[int, int], str]
) -> dict[str, Any]:
    """Return a corrected sentence, whose anchors to the source are what no edit changes."""
    edits = [edit for edit in annotation.edits if edit.start >= 0]
    words = apply_edits(source, edits)
    anchors, marks = [], []
    starts, others = ([0, *accumulate(map(len, side))] for side in (source, words))
    at = shift = 0
    for edit in edits:
        anchors.append((starts[at], others[at + shift], starts[edit.start] - starts[at]))
        if outcome := outcomes.get((edit.start, edit.end)):
            start = edit.start + shift
            marks.append((start, start + len(edit.correction), outcome))
        at, shift = edit.end, shift + len(edit.correction) - (edit.end - edit.start)
    anchors.append((starts[at], others[at + shift], starts[-1] - starts[at]))
    text = "".join(words)
    return {
        **text_data("text", text),
        "words": word_lengths(Segmentation.from_tokens(text, words)),
        "anchors": [anchor for anchor in anchors if anchor[2]],
        "marks": marks,
    }
