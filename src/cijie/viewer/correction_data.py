"""Build the data of the page of corrections, as plain values.

All edits are counted by `cijie.edits`; the page only adds them up.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from cijie.alignment.links import anchors
from cijie.edits.blocks import Annotation
from cijie.edits.counting import Match
from cijie.edits.edits import apply_edits
from cijie.edits.scoring import CorrectionScores, EditScore
from cijie.errors import located
from cijie.evaluation.report import difference_records
from cijie.text.segmentation import Segmentation
from cijie.viewer.page_data import short_names
from cijie.viewer.texts import target_data, text_data, word_lengths

_Outcomes = dict[tuple[int, int], str]  # by the place of an edit


def correction_data(scores: CorrectionScores) -> dict[str, Any]:
    """Build the data of the page of corrections, whose form is that of `page_data`.

    What differs:

    - `variant` is `edits`; `beta` is the weight of recall in F; `summary` has counts and scores of
      the `correction` of each of the `systems`, also `by_type`, and the tests of each pair of
      systems: `differences`, and `differences_by_type`.
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
    systems, names = list(scores.systems.values()), list(scores.systems)
    sentences = []
    for id in systems[0].matches:
        with located(id=id):
            if matches := [match for each in systems if (match := each.matches[id])]:
                sentences.append({"id": id, **_sentence(matches)})
    return {
        "title": ", ".join(names),
        "variant": "edits",
        "beta": scores.scoring.beta,
        "signature": scores.signature,
        "systems": names,
        "labels": short_names(names),
        "summary": {
            "systems": [{"correction": _summary(score)} for score in systems],
            "differences": difference_records(scores.tests),
            "differences_by_type": difference_records(scores.tests_by("type")),
        },
        "sentences": sentences,
    }


def _summary(score: EditScore) -> dict[str, Any]:
    beta = score.scoring.beta
    by_type = {type: counts.scores(beta) for type, counts in score.by("type").items()}
    return score.counts.scores(beta) | {"by_type": by_type}


def _sentence(matches: Sequence[Match]) -> dict[str, Any]:
    source = matches[0].source
    text, ends = "".join(source), [0, *accumulate(map(len, source))]
    edits: dict[tuple[int, int, str, str], dict[str, list[int]]] = {}
    references: dict[int, tuple[Annotation, _Outcomes]] = {}
    rows = []
    for number, match in enumerate(matches):
        made: _Outcomes = {}
        _, known = references.setdefault(match.reference.annotator, (match.reference, {}))
        for edit, outcome in match.judged:
            place = edit.start, edit.end
            start, end = (ends[max(at, 0)] for at in place)
            found = edits.setdefault((start, end, edit.type, " ".join(edit.correction)), {})
            found.setdefault(outcome, []).append(number)
            if outcome != "missed":
                made[place] = outcome
            if outcome != "wrong" and known.get(place) != "missed":
                known[place] = outcome
        rows.append(_row(source, match.output, made))
    errors, contested = [], []
    for (start, end, type, correction), found in sorted(edits.items()):
        errors += [(start, end, each, [type], found[each], correction) for each in found]
        bad = {k for outcome in found if outcome != "hit" for k in found[outcome]}
        if 0 < len(bad) < len(matches):
            pattern = "".join("gb"[k in bad] for k, _ in enumerate(matches))
            contested.append((start, end, pattern, [type]))
    return {
        **text_data("source", text),
        "words": [word_lengths(Segmentation.from_tokens(text, source))],
        "targets": [*(_row(source, *each) for each in references.values()), *rows],
        "errors": errors,
        "contested": contested,
    }


def _row(source: Sequence[str], annotation: Annotation, outcomes: _Outcomes) -> dict[str, Any]:
    """Return a corrected sentence with the outcomes of its edits, as marks of words."""
    # The correction of an edit of type UNK is not known.
    edits = [edit for edit in annotation.edits if edit.start >= 0 and edit.type != "UNK"]
    words = apply_edits(source, edits)
    marks, shift = [], 0
    for edit in edits:
        start = edit.start + shift
        if outcome := outcomes.get((edit.start, edit.end)):
            marks.append((start, start + len(edit.correction), outcome))
        shift += len(edit.correction) - (edit.end - edit.start)
    text = "".join(words)
    anchored, cut = anchors("".join(source), text), Segmentation.from_tokens(text, words)
    return target_data(text, anchored, cut) | {"marks": marks}
