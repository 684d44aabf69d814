"""Files of the Penn Chinese Treebank 5.1: segmented and bracketed.

A sentence is between `<S ID=7>` and `</S>`; the rest is about the document.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cijie.errors import CijieError, FormatError
from cijie.files.opening import StrPath
from cijie.recovery.sentence import Sentence, joined

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units

_SENTENCE = re.compile(r"<S ID=([^>\s]+)\s*>(.*?)(</S>|<S ID=|\Z)", re.DOTALL)
_FILE = re.compile(r"chtb_(\d+)")
_BRACKET = re.compile(r"[()]|[^\s()]+")
_ESCAPED = {"-LRB-": "(", "-RRB-": ")"}


def units(file: Sentences) -> Units:
    """Yield the sentences of a file, or of all files of the treebank in a directory."""
    [path] = file.paths
    if not isinstance(path, (str, os.PathLike)):
        raise FormatError("a treebank must be read from files, not from a stream")
    for found in read_ctb(path, encoding=file.options.encoding):
        yield 1, 1, found


def sentence(content: Sentence, _: str, __: Sentences) -> Sentence:
    """Return the sentence."""
    return content


def read_ctb(
    path: StrPath,
    *,
    files: Container[int] | None = None,
    encoding: str | None = None,
) -> Iterator[Sentence]:
    """Read sentences with their words; the id is `chtb_001-7`.

    Empty categories (`-NONE-`) are in no text and left out; `-LRB-` and `-RRB-` are parentheses.
    Words are joined without white space, which the treebank does not keep. A file whose name does
    not end in `.seg` is bracketed if its first sentence begins with a parenthesis.

    Args:
        path: a file, or the directory of the files, which are read in the order of their numbers.
        files: the numbers of the files to read from a directory, such as `range(400, 551)`.
        encoding: by default UTF-8 if the file is UTF-8, else GB18030 (which GB 2312 is part of).

    Raises:
        FormatError: a directory without such files; a file of raw text, without sentences, with one
            that has no end, with brackets that do not match, or in another encoding.
    """
    path = Path(path)
    if not path.is_dir():
        yield from _read_file(path, encoding)
        return
    numbered = sorted(
        (number, file)
        for file in path.iterdir()
        if (number := file_number(file)) is not None and (files is None or number in files)
    )
    if not numbered:
        message = "no file chtb_… with one of these numbers: name the folder that has them"
        raise FormatError(message, path=path)
    for _, file in numbered:
        yield from _read_file(file, encoding)


def file_number(path: StrPath) -> int | None:
    """Return the number in the name of a file of the treebank, None for other names.

    >>> file_number("bracketed/chtb_001.fid"), file_number("chtb_0400.nw"), file_number("README")
    (1, 400, None)
    """
    match = _FILE.match(Path(path).name)
    return None if match is None else int(match[1])


def _read_file(path: Path, encoding: str | None) -> Iterator[Sentence]:
    if path.suffix == ".raw":
        raise FormatError("raw text has no words: read segmented or bracketed files", path=path)
    text = _decoded(path, encoding)
    sentences = list(_SENTENCE.finditer(text))
    if not sentences:
        raise FormatError("no sentence <S ID=…> … </S>", path=path)
    is_tree = path.suffix != ".seg" and sentences[0][2].lstrip().startswith("(")
    name = path.name.partition(".")[0]
    for sentence in sentences:
        id = f"{name}-{sentence[1]}"
        try:
            content, end = sentence.group(2, 3)
            if end != "</S>":
                raise FormatError("unclosed sentence: expected </S>")
            segmentation = joined(list(_leaves(content)) if is_tree else content.split())
        except CijieError as error:
            error.at(path=path, line=text.count("\n", 0, sentence.start()) + 1, id=id)
            raise
        yield Sentence(id, segmentation.text, segmentation=segmentation)


def _decoded(path: Path, encoding: str | None) -> str:
    content = path.read_bytes()
    for name in [encoding] if encoding else ["utf-8-sig", "gb18030"]:
        try:
            return content.decode(name)
        except UnicodeDecodeError as error:
            fault = error
    line = content.count(b"\n", 0, fault.start) + 1
    raise FormatError(f"not {fault.encoding}: {fault.reason}", path=path, line=line) from fault


def _leaves(tree: str) -> Iterator[str]:
    """Yield the words of bracketed trees: a label is followed by its word."""
    depth = 0
    before = label = ""
    for match in _BRACKET.finditer(tree):
        piece = match[0]
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
            if depth < 0:
                raise FormatError("unmatched closing bracket")
        elif before == "(":
            label = piece
        elif label != "-NONE-":
            yield _ESCAPED.get(piece, piece)
        before = piece
    if depth:
        raise FormatError("unclosed bracket")
