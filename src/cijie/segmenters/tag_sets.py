"""The tags of Chinese taggers, mapped to universal parts of speech."""

from __future__ import annotations

from cijie.text.characters import is_punctuation

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
