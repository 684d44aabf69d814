"""Recovery: segment source and target, align them, project the target's boundaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from cijie.choices import Method
from cijie.errors import CijieError, SegmentationError, SegmenterError
from cijie.files.ids import given_id
from cijie.projection.weighing import Weigher
from cijie.recovery.methods import (
    Aligner,
    BoundaryProjector,
    MethodOptions,
    RecoveryMethod,
    WordAligner,
    align_segmented,
    make_method,
)
from cijie.recovery.pair import Pair
from cijie.recovery.recovery import Recovery, as_row
from cijie.segmenters import Segmenter, default_segmenter, load_segmenter
from cijie.signatures import signed
from cijie.text.segmentation import Segmentation

if TYPE_CHECKING:
    from typing_extensions import Unpack

PairLike = Pair | tuple[str, str] | Mapping[str, Any]
"""A pair as users have them: `(source, target)`; a mapping with `source` and `target`, and if it
has them `id`, `source_tokens` and `target_tokens`; or a `Pair`."""


class Recoverer:
    """Recovers the word boundaries of sources from their targets.

    Args:
        segmenter: a name (`"wapic"`, `"rjieba"`, `"jieba"`, `"module:function"`), a function from
            a text to its words, or a `Segmenter`; by default
            `cijie.segmenters.default_segmenter()`. It is asked for the segmentations that are not
            given with a pair, and loaded only then.
        method: the name of a method (see `cijie.recovery.methods.make_method`), a
            `RecoveryMethod`, or an aligner of your own; the paper's Π projects along its links.
        method_options: options of a method given by name: `weights`, `threshold`, `glyph_table`,
            `phonology`, `position`, `context`, `ibm_model`, `join_rule`.
        segmenter_options: options of a segmenter given by name.
        user_words: words that the segmenter keeps whole wherever they occur; a `WordList`, or any
            strings.
        batch_size: how many pairs `recover_all` works on at once. Results do not depend on it.

    Raises:
        ValueError: an unknown name, a bad weight or threshold.
        MissingExtraError: the segmenter is not installed.

    >>> recoverer = Recoverer(segmenter=list, method="p1")
    >>> recovery = recoverer.recover("我参加了旅行困", "我参加了旅行团",
    ...     target_tokens=["我", "参加", "了", "旅行团"])
    >>> print(recovery, recovery.changes[0], sep=" / ")
    我 参加 了 旅 行 困 / join at 2, as 参加
    """

    def __init__(
        self,
        segmenter: str | Segmenter | Callable[[str], Iterable[str]] | None = None,
        method: Method | RecoveryMethod | Aligner | WordAligner = "p3",
        *,
        segmenter_options: Mapping[str, Any] | None = None,
        user_words: Iterable[str] = (),
        batch_size: int = 256,
        **method_options: Unpack[MethodOptions],
    ) -> None:
        if batch_size < 1:
            raise ValueError(f"the batch size must be at least 1, not {batch_size}")
        if isinstance(method, str):
            method = make_method(method, **method_options)
        elif method_options:
            raise ValueError(f"options of a method that is given: {', '.join(method_options)}")
        elif not isinstance(method, RecoveryMethod):
            method = RecoveryMethod(method, BoundaryProjector())
        self._method = method
        self._segmenter = load_segmenter(segmenter, segmenter_options, user_words)
        self._batch_size = batch_size

    @property
    def signature(self) -> str:
        """Everything that results depend on: versions, segmenter, method, weights, threshold."""
        return signed(f"segmenter:{self._segmenter.name}", self._method.signature)

    @property
    def has_confidences(self) -> bool:
        """Whether recoveries say how sure they are."""
        return isinstance(self._method.projector, Weigher)

    @property
    def batch_size(self) -> int:
        """How many pairs are worked on at once."""
        return self._batch_size

    def load(self) -> None:
        """Load the segmenter's model now, instead of when the first text is segmented.

        Raises:
            SegmenterError: it cannot be loaded.
            MissingExtraError: its library is not installed.
        """
        self._segmenter.load()

    def recover(
        self,
        source: str,
        target: str,
        *,
        source_tokens: Iterable[str] | None = None,
        target_tokens: Iterable[str] | None = None,
    ) -> Recovery:
        """Recover one source.

        Args:
            source: the noisy text; it is never changed.
            target: its correction.
            source_tokens: the words of the source, instead of the segmenter's.
            target_tokens: the words of the target, instead of the segmenter's.

        Raises:
            SegmentationError: words that are not those of their text.
        """
        [recovery] = self.recover_all(
            [
                {
                    "source": source,
                    "target": target,
                    "source_tokens": source_tokens,
                    "target_tokens": target_tokens,
                }
            ]
        )
        return recovery

    def recover_all(self, pairs: Iterable[PairLike]) -> Iterator[Recovery]:
        """Recover pairs lazily, in their order, in memory that does not grow with their number.

        Raises:
            CijieError: a pair that cannot be recovered, with its id (its number from 1, if it has
                none of its own).
        """
        return (recovery for _, recovery in self.recover_with_ids(pairs))

    def recover_with_ids(self, pairs: Iterable[PairLike]) -> Iterator[tuple[str, Recovery]]:
        """Like `recover_all`, with the id of each pair."""
        numbered = (_as_pair(pair, number) for number, pair in enumerate(pairs, start=1))
        while batch := list(islice(numbered, self._batch_size)):
            yield from zip((pair.id for pair in batch), self._recover_batch(batch), strict=True)

    def recover_batch(self, columns: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
        """Recover a batch of columns, as `datasets`, pandas and Arrow have them.

        Args:
            columns: `source` and `target`, and if they are there `id`, `source_tokens` and
                `target_tokens`, all equally long; other columns are ignored. A dictionary of lists,
                or what looks like one: a `datasets` batch, a data frame.

        Returns:
            New columns, a value for each pair: `words`, the recovered words as strings; `spans`,
            the same as half-open code-point spans, `initial_spans` and `target_spans` likewise;
            `links` and `changes` as lists of dictionaries. All are plain values of one type each,
            as Arrow wants them.

        Raises:
            CijieError: no column `source` or `target`, columns that are not equally long, a pair
                that cannot be recovered.

        >>> recoverer = Recoverer(segmenter=list, method="p1")
        >>> recoverer.recover_batch({"source": ["我们去"], "target": ["我们走"],
        ...     "target_tokens": [["我们", "走"]]})["words"]
        [['我们', '去']]
        """
        if missing := {"source", "target"}.difference(columns):
            raise CijieError(f"no column {' and no column '.join(sorted(missing))}")
        used = ("id", "source", "target", "source_tokens", "target_tokens")
        given = {name: columns[name] for name in used if name in columns}
        lengths = {name: len(column) for name, column in given.items()}
        if len(set(lengths.values())) > 1:
            raise CijieError(f"columns are not equally long: {lengths}")
        rows = (dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True))
        result: dict[str, list[Any]] = {
            name: []
            for name in ("words", "spans", "initial_spans", "target_spans", "links", "changes")
        }
        for recovery in self.recover_all(rows):
            row = as_row(recovery.as_record(""))
            for name, column in result.items():
                column.append(row[name])
        return result

    def _recover_batch(self, batch: Sequence[Pair]) -> list[Recovery]:
        try:
            return list(self._recover_pairs(batch))
        except CijieError as error:
            if error.id is not None:
                raise
            if len(batch) == 1:
                raise type(error)(error.message, id=batch[0].id) from error
            for pair in batch:  # one of them raises the error again
                self._recover_batch([pair])
            raise

    def _recover_pairs(self, batch: Sequence[Pair]) -> Iterator[Recovery]:
        segmented = self._segment(batch)
        # An empty segmentation is false, so "or" would not do here.
        pairs = [
            (
                segmented[pair.source] if pair.initial is None else pair.initial,
                segmented[pair.target]
                if pair.target_segmentation is None
                else pair.target_segmentation,
            )
            for pair in batch
        ]
        alignments = align_segmented(self._method.aligner, pairs)
        for (initial, target), alignment in zip(pairs, alignments, strict=True):
            projection = self._method.projector(initial, target, alignment)
            yield Recovery(
                initial,
                target,
                alignment,
                projection.segmentation,
                projection.changes,
                projection.confidences,
                projection.doubts,
            )

    def _segment(self, batch: Sequence[Pair]) -> dict[str, Segmentation]:
        """Segment each text that came without a segmentation, equal texts once."""
        ids: dict[str, str] = {}
        for pair in batch:
            if pair.initial is None:
                ids.setdefault(pair.source, pair.id)
            if pair.target_segmentation is None:
                ids.setdefault(pair.target, pair.id)
        segmented: dict[str, Segmentation] = {}
        if not ids:
            return segmented
        self.load()  # what goes wrong here is no pair's fault
        try:
            for segmentation in self._segmenter.segment(list(ids)):
                segmented[segmentation.text] = segmentation
        except (Exception, SystemExit) as error:
            id = next(id for text, id in ids.items() if text not in segmented)
            name = self._segmenter.name
            if isinstance(error, SegmentationError):
                raise SegmentationError(f"{name}: {error.message}", id=id) from error
            if isinstance(error, SegmenterError):
                raise SegmenterError(f"id {id}: {error}") from error
            what = f"{type(error).__name__}: {error}"
            raise SegmenterError(f"id {id}: {name} fails: {what}") from error
        return segmented


def recover(
    source: str,
    target: str,
    *,
    method: Method = "p3",
    segmenter: str | Segmenter | Callable[[str], Iterable[str]] | None = None,
    source_tokens: Iterable[str] | None = None,
    target_tokens: Iterable[str] | None = None,
    **options: Any,
) -> Recovery:
    """Recover the word boundaries of one source from its target.

    For more than a few pairs make a `Recoverer` and keep it. `options` are those of `Recoverer`.

    >>> str(recover("我参加了旅行困", "我参加了旅行团", segmenter=list,
    ...     target_tokens=["我", "参加", "了", "旅行团"]))
    '我 参加 了 旅行困'
    """
    if segmenter is None:
        segmenter = default_segmenter()
    if options or not isinstance(segmenter, str):
        recoverer = Recoverer(segmenter, method, **options)
    else:
        recoverer = _named(segmenter, method)
    return recoverer.recover(
        source, target, source_tokens=source_tokens, target_tokens=target_tokens
    )


@lru_cache(maxsize=4)
def _named(segmenter: str, method: Method) -> Recoverer:
    # Loading a model takes seconds; who calls `recover` in a loop should not wait each time.
    return Recoverer(segmenter, method)


def _as_pair(pair: PairLike, number: int) -> Pair:
    if isinstance(pair, Pair):
        return pair
    if isinstance(pair, str):
        raise TypeError(f"a pair is wanted, not a single string: {pair!r}")
    if not isinstance(pair, Mapping):
        source, target = pair
        return Pair(str(number), source, target)
    id = given_id(pair, number)
    if missing := {"source", "target"} - pair.keys():
        raise CijieError(f"no {' and no '.join(sorted(missing))} in {dict(pair)!r}", id=id)
    source, target = pair["source"], pair["target"]
    for name, text in (("source", source), ("target", target)):
        if not isinstance(text, str):
            raise CijieError(f"the {name} is not a string: {text!r}", id=id)
    try:
        initial, target_segmentation = (
            None if tokens is None else Segmentation.from_tokens(text, tokens)
            for text, tokens in (
                (source, pair.get("source_tokens")),
                (target, pair.get("target_tokens")),
            )
        )
    except SegmentationError as error:
        raise SegmentationError(error.message, id=id) from error
    return Pair(id, source, target, initial, target_segmentation)
