from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.corpora.m2 import M2Block, read_m2
from cijie.edits.annotate import annotate_characters, annotate_words
from cijie.edits.edits import apply_edits
from cijie.errors import FormatError
from cijie.recovery.pair import Corrected
from cijie.recovery.recoverer import Recoverer
from cijie.text.characters import characters

from strategies import texts

TARGETS = st.lists(texts, max_size=3).map(tuple)


def in_twos(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([*range(0, len(text), 2), len(text)])]


def visible(text: str) -> str:
    """What is in words: all but white space, and zero-width characters that follow nothing."""
    split = characters(text)
    characters_of = zip(split.starts, split.ends, split.blank, strict=True)
    return "".join(text[start:end] for start, end, blank in characters_of if not blank)


def words(sentences: list[Corrected], dialect: str) -> Iterator[M2Block]:
    return annotate_words(sentences, Recoverer(in_twos, "p1"), dialect)


@pytest.mark.parametrize("annotate", [words, annotate_characters])
@pytest.mark.parametrize("dialect", ["errant", "cherrant"])
@given(source=texts, targets=TARGETS)
def test_edits_applied_give_each_target(
    annotate: Callable[[list[Corrected], str], Iterator[M2Block]],
    dialect: str,
    source: str,
    targets: tuple[str, ...],
) -> None:
    [block] = annotate([Corrected("1", source, targets)], dialect)
    assert "".join(block.source) == visible(source)
    for target, annotation in zip(targets, block.annotations, strict=False):
        applied = apply_edits(block.source, annotation.edits)
        assert "".join(applied) == visible(target)
        assert applied == annotation.corrected(block.source)


@pytest.mark.parametrize("dialect", ["errant", "cherrant"])
@given(st.lists(st.tuples(texts, TARGETS), max_size=5))
def test_block_n_is_sentence_n(
    tmp_path_factory: pytest.TempPathFactory, dialect: str, rows: list[tuple[str, tuple[str, ...]]]
) -> None:
    sentences = [Corrected(str(k), source, targets) for k, (source, targets) in enumerate(rows)]
    blocks = list(words(sentences, dialect))
    assert ["".join(b.source) for b in blocks] == [visible(source) for source, _ in rows]
    path = tmp_path_factory.mktemp("m2") / "x.m2"
    path.write_bytes("".join(f"{block}\n" for block in blocks).encode())
    assert list(read_m2(path)) == blocks


def test_the_nearest_target_decides_how_the_source_is_cut() -> None:
    given_words = {
        "我参加旅行困了": ["我", "参加", "旅行", "困", "了"],
        "我们也参加过旅行的": ["我们", "也", "参加", "过", "旅行", "的"],
        "我参加旅行团了": ["我", "参加", "旅行团", "了"],
    }
    recoverer = Recoverer(given_words.__getitem__, "p2", glyph_table="identity", threshold=0.2)
    sentence = Corrected("1", "我参加旅行困了", ("我们也参加过旅行的", "我参加旅行团了"))
    [block] = annotate_words([sentence], recoverer, "errant")
    assert block.source == ("我", "参加", "旅行困", "了")
    assert [(e.start, e.end, e.correction) for e in block.annotations[1].edits] == [
        (2, 3, ("旅行团",))
    ]


def test_other_targets_are_cut_like_the_source() -> None:
    given_words = {
        "其他人也去": ["其他", "人", "也", "去"],
        "其他人也去了": ["其他人", "也", "去", "了"],
        "其他人也都要去了": ["其他", "人", "也", "都", "要", "去", "了"],
    }
    sentence = Corrected("1", "其他人也去", ("其他人也都要去了", "其他人也去了"))
    [block] = annotate_words([sentence], Recoverer(given_words.__getitem__, "p1"), "cherrant")
    assert str(block) == (
        "S 其他人 也 去\n"
        "T0-A0 其他人 也 都 要 去 了\n"
        "A 2 2|||M|||都 要|||REQUIRED|||-NONE-|||0\n"
        "A 3 3|||M|||了|||REQUIRED|||-NONE-|||0\n"
        "T1-A0 其他人 也 去 了\n"
        "A 3 3|||M|||了|||REQUIRED|||-NONE-|||1\n"
    )


def test_sentences_without_target_stay(tmp_path: Path) -> None:
    sentences = [
        Corrected("1", "好", ()),
        Corrected("2", "", ("好",)),
        Corrected("3", "好", ("好",)),
    ]
    written = "\n".join(map(str, annotate_characters(sentences, "cherrant")))
    assert written == (
        "S 好\nT0 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S\nT0-A0 好\nA 0 0|||M|||好|||REQUIRED|||-NONE-|||0\n\n"
        "S 好\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    )


def test_what_m2_cannot_express_is_an_error_with_the_id() -> None:
    recoverer = Recoverer(str.split, "direct")
    with pytest.raises(FormatError, match=r"id 7: M2 cannot express the word 'a\|\|\|b'"):
        list(annotate_words([Corrected("7", "a|||b", ("a",))], recoverer, "errant"))
