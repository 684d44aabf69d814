"""`cijie convert` and `cijie segment`: files of sentences, and of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

import click

from cijie.batching import batched
from cijie.cli.options.base import (
    OUTPUT_FILE,
    READ_FILE,
    Command,
    Readable,
    argument,
    option,
    options,
)
from cijie.cli.options.files import (
    FormatChoice,
    Messages,
    Reading,
    RecordOutput,
    left_out,
    without_place,
)
from cijie.cli.options.methods import SegmenterChoice
from cijie.corpora import writing
from cijie.corpora.reading import sentences_of
from cijie.corpora.writing import convert_file
from cijie.errors import counted, located
from cijie.files.output import open_output
from cijie.recovery.sentence import Sentence
from cijie.segmenters.base import segment_texts


@options("Input")
class Conversion(Reading, FormatChoice, Messages):
    """Input, output and the fields to convert.

    Attributes:
        side: Write the sources alone, or the targets alone.
        pairs: The pairs with the texts, if IN has only spans (annotated gold).
    """

    source: str = argument(metavar="IN", type=Readable(folders=True))
    target: str = argument(metavar="OUT", type=OUTPUT_FILE)
    side: Literal["both", "source", "target"] = "both"
    pairs: str | None = option(None, type=READ_FILE)

    def __post_init__(self) -> None:
        if self.source == "-" and self.format is None:
            raise click.UsageError("name the format of standard input with --from")


@Command
def convert(given: Conversion) -> None:
    """Convert IN, a file of sentences, to OUT in another format.

    \b
    FORMAT is one of
      jsonl, parquet                everything
      csv, tsv, csv-bom (OUT only)  everything, with a header
      lines                         texts, one per line
      text, bmes                    words, of the source unless --side target
      conllu                        words, corrections, changes, confidences
      cherrant, errant, para        words of source and targets: M2, or rows
      mucgec                        source and references, in rows
      json, ctb (IN only), pharaoh (OUT only)

    Without --from and --to the names of the files decide; where they do not, name the format. IN
    and OUT may be - for standard input and output, whose formats must be named. Files may be
    compressed: *.gz, *.bz2, *.xz, *.zst. What OUT cannot hold is left out, with a message; what it
    needs and IN does not have is an error.
    """
    done = convert_file(
        given.source,
        given.target,
        side=given.side,
        pairs=None if given.pairs is None else given.read(given.pairs, "pairs"),
        options=given.options(),
        format=given.to,
        watch=lambda sentences: given.watch(sentences, "sentences"),
    )
    besides = left_out(done.skipped) + without_place(done.target, done.lost)
    given.warn_of_nothing(done.count, "sentences")
    given.say(f"{counted(done.count, 'sentences')}, {done.source} to {done.target}{besides}")


@options()
class Texts(Reading):
    """A file of texts."""

    texts: str = argument(
        "-", type=Readable(hint=" Texts themselves go to standard input: echo TEXT | cijie segment")
    )


@Command
def segment(texts: Texts, output: RecordOutput, segmenter: SegmenterChoice) -> None:
    """Segment TEXTS, one per line, without looking at any target.

    TEXTS is a file, or - for standard input: lines as they are, or a file of sentences in any other
    format. Text has spaces between words.
    """
    format = output.format(["words"], default="text")
    skipped: Counter[str] = Counter()
    loaded = segmenter.load(skipped)
    sentences = texts.read(texts.texts, "texts", ids="any")
    count = 0

    def records() -> Iterator[Sentence]:
        nonlocal count
        for batch in batched(output.watch(sentences.numbered(), "texts")):
            read = list(sentences_of(found for _, found in batch))
            found = segment_texts(loaded, (each.source for each in read))
            for (line, _), each in zip(batch, read, strict=True):
                words = found[each.source]
                with located(path=texts.texts, line=line, id=each.id):
                    if isinstance(words, Exception):
                        raise words
                count += 1
                yield Sentence(each.id, each.source, segmentation=words)

    with open_output(output.output) as stream:
        writing.write(records(), stream, format, ["words"])
    skipped.update(sentences.skipped)
    output.warn_of_nothing(count, "texts")
    output.say(f"{counted(count, 'texts')}{left_out(skipped)}; segmenter:{loaded.name}")
