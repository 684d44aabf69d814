"""Universal parts of speech from the libraries that segment and tag.

An adapter is a function that loads a library's model and returns the function that tags the words
of a sentence with it. Its parameters are the tagger's options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from cijie.segmenters.base import Library, LibraryModel, guarded
from cijie.segmenters.libraries import LIBRARIES
from cijie.text.characters import is_punctuation

Tag = Callable[[Sequence[str]], Iterable[str]]


class Tagger(LibraryModel):
    """A library that tags words; its tags are mapped to those of Universal Dependencies."""

    kind = "tagger"

    def __call__(self, words: Sequence[str]) -> list[str]:
        """Return the universal part of speech of each word of a sentence.

        Raises:
            SegmenterError: the library fails.
        """
        tags = self.load()
        with guarded(self.name, self.hint):
            return [universal(tag, word) for tag, word in zip(tags(words), words, strict=True)]


def _jieba() -> Tag:
    """Tag with jieba: each word on its own, by its dictionary, or else by its ending."""
    import jieba.posseg

    jieba.setLogLevel("WARNING")
    loaded = jieba.posseg.POSTokenizer(jieba.Tokenizer())
    return lambda words: [[*loaded.cut(word)][-1].flag for word in words]


def _thulac(model: str | None = None) -> Tag:
    """Tag with THULAC, in context. A word that it splits has the tag of its last part.

    Args:
        model: directory of models of one's own instead of the bundled ones.
    """
    import thulac

    loaded = thulac.thulac(model_path=model)

    def tag(words: Sequence[str]) -> list[str]:
        parts = loaded.cut(" ".join(words))
        tags = [its for part, its in parts for character in part if not character.isspace()]
        return [tags[end - 1] for end in accumulate(map(len, words))]

    return tag


def _ltp(model: str = "LTP/small") -> Tag:
    """Tag with LTP 4.

    Args:
        model: a name on the hub, or a directory, as of the segmenter.
    """
    import ltp

    loaded = ltp.LTP(model)
    return lambda words: [
        f"ltp:{tag}" for tag in loaded.pipeline([list(words)], tasks=["pos"]).pos[0]
    ]


def _hanlp(model: str = "CTB9_POS_ELECTRA_SMALL") -> Tag:
    """Tag with a tagger of HanLP 2, in the tags of CTB or of PKU.

    Args:
        model: a name in `hanlp.pretrained.pos`, which the library downloads when it is first used,
            or the path of a saved tagger.
    """
    import hanlp

    loaded = hanlp.load(model)
    return lambda words: loaded(list(words))


def _stanza(lang: str = "zh-hans") -> Tag:
    """Tag with Stanza, in universal parts of speech.

    Args:
        lang: the language of the model, which the library downloads when it is first used.
    """
    import stanza

    loaded = stanza.Pipeline(
        lang, processors="tokenize,pos", tokenize_pretokenized=True, verbose=False
    )
    return lambda words: [word.upos for word in loaded([list(words)]).sentences[0].words]


def _spacy(model: str = "zh_core_web_sm") -> Tag:
    """Tag with a pipeline of spaCy, in universal parts of speech.

    Args:
        model: the name of an installed pipeline, such as `zh_core_web_sm`, or its directory.
    """
    import spacy
    from spacy.tokens import Doc

    loaded = spacy.load(model)
    return lambda words: [token.pos_ for token in loaded(Doc(loaded.vocab, list(words)))]


TAGGERS: Mapping[str, Library] = {
    "jieba": replace(LIBRARIES["jieba"], adapter=_jieba),
    "thulac": replace(LIBRARIES["thulac"], adapter=_thulac),
    "ltp": replace(LIBRARIES["ltp"], adapter=_ltp),
    "hanlp": replace(LIBRARIES["hanlp"], adapter=_hanlp),
    "stanza": replace(LIBRARIES["stanza"], adapter=_stanza),
    "spacy": Library("spacy", _spacy, "spacy 3.8.18"),
}
"""The libraries that tag, by the names of their taggers."""

# Of jieba, THULAC, PKU and LTP in small letters, where the first letter says most; of the Penn
# Chinese Treebank in capitals. LTP's nt is a time, which is an organisation to the others.
_TAGS = {
    "ADJ": "a b z JJ VA",
    "ADP": "p f ltp:nd P LC BA LB SB",
    "ADV": "d ad vd AD",
    "AUX": "ul uz ug AS VC",
    "CCONJ": "c CC",
    "DET": "DT",
    "INTJ": "e o IJ ON",
    "NOUN": "n t s q g j an vn ltp:nt NN NT M",
    "NUM": "m CD OD",
    "PART": "u y h k DEC DEG DER DEV ETC MSP SP",
    "PRON": "r PN",
    "PROPN": "nr ns nt nz np nh ni NR",
    "PUNCT": "w PU",
    "SCONJ": "CS",
    "SYM": "",
    "VERB": "v VV VE",
    "X": "x i l eng nx ws FW URL NOI EM",
}
_UNIVERSAL = {tag: name for name, tags in _TAGS.items() for tag in (name, *tags.split())}


def universal(tag: str, word: str) -> str:
    """Return the universal part of speech of a tag; X if it is unknown.

    Punctuation is PUNCT whatever its tag.

    Args:
        tag: of jieba, THULAC, PKU, the Penn Chinese Treebank or Universal Dependencies; those of
            LTP begin with `ltp:`.
        word: the word.

    >>> universal("vn", "研究"), universal("rz", "这"), universal("NN", "学校")
    ('NOUN', 'PRON', 'NOUN')
    >>> universal("x", "，"), universal("x", "ə")
    ('PUNCT', 'X')
    >>> universal("nt", "北京大学"), universal("ltp:nt", "昨天"), universal("NR-SHORT", "京")
    ('PROPN', 'NOUN', 'PROPN')
    """
    if is_punctuation(word):
        return "PUNCT"
    plain = tag.removeprefix("ltp:").partition("-")[0]
    known = (name for name in (tag, plain, plain[:1]) if name in _UNIVERSAL)
    return _UNIVERSAL[next(known, "X")]
