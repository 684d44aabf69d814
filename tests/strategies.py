"""Texts that break tools: what hypothesis draws from in the property tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from cijie.alignment.links import Alignment, LinkTuple
from cijie.alignment.residual import ResidualAligner
from cijie.recovery.sentence import Sentence
from cijie.similarity.features import Candidates, Floats
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

# Few different characters, so that sources and targets have much in common.
PLAIN = ("我", "天", "见", "的", "旅", "行", "困", "团", "。", "a", "2", "𠮷", "𪚥")
BLANKS = (" ", "\u3000", "\u00a0", "\t")
ODD = (
    "👩\u200d🏫",  # one cluster of three code points
    "🇨🇳",
    "🙂",
    "e\u0301",
    "葛\U000e0100",
    "\u0301",
    "\u200b",
    "\ufeff",
    "\u200d",
    "㎡",
    "\x00",
    "\r\n",
    "\u0600",  # forms a cluster with what follows it
    "🇨",
    "\u1100",
    "\ufe0f",
)

# What is put into files in the midst of something else.
SCRAPS = (
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\\ud800", b"\r", b"\n\n", b"\t", b" ", b'"', b",", b"|||"),
    *(b"-1", b"0.5", b"9" * 20, b"null", b"[]", b"{}", b"NaN", "\u3000\u0301\u2028".encode()),
)

plain_texts = st.lists(st.sampled_from(PLAIN), max_size=14).map("".join)
texts = st.lists(
    st.one_of(st.sampled_from(PLAIN), st.sampled_from(BLANKS), st.sampled_from(ODD)), max_size=14
).map("".join)


@st.composite
def segmentations(draw: st.DrawFn, of: st.SearchStrategy[str] = texts) -> Segmentation:
    """A text with any segmentation that it can have, words across white space included."""
    text = draw(of)
    split = characters(text)
    ends = [end for end, blank in zip(split.ends, split.blank, strict=True) if not blank]
    kept = [end for end in ends[:-1] if draw(st.booleans())]
    return Segmentation(text, (*kept, *ends[-1:]))


def alike(
    count: int, of: st.SearchStrategy[str] = texts
) -> st.SearchStrategy[tuple[Segmentation, ...]]:
    """So many segmentations of one text."""
    return of.flatmap(lambda text: st.tuples(*[segmentations(st.just(text))] * count))


def link_by(
    pairs: Sequence[tuple[str, str]], score: Callable[[Candidates], Floats], threshold: float
) -> list[Alignment]:
    """What P2 makes of the pairs, with any function as the score."""

    def scorer(candidates: Candidates, _: float) -> Floats:
        return score(candidates)

    return ResidualAligner(scorer, threshold).align(pairs)  # type: ignore[arg-type]


def _some(candidates: Candidates) -> Floats:
    a, b = candidates.chars
    scores: Floats = ((a * 31 + b * 17) % 11) / 10.0
    return scores


@st.composite
def aligned(draw: st.DrawFn) -> tuple[Segmentation, Segmentation, Alignment]:
    """Two segmentations and an alignment of their texts, with anchors or any one-to-one links."""
    initial, target = draw(segmentations()), draw(segmentations())
    texts = (initial.text, target.text)
    if draw(st.booleans()):
        [alignment] = link_by([texts], _some, draw(st.floats(0, 1)))
        return initial, target, alignment
    size = min(map(len, texts))
    sources = draw(st.permutations(range(len(initial.text))))[:size]
    links: list[LinkTuple] = [
        (i, j, "residual", 0.5) for j, i in enumerate(sources) if draw(st.integers(0, 4))
    ]
    # Whole clusters only, as aligners link them.
    for side, text in enumerate(texts):
        split = characters(text)
        single = {core for key, core in zip(split.keys, split.cores, strict=True) if len(key) == 1}
        links = [link for link in links if link[side] in single]
    return initial, target, Alignment.from_tuples(len(texts[0]), len(texts[1]), links)


def damaged(content: bytes) -> st.SearchStrategy[bytes]:
    """A file to which something was done, or bytes that never were one."""
    place = st.integers(0, len(content))
    lines = content.splitlines(keepends=True)
    scraps = st.sampled_from(SCRAPS) | st.binary(max_size=3)
    return st.one_of(
        st.binary(max_size=30),
        place.map(lambda at: content[:at]),
        place.map(lambda at: content[at:]),
        st.tuples(place, place).map(lambda ab: content[: max(ab)] + content[min(ab) :]),
        st.tuples(place, scraps).map(lambda x: content[: x[0]] + x[1] + content[x[0] :]),
        st.tuples(place, scraps).map(lambda x: content[: x[0]] + x[1] + content[x[0] + 1 :]),
        st.permutations(lines * 2).map(b"".join),
    )


def words(joined: str) -> Segmentation:
    """The segmentation whose words are joined by spaces in `joined`."""
    return Segmentation.from_tokens(joined.replace(" ", ""), joined.split())


def cut(id: str, joined: str) -> Sentence:
    """A sentence whose words are separated by spaces."""
    segmentation = words(joined)
    return Sentence(id, segmentation.text, segmentation=segmentation)
