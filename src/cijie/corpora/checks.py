"""What is checked whatever the format of a file is: its first line, its ids, its labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, get_args

from cijie.choices import unknown
from cijie.errors import FormatError, UsageError
from cijie.files.names import StrPath
from cijie.recovery.sentence import Sentence, Status

# First lines that are not sentences: what each looks like, and which format reads it.
_LOOKS = {
    r"S ": ("M2", "errant"),
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})': ("JSON lines", "jsonl"),
    r"# (?:global\.columns|newdoc|newpar|sent_id|text)\b": ("CoNLL-U", "conllu"),
    r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*$": ("CoNLL-U", "conllu"),
    r"\S+[\t ][BS]$": ("BMES", "bmes"),
    r"<(?:DOC|S ID)\b": ("a file of the Penn Chinese Treebank", "ctb"),
}

# Cells of a header, in lower case: what cijie calls columns, and what others call the first one.
_NAMES = {"source", "target", "reference", "references", "words", "target_words"}
_NAME = re.compile(r"[a-z_][a-z0-9_ .-]*")
_ID = re.compile(r"[a-z_ -]*id|idx|index|编号|序号")
_ID_LENGTH = 3  # Chinese characters, more than an id has
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


def check_first_line(row: str, header: str = "source") -> None:
    """Refuse a first line of another format, a header too, that would be read as a sentence.

    Args:
        row: the line.
        header: what the column of the sources is called.

    Raises:
        FormatError: it is one; the format that reads it is named.
    """
    cells = row.lower().split("\t")
    for mark, name in (("\t", "tsv"), (",", "csv")):
        if header in row.split(mark):
            raise FormatError(f"this looks like a header: {row!r}; --from {name} reads it", line=1)
    for pattern, (what, name) in _LOOKS.items():
        if re.match(pattern, row):
            message = (
                f"this looks like {what}: {row!r}; "
                f"--from {name} reads it, --from lines takes it as text"
            )
            raise FormatError(message, line=1)
    if len(cells) > 1 and (
        _ID.fullmatch(cells[0])
        or (all(map(_NAME.fullmatch, cells)) and not _NAMES.isdisjoint(cells))
    ):
        message = (
            f"this looks like a header without a column {header!r}: {row!r}; "
            "name its columns with --columns source=NAME,target=NAME, "
            "or take it as a sentence with --from mucgec"
        )
        raise FormatError(message, line=1)
    if len(cells) > 1 and len(_CHINESE.findall(cells[0])) > _ID_LENGTH:
        message = (
            f"rows begin with sentences, not with ids: {cells[0]!r}; add an id, or a header "
            "source⇥target (⇥ is a tab); --from mucgec takes them as ids"
        )
        raise FormatError(message, line=1)


IdPolicy = Literal["check", "unique", "any"]
"""`"check"`: a repeated id is an error. `"unique"`: a repeated id gets a suffix, `5`, `5-2`, `5-3`.
`"any"`: ids are taken as they are. The first two remember all ids: those that are numbered as their
lines are, `s-1`, `s-2`, … in constant memory, others in some 200 bytes each."""


def id_checker(policy: IdPolicy, path: StrPath) -> Callable[[str, int], str]:
    """A function from an id and its line to the id to use.

    It raises `FormatError` for a repeated id under `"check"`, naming both lines.

    Raises:
        UsageError: an unknown policy.

    >>> unique = id_checker("unique", "pairs.tsv")
    >>> unique("5", 1), unique("5", 2), unique("5-2", 3)
    ('5', '5-2', '5-2-2')
    """
    if policy not in get_args(IdPolicy):
        raise UsageError(unknown("policy for ids", policy, get_args(IdPolicy)))
    lines = SeenIds()
    counts: dict[str, int] = {}

    def check(id: str, line: int) -> str:
        if policy == "any":
            return id
        unique = id
        while (before := lines.add(unique, line)) is not None:
            if policy == "check":
                message = (
                    f"duplicate id, first used on line {before}; --ids unique renames it, "
                    "--ids any takes it as it is"
                )
                raise FormatError(message, path=path, line=line, id=id)
            counts[id] = counts.get(id, 1) + 1
            unique = f"{id}-{counts[id]}"
        return unique

    return check


class SeenIds:
    """The lines of ids, in little memory where ids and lines go up together.

    Ids with the same beginning, whose numbers go up by one, line by line from the first on, are
    one entry.

    >>> seen = SeenIds()
    >>> added = [seen.add(f"s-{line + 7}", line) for line in range(1, 1000)]
    >>> any(added), seen.add("s-17", 1000), seen.add("t", 1001), len(seen)
    (False, 10, None, 2)
    """

    # A number without leading zeros, so that it has one spelling.
    _NUMBERED = re.compile(r"(.*?)(0|[1-9][0-9]{0,17})", re.DOTALL)

    def __init__(self) -> None:
        self._others: dict[str, int] = {}
        # By what stands before the number: the first number, its line, and how many follow.
        self._runs: dict[str, list[int]] = {}

    def __len__(self) -> int:
        """How many entries are kept."""
        return len(self._others) + len(self._runs)

    def add(self, id: str, line: int) -> int | None:
        """Remember an id; where it was added before, its line is returned and stays."""
        if id in self._others:
            return self._others[id]
        if match := self._NUMBERED.fullmatch(id):
            number = int(match[2])
            run = self._runs.setdefault(match[1], [number, line, 0])
            first, first_line, size = run
            at = number - first
            if 0 <= at < size:
                return first_line + at
            if at == size and line == first_line + size:
                run[2] += 1
                return None
        self._others[id] = line
        return None


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
