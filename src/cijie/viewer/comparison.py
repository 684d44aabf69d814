"""What the viewer shows of systems compared with gold, as plain values.

Everything that counts is computed by `cijie.evaluation`: the page only adds up what is here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from cijie.alignment import Alignment, anchors
from cijie.corpora.segmentations import SegmentationFile
from cijie.edits.edits import Edit, word_edits
from cijie.evaluation.comparison import Comparison
from cijie.evaluation.contested import contested_regions
from cijie.evaluation.coverage import Coverage
from cijie.evaluation.errors import ErrorKind, error_regions
from cijie.evaluation.patterns import word_patterns
from cijie.evaluation.report import comparison_record
from cijie.evaluation.sentences import of_one_text
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.evidence import Evidence, read_evidence
from cijie.viewer.packing import flat, pack_characters, pack_spans

_ERRORS: tuple[ErrorKind, ...] = get_args(ErrorKind)
_EDITS = ("M", "R", "S", "W")  # the types that `word_edits` gives
_SURE = 0.95  # a word of at least this confidence is not pointed out


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: gold's words, each system's, and what the systems based theirs on.

    All segmentations are of the same text; `systems` and `evidence` are in the same order.
    `target` is the correction to show where no system brings one.
    """

    id: str
    gold: Segmentation
    systems: Sequence[Segmentation]
    evidence: Sequence[Evidence | None]
    target: str | None = None


def read_sentences(
    ids: Iterable[str],
    gold: SegmentationFile,
    systems: Mapping[str, SegmentationFile],
    targets: Mapping[str, str],
) -> Iterator[Sentence]:
    """Those sentences of gold and systems, with their evidence.

    `targets` are the corrections of sentences that no system brings one for.

    Raises:
        CijieError: as `cijie.evaluate` and `read_evidence`.
    """
    names = ["gold", *systems]
    for id in ids:
        sides = [gold[id], *(file[id] for file in systems.values())]
        words, *others = of_one_text(id, names, sides)
        evidence = [read_evidence(file, id) for file in systems.values()]
        yield Sentence(id, words, others, evidence, targets.get(id))


def comparison_data(
    comparison: Comparison,
    sentences: Iterable[Sentence],
    *,
    title: str,
    coverage: Mapping[str, Coverage] | None = None,
) -> dict[str, Any]:
    """The data of the viewer's page.

    Args:
        comparison: the scores of the systems.
        sentences: the sentences that were scored.
        title: the heading of the page.
        coverage: how much each system has linked, by name, for those that use links.

    The result has:

    - `title`, `systems` (their names), `summary` (as `cijie evaluate --format json`),
    - `errors` and `edits`: the kinds of error, and the types of edit as in M2; `patterns`: the
      outcome patterns that occur; all of them are numbered from here on,
    - `sentences`, each with `id`, `source` and, where they are not empty:
        - `characters`: those of the source, if they are not its code points, as `pack_characters`;
        - `gold`: the words, as `pack_spans` packs them;
        - `words`: those of each system: 0 for gold's, n for those of the n-th system, or packed;
        - `targets`: `[text, words or "", characters, anchors]`, a target each; the anchors, which
          the texts are laid out by, are blocks `source, target, size`;
        - `evidence`: for each system null, or `[number of its target, anchors or 0 for those of the
          target, residual links (source, target, score, 1 if it crosses an anchor), changes
          (offset, 1 if inserted, start and end of the target word), the words that are not sure
          (number, confidence)]`, all flat;
        - `regions`: for each system its error regions: start, end, kind, and the character edits
          that touch it, to the first target, a bit for each type, flat;
        - `contested`: start, end, pattern, flat;
        - `tokens`: the gold words that not all systems have: number, pattern, flat;
        - `edits`: what makes the words of the first target of gold's, if both are known: start,
          end, type, start and end of the correction, flat.
    """
    patterns = _Numbered()
    packed = [_sentence(sentence, patterns) for sentence in sentences]
    return {
        "title": title,
        "systems": list(comparison.systems),
        "summary": comparison_record(comparison, coverage),
        "errors": _ERRORS,
        "edits": _EDITS,
        "patterns": list(patterns.numbers),
        "sentences": packed,
    }


@dataclass(slots=True)
class _Numbered:
    """Things numbered in the order of their first appearance."""

    numbers: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, thing: str) -> int:
        return self.numbers.setdefault(thing, len(self.numbers))


def _sentence(sentence: Sentence, patterns: _Numbered) -> dict[str, Any]:
    gold, systems = sentence.gold, sentence.systems
    targets = _targets(sentence)
    aligned = {target: anchors(gold.text, target) for target in targets}
    first, words = next(iter(targets.items()), ("", None))
    edits = word_edits([*gold.text], [*first]) if targets else []
    regions = [
        flat(
            (*region.span, _ERRORS.index(region.kind), _touching(edits, region.span))
            for region in error_regions(gold, system)
        )
        for system in systems
    ]
    evidence = [each and _evidence(each, aligned) for each in sentence.evidence]
    record = {
        "characters": pack_characters(gold.text),
        "gold": pack_spans(gold.spans),
        "words": _words(gold, systems),
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
        "regions": regions if any(regions) else [],
        "contested": flat(
            (*region.span, patterns[region.pattern]) for region in contested_regions(gold, systems)
        ),
        "tokens": flat(
            (number, patterns[pattern])
            for number, pattern in enumerate(word_patterns(gold, systems))
            if "b" in pattern
        ),
        "edits": flat(_m2(gold, words)) if words else [],
    }
    shown = {name: value for name, value in record.items() if value}
    return {"id": sentence.id, "source": gold.text, **shown}


def _targets(sentence: Sentence) -> dict[str, Segmentation | None]:
    """The different targets of a sentence, each with its words if a system knows them."""
    targets: dict[str, Segmentation | None] = {}
    for evidence in filter(None, sentence.evidence):
        targets[evidence.target] = targets.get(evidence.target) or evidence.words
    if not targets and sentence.target is not None:
        targets[sentence.target] = None
    return targets


def _words(gold: Segmentation, systems: Sequence[Segmentation]) -> list[str | int]:
    words: list[str | int] = []
    seen = {gold.boundaries: 0}
    for number, system in enumerate(systems, start=1):
        alike = seen.setdefault(system.boundaries, number)
        words.append(pack_spans(system.spans) if alike == number else alike)
    return words


def _evidence(evidence: Evidence, aligned: Mapping[str, Alignment]) -> list[Any]:
    alignment = evidence.alignment
    crossing = set(alignment.crossing_links)
    return [
        list(aligned).index(evidence.target),
        0 if alignment.anchors == aligned[evidence.target].anchors else flat(alignment.anchors),
        flat(
            (link.source, link.target, round(link.score or 0, 4), int(link in crossing))
            for link in alignment.residuals
        ),
        flat((x.at, int(x.kind == "insert"), *x.by) for x in evidence.changes),
        flat((number, x) for number, x in enumerate(evidence.confidences) if x < _SURE),
    ]


def _touching(edits: Iterable[Edit], span: Span) -> int:
    """The types of the character edits in a stretch of the source or directly beside it."""
    types = {edit.type for edit in edits if edit.start <= span[1] and span[0] <= edit.end}
    return sum(1 << bit for bit, type in enumerate(_EDITS) if type in types)


def _m2(source: Segmentation, target: Segmentation) -> Iterator[tuple[int, ...]]:
    shift = 0  # of the target's words against the source's
    for edit in word_edits(source.tokens, target.tokens):
        start, length = edit.start + shift, len(edit.correction)
        yield edit.start, edit.end, _EDITS.index(edit.type), start, start + length
        shift += length - (edit.end - edit.start)
