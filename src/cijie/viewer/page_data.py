"""Build the data of the view page, as plain values.

All counts are computed by `cijie.evaluation`; the page only adds them up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from string import ascii_lowercase
from typing import Any, get_args

from cijie.alignment import Alignment, anchors
from cijie.choices import Language
from cijie.corpora.review import doubtful
from cijie.edits.edits import Edit, character_edits
from cijie.evaluation.comparison import Comparison
from cijie.evaluation.counts import (
    ErrorKind,
    contested_regions,
    differing_regions,
    error_regions,
    token_patterns,
)
from cijie.evaluation.report import difference_records
from cijie.pictures.likeness import likeness
from cijie.pictures.reasons import SURE, Reason, reasons_by
from cijie.recovery.sentence import Recovery, Sentence
from cijie.signatures import signed
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.shown import SideBySide
from cijie.viewer.texts import target_data, text_data, word_lengths

_LONG = 14  # characters; shorter labels always have room


def page_data(
    names: Sequence[str],
    sentences: Iterable[SideBySide],
    *,
    title: str,
    comparison: Comparison | None = None,
) -> dict[str, Any]:
    """Build the data of the view page.

    Args:
        names: the names of the systems.
        sentences: the sentences with the versions of all systems, and gold if there is a
            comparison.
        title: the heading of the page.
        comparison: the scores of the systems, if there is gold.

    A single system without gold is compared with its initial segmentation, if that is known.

    The result has:

    - `title`, `signature`, `variant` (of the page's messages: `changed` if the first system is the
      initial segmentation of the second one, `alone` for a single system), `systems` (names),
      `labels` (short names), `tallies` (for each system the number of words, and the changes by
      kind), `summary` (with gold the scores of `tokens` of each of the `systems`, and the tests of
      each pair of systems as `differences`; else null),
    - `sentences`, each with `id`, `source` and, unless empty:
        - `characters`: the characters of the source, see `text_data`;
        - `without_gold`: true if gold has other sentences, but not this one;
        - `words`: the distinct segmentations, gold first, see `word_lengths`;
          `systems`: for each system the number of its segmentation;
        - `targets`: see `target_data`;
        - `evidence`: for each system null, or the number of its `target` if not 0, its `anchors` if
          they differ from the anchors of the target, its residual `links` (source, target, score,
          1 if crossing or else 0, and the feature that links them with its value, see `Likeness`)
          and `doubts`, the doubtful words (number, confidence);
        - `sure`: the lowest confidence of a word;
        - `reasons`: the places (`at`); the decision there (`kind`): `cut`, `joined` or `left`;
          reason (`why`) and confidence (`sure`) in English and Chinese; the numbers of the
          `systems`; with gold, whether the decision is `right`; if it is in doubt, and one system
          alone has confidences, the cells of its row in a `review`, without id and reason;
        - `contested`: the regions that the systems segment differently: start, end, pattern, and
          the types of the character edits, to the first target, that touch it. The pattern has a
          letter for each system: with gold `g` (good) or `b` (bad), else equal letters for
          identical segmentations;
        - `errors`: start, end, kind, types of edits as in `contested`, numbers of the systems;
        - `tokens`: the gold words that not all systems have: number, pattern.
    """
    variant = "alone" if len(names) == 1 else ""
    sentences = list(sentences)
    if variant and not comparison and None not in [each.systems[0].initial for each in sentences]:
        names, variant = ["initial", *names], "changed"
        sentences = [_with_initial(each) for each in sentences]
    tallies: list[dict[str, Any]] = [{"words": 0, "changes": Counter()} for _ in names]
    shown = []
    for sentence in sentences:
        for tally, each in zip(tallies, sentence.systems, strict=True):
            tally["words"] += len(each.known_words())
            tally["changes"].update(change.kind for change in each.changes or ())
        shown.append(_sentence(sentence))
        if comparison and not sentence.gold:
            shown[-1]["without_gold"] = True
    signature = comparison.signature if comparison else signed(f"sentences:{len(shown)}")
    return {
        "title": title,
        "variant": variant,
        "signature": signature,
        "systems": list(names),
        "labels": short_names(names),
        "tallies": tallies,
        "summary": comparison and _summary(comparison),
        "sentences": shown,
    }


def _summary(comparison: Comparison) -> dict[str, Any]:
    scores = "precision", "recall", "f1"
    return {
        "systems": [
            {"tokens": {name: getattr(each, name) for name in scores}}
            for each in comparison.systems.values()
        ],
        "differences": difference_records(comparison.tests),
    }


def _with_initial(sentence: SideBySide) -> SideBySide:
    [system] = sentence.systems
    initial = Sentence(sentence.id, sentence.source, segmentation=system.initial)
    return replace(sentence, systems=[initial, system])


def short_names(names: Sequence[str]) -> list[str]:
    """Shorten names: leave out the parts that all begin or end with, then the middle of long ones.

    >>> short_names(["dev.wapic.direct", "dev.wapic.p3"]), short_names(["p2", "p3"])
    (['direct', 'p3'], ['p2', 'p3'])
    >>> short_names(["base", "mucgec-2026-11-28-p2", "mucgec-2026-11-28-p3"])
    ['base', 'mucgec…1-28-p2', 'mucgec…1-28-p3']
    """
    parts = [re.split(r"(?<=[._-])", name) for name in names]
    most = min(map(len, parts)) - 1
    front = min(_shared(parts), most)
    back = min(_shared([each[::-1] for each in parts]), most - front)
    short = ["".join(each[front : len(each) - back]).rstrip("._-") for each in parts]
    short = short if all(short) and len(set(short)) == len(names) else list(names)
    middle = [x if len(x) <= _LONG else f"{x[:6]}…{x[-7:]}" for x in short]
    return middle if len(set(middle)) == len(names) else short


def _shared(lists: Sequence[Sequence[str]]) -> int:
    """Return the length of the common prefix of all lists."""
    together = zip(*lists, strict=False)
    return sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, together))


def _sentence(sentence: SideBySide) -> dict[str, Any]:
    words, source, gold = sentence.words, sentence.source, sentence.gold
    targets = _targets(sentence)
    aligned = {target: anchors(source, target) for target in targets}
    first = next(iter(targets), None)
    contested, errors = list(_contested(sentence)), list(_errors(gold, words)) if gold else []
    has_edits = first is not None and (contested or errors)
    edits = character_edits(source, str(first)) if has_edits else []
    evidence = [_evidence(each, aligned) for each in sentence.systems]
    recoveries = {k: x for k, x in enumerate(sentence.systems) if isinstance(x, Recovery)}
    groups = reasons_by(recoveries)
    rows = _review(recoveries)
    different = list(dict.fromkeys([gold, *words] if gold else words))
    values = {
        "words": [word_lengths(each) for each in different],
        "systems": [different.index(each) for each in words],
        "targets": [target_data(each, aligned[each], cut) for each, cut in targets.items()],
        "evidence": [] if evidence.count(None) == len(evidence) else evidence,
        "reasons": [_reason(group, gold, rows) for group in groups],
        "contested": [(*span, pattern, _touching(edits, span)) for span, pattern in contested],
        "errors": [(*span, kind, _touching(edits, span), erring) for span, kind, erring in errors],
    }
    if sure := [sure for each in sentence.systems for sure in each.confidences]:
        values["sure"] = min(sure)
    if gold:
        patterns = enumerate(token_patterns(gold, words))
        values["tokens"] = [(number, pattern) for number, pattern in patterns if "b" in pattern]
    shown = {"id": sentence.id, **text_data("source", source)}
    return shown | {name: value for name, value in values.items() if value}


def _errors(
    gold: Segmentation, systems: Sequence[Segmentation]
) -> Iterator[tuple[Span, ErrorKind, list[int]]]:
    """Yield error regions with the numbers of the systems, once per distinct segmentation."""
    groups: dict[tuple[Span, ErrorKind, tuple[int, ...]], list[int]] = {}
    for number, system in enumerate(systems):
        for span, kind in error_regions(gold, system):
            key = (span, kind, _cuts(system, span))
            groups.setdefault(key, []).append(number)
    for (span, kind, _), erring in sorted(groups.items(), key=lambda group: group[0][0]):
        yield span, kind, erring


def _cuts(words: Segmentation, span: Span) -> tuple[int, ...]:
    """Return the boundaries within a region."""
    return tuple(at for at in words.boundaries if span[0] < at < span[1])


def _contested(sentence: SideBySide) -> Iterator[tuple[Span, str]]:
    """Yield the regions that the systems segment differently, each with its pattern."""
    if sentence.gold:
        yield from contested_regions(sentence.gold, sentence.words)
        return
    for span, _ in differing_regions(*sentence.words):
        cuts = [_cuts(each, span) for each in sentence.words]
        letters = dict(zip(dict.fromkeys(cuts), ascii_lowercase, strict=False))
        yield span, "".join(letters[each] for each in cuts)


def _targets(sentence: SideBySide) -> dict[str, Segmentation | None]:
    """Return the distinct targets of a sentence, each with its words if a system has them."""
    targets: dict[str, Segmentation | None] = {}
    for each in sentence.systems:
        if each.target is not None:
            targets[each.target] = targets.get(each.target) or each.target_segmentation
    return targets | {target: targets.get(target) for target in sentence.targets}


def _evidence(sentence: Sentence, aligned: Mapping[str, Alignment]) -> dict[str, Any] | None:
    target = sentence.target
    if target is None:
        return None
    alignment = sentence.alignment or Alignment(len(sentence.source), len(target))
    crossing = set(alignment.crossing_links)
    values = {
        "target": list(aligned).index(target),
        "links": [
            (
                *(link.source, link.target, round(link.score or 0.0, 2), int(link in crossing)),
                *(alike.by, round(alike.value, 2)),
            )
            for link in alignment.residuals
            for alike in [likeness(sentence.source[link.source], target[link.target], link.score)]
        ],
        "doubts": [(k, sure) for k, sure in enumerate(sentence.confidences) if sure < SURE],
    }
    evidence = {name: value for name, value in values.items() if value}
    known = alignment.anchors == aligned[target].anchors
    return evidence if known else evidence | {"anchors": alignment.anchors}


def _review(recoveries: Mapping[int, Recovery]) -> dict[tuple[int, tuple[int, ...]], list[str]]:
    """Return the cells of the rows of a review, without id and reason, by system and places.

    There are none where several systems have confidences: a review is about one.
    """
    sure = [number for number, each in recoveries.items() if each.confidences]
    if len(sure) != 1:
        return {}
    recovery = recoveries[sure[0]]
    return {
        (sure[0], each.reason.places): each.cells(recovery)[1:-1] for each in doubtful(recovery)
    }


def _reason(
    group: Mapping[int, Reason],
    gold: Segmentation | None,
    rows: Mapping[tuple[int, tuple[int, ...]], list[str]],
) -> dict[str, Any]:
    """Return the record of a reason that one or several systems have."""
    reason = next(iter(group.values()))
    join = reason.kind == "join"
    values: dict[str, Any] = {
        "at": reason.places,
        "kind": "left" if not reason.followed else "joined" if join else "cut",
        "why": [reason.in_language(language) for language in get_args(Language)],
        "systems": list(group),
    }
    if sure := next((each for each in group.values() if each.sure()), None):
        values["sure"] = [sure.sure(language) for language in get_args(Language)]
    if row := next((rows[k, reason.places] for k in group if (k, reason.places) in rows), None):
        values["review"] = row
    if gold:
        # The decision puts a boundary at all of its places, or at none.
        is_cut = join != reason.followed
        values["right"] = all((at in gold.boundaries) == is_cut for at in reason.places)
    return values


def _touching(edits: Iterable[Edit], span: Span) -> str:
    """Return the types of the edits that overlap or touch a span of the source."""
    types = {edit.type for edit in edits if edit.start <= span[1] and span[0] <= edit.end}
    return "".join(sorted(types))
