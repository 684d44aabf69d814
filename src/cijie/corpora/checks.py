"""Checks in every format: the first line, ids and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from cijie.errors import FormatError
from cijie.files.opening import StrPath
from cijie.recovery.sentence import Sentence, Status

# First lines that are not sentences: what each looks like, and what reads it.
_LOOKS = {
    r"S ": ("M2", "--from errant"),
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})': ("JSON lines", "--from jsonl"),
    r"\s*(?:\[\s*\{|[\[{]\s*$)": ("JSON", "--from json"),
    r"# (?:global\.columns|newdoc|newpar|sent_id|text)\b": ("CoNLL-U", "--from conllu"),
    r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*$": ("CoNLL-U", "--from conllu"),
    r"\S[\t ][BS]$": ("BMES", "--from bmes"),
    r"<S ID\b": ("a file of the Penn Chinese Treebank", "--from ctb"),
    r"\s*</?[?!A-Za-z][^<>]*>": ("XML or SGML, as CGED's", "a script of docs/recipes.md"),
    r"\(pid=|[A-Z][\w-]*-\d+, (?:0$|\d+, )": ("a file of SIGHAN", "a script of docs/recipes.md"),
    r"\d+\t\d\t[^\t]*[\u3400-\u9fff]": (
        "training data of NLPCC 2018",
        "--columns id=1,source=3,references=4",
    ),
}

# Cells of a header, in lower case: what cijie calls columns, and what others call the first one.
_NAMES = {"source", "target", "reference", "references", "words", "target_words"}
_NAME = re.compile(r"[a-z_][a-z0-9_ .-]*")
_ID = re.compile(r"[a-z_ -]*id|idx|index|编号|序号")
_ID_LENGTH = 3  # Chinese characters, more than an id has
_HAN = r"[\u3400-\u9fff\U00020000-\U0003ffff]"
_BETWEEN = re.compile(f"(?<={_HAN})[ \u3000]*(?={_HAN})")
# A word with its tag, `我_r` or `我/r`; names may be in brackets, `[北京/ns 大学/n]nt`.
_TAGGED = re.compile(r"\[?\S+?[_/][A-Za-z]+\d?(?:\][A-Za-z]+\d?)?")

_FEWEST = 5  # words, or gaps between Chinese characters, that say something about a line
_FEWEST_OF_WORDS = 20  # gaps in a line of words: 12 are found between words of one character


def check_first(row: str, format: str) -> None:
    """Refuse a first line that is a header or of another format than the one it is read in.

    Raises:
        FormatError: it is; the option that reads it is named.
    """
    cells = row.lower().split("\t")
    for mark, name in (("\t", "tsv"), (",", "csv")):
        if "source" in row.split(mark):
            raise FormatError(f"this looks like a header: {row!r}; --from {name} reads it")
    for pattern, (what, reads) in _LOOKS.items():
        if re.match(pattern, row):
            takes = f"--from {format} takes it as it is"
            raise FormatError(f"this looks like {what}: {row!r}; {reads} reads it, {takes}")
    if len(cells) > 1 and (
        _ID.fullmatch(cells[0])
        or (all(map(_NAME.fullmatch, cells)) and not _NAMES.isdisjoint(cells))
    ):
        message = (
            f"this looks like a header without a column 'source': {row!r}; "
            "name its columns with --columns source=NAME,target=NAME, "
            "or take it as a sentence with --from mucgec"
        )
        raise FormatError(message)
    if len(cells) > 1 and len(re.findall(_HAN, cells[0])) > _ID_LENGTH:
        message = (
            f"rows begin with sentences, not with ids: {cells[0]!r}; --columns source=1,target=2 "
            "reads them, --from mucgec takes them as ids"
        )
        raise FormatError(message)


def check_blanks(line: str, format: str) -> None:
    """Refuse words with tags, characters as words, and texts with blanks in half of the gaps.

    Raises:
        FormatError: a line has them; the option that reads it is named.
    """
    if " " not in line and "\u3000" not in line:
        return
    has_words = format in ("text", "para")
    fewest = _FEWEST_OF_WORDS if has_words else _FEWEST - 2
    cells = line.split("\t")
    for text in cells:
        words = text.split()
        gaps = _BETWEEN.findall(text)
        if len(words) > 1 and all(map(_TAGGED.fullmatch, words)):
            what, hint = "words with tags", "leave them out first"
        elif len(words) >= _FEWEST and max(map(len, words)) == 1 and len(gaps) >= fewest:
            what, hint = "characters with blanks between them", "leave these out first"
        elif not has_words and len(gaps) >= _FEWEST and sum(map(bool, gaps)) * 2 >= len(gaps):
            what = "words with blanks between them"
            hint = f"--from {'para' if len(cells) > 1 else 'text'} reads them"
        else:
            continue
        otherwise = "them as words" if has_words else "the blanks as text"
        raise FormatError(
            f"these look like {what}: {text!r}; {hint}, --from {format} takes {otherwise}"
        )


_LONGEST_NUMBER = 20  # digits of a number at the end of an id

IdPolicy = Literal["check", "unique", "any"]
"""`"check"`: a repeated id is an error. `"unique"`: a repeated id gets a suffix, `5`, `5-2`, `5-3`.
`"any"`: ids are unchanged. The first two remember all ids: those that are numbered as their
lines are, `s-1`, `s-2`, … in constant memory, others in some 200 bytes each."""


@dataclass(slots=True, eq=False)
class Ids:
    """The ids of a file and their lines, in little memory where the two increase together.

    Ids with the same beginning, whose numbers go up by one, line by line from the first on, are
    one entry.

    Args:
        policy: what is done about an id that occurs again.
        path: the file.

    >>> unique = Ids("unique", "pairs.tsv")
    >>> unique("5", 1), unique("5", 2), unique("5-2", 3)
    ('5', '5-2', '5-2-2')
    >>> added = [unique.add(f"s-{line + 7}", line) for line in range(4, 1000)]
    >>> any(added), unique.add("s-17", 1000), len(unique)
    (False, 10, 4)
    """

    policy: IdPolicy
    path: StrPath
    _again: dict[str, int] = field(default_factory=dict, init=False, repr=False)  # how often
    _others: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    # By what stands before the number: the first number, its line, and how many follow.
    _runs: dict[str, list[int]] = field(default_factory=dict, init=False, repr=False)

    def __call__(self, id: str, line: int) -> str:
        """Return the id to use for one and its line.

        Raises:
            FormatError: under `"check"`, an id that occurs again; both lines are named.
        """
        unique = id
        while self.policy != "any" and (before := self.add(unique, line)) is not None:
            if self.policy == "check":
                message = (
                    f"duplicate id, first used on line {before}; --ids unique renames it, "
                    "--ids any takes it as it is"
                )
                raise FormatError(message, path=self.path, line=line, id=id)
            self._again[id] = self._again.get(id, 1) + 1
            unique = f"{id}-{self._again[id]}"
        return unique

    def __len__(self) -> int:
        """Return the number of stored entries."""
        return len(self._others) + len(self._runs)

    def add(self, id: str, line: int) -> int | None:
        """Add an id; return the line where it was added before, if it was."""
        if id in self._others:
            return self._others[id]
        beginning = id.rstrip("0123456789")
        if len(beginning) < len(id) < len(beginning) + _LONGEST_NUMBER:
            # A number without leading zeros, so that it has one spelling.
            digits = id[len(beginning) :].lstrip("0") or "0"
            beginning = id[: -len(digits)]
            run = self._runs.setdefault(beginning, [int(digits), line, 0])
            first, first_line, size = run
            at = int(digits) - first
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
"""Labels that corpora of corrections, MuCGEC and later ones, have in place of a correction."""

USUAL_LABELS: Mapping[Status, str] = {
    "no error": "没有错误",
    "not annotatable": "无法标注",
    "no reference": "",
}
"""The label written in place of a correction if the original one is unknown."""

LabelPolicy = Literal["check", "known", "none"]
"""`"check"`: `LABELS` are interpreted, and other texts that look like labels are errors.
`"known"`: the first alone. `"none"`: every text in the place of a correction is one."""

_LABEL = re.compile(rf"\s*({'|'.join(LABELS)})(#[^#]*#)*\s*")
_LONGEST_UNKNOWN_LABEL = 12
_MANY = 3  # sources under which a text stands that looks like a label


def label_in(text: str) -> Status | None:
    """Return the status and label that stand in place of a correction, None for a correction.

    >>> label_in("没有错误#需要上下文#"), label_in("歧义句"), label_in("我觉得没有错误。")
    ('no error', 'not annotatable', None)
    """
    match = _LABEL.fullmatch(text)
    return LABELS[match[1]] if match else None


@dataclass(slots=True, eq=False)
class Labels:
    """Interprets labels in place of corrections, in the sentences of a file.

    Args:
        policy: which texts are labels.

    >>> labels = Labels("check")
    >>> skipped = Counter()
    >>> labels(Sentence("1", "旅行困", ("歧义句#缺少上下文#",)), skipped).label
    '歧义句#缺少上下文#'
    """

    policy: LabelPolicy
    # By text: the sources that it shares nothing with.
    _sources: dict[str, set[str]] = field(default_factory=dict, init=False, repr=False)

    def __call__(self, sentence: Sentence, skipped: Counter[str]) -> Sentence:
        """Return the sentence with its labels interpreted.

        Beside corrections labels are left out, and counted in `skipped`. A text that is the source
        itself is no label, and one as long as its source looks like none: 的 may correct 地.

        Raises:
            FormatError: the third source with a text that looks like a label.
        """
        if self.policy != "none" and (sentence.status or any(map(label_in, sentence.targets))):
            sentence = _interpreted(sentence, skipped)
        if self.policy == "check":
            longest = min(_LONGEST_UNKNOWN_LABEL, len(sentence.source) - 1)
            for target in sentence.targets:
                if not 0 < len(target) <= longest:  # as nearly always
                    continue
                if any(x in sentence.source for x in target if x.isalnum()):
                    continue
                sources = self._sources.setdefault(target, set())
                sources.add(sentence.source)
                if len(sources) >= _MANY:
                    message = (
                        f"{target!r} stands under {len(sources)} sources, and shares nothing with "
                        "them: this looks like a label; --labels known takes it as a correction"
                    )
                    raise FormatError(message, id=sentence.id)
        return sentence


def _interpreted(sentence: Sentence, skipped: Counter[str]) -> Sentence:
    """Return a sentence that has a status or the text of a label, interpreted; see `Labels`."""
    if sentence.status == "no error" and not sentence.targets:
        cut = () if sentence.segmentation is None else (sentence.segmentation,)
        return replace(sentence, targets=(sentence.source,), target_segmentations=cut)
    if sentence.status is not None:
        return sentence
    labels = [None if x == sentence.source else label_in(x) for x in sentence.targets]
    if not any(labels):
        return sentence
    corrections = [k for k, label in enumerate(labels) if label is None]
    plain = sentence.only(["words", "initial words", "label"])
    if not corrections:
        status: Status = "not annotatable" if "not annotatable" in labels else "no error"
        text = sentence.targets[labels.index(status)].strip()
        label = None if text == USUAL_LABELS[status] else text
        return _interpreted(replace(plain, status=status, label=label), skipped)
    skipped["labels beside corrections"] += len(labels) - len(corrections)
    chosen = Sentence.with_targets(
        sentence.id, sentence.source, [sentence.targets[k] for k in corrections]
    )
    words = sentence.target_segmentations
    return replace(
        plain,
        targets=chosen.targets,
        reference=chosen.reference,
        target_segmentations=tuple(words[k] for k in corrections if words),
    )
