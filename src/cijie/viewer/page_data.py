"""What the view page shows, as plain values.

Everything that counts is computed by `cijie.evaluation`: the page only adds up what is here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from cijie.alignment import Alignment, anchors
from cijie.edits.edits import word_edits
from cijie.evaluation.comparison import Comparison
from cijie.evaluation.coverage import Coverage
from cijie.evaluation.regions import (
    ErrorKind,
    contested_regions,
    differing_regions,
    error_regions,
    token_patterns,
)
from cijie.evaluation.report import comparison_record
from cijie.pictures.reasons import MEANS, SURE, Reason, likeness, reasons
from cijie.recovery import sentence as model
from cijie.signatures import signed
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.packing import flat, pack_characters, pack_spans
from cijie.viewer.shown import recovery_of
from cijie.viewer.systems import Sentence

_ERRORS: tuple[ErrorKind, ...] = get_args(ErrorKind)
_EDITS = ("M", "R", "S", "W")  # missing, redundant, substituted, in another order

_CharacterEdit = tuple[int, int, int]  # start and end in the source, a bit for each type of edit


def page_data(
    names: Sequence[str],
    sentences: Iterable[Sentence],
    *,
    title: str,
    comparison: Comparison | None = None,
) -> dict[str, Any]:
    """The data of the view page.

    Args:
        names: what the systems are called.
        sentences: what they made of the same sentences, with gold where there is a comparison.
        title: the heading of the page.
        comparison: the scores of the systems, if there is gold.

    The result has:

    - `title`, `signature`, `systems` (their names), `tallies` (of each system the number of words,
      the changes of each kind, and if it has links the `coverage`), `summary` (with gold as `cijie
      evaluate --format json`, else null),
    - `errors` and `edits`: the kinds of error, and the types of edit, named as in M2; `means`: what
      linked characters have in common; `patterns`: of the systems in a region, a letter each: with
      gold `g` and `b`, else those with one letter cut it alike; all are numbered from here on,
    - `sentences`, each with `id`, `source` and, where they are not empty:
        - `characters`: those of the source, if they are not its code points, as `pack_characters`;
        - `gold`: the words, as `pack_spans` packs them;
        - `words`: those of each system: 0 for gold's, n for those of the n-th system, or packed;
        - `targets`: `[text, words or "", characters, anchors]`, a target each; the anchors, which
          the texts are laid out by, are blocks `source, target, size`;
        - `evidence`: for each system null, or `[number of its target, anchors or 0 for those of the
          target, residual links (source, target, score, 1 if it crosses an anchor, means, how much
          by that), reasons, the words that are not sure (number, confidence)]`; all flat but the
          reasons, which are `[flags, start and end of the target word, start and end in the source,
          confidence or -1, places …]`, with flags 1 for a join, 2 if it is followed, 4 if a cut is
          at the end of the target word;
        - `regions`: for each system its error regions: start, end, kind, and the character edits
          that touch it, to the first target, a bit for each type, flat;
        - `contested`: regions that the systems do not cut alike: start, end, pattern, and edits as
          in `regions`, flat;
        - `tokens`: the gold words that not all systems have: number, pattern, flat;
        - `edits`: what makes the words of the first target of gold's, if both are known: start,
          end, type, start and end of the correction, flat.
    """
    patterns = _Numbered()
    tallies = [_Tally() for _ in names]
    packed = []
    for sentence in sentences:
        for tally, words, record in zip(tallies, sentence.systems, sentence.records, strict=True):
            tally.add(words, record)
        packed.append(_sentence(sentence, patterns))
    signature = comparison.signature if comparison else signed(f"sentences:{len(packed)}")
    return {
        "title": title,
        "signature": signature,
        "systems": list(names),
        "tallies": [tally.as_dict() for tally in tallies],
        "summary": comparison and comparison_record(comparison),
        "errors": _ERRORS,
        "edits": _EDITS,
        "means": MEANS,
        "patterns": list(patterns.numbers),
        "sentences": packed,
    }


@dataclass(slots=True)
class _Tally:
    """What one system has done."""

    words: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    coverage: Coverage = field(default_factory=Coverage)

    def add(self, words: Segmentation, record: model.Sentence | None) -> None:
        self.words += len(words)
        if record and record.changes:
            self.changes.update(change.kind for change in record.changes)
        if record and record.alignment:
            self.coverage += Coverage.of(record.alignment)

    def as_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "words": self.words,
            "changes": dict(sorted(self.changes.items())),
        }
        return values | ({"coverage": self.coverage.as_dict()} if self.coverage.links else {})


@dataclass(slots=True)
class _Numbered:
    """Things numbered in the order of their first appearance."""

    numbers: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, thing: str) -> int:
        return self.numbers.setdefault(thing, len(self.numbers))


def _sentence(sentence: Sentence, patterns: _Numbered) -> dict[str, Any]:
    systems, source = sentence.systems, sentence.source
    targets = _targets(sentence)
    aligned = {target: anchors(source, target) for target in targets}
    first = next(iter(targets), None)
    edits = [] if first is None else list(_character_edits(source, first, aligned[first]))
    evidence = [record and _evidence(record, aligned) for record in sentence.records]
    record = {
        "characters": pack_characters(source),
        "words": _words(sentence.gold, systems),
        "targets": [
            [
                target,
                pack_spans(words.spans) if words else "",
                pack_characters(target),
                flat(aligned[target].anchors),
            ]
            for target, words in targets.items()
        ],
        "evidence": evidence if any(evidence) else [],
        "contested": flat(
            (*span, patterns[pattern], _touching(edits, span))
            for span, pattern in _contested(sentence)
        ),
    }
    if sentence.gold:
        words = None if first is None else targets[first]
        record |= _against_gold(sentence.gold, systems, words, edits, patterns)
    shown = {name: value for name, value in record.items() if value}
    return {"id": sentence.id, "source": source, **shown}


def _against_gold(
    gold: Segmentation,
    systems: Sequence[Segmentation],
    target: Segmentation | None,
    edits: Sequence[_CharacterEdit],
    patterns: _Numbered,
) -> dict[str, Any]:
    regions = [
        flat(
            (*region.span, _ERRORS.index(region.kind), _touching(edits, region.span))
            for region in error_regions(gold, system)
        )
        for system in systems
    ]
    return {
        "gold": pack_spans(gold.spans),
        "regions": regions if any(regions) else [],
        "tokens": flat(
            (number, patterns[pattern])
            for number, pattern in enumerate(token_patterns(gold, systems))
            if "b" in pattern
        ),
        "edits": flat(_m2(gold, target)) if target else [],
    }


def _contested(sentence: Sentence) -> Iterator[tuple[Span, str]]:
    """The regions that the systems do not cut alike, with the pattern of each."""
    if sentence.gold:
        for region in contested_regions(sentence.gold, sentence.systems):
            yield region.span, region.pattern
        return
    for (start, end), _ in differing_regions(*sentence.systems):
        ends = [[at for at in each.boundaries if start < at < end] for each in sentence.systems]
        letters = {tuple(cut): None for cut in ends}
        names = {cut: chr(ord("a") + k) for k, cut in enumerate(letters)}
        yield (start, end), "".join(names[tuple(cut)] for cut in ends)


def _targets(sentence: Sentence) -> dict[str, Segmentation | None]:
    """The different targets of a sentence, each with its words if a system knows them."""
    targets: dict[str, Segmentation | None] = {}
    for record in filter(None, sentence.records):
        if record.target is not None:
            targets[record.target] = targets.get(record.target) or record.target_segmentation
    return targets | {target: targets.get(target) for target in sentence.targets}


def _words(gold: Segmentation | None, systems: Sequence[Segmentation]) -> list[str | int]:
    words: list[str | int] = []
    seen = {gold.boundaries: 0} if gold else {}
    for number, system in enumerate(systems, start=1):
        alike = seen.setdefault(system.boundaries, number)
        words.append(pack_spans(system.spans) if alike == number else alike)
    return words


def _evidence(record: model.Sentence, aligned: Mapping[str, Alignment]) -> list[Any] | None:
    target, alignment = record.target, record.alignment
    if target is None:
        return None
    if alignment is None:
        alignment = Alignment(len(record.source), len(target))
    crossing = set(alignment.crossing_links)
    links = []
    for link in alignment.residuals:
        score = link.score or 0.0
        alike = likeness(record.source[link.source], target[link.target], score)
        means = MEANS.index(alike.by), round(alike.value, 2)
        links.append((link.source, link.target, round(score, 4), int(link in crossing), *means))
    recovery = recovery_of(record)
    return [
        list(aligned).index(target),
        0 if alignment.anchors == aligned[target].anchors else flat(alignment.anchors),
        flat(links),
        [_reason(reason) for reason in reasons(recovery)] if recovery else [],
        flat((number, x) for number, x in enumerate(record.confidences or ()) if x < SURE),
    ]


def _reason(reason: Reason) -> list[int | float]:
    flags = (reason.kind == "join") + 2 * reason.followed + 4 * reason.end
    confidence = -1 if reason.confidence is None else reason.confidence
    return [flags, *reason.by, *reason.span, confidence, *reason.places]


def _character_edits(source: str, target: str, aligned: Alignment) -> Iterator[_CharacterEdit]:
    """What lies between the anchors. A character that is in another gap of the other text moved."""
    gaps = []
    i = j = 0
    for start, target_start, size in (*aligned.anchors, (len(source), len(target), 0)):
        if start > i or target_start > j:
            gaps.append((i, start, Counter(source[i:start]), Counter(target[j:target_start])))
        i, j = start + size, target_start + size
    lost = sum((left for _, _, left, _ in gaps), Counter[str]())
    gained = sum((right for _, _, _, right in gaps), Counter[str]())
    for start, end, left, right in gaps:
        gone, come = left & (gained - right), right & (lost - left)
        removed, added = left - gone, right - come
        types = ["W"] if gone or come else []
        if removed or added:
            types.append("S" if removed and added else "R" if removed else "M")
        yield start, end, sum(_EDIT_BITS[type] for type in types)


_EDIT_BITS = {type: 1 << bit for bit, type in enumerate(_EDITS)}


def _touching(edits: Iterable[_CharacterEdit], span: Span) -> int:
    """The types of the edits in a stretch of the source or directly beside it, a bit each."""
    found = 0
    for start, end, types in edits:
        if start <= span[1] and span[0] <= end:
            found |= types
    return found


def _m2(source: Segmentation, target: Segmentation) -> Iterator[tuple[int, ...]]:
    shift = 0  # of the target's words against the source's
    for edit in word_edits(source.tokens, target.tokens):
        start, length = edit.start + shift, len(edit.correction)
        yield edit.start, edit.end, _EDITS.index(edit.type), start, start + length
        shift += length - (edit.end - edit.start)
