from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.corpora.m2 import read_m2, write_block
from cijie.edits.annotate import (
    Corrections,
    SentenceBlocks,
    annotate_sentences,
    cut_characters,
    cut_words,
)
from cijie.edits.blocks import Dialect, M2Block, in_errant
from cijie.edits.edits import apply_edits
from cijie.edits.types import EditTyper, Level
from cijie.errors import CijieError
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

from strategies import texts

TARGETS = st.lists(texts, max_size=3).map(tuple)
LEVELS: tuple[Level, ...] = ("word", "char")


def in_twos(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([*range(0, len(text), 2), len(text)])]


def visible(text: str) -> str:
    """What is in words: all but white space, and zero-width characters that follow nothing."""
    split = characters(text)
    characters_of = zip(split.starts, split.ends, split.blank, strict=True)
    return "".join(text[start:end] for start, end, blank in characters_of if not blank)


def blocks_of(sentences: list[Corrections], level: Level) -> Iterator[SentenceBlocks]:
    cut = cut_words(sentences, Recoverer(in_twos, "p1"))
    return annotate_sentences(
        cut if level == "word" else cut_characters(sentences), EditTyper(level)
    )


@pytest.mark.parametrize("level", LEVELS)
@given(source=texts, targets=TARGETS)
def test_edits_applied_give_each_target(
    level: Level, source: str, targets: tuple[str, ...]
) -> None:
    [blocks] = blocks_of([(Sentence("1", source, targets), targets[:1])], level)
    for block in (blocks.references, in_errant(blocks.references), *blocks.outputs):
        assert block.source == blocks.references.source
        assert "".join(block.source) == visible(source)
        for target, annotation in zip(targets, block.annotations, strict=False):
            assert "".join(apply_edits(block.source, annotation.edits)) == visible(target)
            assert "".join(annotation.corrected(block.source)) == visible(target)
            for edit in annotation.edits:
                replaced = "".join(block.source[edit.start : edit.end])
                assert edit.type == "noop" or replaced != "".join(edit.correction)


@pytest.mark.parametrize("level", LEVELS)
@given(source=texts, targets=TARGETS.filter(len))
def test_equal_texts_have_equal_edits(level: Level, source: str, targets: tuple[str, ...]) -> None:
    [blocks] = blocks_of([(Sentence("1", source, targets), targets)], level)
    references = [annotation.edits for annotation in blocks.references.annotations]
    assert [output.annotations[0].edits for output in blocks.outputs] == references


@pytest.mark.parametrize("dialect", ["errant", "cherrant"])
@given(st.lists(st.tuples(texts, TARGETS), max_size=5))
def test_block_n_is_sentence_n(
    tmp_path_factory: pytest.TempPathFactory,
    dialect: Dialect,
    rows: list[tuple[str, tuple[str, ...]]],
) -> None:
    sentences = [(Sentence(str(k), *row), ()) for k, row in enumerate(rows)]
    blocks = list(blocks_of(sentences, "word"))
    assert [block.id for block in blocks] == [str(k) for k in range(len(rows))]
    path = tmp_path_factory.mktemp("m2") / "x.m2"
    with path.open("wb") as stream:
        written = [write_block(block.references, stream, dialect) for block in blocks]
    assert ["".join(block.source) for block in written] == [visible(source) for source, _ in rows]
    assert list(read_m2(path)) == written


def words(segmented: dict[str, list[str]], sentence: Corrections) -> list[str]:
    [(_, cut)] = cut_words([sentence], Recoverer(segmented.__getitem__, "p1"))
    return list(map(str, cut))


def test_the_nearest_target_decides_how_the_source_is_cut() -> None:
    segmented = {
        "我参加旅行困了": ["我", "参加", "旅行", "困", "了"],
        "我们也参加过旅行的": ["我们", "也", "参加", "过", "旅行", "的"],
        "我参加旅行团了": ["我", "参加", "旅行团", "了"],
    }
    recoverer = Recoverer(segmented.__getitem__, "p2", glyph_table="identity", threshold=0.2)
    corrected = Sentence("1", "我参加旅行困了", ("我们也参加过旅行的", "我参加旅行团了"))
    [(_, cut)] = cut_words([(corrected, ())], recoverer)
    assert str(cut[0]) == "我 参加 旅行困 了"


OTHERS = {
    "其他人也去": ["其他", "人", "也", "去"],
    "其他人也去了": ["其他人", "也", "去", "了"],
    "其他人也都要去了": ["其他", "人", "也", "都", "要", "去", "了"],
}


def test_other_texts_are_cut_after_the_source() -> None:
    near, far = "其他人也去了", "其他人也都要去了"
    sentence = Sentence("1", "其他人也去", (far, near)), (near,)
    assert words(OTHERS, sentence) == [
        "其他人 也 去",
        "其他人 也 都 要 去 了",
        "其他人 也 去 了",
        "其他人 也 去 了",
    ]


def test_a_system_has_no_say_in_how_the_source_is_cut() -> None:
    near, far = "其他人也去了", "其他人也都要去了"
    alone = words(OTHERS, (Sentence("1", "其他人也去", (far,)), ()))
    assert words(OTHERS, (Sentence("1", "其他人也去", (far,)), (near,)))[:2] == alone
    assert alone[0] == "其他 人 也 去"


def test_words_of_the_source_may_be_given() -> None:
    source = "其他人也去"
    initial = Segmentation.from_tokens(source, ["其", "他人", "也去"])
    corrected = Sentence("1", source, ("其他人也去了",), initial=initial)
    [(_, cut)] = cut_words([(corrected, ())], Recoverer(OTHERS.__getitem__, "direct"))
    assert list(map(str, cut)) == ["其 他人 也去", "其 他人 也去 了"]


def test_a_source_without_references_has_the_words_it_has_by_itself() -> None:
    sentence = Sentence("1", "其他人也去", ()), ("其他人也去了",)
    assert words(OTHERS, sentence) == ["其他 人 也 去", "其他 人 也 去 了"]


def test_sentences_without_target_stay() -> None:
    sentences = [
        (Sentence("1", "好", ()), ("好",)),
        (Sentence("2", "", ("好",)), ("",)),
        (Sentence("3", "好", ("好",)), ("",)),
    ]
    found = list(blocks_of(sentences, "char"))
    assert "\n".join(str(blocks.references) for blocks in found) == (
        "S 好\nT0 无法标注\nA -1 -1|||NA|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
        "S\nT0-A0 好\nA 0 0|||M:OTHER|||好|||REQUIRED|||-NONE-|||0\n\n"
        "S 好\nT0 没有错误\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    )
    assert str(in_errant(found[0].references)) == "S 好\n"
    assert str(found[2].outputs[0]) == (
        "S 好\nT0-A0\nA 0 1|||R:OTHER|||-NONE-|||REQUIRED|||-NONE-|||0\n"
    )


def test_what_cannot_be_segmented_is_an_error_with_the_id() -> None:
    def only(text: str) -> list[str]:
        return ["好"]

    with pytest.raises(CijieError, match="id 7: "):
        list(cut_words([(Sentence("7", "好", ("好的",)), ())], Recoverer(only, "p1")))


def test_what_m2_cannot_express_can_be_scored_but_not_written(tmp_path: Path) -> None:
    sentence = Sentence("7", "a|||b", ("a",)), ()
    [cut] = cut_words([sentence], Recoverer(str.split, "direct"))
    [blocks] = annotate_sentences([cut], EditTyper())
    assert blocks.references == M2Block(("a|||b",), blocks.references.annotations)
    with pytest.raises(CijieError, match=r"M2 cannot express the word 'a\|\|\|b'"):
        write_block(blocks.references, BytesIO(), "errant")
