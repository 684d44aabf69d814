"""Labels that corpora of corrections write in the place of one: what they say of the source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from cijie.recovery.sentence import Sentence, Status

LABELS: Mapping[str, Status] = {
    "没有错误": "no error",
    "无法标注": "not annotatable",
    "歧义句": "not annotatable",
    "句意不明": "not annotatable",
    "噪音数据": "not annotatable",
}
"""What corpora of corrections write in the place of one, as MuCGEC and those after it do."""

_LABEL = re.compile(rf"\s*({'|'.join(LABELS)})(#[^#]*#)*\s*")
_LONGEST_LABEL = 40  # characters


def label_in(text: str) -> Status | None:
    """What a text in the place of a correction says of its source, None if it is a correction.

    >>> label_in("没有错误#需要上下文#"), label_in("歧义句"), label_in("我觉得没有错误。")
    ('no error', 'not annotatable', None)
    """
    if len(text) > _LONGEST_LABEL:
        return None
    match = _LABEL.fullmatch(text)
    return LABELS[match[1]] if match else None


def without_labels(sentence: Sentence, skipped: Counter[str]) -> Sentence:
    """The sentence, with labels in the place of corrections understood; see `LABELS`.

    Beside corrections labels are left out, and counted in `skipped`. A text that is the source
    itself is no label.
    """
    if sentence.status == "no error" and not sentence.targets:
        cut = () if sentence.segmentation is None else (sentence.segmentation,)
        return replace(sentence, targets=(sentence.source,), target_segmentations=cut)
    labels = [None if x == sentence.source else label_in(x) for x in sentence.targets]
    if sentence.status is not None or not any(labels):
        return sentence
    corrections = [k for k, label in enumerate(labels) if label is None]
    plain = replace(
        sentence,
        targets=(),
        target_segmentations=(),
        reference=None,
        alignment=None,
        changes=None,
        confidences=(),
        doubts=(),
    )
    if not corrections:
        if "not annotatable" in labels:
            return replace(plain, status="not annotatable")
        return without_labels(replace(plain, status="no error"), skipped)
    skipped["labels beside corrections"] += len(labels) - len(corrections)
    chosen = Sentence.with_targets(
        sentence.id, sentence.source, [sentence.targets[k] for k in corrections]
    )
    return replace(
        plain,
        targets=chosen.targets,
        reference=chosen.reference,
        target_segmentations=tuple(
            sentence.target_segmentations[k] for k in corrections if sentence.target_segmentations
        ),
    )
