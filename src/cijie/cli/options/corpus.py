"""Options for the segmented corpus of a synthetic benchmark, and for its noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from cijie.cli.options.base import option, options

if TYPE_CHECKING:
    from cijie.noise.corpus import Corpus
    from cijie.noise.injection import Pool
    from cijie.noise.synthetic import Recipe


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
        from cijie.noise.corpus import read_corpus
        from cijie.noise.ranges import parse_files

        numbers = parse_files(self.files) if self.files else None
        return read_corpus(path, files=numbers, sentences=self.sentences, **options)

    def recipe(self, pool: Pool, **options: Any) -> Recipe:
        """Return the recipe of the noise, with the characters of the pool; further options are
        those of `Recipe`.
        """
        from cijie.noise.injection import Noise, SimilarNoise
        from cijie.noise.synthetic import Recipe

        noise = SimilarNoise(pool) if self.noise == "similar" else Noise(pool)
        return Recipe(noise, kinds=self.kinds, **options)
