"""MuCGEC's format: `id TAB source TAB reference TAB reference …`, one sentence a line.

The labels that it, and corpora after it, write in the place of a reference are here as well; what
they mean is decided after any format, by `without_labels`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cijie.corpora.base import Found, InputFile, LineWriter
from cijie.errors import FormatError
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


def read(file: InputFile) -> Iterator[Found]:
    """Read its rows.

    Labels such as `没有错误` in the place of a reference are understood later, as in all formats.
    An empty field at the end of a row is left out. Fields are not quoted, and text is taken as it
    is. Where texts alone are read, a row may end behind the source.

    Raises:
        FormatError: an empty line, a row without a field for a reference, an empty reference before
            another one.
        AlignmentError: texts that are too long to find the nearest reference.
    """
    return file.each(file.rows(), _sentence)


def _sentence(content: str, _: str, file: InputFile) -> Sentence:
    id, source, references, status = fields(content, file)
    return Sentence.with_targets(id, source, references, status=status)


def fields(row: str, file: InputFile) -> tuple[str, str, list[str], Status | None]:
    """A row's id, its source, its references, and its status if it has none.

    Raises:
        FormatError: as `read`.
    """
    id, *texts = row.split("\t")
    if not row:
        raise FormatError("an empty line")
    if len(texts) < (1 if file.purpose == "texts" else 2):
        no_id = texts and not id.isascii()
        hint = "; add an id, or a header source⇥target (⇥ is a tab)" if no_id else ""
        message = f"expected id, source and reference, separated by tabs, got {row!r}{hint}"
        raise FormatError(message)
    source, *references = texts
    while references and not references[-1]:
        references.pop()
        file.skipped["empty references"] += 1
    if "" in references:
        message = f"reference {references.index('') + 1} is empty: {row!r}"
        raise FormatError(message, id=id)
    return id, source, references, None if references else "no reference"


def writer(_: str, __: frozenset[str]) -> MucgecWriter:
    """What writes it."""
    return MucgecWriter()


class MucgecWriter(LineWriter):
    """Writes id, source and all corrections, or why there are none."""

    def lines(self, sentence: Sentence) -> str:
        """A sentence as a line."""
        return row(sentence, sentence.source, sentence.targets)


def row(sentence: Sentence, source: str, targets: Sequence[str]) -> str:
    """A row of a file.

    Raises:
        FormatError: a sentence without target and status, with a tab or a line break in it, or with
            a target that would be read as something else: an empty one, or a label.
    """
    if sentence.status is not None:
        targets = [_STATUS[sentence.status]]
    elif not targets:
        raise FormatError("has no target", id=sentence.id)
    else:
        for target in targets:
            if not target or label_in(target):
                message = f"has a target that means something else: {target!r}"
                raise FormatError(message, id=sentence.id)
    texts = (sentence.id, source, *targets)
    if any(mark in text for text in texts for mark in "\t\r\n"):
        raise FormatError("has a tab or a line break in it", id=sentence.id)
    return "\t".join(texts) + "\n"


_STATUS: dict[Status, str] = {
    "no error": "没有错误",
    "not annotatable": "无法标注",
    "no reference": "",
}


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
