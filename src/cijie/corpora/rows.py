"""Rows: `id TAB source TAB reference TAB reference …`, one sentence per line.

Those of MuCGEC have texts; those of ChERRANT's `parallel_to_m2.py --segmented`, `para`, have words
with spaces between them. Columns may be in another order, which numbers say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cijie.corpora.checks import USUAL_LABELS, label_in
from cijie.corpora.plain import separable_targets, words_apart
from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence, Status, joined

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences

_LONG = 10  # characters, more than a word has


def sentence(row: str, number: str, file: Sentences) -> Sentence:
    """Make a sentence of a row.

    Labels such as `没有错误` in the place of a reference are understood later, as in all formats.
    An empty field at the end of a row is left out. Fields are not quoted, and text is taken as it
    is. Where texts alone are read, a row may end behind the source. Columns may be named by their
    numbers, from 1; `references` is a column and all behind it. Where pairs are not asked for, no
    column need be that of a target. Of words the texts are the joined words.

    Raises:
        FormatError: an empty line, a row without a field for a reference, an empty reference before
            another one; a long text in the place of words.
        AlignmentError: texts that are too long to find the nearest reference.
    """
    cells = row.split("\t")
    if not row:
        raise FormatError("an empty line")
    if columns := file.options.columns:
        cells = _columns(cells, number, columns)
    id, *texts = cells
    is_named = columns.keys() & {"target", "references"}
    if columns and not is_named and file.purpose in ("pairs", "corrections"):
        raise FormatError("--columns names no target: add target=NUMBER")
    if len(texts) < (1 if file.purpose == "texts" or columns else 2):
        no_id = texts and not id.isascii()
        hint = "; --columns source=1,target=2 reads rows without ids" if no_id else ""
        message = f"expected id, source and reference, separated by tabs, got {row!r}{hint}"
        raise FormatError(message)
    source, *references = texts
    while references and not references[-1]:
        references.pop()
        file.skipped["empty references"] += 1
    if "" in references:
        message = f"reference {references.index('') + 1} is empty: {row!r}"
        raise FormatError(message, id=id)
    status: Status | None = None if references else "no reference"
    if file.format.name == "para":
        longest = max((source, *references), key=len)
        if not file.options.format and len(longest) > _LONG and not set(longest) & {" ", "\u3000"}:
            message = (
                f"has no spaces between words: {longest!r}; --from mucgec reads sentences, "
                "--from para takes it as one word"
            )
            raise FormatError(message, id=id)
        targets = [joined(reference.split()) for reference in references]
        return Sentence.with_targets(id, joined(source.split()), targets, status=status)
    only = 1 if file.purpose == "pairs" else None
    return Sentence.with_targets(id, source, references, status=status, only=only)


def _columns(cells: Sequence[str], number: str, columns: Mapping[str, str]) -> list[str]:
    """Return the cells of a row in the order of the format."""
    at = {name: int(column) - 1 for name, column in columns.items()}
    last = max(place for name, place in at.items() if name != "references")
    if last >= len(cells):
        raise FormatError(f"has no column {last + 1}: {cells!r}")
    id, source = (cells[at[name]] if name in at else number for name in ("id", "source"))
    if "references" in at:
        return [id, source, *cells[at["references"] :]]
    return [id, source, *(cells[at[name]] for name in ("target",) if name in at)]


def lines(sentence: Sentence, format: str) -> str:
    """Format id, source and all corrections, or the label in their place, as a line.

    Raises:
        FormatError: a sentence without target and status, with a tab or a line break in it, or with
            a target that would be read as something else: an empty one, or a label; words that
            other words would be read of.
    """
    source, targets = sentence.source, [*sentence.targets]
    if format == "para":
        targets = [" ".join(words) for words in separable_targets(sentence)]
        source = " ".join(words_apart(sentence.known_words()))
    if sentence.status is not None:
        targets = [sentence.label or USUAL_LABELS[sentence.status]]
    elif not targets:
        raise FormatError("has no target")
    else:
        for target in targets:
            if not target or label_in(target):
                raise FormatError(f"has a target that would be read back as a label: {target!r}")
    texts = (sentence.id, source, *targets)
    if any(mark in text for text in texts for mark in "\t\r\n"):
        raise FormatError("contains a tab or a line break, which this format cannot hold")
    return "\t".join(texts) + "\n"
