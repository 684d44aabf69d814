"""What files are called: paths, URLs, patterns, and the endings of their names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath

StrPath = str | os.PathLike[str]

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
"""How the names of compressed files end."""


def is_url(name: str) -> bool:
    """Whether a name is a URL."""
    return "://" in name


def is_many(name: str) -> bool:
    """Whether a name stands for many files: the pattern of a path or a URL.

    >>> is_many("in/*.jsonl"), is_many("https://example.org/a.jsonl?version=2")
    (True, False)
    """
    marks = "*[" if name.startswith(("http://", "https://")) else "*?["
    return any(mark in name for mark in marks) and not Path(name).exists()


def compression_of(name: str) -> str:
    """The ending that says how a file is compressed, in small letters; empty if none does.

    >>> compression_of("pairs.jsonl.GZ"), compression_of("pairs.jsonl")
    ('.gz', '')
    """
    ending = PurePath(_without_place(name)).suffix.lower()
    return ending if ending in COMPRESSED else ""


def stem_of(name: str) -> str:
    """The name of a file without the ending that says how it is compressed.

    Of a URL what follows the name of the file is left out, too.

    >>> stem_of("pairs.jsonl.gz"), stem_of("pairs.jsonl"), stem_of("zip://a/b.tsv::c.zip")
    ('pairs.jsonl', 'pairs.jsonl', 'zip://a/b.tsv')
    """
    name = _without_place(name)
    return name[: len(name) - len(compression_of(name))]


def _without_place(url: str) -> str:
    """A URL up to the name of its file: without the archive that it is in, and without a query."""
    if not is_url(url):
        return url
    ends = r"::|[?#]" if url.startswith(("http://", "https://")) else "::"
    return re.split(ends, url, maxsplit=1)[0]


def file_name(path: StrPath) -> str:
    """What to call what is in a file: its name without endings; `stdin` for standard input.

    Files of a pattern are called as their folder is. Bytes that are not UTF-8 are replaced.

    >>> file_name("a/p1.jsonl.gz"), file_name("p1/*.jsonl"), file_name("-")
    ('p1', 'p1', 'stdin')
    """
    if os.fspath(path) == "-":
        return "stdin"
    file = Path(path)
    if is_many(os.fspath(path)):
        file = file.parent
    if file.is_dir() or file != Path(path):
        name = file.resolve().name
    else:
        name = Path(stem_of(os.fspath(path))).stem
    return os.fsencode(name).decode("utf-8", "replace")


def named_files(
    files: StrPath | Sequence[StrPath] | Mapping[str, StrPath], taken: Iterable[str] = ()
) -> Mapping[str, StrPath]:
    """One file or several by names: those that are given, or else those of the files, made unique.

    Names that are taken already are not given once more.

    >>> named_files(["a/p1.jsonl", "b/p1.jsonl"])
    {'p1': 'a/p1.jsonl', 'p1-2': 'b/p1.jsonl'}
    """
    if isinstance(files, Mapping):
        return files
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    return dict(zip(unique_names(files, taken), files, strict=True))


def unique_names(files: Iterable[StrPath], taken: Iterable[str] = ()) -> list[str]:
    """What to call what is in files, `file_name`, each with a suffix where the name is taken.

    >>> unique_names(["a/p1.jsonl", "b/p1.jsonl", "c/gold.jsonl"], ["gold"])
    ['p1', 'p1-2', 'gold-2']
    """
    seen = set(taken)
    names = []
    for path in files:
        name = unique = file_name(path)
        count = 1
        while unique in seen:
            count += 1
            unique = f"{name}-{count}"
        seen.add(unique)
        names.append(unique)
    return names
