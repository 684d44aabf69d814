"""Segmenters of other libraries, each imported on first use.

An adapter is a function that loads a library's model and returns the function that segments a text
with it. Its parameters are the segmenter's options.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cijie.segmenters.base import Library
from cijie.segmenters.wapic import wapic
from cijie.text.characters import characters

_WINDOW = 510
"""The usable part of the 512 word pieces of a transformer, which silently drops the rest."""

Cut = Callable[[str], Iterable[str]]


def _rjieba(hmm: bool = True) -> Cut:
    """Segment with rjieba: jieba's method and dictionary in Rust.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """
    import rjieba

    loaded = rjieba.Jieba()
    return lambda text: loaded.cut(text, hmm)


def _jieba(hmm: bool = True) -> Cut:
    """Segment with jieba: dictionary and HMM, pure Python.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """
    import jieba

    jieba.setLogLevel("WARNING")
    loaded = jieba.Tokenizer()
    return lambda text: loaded.cut(text, HMM=hmm)


def _ltp(model: str = "LTP/small", device: str | None = None) -> Cut:
    """Segment with LTP 4, neural or legacy: the segmenter of the paper.

    Neural models get long texts in pieces, one at a time, so that no result depends on others.

    Args:
        model: a name on the hub (`LTP/tiny`, `LTP/small`, `LTP/base`, `LTP/legacy`, also with
            `@revision`), or a directory with a `config.json`.
        device: where a neural model runs, such as `cuda:0`; by default on the processor.
    """
    import ltp

    loaded = ltp.LTP(model)
    if device is not None:
        loaded.to(device)
    window = _WINDOW if hasattr(loaded, "tokenizer") else None

    def cut(text: str) -> Iterator[str]:
        for piece in pieces(text, window):
            [words] = loaded.pipeline([piece], tasks=["cws"]).cws
            yield from with_unseen(piece, words)

    return cut


def _ltp_extension(model: str) -> Cut:
    """Segment with a legacy model of LTP, a perceptron, through ltp-extension, without PyTorch.

    Args:
        model: path of a `cws_model.bin`, or of the directory that has it.
    """
    from ltp_extension.perceptron import CWSModel

    path = Path(model)
    loaded = CWSModel.load(str(path / "cws_model.bin" if path.is_dir() else path))
    return lambda text: (word for piece in text.split() for word in loaded.predict(piece))


def _pkuseg(model: str) -> Cut:
    """Segment with spaCy's version of pkuseg, a CRF, whose wheel has no model.

    Args:
        model: the directory of a model, or the name of one that the library downloads
            (`spacy_ontonotes`, `news`, `web`, `medicine`, `tourism`, `mixed`).
    """
    import spacy_pkuseg

    loaded = spacy_pkuseg.pkuseg(model)
    return lambda text: (word for piece in text.split() for word in loaded.cut(piece))


def _thulac(model: str | None = None) -> Cut:
    """Segment with THULAC, a structured perceptron in pure Python with bundled models.

    Its part-of-speech tags and its conversion of characters are not used.

    Args:
        model: directory of models of one's own instead of the bundled ones.
    """
    import thulac

    loaded = thulac.thulac(seg_only=True, model_path=model)
    return lambda text: (word for piece in text.split() for word, _ in loaded.cut(piece))


def _hanlp(model: str = "COARSE_ELECTRA_SMALL_ZH") -> Cut:
    """Segment with a tokenizer of HanLP 2, one piece at a time, so that results are independent.

    Args:
        model: a name in `hanlp.pretrained.tok`, which the library downloads when it is first used,
            or the path of a saved tokenizer.
    """
    import hanlp

    loaded = hanlp.load(model)
    return lambda text: (
        word for piece in pieces(text, _WINDOW) for word in with_unseen(piece, loaded(piece))
    )


def _stanza(lang: str = "zh-hans", model: str | None = None) -> Cut:
    """Segment with a tokenizer of Stanza, in the conventions of Universal Dependencies.

    It is a recurrent network over characters. It gets one piece at a time, so that no result
    depends on others.

    Args:
        lang: the language of the model: `zh-hans` or `zh-hant`.
        model: path of a tokenizer, with the library's `resources.json` beside it; by default the
            language's, which the library downloads when it is first used.
    """
    import stanza

    options: dict[str, Any] = {"download_method": stanza.DownloadMethod.REUSE_RESOURCES}
    if model is not None:
        options = {"download_method": None, "dir": str(Path(model).parent)}
        options |= {"tokenize_model_path": model, "allow_unknown_language": True}
    loaded = stanza.Pipeline(lang, processors="tokenize", verbose=False, **options)

    def cut(text: str) -> Iterator[str]:
        for piece in text.split():
            for sentence in loaded(piece).sentences:
                for token in sentence.tokens:
                    # Not `token.text`, which is `<UNK>` for a very long one.
                    yield piece[token.start_char : token.end_char]

    return cut


LIBRARIES: Mapping[str, Library] = {
    "wapic": Library(
        "wapic",
        wapic,
        "wapic 0.1.0",
        extra="rjieba",  # wapic comes with cijie where it can
        hint=" and choose the segmenter 'rjieba' (or another one); wapic, the default, has wheels "
        "for CPython 3.10-3.14 on Linux x86-64, Windows x86-64 and macOS arm64 only",
        self_contained=True,
    ),
    "rjieba": Library("rjieba", _rjieba, "rjieba 0.2.2", self_contained=True),
    "jieba": Library("jieba", _jieba, "jieba 0.42.1", self_contained=True),
    "ltp": Library("ltp", _ltp, "ltp 4.2.14 with transformers 4.57.6 and requests 2.34.2"),
    "ltp-extension": Library("ltp-extension", _ltp_extension, "ltp-extension 0.1.13"),
    "pkuseg": Library("spacy-pkuseg", _pkuseg, "spacy-pkuseg 1.0.2", extra="pkuseg"),
    "thulac": Library("thulac", _thulac, "thulac 0.2.2", self_contained=True),
    "hanlp": Library("hanlp", _hanlp, "hanlp 2.1.5 with transformers 4.57.6"),
    "stanza": Library("stanza", _stanza, "stanza 1.15.0"),
}
"""The libraries with an adapter, by the names of their segmenters."""


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
