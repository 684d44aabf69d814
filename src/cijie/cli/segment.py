"""`cijie segment` and `cijie habits`: segment texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cijie.batching import batched
from cijie.cli.options.base import (
    OUTPUT_FILE_NO_DASH,
    REQUIRED,
    Readable,
    argument,
    command,
    option,
    options,
)
from cijie.cli.options.files import Messages, Reading, RecordOutput, left_out, write
from cijie.cli.options.methods import SegmenterChoice
from cijie.corpora import writing
from cijie.corpora.reading import sentences_of
from cijie.errors import counted, located
from cijie.files.output import open_output
from cijie.projection.evidence import count_habits
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter
from cijie.segmenters.base import segment_texts


@options()
class Texts(Reading):
    """A file of texts."""

    texts: str = argument(
        "-", type=Readable(hint=" Texts themselves go to standard input: echo TEXT | cijie segment")
    )

    def segmented(
        self, segmenter: Segmenter, messages: Messages, skipped: Counter[str]
    ) -> Iterator[Sentence]:
        """Yield the segmented texts."""
        sentences = self.read(self.texts, "texts", ids="any")
        for batch in batched(messages.watch(sentences.numbered(), "texts")):
            texts = list(sentences_of(found for _, found in batch))
            found = segment_texts(segmenter, (each.source for each in texts))
            for (line, _), each in zip(batch, texts, strict=True):
                words = found[each.source]
                with located(path=self.texts, line=line, id=each.id):
                    if isinstance(words, Exception):
                        raise words
                yield Sentence(each.id, each.source, segmentation=words)
        skipped.update(sentences.skipped)


@command
def segment(texts: Texts, output: RecordOutput, segmenter: SegmenterChoice) -> None:
    """Segment TEXTS, one per line, without looking at any target.

    TEXTS is a file, or - for standard input: lines as they are, or a file of sentences in any other
    format. Text has spaces between words.
    """
    format = output.format(["words"], default="text")
    skipped: Counter[str] = Counter()
    loaded = segmenter.load(skipped)
    count = 0

    def records() -> Iterator[Sentence]:
        nonlocal count
        for record in texts.segmented(loaded, output, skipped):
            count += 1
            yield record

    with open_output(output.output) as stream:
        writing.write(records(), stream, format, ["words"])
    output.warn_of_nothing(count, "texts")
    output.say(f"{counted(count, 'texts')}{left_out(skipped)}; segmenter:{loaded.name}")


@options("Output")
class HabitsOutput(Messages):
    """A file of habits.

    Attributes:
        output: The habits to write, an .npz file.
        fewest: Leave out strings that are rarer.
    """

    output: str = option(REQUIRED, "-o --output", type=OUTPUT_FILE_NO_DASH)
    fewest: int = option(2, at_least=1, group="Method")


@command
def habits(texts: Texts, output: HabitsOutput, segmenter: SegmenterChoice) -> None:
    """Count how a segmenter cuts short strings in TEXTS, one text per line.

    TEXTS may also be a file of sentences in any other format, of which the sources are cut.

    `cijie recover --habits FILE` weighs by them. The file has counts under checksums, no text.
    """
    skipped: Counter[str] = Counter()
    loaded = segmenter.load(skipped)
    words = (
        list(map(loaded.read, record.known_words().tokens))
        for record in texts.segmented(loaded, output, skipped)
    )
    found = count_habits(words, loaded.name, fewest=output.fewest)
    write(output.output, found.to_bytes())
    output.say(
        f"{counted(found.texts, 'texts')}{left_out(skipped)}, "
        f"{counted(len(found.counts), 'strings')}; habits:{found.name}"
    )
