"""M2, the format of edits, in the dialects of ERRANT and of ChERRANT.

A block is a source, its words separated by single spaces, with the edits of one or more annotators:

    S 学生 大概 做 飞机 去
    T0-A0 学生 大概 坐 飞机 去
    A 2 3|||S|||坐|||REQUIRED|||-NONE-|||0

The `T` line is ChERRANT's alone. The dialects differ, too, in how they write the type of an edit
and the correction of redundant words (`-NONE-`, or nothing). `高兴||开心` are two
corrections, either of which would do: annotations of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count
from operator import attrgetter
from typing import IO, TYPE_CHECKING, cast

from cijie.corpora.formats import LineWriter
from cijie.corpora.plain import separable_targets, words_apart
from cijie.edits.blocks import NONE, Annotation, Dialect, M2Block, annotate, in_errant
from cijie.edits.edits import Edit
from cijie.edits.types import EditTyper
from cijie.errors import FormatError, located
from cijie.files.lines import read_blocks
from cijie.files.opening import Source, name_of
from cijie.recovery.sentence import Sentence, Status, joined

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units

# In ERRANT's dialect a block without edits has no error.
_UNSAID: dict[Dialect, tuple[Status, ...]] = {
    "cherrant": ("no reference",),
    "errant": ("no reference", "not annotatable"),
}
MOST_ANNOTATORS = 64
"""The most annotators of a source: their edits are compared pairwise."""

_NUMBER = r"(0|[1-9][0-9]{0,8})"
_TARGET_LINE = re.compile(rf"T{_NUMBER}(?:-A{_NUMBER})?(?: (.*))?", re.DOTALL)


def read_m2(source: Source, *, encoding: str | None = None) -> Iterator[M2Block]:
    """Read blocks of either dialect; `str()` of a block gives the lines that cijie writes.

    An annotator's edits are put together, in the order of their places (those of one place in that
    of the file), wherever they stand in the block. Where edits have alternatives, the n-th
    annotation has the n-th correction of every edit, or the last one if there are fewer; all but
    the first have a new annotator.

    Raises:
        FormatError: a line that has no place in M2, bytes that are not in the encoding.
    """
    with located(path=name_of(source)):
        for line, lines in read_blocks(source, encoding=encoding):
            yield _block(lines, line)


def units(file: Sentences) -> Units:
    """Yield the lines of each block; the id of a sentence is its number."""
    blocks = read_blocks(file.source, encoding=file.options.encoding)
    for number, (line, lines) in enumerate(blocks, start=1):
        yield line, number, (line, lines)


def sentence(content: tuple[int, list[str]], id: str, _: Sentences) -> Sentence:
    """Make a sentence of a block.

    M2 has no white space but that between words: the text is the words, joined. The targets are
    those of all annotators who could annotate the source. If none of them has an edit, the source
    has no error.

    Raises:
        FormatError: a line that has no place in M2.
        CijieError: edits that do not fit their source, texts that are too long to be compared.
    """
    line, lines = content
    block = _block(lines, line)
    source = joined(block.source)
    annotated = [annotation for annotation in block.annotations if annotation.annotated]
    if block.annotations and not annotated:
        return Sentence(id, source.text, segmentation=source, status="not annotatable")
    targets = [each.corrected(block.source) for each in annotated]
    unchanged = all(target == list(block.source) for target in targets)
    status: Status | None = "no error" if unchanged else None
    return Sentence.with_targets(id, source, list(map(joined, targets)) or [source], status=status)


def writer(name: str, _: frozenset[str]) -> LineWriter:
    """Return the writer in that dialect."""
    return LineWriter(partial(_lines, EditTyper()), name)


def _lines(typer: EditTyper, sentence: Sentence, format: str) -> str:
    """Format the words of source and targets as a block, with an empty line after it."""
    dialect = cast("Dialect", format)
    if sentence.status in _UNSAID[dialect]:
        raise FormatError(f"M2 of the dialect {dialect} cannot express {sentence.status!r}")
    source, targets = words_apart(sentence.known_words()), separable_targets(sentence)
    return f"{in_dialect(annotate(source, targets, typer), dialect)}\n"


def write_block(block: M2Block, stream: IO[bytes], dialect: Dialect) -> M2Block:
    """Write a block of `annotate` in a dialect; return the written block.

    Args:
        block: the source, as words, and its edits.
        stream: where it is written, as UTF-8.
        dialect: `errant` or `cherrant`.

    Raises:
        FormatError: a word that M2 cannot express.
    """
    written = in_dialect(block, dialect)
    stream.write(f"{written}\n".encode())
    return written


def in_dialect(block: M2Block, dialect: Dialect) -> M2Block:
    """Convert a block of `annotate` to a dialect.

    Raises:
        FormatError: a word that M2 cannot express: one that is empty, has white space or `||` in
            it, or is `-NONE-`.
    """
    targets = (annotation.corrected(block.source) for annotation in block.annotations)
    for word in chain(block.source, *targets):
        if word.split() != [word] or "||" in word or (word,) == NONE:
            raise FormatError(f"M2 cannot express the word {word!r}")
    return block if dialect == "cherrant" else in_errant(block)


def _block(lines: Sequence[str], first: int) -> M2Block:
    tag, _, source = lines[0].partition(" ")
    if tag != "S":
        raise FormatError(f"expected a block that begins with S, got {lines[0]!r}", line=first)
    annotations: list[Annotation] = []
    edits: list[list[list[Edit]]] = []  # of each annotation; of each edit all alternatives
    places: dict[int, int] = {}  # of annotations without a T line, by annotator
    for line, text in enumerate(lines[1:], start=first + 1):
        if match := _TARGET_LINE.fullmatch(text):
            number, way, words = match.groups()
            target = _words(words or "")
            annotations.append(
                Annotation(int(number), (), target, None if way is None else int(way))
            )
            edits.append([])
            continue
        annotator, ways = _edit(text, line)
        if annotations and annotations[-1].target is not None:
            if annotations[-1].annotator != annotator:
                message = f"an edit of annotator {annotator} under T{annotations[-1].annotator}"
                raise FormatError(message, line=line)
            edits[-1].append(ways)
            continue
        place = places.setdefault(annotator, len(annotations))
        if place == len(annotations):
            annotations.append(Annotation(annotator, ()))
            edits.append([])
        edits[place].append(ways)
    # Systems are compared with each, so that many would take for ever; alternatives count, too.
    each_ways = [max(map(len, its), default=1) for its in edits]
    who = {annotation.annotator for annotation in annotations}
    if (found := len(who) + sum(each_ways) - len(each_ways)) > MOST_ANNOTATORS:
        message = f"expected at most {MOST_ANNOTATORS} annotators of a source, got {found:,}"
        raise FormatError(message, line=first)
    made: list[Annotation] = []
    unused = count(1 + max(who, default=0))
    for annotation, its, most in zip(annotations, edits, each_ways, strict=True):
        for n in range(most):
            chosen = sorted((ways[: n + 1][-1] for ways in its), key=attrgetter("start", "end"))
            made.append(Annotation(next(unused), ()) if n else annotation)
            made[-1] = replace(made[-1], edits=tuple(chosen))
    return M2Block(_words(source), tuple(made))


def _edit(text: str, line: int) -> tuple[int, list[Edit]]:
    """Return annotator and edit, with an edit for each alternative."""
    try:
        # From both sides, for a correction may end in a bar.
        head, _, _, annotator = text.rsplit("|||", 3)
        span, type, correction = head.split("|||", 2)
        tag, start, end = span.split(" ")
        if tag != "A":
            raise ValueError
        for number in (start, end, annotator):
            if not re.fullmatch(rf"-1|{_NUMBER}", number):
                raise ValueError
        if "|||" in correction:
            raise ValueError
    except ValueError:
        form = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"
        raise FormatError(f"expected {form}, got {text!r}", line=line) from None
    ways = correction.split("||")
    if len(ways) > MOST_ANNOTATORS:
        message = f"expected at most {MOST_ANNOTATORS} alternatives of an edit, got {len(ways):,}"
        raise FormatError(message, line=line)
    # The words of a remark about the sentence, at -1, are not looked into.
    corrections = (() if way == "-NONE-" and int(start) >= 0 else _words(way) for way in ways)
    return int(annotator), [Edit(int(start), int(end), words, type) for words in corrections]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(" ")) if text else ()
