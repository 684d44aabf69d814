"""Files of the Penn Chinese Treebank 5.1: raw, segmented and bracketed.

A sentence is between `<S ID=7>` and `</S>`; the rest is about the document.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Literal

from cijie.corpora.base import Found, InputFile
from cijie.errors import CijieError, FormatError
from cijie.files.opening import StrPath
from cijie.recovery.sentence import Sentence, joined

Kind = Literal["raw", "segmented", "bracketed"]

_SENTENCE = re.compile(r"<S ID=([^>\s]+)\s*>(.*?)(</S>|<S ID=|\Z)", re.DOTALL)
_FILE = re.compile(r"chtb_(\d+)")
_BRACKET = re.compile(r"[()]|[^\s()]+")
_ESCAPED = {"-LRB-": "(", "-RRB-": ")"}


def read(file: InputFile) -> Iterator[Found]:
    """Read the sentences of a file, or of all files of the treebank in a directory."""
    if not isinstance(file.source, (str, os.PathLike)):
        raise FormatError("a treebank must be read from files, not from a stream")
    return ((1, sentence) for sentence in read_ctb(file.source, encoding=file.options.encoding))


def read_ctb(
    path: StrPath,
    *,
    files: Container[int] | None = None,
    encoding: str | None = None,
) -> Iterator[Sentence]:
    """Read sentences, with their words unless they are raw; the id is `chtb_001-7`.

    Empty categories (`-NONE-`) are in no text and left out; `-LRB-` and `-RRB-` are parentheses.
    Words are joined without white space, which the treebank does not keep. Files whose names end in
    `.raw` and `.seg` are such; others are bracketed if a sentence begins with a parenthesis, and
    segmented if not.

    Args:
        path: a file, or a directory, whose files are read in the order of their numbers. It holds
            them itself, or is the distribution's own: its files are in a folder `segmented`, or
            else `bracketed`.
        files: the numbers of the files to read from a directory, such as `range(400, 551)`.
        encoding: by default UTF-8 if the file is UTF-8, else GB18030 (which GB 2312 is part of).

    Raises:
        FormatError: a directory without such files, or with several folders of them; a file without
            sentences, with one that has no end, with brackets that do not match, or in another
            encoding.
    """
    path = Path(path)
    if not path.is_dir():
        yield from _read_file(path, encoding)
        return
    numbered = sorted(
        (number, file)
        for file in _folder_of_files(path).iterdir()
        if (number := file_number(file)) is not None and (files is None or number in files)
    )
    if not numbered:
        raise FormatError("no file with one of these numbers", path=path)
    for _, file in numbered:
        yield from _read_file(file, encoding)


def _folder_of_files(path: Path) -> Path:
    for folders in ([path], path.rglob("segmented"), path.rglob("bracketed")):
        found = [
            folder
            for folder in folders
            if folder.is_dir() and any(file_number(x) is not None for x in folder.iterdir())
        ]
        if len(found) > 1:
            names = ", ".join(sorted(map(str, found)))
            raise FormatError(
                f"several folders have such files, name one of them: {names}", path=path
            )
        if found:
            return found[0]
    raise FormatError(
        "no file named chtb_… in this folder, nor in one called segmented or bracketed", path=path
    )


def file_number(path: StrPath) -> int | None:
    """Return the number in the name of a file of the treebank, None for other names.

    >>> file_number("bracketed/chtb_001.fid"), file_number("chtb_0400.nw"), file_number("README")
    (1, 400, None)
    """
    match = _FILE.match(Path(path).name)
    return None if match is None else int(match[1])


def _read_file(path: Path, encoding: str | None) -> Iterator[Sentence]:
    text = _decoded(path, encoding)
    sentences = list(_SENTENCE.finditer(text))
    if not sentences:
        raise FormatError("no sentence <S ID=…> … </S>", path=path)
    kind = _kind(path, sentences[0][2])
    name = path.name.partition(".")[0]
    for sentence in sentences:
        id = f"{name}-{sentence[1]}"
        try:
            found = _sentence(id, sentence, kind)
        except CijieError as error:
            error.at(path=path, line=text.count("\n", 0, sentence.start()) + 1, id=id)
            raise
        yield found


def _sentence(id: str, sentence: re.Match[str], kind: Kind) -> Sentence:
    _, content, end = sentence.groups()
    if end != "</S>":
        raise FormatError("unclosed sentence: expected </S>")
    if kind == "raw":
        return Sentence(id, "".join(line.strip() for line in content.splitlines()))
    segmentation = joined(content.split() if kind == "segmented" else list(_leaves(content)))
    return Sentence(id, segmentation.text, segmentation=segmentation)


def _decoded(path: Path, encoding: str | None) -> str:
    content = path.read_bytes()
    for name in [encoding] if encoding else ["utf-8-sig", "gb18030"]:
        try:
            return content.decode(name)
        except UnicodeDecodeError as error:
            fault = error
    line = content.count(b"\n", 0, fault.start) + 1
    raise FormatError(f"not {fault.encoding}: {fault.reason}", path=path, line=line) from fault


def _kind(path: Path, sentence: str) -> Kind:
    if path.suffix == ".raw":
        return "raw"
    return (
        "bracketed" if path.suffix != ".seg" and sentence.lstrip().startswith("(") else "segmented"
    )


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
