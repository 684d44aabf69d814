"""One sentence per line: its text, its words or its links; also several parallel files.

Words between separators are refused if other words would be read back.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from cijie.corpora.checks import check_blanks, check_first
from cijie.errors import FormatError, located
from cijie.files.lines import read_lines
from cijie.files.opening import Source, name_of
from cijie.recovery.sentence import Sentence, joined
from cijie.text.segmentation import Segmentation

if TYPE_CHECKING:
    from cijie.corpora.reading import ReadOptions, Sentences, Units


def units(file: Sentences) -> Units:
    """Yield the lines, or the texts of each line of parallel files.

    The id is the line number, and an empty line an empty sentence, so that pair n always is line n.
    """
    if len(file.paths) == 1:
        return file.lines()
    lines = side_by_side([file.source, *file.paths[1:]], file.options)
    return ((line, line, texts) for line, *texts in lines)


def sentence(content: str | list[Any], number: str, file: Sentences) -> Sentence:
    """Make a sentence of a line: where words are cut, the text is what they are, joined; or of
    lines side by side, the first of which is the source.

    Raises:
        FormatError: a line with a tab, unless the format was named: it may be a row.
    """
    if not isinstance(content, str):
        source, *targets = content
        return Sentence.with_targets(number, source, targets)
    format = file.format.name
    if not file.options.format and "\t" in content:
        message = (
            f"has a tab: {content!r}; --from mucgec reads id, source and references, "
            f"--from {format} takes it as {'text' if format == 'lines' else 'words'}"
        )
        raise FormatError(message)
    return Sentence.with_targets(number, _cut(content, format), [])


def side_by_side(paths: Sequence[Source], options: ReadOptions) -> Generator[list[Any], None, None]:
    """Read parallel files of lines: yield the number of each line, and the texts of all files.

    Texts are segmentations where words are cut.

    Raises:
        FormatError: one file is shorter, or bytes that are not in the encoding; lines that look
            like another format, where none is named.
    """
    format = options.format or "lines"
    files = [read_lines(path, encoding=options.encoding) for path in paths]
    with ExitStack() as stack:
        for file in files:
            stack.enter_context(closing(file))
        for number, lines in enumerate(zip_longest(*files), start=1):
            if None in lines:
                ended = name_of(paths[lines.index(None)])
                longer, (_, text) = next(each for each in zip(paths, lines, strict=True) if each[1])
                message = f"{ended} ends before this line: {text!r}"
                raise FormatError(message, path=name_of(longer), line=number)
            texts = [line[1] for line in lines]
            for path, text in zip(paths, texts, strict=True):
                if options.format is None:
                    with located(path=name_of(path), line=number):
                        if number == 1:
                            check_first(text, format)
                        check_blanks(text, format)
            yield [number, *(_cut(text, format) for text in texts)]


def _cut(text: str, format: str) -> Any:
    return text if format == "lines" else joined(text.split())


def lines(sentence: Sentence, format: str) -> str:
    """Format a line: the words of the source, separated by single spaces; its text; or the links
    between characters as code-point offsets, without kinds and scores.

    Raises:
        FormatError: no words, no links, or what would not be read back.
    """
    if format == "text":
        return " ".join(words_apart(sentence.known_words())) + "\n"
    if format == "pharaoh":
        if sentence.alignment is None:
            raise FormatError("has no links; `cijie align` finds them")
        return " ".join(f"{i}-{j}" for i, j, _, _ in sentence.alignment.as_tuples()) + "\n"
    if any(end in sentence.source for end in "\r\n"):
        message = f"contains a line break, which this format cannot hold: {sentence.source!r}"
        raise FormatError(message)
    return f"{sentence.source}\n"


def separable_targets(sentence: Sentence) -> list[list[str]]:
    """Return the words of all targets, for formats with separators between words.

    Raises:
        FormatError: there is no target, or one without words, and as `words_apart`.
    """
    if sentence.status not in (None, "no error"):
        return []
    cut: Sequence[Segmentation | None] = sentence.target_segmentations
    if sentence.status == "no error" and None in (cut or [None]):
        return [words_apart(sentence.known_words())]
    if not sentence.targets:
        raise FormatError("has no target")
    known = [words_apart(words) for words in cut if words is not None]
    if len(known) < len(sentence.targets):
        raise FormatError("has targets without words; `cijie recover` finds them")
    return known


def words_apart(segmentation: Segmentation, *, with_text: bool = False) -> list[str]:
    """Return the words of a segmentation, for formats with separators between words.

    Args:
        segmentation: the text and its words.
        with_text: whether the format has the text besides.

    Raises:
        FormatError: other words would be read back: there is white space in one, or without the
            white space between them they would be one.
    """
    words = segmentation.tokens
    if segmentation.is_plain:
        return words
    for word in words:
        if word.split() != [word]:
            message = f"has a word with white space in it, which this format cannot hold: {word!r}"
            raise FormatError(message)
    if not with_text:
        if "".join(words) != "".join(segmentation.text.split()):
            message = (
                f"has text outside any word, which this format cannot hold: {segmentation.text!r}"
            )
            raise FormatError(message)
        back = joined(words).tokens
        if back != words:
            message = f"has words that this format cannot keep apart: {words!r} / {back!r}"
            raise FormatError(message)
    return words
