"""Parts of speech from the libraries that segment and tag."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from cijie.segmenters.base import LibraryModel
from cijie.segmenters.libraries import (
    HanlpSegmenter,
    JiebaSegmenter,
    LtpExtensionSegmenter,
    LtpSegmenter,
    StanzaSegmenter,
    ThulacSegmenter,
)
from cijie.segmenters.tag_sets import universal


@dataclass(kw_only=True, eq=False)
class Tagger(LibraryModel):
    """A library that tags words; its tags are mapped to those of Universal Dependencies.

    The fields of an adapter are its options. Adapters implement `_load` and `_tag`. One `of` a
    segmenter uses the same library.
    """

    def __init_subclass__(cls, of: type[LibraryModel] | None = None) -> None:
        if of is not None:
            cls.distribution, cls.extra, cls.works_with = of.distribution, of.extra, of.works_with

    def __call__(self, words: Sequence[str]) -> list[str]:
        """Return the universal part of speech of each word of a sentence.

        Raises:
            SegmenterError: the library fails.
            MissingExtraError: it is not installed.
        """
        with self._guard():
            return [universal(tag, word) for tag, word in zip(self._tag(words), words, strict=True)]

    @abstractmethod
    def _tag(self, words: Sequence[str]) -> Iterable[str]: ...


@dataclass(kw_only=True, eq=False)
class JiebaTagger(Tagger, of=JiebaSegmenter):
    """Tags with jieba: each word on its own, by its dictionary, or else by its ending."""

    def _load(self) -> Any:
        import jieba.posseg

        jieba.setLogLevel("WARNING")
        return jieba.posseg.POSTokenizer(jieba.Tokenizer())

    def _tag(self, words: Sequence[str]) -> list[str]:
        return [[*self.loaded.cut(word)][-1].flag for word in words]


@dataclass(kw_only=True, eq=False)
class ThulacTagger(Tagger, of=ThulacSegmenter):
    """Tags with THULAC, in context. A word that it splits has the tag of its last part.

    Args:
        model: directory of models of one's own instead of the bundled ones.
    """

    model: str | None = None

    def _load(self) -> Any:
        import thulac

        return thulac.thulac(model_path=self.model)

    def _tag(self, words: Sequence[str]) -> Iterator[str]:
        parts = [part for part in self.loaded.cut(" ".join(words)) if not part[0].isspace()]
        tags = zip(accumulate(len(part) for part, _ in parts), parts, strict=True)
        end, tag = 0, ""
        for word_end in accumulate(map(len, words)):
            while end < word_end:
                end, (_, tag) = next(tags)
            yield tag


@dataclass(kw_only=True, eq=False)
class LtpTagger(Tagger, of=LtpSegmenter):
    """Tags with LTP 4.

    Args:
        model: a name on the hub, or a directory; see `LtpSegmenter`.
    """

    model: str = "LTP/small"

    def _load(self) -> Any:
        import ltp

        return ltp.LTP(self.model)

    def _tag(self, words: Sequence[str]) -> list[str]:
        [tags] = self.loaded.pipeline([list(words)], tasks=["pos"]).pos
        return [f"ltp:{tag}" for tag in tags]


@dataclass(kw_only=True, eq=False)
class LtpExtensionTagger(Tagger, of=LtpExtensionSegmenter):
    """Tags with a legacy model of LTP, a perceptron, through ltp-extension, without PyTorch.

    Args:
        model: path of a `pos_model.bin`.
    """

    model: str

    def _load(self) -> Any:
        from ltp_extension.perceptron import POSModel

        return POSModel.load(self.model)

    def _tag(self, words: Sequence[str]) -> list[str]:
        return [f"ltp:{tag}" for tag in self.loaded.predict(list(words))]


@dataclass(kw_only=True, eq=False)
class HanlpTagger(Tagger, of=HanlpSegmenter):
    """Tags with a tagger of HanLP 2, in the tags of CTB or of PKU.

    Args:
        model: a name in `hanlp.pretrained.pos`, which the library downloads when it is first used,
            or the path of a saved tagger.
    """

    model: str = "CTB9_POS_ELECTRA_SMALL"

    def _load(self) -> Any:
        import hanlp

        return hanlp.load(self.model)

    def _tag(self, words: Sequence[str]) -> list[str]:
        return list(self.loaded(list(words)))


@dataclass(kw_only=True, eq=False)
class StanzaTagger(Tagger, of=StanzaSegmenter):
    """Tags with Stanza, in universal parts of speech.

    Args:
        lang: the language of the model, which the library downloads when it is first used.
    """

    lang: str = "zh-hans"

    def _load(self) -> Any:
        import stanza

        return stanza.Pipeline(
            self.lang, processors="tokenize,pos", tokenize_pretokenized=True, verbose=False
        )

    def _tag(self, words: Sequence[str]) -> list[str]:
        [sentence] = self.loaded([list(words)]).sentences
        return [word.upos for word in sentence.words]


@dataclass(kw_only=True, eq=False)
class SpacyTagger(Tagger):
    """Tags with a pipeline of spaCy, in universal parts of speech.

    Args:
        model: the name of an installed pipeline, such as `zh_core_web_sm`, or its directory.
    """

    distribution = extra = "spacy"
    works_with = "spacy 3.8.18"

    model: str = "zh_core_web_sm"

    def _load(self) -> Any:
        import spacy

        return spacy.load(self.model)

    def _tag(self, words: Sequence[str]) -> list[str]:
        from spacy.tokens import Doc

        return [token.pos_ for token in self.loaded(Doc(self.loaded.vocab, list(words)))]


TAGGERS: tuple[type[Tagger], ...] = (
    JiebaTagger,
    ThulacTagger,
    LtpTagger,
    LtpExtensionTagger,
    HanlpTagger,
    StanzaTagger,
    SpacyTagger,
)
