"""Segmenters of other libraries, each imported on first use; wapic has its own module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.text.characters import characters

_WINDOW = 510
"""The usable part of the 512 word pieces of a transformer, which silently drops the rest."""


@dataclass(kw_only=True, eq=False)
class RjiebaSegmenter(ModelSegmenter):
    """Segments with rjieba: jieba's method and dictionary in Rust.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    distribution = extra = "rjieba"
    works_with = "rjieba 0.2.2"
    self_contained = True

    hmm: bool = True

    def _load(self) -> Any:
        import rjieba

        return rjieba.Jieba()

    def _cut(self, text: str) -> list[str]:
        return list(self.loaded.cut(text, self.hmm))


@dataclass(kw_only=True, eq=False)
class JiebaSegmenter(ModelSegmenter):
    """Segments with jieba: dictionary and HMM, pure Python.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    distribution = extra = "jieba"
    works_with = "jieba 0.42.1"
    self_contained = True

    hmm: bool = True

    def _load(self) -> Any:
        import jieba

        jieba.setLogLevel("WARNING")
        return jieba.Tokenizer()

    def _cut(self, text: str) -> list[str]:
        return list(self.loaded.cut(text, HMM=self.hmm))


@dataclass(kw_only=True, eq=False)
class LtpSegmenter(ModelSegmenter):
    """Segments with LTP 4, neural or legacy: the segmenter of the paper.

    Neural models get long texts in pieces, one at a time, so that no result depends on others.

    Args:
        model: a name on the hub (`LTP/tiny`, `LTP/small`, `LTP/base`, `LTP/legacy`, also with
            `@revision`), or a directory with a `config.json`.
        device: where a neural model runs, such as `cuda:0`; by default on the processor.
    """

    distribution = extra = "ltp"
    works_with = "ltp 4.2.14 with transformers 4.57.6 and requests 2.34.2"

    model: str = "LTP/small"
    device: str | None = None

    def _load(self) -> Any:
        import ltp

        model = ltp.LTP(self.model)
        if self.device is not None:
            model.to(self.device)
        return model

    def _cut(self, text: str) -> Iterator[str]:
        window = _WINDOW if hasattr(self.loaded, "tokenizer") else None
        for piece in pieces(text, window):
            [words] = self.loaded.pipeline([piece], tasks=["cws"]).cws
            yield from with_unseen(piece, words)


@dataclass(kw_only=True, eq=False)
class LtpExtensionSegmenter(ModelSegmenter):
    """Segments with a legacy model of LTP, a perceptron, through ltp-extension, without PyTorch.

    Args:
        model: path of a `cws_model.bin`, or of the directory that has it.
    """

    distribution = extra = "ltp-extension"
    works_with = "ltp-extension 0.1.13"

    model: str

    def _load(self) -> Any:
        from ltp_extension.perceptron import CWSModel

        path = Path(self.model)
        return CWSModel.load(str(path / "cws_model.bin" if path.is_dir() else path))

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from self.loaded.predict(piece)


@dataclass(kw_only=True, eq=False)
class PkusegSegmenter(ModelSegmenter):
    """Segments with spaCy's version of pkuseg, a CRF, whose wheel has no model.

    Args:
        model: the directory of a model, or the name of one that the library downloads
            (`spacy_ontonotes`, `news`, `web`, `medicine`, `tourism`, `mixed`).
    """

    distribution = "spacy-pkuseg"
    extra = "pkuseg"
    works_with = "spacy-pkuseg 1.0.2"

    model: str

    def _load(self) -> Any:
        import spacy_pkuseg

        return spacy_pkuseg.pkuseg(self.model)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from self.loaded.cut(piece)


@dataclass(kw_only=True, eq=False)
class ThulacSegmenter(ModelSegmenter):
    """Segments with THULAC, a structured perceptron in pure Python with bundled models.

    Its part-of-speech tags and its conversion of characters are not used.

    Args:
        model: directory of models of one's own instead of the bundled ones.
    """

    distribution = extra = "thulac"
    works_with = "thulac 0.2.2"
    self_contained = True

    model: str | None = None

    def _load(self) -> Any:
        import thulac

        return thulac.thulac(seg_only=True, model_path=self.model)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from (word for word, _ in self.loaded.cut(piece))


@dataclass(kw_only=True, eq=False)
class HanlpSegmenter(ModelSegmenter):
    """Segments with a tokenizer of HanLP 2, one piece at a time, so that results are independent.

    Args:
        model: a name in `hanlp.pretrained.tok`, which the library downloads when it is first used,
            or the path of a saved tokenizer.
    """

    distribution = extra = "hanlp"
    works_with = "hanlp 2.1.5 with transformers 4.57.6"

    model: str = "COARSE_ELECTRA_SMALL_ZH"

    def _load(self) -> Any:
        import hanlp

        return hanlp.load(self.model)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text, _WINDOW):
            yield from with_unseen(piece, self.loaded(piece))


@dataclass(kw_only=True, eq=False)
class StanzaSegmenter(ModelSegmenter):
    """Segments with a tokenizer of Stanza, in the conventions of Universal Dependencies.

    It is a recurrent network over characters. It gets one piece at a time, so that no result
    depends on others.

    Args:
        lang: the language of the model: `zh-hans` or `zh-hant`.
        model: path of a tokenizer; by default the language's, which the library downloads when it
            is first used.
        directory: where the library keeps what it downloads (its `resources.json` is needed also
            for a model of one's own); by default where it likes to.
    """

    distribution = extra = "stanza"
    works_with = "stanza 1.15.0"

    lang: str = "zh-hans"
    model: str | None = None
    directory: str | None = field(default=None, repr=False)

    def _load(self) -> Any:
        import stanza

        options: dict[str, Any] = {"processors": "tokenize", "verbose": False}
        if self.directory is not None:
            options["dir"] = self.directory
        if self.model is None:
            options["download_method"] = stanza.DownloadMethod.REUSE_RESOURCES
        else:
            options["download_method"] = None
            options["tokenize_model_path"] = self.model
            options["allow_unknown_language"] = True
        return stanza.Pipeline(self.lang, **options)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            for sentence in self.loaded(piece).sentences:
                for token in sentence.tokens:
                    # Not `token.text`, which is `<UNK>` for a very long one.
                    yield piece[token.start_char : token.end_char]


LIBRARIES: tuple[type[ModelSegmenter], ...] = (
    RjiebaSegmenter,
    JiebaSegmenter,
    LtpSegmenter,
    LtpExtensionSegmenter,
    PkusegSegmenter,
    ThulacSegmenter,
    HanlpSegmenter,
    StanzaSegmenter,
)


def pieces(text: str, window: int | None = None) -> list[str]:
    """Split `text` at white space, and further where a piece exceeds `window`.

    A part that is too long is cut after the last mark that ends a sentence within the window, else
    after the last comma or colon, else at the window's end, so that pieces are as long as they can
    be. Where pieces meet, words end.

    >>> pieces("我学 deep learning课")
    ['我学', 'deep', 'learning课']
    >>> pieces("他来了。你呢？我们一起走吧", window=8)
    ['他来了。你呢？', '我们一起走吧']
    """
    if window is None:
        return text.split()
    part = rf"\S{{1,{window}}}"
    return re.findall(rf"{part}(?:(?!\S)|(?<=[。！？!?；;…]))|{part}(?<=[，、,：:])|{part}", text)


def with_unseen(piece: str, words: Sequence[str]) -> Sequence[str]:
    """Return the words of a piece, with the characters that an encoder dropped at its edges.

    That may be combining marks, zero-width and control characters. If anything else is missing,
    the words stay as they are, for the check of every segmenter's words to find.

    >>> with_unseen("\\u200b没有\\ufeff", ["没有"])
    ['\\u200b', '没有', '\\ufeff']
    >>> with_unseen("没有错", ["没有"])
    ['没有']
    """
    covered = "".join(words)
    start = piece.find(covered)
    end = start + len(covered)
    split = characters(piece)
    visible = (core for core in split.visible(split.cores) if piece[core].isprintable())
    if start < 0 or any(not start <= core < end for core in visible):
        return words
    return [piece[:start], *words, piece[end:]]
