"""Names of files: paths, URLs, patterns and extensions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath

StrPath = str | os.PathLike[str]

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
"""Extensions of compressed files."""


def is_url(name: str) -> bool:
    """Return whether a name is a URL."""
    return "://" in name


def is_many(name: str) -> bool:
    """Return whether a name is a pattern (of a path or a URL) that stands for many files.

    >>> is_many("in/*.jsonl"), is_many("https://example.org/a.jsonl?version=2")
    (True, False)
    """
    marks = "*[" if name.startswith(("http://", "https://")) else "*?["
    return any(mark in name for mark in marks) and not Path(name).exists()


def endings_of(name: str) -> tuple[str, str]:
    """Return the extensions of a file name in lower case: format and compression.

    Of a URL what follows the name of the file is left out; each may be empty.

    >>> endings_of("pairs.jsonl.GZ"), endings_of("pairs"), endings_of("zip://a/b.tsv::c.zip")
    (('.jsonl', '.gz'), ('', ''), ('.tsv', ''))
    """
    path = PurePath(_without_place(name))
    last = path.suffix.lower()
    if last in COMPRESSED:
        return PurePath(path.stem).suffix.lower(), last
    return last, ""


def stem_of(name: StrPath) -> str:
    """Return the name of a file without its folder and extensions.

    >>> stem_of("a/pairs.jsonl.gz"), stem_of("p1.v2.tsv"), stem_of("zip://a/b.tsv::c.zip")
    ('pairs', 'p1.v2', 'b')
    """
    path = PurePath(_without_place(os.fspath(name)))
    return PurePath(path.stem).stem if path.suffix.lower() in COMPRESSED else path.stem


def _without_place(url: str) -> str:
    """Strip the archive and the query from a URL."""
    if "://" not in url:
        return url
    ends = r"::|[?#]" if url.startswith(("http://", "https://")) else "::"
    return re.split(ends, url, maxsplit=1)[0]


def file_name(path: StrPath) -> str:
    """Display name of a file: its name without extensions; `stdin` for standard input.

    A glob pattern is named after its folder. Bytes that are not UTF-8 are replaced.

    >>> file_name("a/p1.jsonl.gz"), file_name("p1/*.jsonl"), file_name("-")
    ('p1', 'p1', 'stdin')
    """
    if os.fspath(path) == "-":
        return "stdin"
    file = Path(path)
    if is_many(os.fspath(path)):
        file = file.parent
    name = file.resolve().name if file.is_dir() or file != Path(path) else stem_of(path)
    return os.fsencode(name).decode("utf-8", "replace")


def named_files(
    files: StrPath | Sequence[StrPath] | Mapping[str, StrPath], taken: Iterable[str] = ()
) -> Mapping[str, StrPath]:
    """Name one file or several: by the given names, or by unique file names.

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
    """Return the `file_name` of each file, with a suffix where the name is taken.

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
