"""Words of sources that a file of their own gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cijie.corpora.segmentations import read_segmentations
from cijie.edits.cutting import Corrections
from cijie.errors import FormatError, counted
from cijie.files.lines import StrPath


def with_source_words(sentences: Iterable[Corrections], path: StrPath) -> Iterator[Corrections]:
    """Give each source the words that a file has for it, as its initial ones, lazily.

    The sentences of a file without ids, as M2 or lines of words, belong to them in order, and must
    be as many. Those of a file with ids belong to the sentence of the same id; others are left out.

    Raises:
        FormatError: not as many sentences, or one without words; a file that cannot be read.
        SegmentationError: words that are not those of the source, with line and id.
    """
    words = read_segmentations(path)
    number = 0
    for number, (corrected, outputs) in enumerate(sentences, start=1):
        key = str(number) if words.numbered else corrected.id
        if key not in words:
            raise FormatError("there are no words of this source", path=path, id=corrected.id)
        yield replace(corrected, initial=words.of_text(key, corrected.source)), outputs
    if words.numbered and len(words) > number:
        message = f"{counted(len(words), 'sources')} for {counted(number, 'sentences')}"
        raise FormatError(message, path=path)
