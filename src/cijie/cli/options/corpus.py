"""Options for the segmented corpus of a synthetic benchmark, and for its noise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from cijie.cli.options.base import option, options
from cijie.errors import UsageError

if TYPE_CHECKING:
    from cijie.noise.conditions import Corpus
    from cijie.noise.injection import Pool
    from cijie.noise.synthetic import Recipe

Number = TypeVar("Number")


@options("Input")
class CorpusChoice:
    """The sentences to take from a corpus, and how to replace characters.

    Attributes:
        files: The files to take of the Penn Chinese Treebank.
        sentences: Take only the first N sentences of the corpus.
        noise: Substitutes are any characters, or those that look or sound like the right one.
        kinds: Kinds of edits: exactly their shares (apportioned), or drawn for each edit (drawn).
    """

    files: str | None = option(None, metavar="N-N,…")
    sentences: int | None = option(None, at_least=1)
    noise: Literal["uniform", "similar"] = option("uniform", group="Noise")
    kinds: Literal["apportioned", "drawn"] = option("apportioned", group="Noise")

    def read_corpus(self, path: str, **options: Any) -> Corpus:
        """Read the corpus; further options are those of `read_corpus`."""
        from cijie.noise.conditions import read_corpus

        numbers = parse_numbers(self.files, int, "numbers of files") if self.files else None
        return read_corpus(path, files=numbers, sentences=self.sentences, **options)

    def recipe(self, pool: Pool, **options: Any) -> Recipe:
        """Return the recipe of the noise, with the characters of the pool; further options are
        those of `Recipe`.
        """
        from cijie.noise.injection import Noise
        from cijie.noise.synthetic import Recipe

        noise = Noise.similar(pool) if self.noise == "similar" else Noise(pool)
        return Recipe(noise, kinds=self.kinds, **options)


def parse_numbers(text: str, number: Callable[[str], Number], what: str) -> list[Number]:
    """Parse a list of numbers and of ranges in steps of one.

    Args:
        text: the list.
        number: makes a number of its text.
        what: what the numbers are, for messages.

    Raises:
        UsageError: something else than a number.

    >>> parse_numbers("1-3,12.5", float, "ratios")
    [1.0, 2.0, 3.0, 12.5]
    """
    try:
        return [number(each) for each in _expanded(text)]
    except (ArithmeticError, ValueError) as error:
        raise UsageError(f"expected {what}, got {text!r}") from error


def _expanded(text: str) -> Iterator[str]:
    for part in text.split(","):
        if match := re.fullmatch(r"\s*(\d+)-(\d+)\s*", part):
            yield from map(str, range(int(match[1]), int(match[2]) + 1))
        else:
            yield part
