"""Sentences of a file to look at: pairs, or what recovery made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from cijie.alignment.anchors import anchors
from cijie.corpora.reading import SKIPPED, ReadOptions, read, sentences_of
from cijie.errors import CijieError, FormatError
from cijie.files.names import StrPath
from cijie.files.opening import is_read_once
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery
from cijie.recovery.sentence import Sentence


def pairs_of(sentence: Sentence) -> list[Sentence]:
    """The source with each target, and with the words that are given for them."""
    return [sentence.of_pair(k + 1) for k in range(len(sentence.targets))]


def recovered_by(
    sentence: Sentence, recoverers: Mapping[str, Recoverer]
) -> list[dict[str, Recovery]]:
    """The source recovered from each target by each method; words that are given are kept.

    Raises:
        CijieError: texts that cannot be recovered.
    """
    pairs = pairs_of(sentence)
    found = [recoverer.recover_all(pairs) for recoverer in recoverers.values()]
    return [dict(zip(recoverers, each, strict=True)) for each in zip(*found, strict=True)]


def recovery_of(sentence: Sentence) -> Recovery | None:
    """The recovery that a sentence is, or can be taken for: it has words of source and target.

    Links that are not there are the anchors, words before recovery those of the sentence.
    """
    if isinstance(sentence, Recovery):
        return sentence
    words, target = sentence.segmentation, sentence.target_segmentation
    if words is None or target is None:
        return None
    return Recovery(
        sentence.id,
        sentence.source,
        (target.text,),
        initial=sentence.initial or words,
        target_segmentations=(target,),
        alignment=sentence.alignment or anchors(sentence.source, target.text),
        segmentation=words,
        changes=sentence.changes or (),
        confidences=sentence.confidences,
        doubts=sentence.doubts,
    )


def read_shown(
    path: StrPath,
    ids: Collection[str] = (),
    *,
    skipped: Counter[str] | None = None,
    options: ReadOptions | None = None,
) -> Iterator[Sentence]:
    """Sentences of a file in any format that cijie reads: those with the ids, or all with targets.

    Args:
        path: the file.
        ids: the ids of sentences, those without error included.
        skipped: counts what was left out, by reason.
        options: what is said about the file.

    Raises:
        CijieError: a file that cannot be read, no such id, or no target for it.
    """
    skipped = Counter() if skipped is None else skipped
    sentences = read(path, "sentences", replace(options or ReadOptions(), ids="any"))
    left = set(ids)
    for sentence in sentences_of(sentences):
        if sentence.id in left:
            if not sentence.targets:
                raise FormatError("has no target", path=path, id=sentence.id)
            yield sentence
            left.discard(sentence.id)
        elif not ids:
            if sentence.status is not None:
                skipped[SKIPPED[sentence.status]] += 1
            elif sentence.targets:
                yield sentence
            else:
                skipped["sentences without a target"] += 1
    skipped.update(sentences.skipped)
    if left:
        raise CijieError(f"there is no sentence {min(left)!r}", path=path)


def has_pairs(path: StrPath, options: ReadOptions | None = None) -> bool:
    """Whether a file has pairs that are still to be recovered: targets, and no words of sources.

    A file that cannot be read is no such file.
    """
    if is_read_once(path):
        return False
    try:
        first = next(iter(read(path, "sentences", options)), None)
    except CijieError:
        return False
    return isinstance(first, Sentence) and bool(first.targets) and first.segmentation is None
