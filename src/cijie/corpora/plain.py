"""One sentence per line: its text, words or characters; also several parallel files.

Words may have tags behind them, `我_r` or `我/r`, which are left out. SIGHAN's files of sentences
and of corrections, `(pid=A2-0003-1) TAB text` and `A2-0003-1, 4, 考`, are side by side, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import zip_longest
from typing import Any

from cijie.corpora.base import Found, InputFile, ReadOptions
from cijie.corpora.checks import TAGGED, check_line
from cijie.corpora.mucgec import fields
from cijie.corpora.spaced import separable
from cijie.errors import FormatError, located
from cijie.files.lines import read_lines
from cijie.files.opening import Source, name_of
from cijie.recovery.sentence import Sentence, joined

_PID = re.compile(r"\(pid=([^)]*)\)\s*(.*)")


def read(file: InputFile) -> Iterator[Found]:
    """Read the lines; the id is the line number, and an empty line an empty sentence.

    Where words or characters are cut the text is what they are, joined: whether white space in the
    file is more than the end of a word is not known. Lines of characters or of words with tags may
    be rows, too, as those of MuCGEC.

    Raises:
        FormatError: a line with a tab, unless the format was named: it may be a row;
            a word without a tag among those with tags.
    """
    return file.each(file.rows(), _sentence)


def _sentence(content: str, number: str, file: InputFile) -> Sentence:
    if file.format == "sighan":
        id, source = _of_sighan([content])
        return Sentence(id, source)
    if file.format in ("chars", "tagged") and "\t" in content:
        id, text, references, status = fields(content, number, file)
        targets = [_cut(reference, file.format) for reference in references]
        return Sentence.with_targets(id, _cut(text, file.format), targets, status=status)
    if not file.is_named and "\t" in content:
        message = (
            f"has a tab: {content!r}; --from mucgec reads id, source and references, "
            f"--from {file.format} takes it as {'text' if file.format == 'lines' else 'words'}"
        )
        raise FormatError(message)
    return Sentence.with_targets(number, _cut(content, file.format), [])


def read_parallel(file: InputFile, paths: Sequence[Source]) -> Iterator[Found]:
    """Read parallel files of lines: the first has the sources, the others their targets.

    An empty line is an empty text, so that pair n always is line n.
    """
    units = ((line, line, texts) for line, *texts in side_by_side(paths, file.options))
    return file.each(units, lambda texts, *_: Sentence.with_targets(texts[0], texts[1], texts[2:]))


def side_by_side(paths: Sequence[Source], options: ReadOptions) -> Iterator[list[Any]]:
    """Read parallel files of lines: yield the number of each line, its id, and the texts of all
    files.

    Texts are segmentations where words are cut.

    Raises:
        FormatError: one file is shorter, or bytes that are not in the encoding; lines that look
            like another format, where none is named; corrections of another sentence.
    """
    format = options.format or "lines"
    files = [read_lines(path, encoding=options.encoding) for path in paths]
    with ExitStack() as stack:
        for file in files:
            stack.enter_context(closing(file))
        for number, lines in enumerate(zip_longest(*files), start=1):
            texts = [line[1] for line in lines if line is not None]
            if None in lines:
                ended = next(path for path, line in zip(paths, lines, strict=True) if line is None)
                longer = next(
                    path for path, line in zip(paths, lines, strict=True) if line is not None
                )
                message = f"{name_of(ended)} ends before this line: {texts[0]!r}"
                raise FormatError(message, path=name_of(longer), line=number)
            for path, text in zip(paths, texts, strict=True):
                if options.format is None:
                    with located(path=name_of(path)):
                        check_line(text, number, format)
            if format == "sighan":
                with located(path=name_of(paths[-1]), line=number):
                    yield [number, *_of_sighan(texts)]
            else:
                yield [number, str(number), *(_cut(text, format) for text in texts)]


def _cut(text: str, format: str) -> Any:
    """Build a sentence from a text, or from its words."""
    if format == "lines":
        return text
    words = text.split()
    if format == "chars":
        return "".join(words)
    if format == "tagged":
        tagged = [TAGGED.fullmatch(word) for word in words]
        if None in tagged:
            word = words[tagged.index(None)]
            raise FormatError(f"expected a word with its tag, as 我_r or 我/r, got {word!r}")
        words = [match[1] for match in tagged if match is not None]
    return joined(words)


def _of_sighan(texts: Sequence[str]) -> list[str]:
    """Return the id of a sentence, its text, and the text under each list of corrections."""
    match = _PID.fullmatch(texts[0])
    if match is None:
        raise FormatError(f"expected (pid=ID) and a text, got {texts[0]!r}")
    id, source = match.groups()
    found = [id, source]
    for text in texts[1:]:
        owner, *places = re.split(r",\s*", text.strip())
        if owner != id:
            raise FormatError(f"these are corrections of another sentence: {text!r}", id=id)
        target = list(source)
        try:
            for place, character in zip(places[::2], places[1::2], strict=places != ["0"]):
                if not 0 < int(place) <= len(source):
                    raise ValueError
                target[int(place) - 1] = character
        except ValueError:
            message = f"expected ID, 0 or ID, place, character, …, got {text!r}"
            raise FormatError(message, id=id) from None
        found.append("".join(target))
    return found


def lines(sentence: Sentence, format: str) -> str:
    """Format the words of the source, separated by single spaces, or its text, as a line."""
    if format == "text":
        return " ".join(separable(sentence)) + "\n"
    if any(end in sentence.source for end in "\r\n"):
        message = f"contains a line break, which this format cannot hold: {sentence.source!r}"
        raise FormatError(message)
    return f"{sentence.source}\n"
