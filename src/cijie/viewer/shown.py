"""Read the sentences of a file to show, and recover them by several methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from cijie.corpora.reading import SKIPPED, ReadOptions, read, sentences_of
from cijie.errors import CijieError, FormatError
from cijie.files.opening import StrPath
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery, Sentence


def recovered_by(
    sentence: Sentence, recoverers: Mapping[str, Recoverer]
) -> list[dict[str, Recovery]]:
    """Recover the source from each target with each method; keep words that the sentence has.

    Raises:
        CijieError: a text cannot be recovered.
    """
    pairs = [sentence.of_pair(number + 1) for number, _ in enumerate(sentence.targets)]
    found = [recoverer.recover_all(pairs) for recoverer in recoverers.values()]
    return [dict(zip(recoverers, each, strict=True)) for each in zip(*found, strict=True)]


def read_shown(
    path: StrPath,
    ids: Collection[str] = (),
    *,
    skipped: Counter[str] | None = None,
    options: ReadOptions | None = None,
) -> Iterator[Sentence]:
    """Read the sentences with the given ids, or all sentences with targets, in any known format.

    Args:
        path: the file.
        ids: the ids of sentences; they may be sentences without errors.
        skipped: counts the skipped sentences, by reason.
        options: reading options; unset ones are inferred from name and content.

    Raises:
        CijieError: the file cannot be read, or an id is unknown or has no target.
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
        raise CijieError(f"no sentence has the id {min(left)!r}", path=path)
