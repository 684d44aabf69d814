"""Recover words: segment source and target, align them, project the target's boundaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, overload

from cijie.alignment.links import Alignment
from cijie.batching import batched
from cijie.choices import Method, OnError
from cijie.errors import CijieError, FormatError, SegmenterError, UsageError, check_choice, unknown
from cijie.projection.weighing import Weigher
from cijie.recovery.methods import (
    Aligner,
    MethodOptions,
    RecoveryMethod,
    WordAligner,
    each_aligned,
    make_method,
    project_checked,
)
from cijie.recovery.options import check_options
from cijie.recovery.records import PairLike, Words, as_pair, pair_of
from cijie.recovery.sentence import Recovery, Sentence, as_row
from cijie.segmenters import Segmenter, default_segmenter, load_segmenter
from cijie.segmenters.base import RecordError, segment_texts
from cijie.signatures import signed
from cijie.text.segmentation import Segmentation

if TYPE_CHECKING:
    from typing_extensions import Unpack

_COLUMNS = ("id", "source", "target", "source_tokens", "target_tokens")
_NEW_COLUMNS = ("words", "spans", "initial_spans", "target_spans", "links", "changes")


class Recoverer:
    """Recovery of the word boundaries of sources from their targets.

    Args:
        segmenter: a name (`"wapic"`, `"rjieba"`, `"jieba"`, `"module:function"`), a function from
            a text to its words, or a `Segmenter`; by default
            `cijie.segmenters.default_segmenter()`. It segments texts that come without words, and
            is loaded only when needed.
        method: the name of a method (see `cijie.recovery.methods.make_method`), a
            `RecoveryMethod`, or an aligner of your own, used with the paper's projection Π.
        method_options: options of a method given by name: `weights`, `threshold`, `glyph_table`,
            `phonology`, `position`, `context`, `habits`, `min_confidence`, `join_rule`.
        segmenter_options: options of a segmenter given by name.
        user_words: words that the segmenter keeps whole wherever they occur, as a `WordList` or
            any strings.
        batch_size: the number of pairs that `recover_all` processes at once. Results do not
            depend on it.

    Attributes:
        signature: all settings that results depend on: versions, segmenter, method, weights,
            threshold.
        has_confidences: whether recoveries have confidences.
        batch_size: as given.

    Raises:
        UsageError: a name is unknown, or a weight or threshold is invalid.
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
            raise UsageError(f"the batch size must be at least 1, not {batch_size}")
        check_options(method_options, Recoverer)
        if isinstance(method, str):
            method = make_method(method, **method_options)
        elif method_options:
            raise UsageError(
                f"method options require the name of a method: {', '.join(method_options)}"
            )
        elif not isinstance(method, RecoveryMethod):
            if not (hasattr(method, "align") or hasattr(method, "align_words")):
                raise TypeError(f"method must be a name, a method or an aligner, not {method!r}")
            if not hasattr(method, "signature"):
                raise TypeError(f"an aligner must have a signature, and {method!r} has none")
            signature = f"{method.signature}|join:equal-length"
            method = RecoveryMethod(method, project_checked, signature)
        self._method, self.has_confidences = method, isinstance(method.projector, Weigher)
        self._segmenter = load_segmenter(segmenter, segmenter_options, user_words)
        self.batch_size = batch_size
        self.signature = signed(f"segmenter:{self._segmenter.name}", method.signature)

    def with_method(self, method: Method | RecoveryMethod) -> Recoverer:
        """Return a recoverer with another method and the same segmenter, loaded once for both."""
        return Recoverer(self._segmenter, method, batch_size=self.batch_size)

    def load(self) -> None:
        """Load the segmenter's model now instead of on first use.

        Raises:
            SegmenterError: the model cannot be loaded.
            MissingExtraError: its library is not installed.
        """
        self._segmenter.load()

    def recover(
        self,
        source: str,
        target: str,
        *,
        source_tokens: Words | None = None,
        target_tokens: Words | None = None,
    ) -> Recovery:
        """Recover one source.

        Args:
            source: the noisy text; it is never changed.
            target: its correction.
            source_tokens: the words of the source, instead of the segmenter's: strings, or
                half-open code-point spans.
            target_tokens: the words of the target, in the same form.

        Raises:
            TypeError: a text is not a string.
            SegmentationError: words do not spell their text.
        """
        for name, text in (("source", source), ("target", target)):
            if not isinstance(text, str):
                raise TypeError(f"{name} must be a string, not {type(text).__name__}: {text!r}")
        pair = pair_of("", source, target, source_tokens, target_tokens)
        [recovery] = self._recovered([pair])
        if isinstance(recovery, Exception):
            raise recovery
        return recovery

    @overload
    def recover_all(
        self, pairs: Iterable[PairLike | CijieError], *, on_error: Literal["raise"] = "raise"
    ) -> Iterator[Recovery]: ...
    @overload
    def recover_all(
        self, pairs: Iterable[PairLike | CijieError], *, on_error: OnError
    ) -> Iterator[Recovery | RecordError]: ...
    def recover_all(
        self, pairs: Iterable[PairLike | CijieError], *, on_error: OnError = "raise"
    ) -> Iterator[Recovery | RecordError]:
        """Recover pairs lazily, in order. Memory does not grow with their number.

        Args:
            pairs: the pairs; errors in place of them are handled as those of pairs.
            on_error: the policy for a pair that cannot be recovered: `"raise"` raises its error,
                `"keep"` yields the error in place of a recovery.

        Raises:
            CijieError, SegmenterError: a pair cannot be recovered; raised with its id (by default
                its number, from 1), after the recoveries before it have been yielded.
        """
        check_choice("on_error", on_error, OnError)
        return self._outcomes(pairs, on_error)

    def recover_batch(
        self,
        batch: Mapping[str, Sequence[Any]],
        *,
        columns: Mapping[str, str] | None = None,
        on_error: OnError = "raise",
    ) -> dict[str, list[Any]]:
        """Recover a batch of columns, as used by `datasets`, pandas and Arrow.

        Args:
            batch: a dictionary of lists or a similar object, such as a `datasets` batch or a data
                frame, with the columns `source`, `target` and optionally `id`, `source_tokens`
                and `target_tokens`, all of the same length; other columns are ignored.
            columns: the names of these columns in `batch`, if they are different.
            on_error: the policy for a pair that cannot be recovered: `"raise"` raises its error,
                `"keep"` puts it in the new column `error` and None in the other new columns.

        Returns:
            New columns with one value per pair: `words`, the recovered words as strings; `spans`,
            `initial_spans` and `target_spans`, half-open code-point spans of words; `links` and
            `changes` as lists of dictionaries; `confidences` and `doubts` if the method has them.
            All are plain values, of one type per column, as Arrow requires.

        Raises:
            CijieError: there is no column `source` or `target`, columns differ in length, or a
                pair cannot be recovered.
            TypeError: a column is a string.

        >>> recoverer = Recoverer(segmenter=list, method="p1")
        >>> recoverer.recover_batch({"learner": ["我们去", None], "target": ["我们走", "好"],
        ...     "target_tokens": [["我们", "走"], None]}, columns={"source": "learner"},
        ...     on_error="keep")["words"]
        [['我们', '去'], None]
        """
        names = {name: name for name in _COLUMNS} | dict(columns or {})
        if others := names.keys() - _COLUMNS:
            raise UsageError(unknown("column", min(others), _COLUMNS))
        for name in ("source", "target", *(columns or {})):
            if names[name] not in batch:
                raise CijieError(f"missing column {names[name]!r}; use columns= to rename")
        given = {name: batch[column] for name, column in names.items() if column in batch}
        for name, column in given.items():
            if isinstance(column, str):
                raise TypeError(f"{names[name]} must be a column, not a string: {column!r}")
        lengths = {name: len(column) for name, column in given.items()}
        if len(set(lengths.values())) > 1:
            raise CijieError(f"columns have different lengths: {lengths}")
        rows = (dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True))
        fields = list(_NEW_COLUMNS)
        if self.has_confidences:
            fields += ["confidences", "doubts"]
        if on_error == "keep":
            fields.append("error")
        result: dict[str, list[Any]] = {name: [] for name in fields}
        for outcome in self.recover_all(rows, on_error=on_error):
            if isinstance(outcome, Recovery):
                row = {"doubts": [], **as_row(outcome.as_record())}
                row["confidences"] = list(outcome.confidences)
            else:
                row = {"error": str(outcome)}
            for name, column in result.items():
                column.append(row.get(name))
        return result

    def segment_all(self, texts: Iterable[str]) -> Iterator[Segmentation]:
        """Segment texts lazily, in order, without recovery.

        Args:
            texts: the texts.

        Raises:
            CijieError, SegmenterError: a text cannot be segmented; raised with its number, from
                1, as id, after the segmentations before it have been yielded.
            TypeError: `texts` is a single string.

        >>> [words.tokens for words in Recoverer(segmenter=str.split).segment_all(["我 去"])]
        [['我', '去']]
        """
        if isinstance(texts, str):
            raise TypeError(f"expected texts, got a single string: {texts!r}")
        number = 0
        for batch in batched(texts, self.batch_size):
            strings = (text for text in batch if isinstance(text, str))
            found = segment_texts(self._segmenter, strings)
            for text in batch:
                number += 1
                if not isinstance(text, str):
                    raise FormatError(f"not a string: {text!r}", id=number)
                words = found[text]
                if isinstance(words, Exception):
                    raise of_record(words, str(number))
                yield words

    def _outcomes(
        self, pairs: Iterable[PairLike | CijieError], on_error: OnError
    ) -> Iterator[Recovery | RecordError]:
        """Yield each result; raise the first error, or yield errors in place of results."""
        number = 1
        for batch in batched(pairs, self.batch_size):
            checked = [
                pair if isinstance(pair, Sentence) and pair.targets else _checked(pair, at)
                for at, pair in enumerate(batch, number)
            ]
            number += len(batch)
            for outcome in self._recovered(checked):
                if on_error == "raise" and isinstance(outcome, Exception):
                    raise outcome
                yield outcome

    def _recovered(
        self, pairs: Sequence[Sentence | CijieError]
    ) -> Iterator[Recovery | RecordError]:
        """Yield the recovery or the error of each pair; give errors on."""
        words = list(words_of_pairs(self._segmenter, pairs))
        cut = [both for both in words if isinstance(both, tuple)]
        alignments = iter(each_aligned(self._method.align, cut))
        projector = self._method.projector
        for pair, both in zip(pairs, words, strict=True):
            if not isinstance(both, tuple):
                yield both
                continue
            assert isinstance(pair, Sentence)
            try:
                alignment = next(alignments)
                if isinstance(alignment, CijieError):
                    raise alignment
                if isinstance(projector, Weigher):
                    rules, read = pair.is_ruled, self._segmenter.read
                    projection = projector(*both, alignment, target_rules=rules, read=read)
                else:
                    projection = projector(*both, alignment)
            except CijieError as error:
                yield of_record(error, pair.id)
            else:
                initial, target = both
                yield Recovery(
                    pair.id,
                    initial.text,
                    (target.text,),
                    initial=initial,
                    target_segmentations=(target,),
                    alignment=alignment,
                    # Without changes, share one object, so that the words are written only once.
                    segmentation=projection.segmentation if projection.changes else initial,
                    changes=projection.changes,
                    confidences=projection.confidences,
                    doubts=projection.doubts,
                )


def recover(
    source: str,
    target: str,
    *,
    method: Method = "p3",
    segmenter: str | Segmenter | Callable[[str], Iterable[str]] | None = None,
    source_tokens: Words | None = None,
    target_tokens: Words | None = None,
    **options: Any,
) -> Recovery:
    """Recover the word boundaries of one source from its target.

    For more than a few pairs, create a `Recoverer` and reuse it.

    Args:
        source: the noisy text; it is never changed.
        target: its correction.
        method: the name of a method.
        segmenter: as for `Recoverer`.
        source_tokens: the words of the source, instead of the segmenter's.
        target_tokens: the words of the target, instead of the segmenter's.
        options: other options of `Recoverer`.

    Raises:
        UsageError: a method, segmenter or option is unknown.
        SegmentationError: words do not spell their text.

    >>> str(recover("我参加了旅行困", "我参加了旅行团", segmenter=list,
    ...     target_tokens=["我", "参加", "了", "旅行团"]))
    '我 参加 了 旅行困'
    """
    check_options(options, recover, Recoverer)
    if segmenter is None:
        segmenter = default_segmenter()
    if options or not isinstance(segmenter, str):
        recoverer = Recoverer(segmenter, method, **options)
    else:
        recoverer = _recoverer(segmenter, method)
    return recoverer.recover(
        source, target, source_tokens=source_tokens, target_tokens=target_tokens
    )


# Loading a model takes seconds: calling `recover` in a loop should load it once, and so should
# trying several methods.
@lru_cache(maxsize=4)
def _segmenter(name: str) -> Segmenter:
    return load_segmenter(name)


@lru_cache(maxsize=8)
def _recoverer(segmenter: str, method: Method) -> Recoverer:
    return Recoverer(_segmenter(segmenter), method)


def _checked(pair: PairLike | CijieError, number: int) -> Sentence | CijieError:
    if isinstance(pair, CijieError):
        return pair
    try:
        return as_pair(pair, number)
    except CijieError as error:
        return error


def words_of_pairs(
    segmenter: Segmenter, pairs: Sequence[Sentence | CijieError]
) -> Iterator[tuple[Segmentation, Segmentation] | RecordError]:
    """Yield the words of source and target: those given with a pair or the segmenter's.

    Args:
        segmenter: the segmenter for texts without words.
        pairs: the pairs; errors in place of them are given on.

    Yields:
        The words or the error of each pair.
    """
    asked = []
    for pair in pairs:
        if isinstance(pair, Sentence):
            if pair.given is None:
                asked.append(pair.source)
            if pair.target_segmentation is None:
                asked.append(pair.target or "")
    found = segment_texts(segmenter, asked)
    for pair in pairs:
        if not isinstance(pair, Sentence):
            yield pair
            continue
        source = found[pair.source] if pair.given is None else pair.given
        target = pair.target_segmentation
        cut = found[pair.target or ""] if target is None else target
        if not isinstance(source, Segmentation):
            yield of_record(source, pair.id)
        elif not isinstance(cut, Segmentation):
            yield of_record(cut, pair.id)
        else:
            yield source, cut


def segment_pairs(segmenter: Segmenter, pairs: Iterable[Sentence]) -> Iterator[Recovery]:
    """Segment both sides of pairs lazily, in order. Memory does not grow with their number.

    Yields:
        Each pair as a recovery without links, with its initial words.

    Raises:
        CijieError, SegmenterError: a text cannot be segmented; raised with the id of its pair.

    >>> from cijie.segmenters import load_segmenter
    >>> [pair] = segment_pairs(load_segmenter(list), [Sentence("1", "我去", "去")])
    >>> pair.initial.tokens, pair.target_segmentation.tokens
    (['我', '去'], ['去'])
    """
    for batch in batched(pairs):
        for pair, words in zip(batch, words_of_pairs(segmenter, batch), strict=True):
            if isinstance(words, Exception):
                raise words
            source, target = words
            yield Recovery(
                pair.id,
                pair.source,
                (target.text,),
                reference=pair.reference,
                initial=source,
                segmentation=source,
                target_segmentations=(target,),
                alignment=Alignment(len(source.text), len(target.text)),
                changes=(),
                target_rules=pair.is_ruled,
            )


def of_record(error: RecordError, id: str) -> RecordError:
    """Copy an error, which several records may share, and add the id of one record, if any."""
    if not id:
        return error
    placed: RecordError
    if isinstance(error, CijieError):
        placed = type(error)(error.message, path=error.path, line=error.line, id=id)
    else:
        placed = SegmenterError(f"id {id}: {error}")
    placed.__cause__ = error.__cause__
    return placed
