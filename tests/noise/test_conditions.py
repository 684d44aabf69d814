"""Benchmarks as files: the same bytes everywhere, cards that are true, files that are theirs."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import ReadOptions
from cijie.errors import CijieError, FormatError
from cijie.noise.conditions import Corpus, read_benchmark, read_corpus, write_benchmark
from cijie.noise.injection import EditDistribution, Noise, Pool
from cijie.noise.synthetic import Recipe

from strategies import cut

SENTENCES = (
    "小王 的 弟弟 在 河边 捡到 一 块 圆圆 的 石头 。",
    "昨天 下 了 一 整夜 的 雨 ， 路上 都 是 水 。",
    "老师 问 ： 谁 愿意 先 读 第三 段 ？",
    "这 家 面馆 开 了 二十 年 ， 价钱 几乎 没 变 。",
    "妹妹 画 了 一 只 蓝色 的 猫 ， 挂 在 门 上 。",
)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus("example", "CC0", tuple(cut(f"s{n}", s) for n, s in enumerate(SENTENCES)))


def write(
    directory: Path, corpus: Corpus, *percents: int, seed: int = 0
) -> dict[str, Mapping[str, Any]]:
    noise = Noise(Pool.of(corpus.texts, "corpus"))
    ratios = [Fraction(percent, 100) for percent in percents]
    written = write_benchmark(directory, corpus, ratios, Recipe(noise, seed=seed))
    return {condition.name: condition.card for condition in written}


def test_the_same_seed_gives_the_same_bytes_everywhere(corpus: Corpus, tmp_path: Path) -> None:
    """Golden checksums: they hold for every machine, and every version of Python and libraries."""
    cards = write(tmp_path, corpus, 2, 30, seed=7)
    assert [card["files"] for card in cards.values()] == [
        {
            "pairs.jsonl": "53d01dc58a8cb6ac66283d3fead4b444d7193dcf76bc4c804366625c4be373a3",
            "gold.jsonl": "5c652a0b8f531d072295c5e41e57b9605af7a8cc54bacf63910885fc7629af62",
        },
        {
            "pairs.jsonl": "4d333b73c2d94aa19fea56b55b938cedb898a4569921b6031a4cfe44515bc319",
            "gold.jsonl": "05845c4ed58d1900fca0e95be79a7e2733e7cdddd1629ce45c5eeb1ee2c14d0a",
        },
    ]
    for name, card in cards.items():
        for file, checksum in card["files"].items():
            assert sha256((tmp_path / name / file).read_bytes()).hexdigest() == checksum


def test_what_is_written_is_read_again(corpus: Corpus, tmp_path: Path) -> None:
    write(tmp_path, corpus, 100, 0, 10)
    conditions = read_benchmark(tmp_path)
    assert [condition.name for condition in conditions] == ["r00", "r10", "r100"]
    assert [condition.ratio for condition in conditions] == [0, 0.1, 1]
    clean, noisy, _ = conditions
    for pair, target in zip(clean.pairs(), corpus.sentences, strict=True):
        assert (pair.id, pair.source, pair.target) == (target.id, target.source, target.source)
        assert pair.target_segmentation == target.segmentation
        assert pair.initial is None  # gold is not given away
        assert clean.gold()[pair.id] == target.segmentation
    assert {pair.id: pair.source for pair in noisy.pairs()} == {
        id: gold.text for id, gold in noisy.gold().items() if not isinstance(gold, list)
    }
    assert len({condition.checksum for condition in conditions}) == 3


def test_the_card_says_what_was_made(corpus: Corpus, tmp_path: Path) -> None:
    card = write(tmp_path, corpus, 10)["r10"]
    assert card == orjson.loads((tmp_path / "r10" / "card.json").read_bytes())
    characters = sum(map(len, corpus.texts))
    assert card["corpus"] == {
        "name": "example",
        "licence": "CC0",
        "sha256": corpus.checksum,
        "sentences": 5,
        "characters": characters,
        "tokens": sum(len(sentence.split()) for sentence in SENTENCES),
    }
    edits = EditDistribution().apportion(round(characters / 10))
    assert card["edits"] == {**edits, "all": sum(edits.values())}
    assert card["dropped"] == 0
    [condition] = read_benchmark(tmp_path)
    sources = [pair.source for pair in condition.pairs()]
    assert card["pairs"]["sentences"] == len(sources) == 5
    assert card["pairs"]["unchanged"] == sum(
        source == target for source, target in zip(sources, corpus.texts, strict=True)
    )
    assert card["pairs"]["source_tokens"] == sum(map(len, condition.gold().values()))


def test_the_checksum_of_a_corpus_is_that_of_its_json_lines(corpus: Corpus) -> None:
    lines = b"".join(dump_line(sentence.as_record()) for sentence in corpus.sentences)
    assert corpus.checksum == sha256(lines).hexdigest()


@pytest.mark.parametrize("name", ["pairs.jsonl", "gold.jsonl"])
def test_a_file_that_is_not_that_of_its_card_is_refused(
    name: str, corpus: Corpus, tmp_path: Path
) -> None:
    write(tmp_path, corpus, 10)
    file = tmp_path / "r10" / name
    file.write_bytes(file.read_bytes().replace("石头".encode(), "头石".encode()))
    with pytest.raises(FormatError, match="not the file of its card") as error:
        read_benchmark(tmp_path)
    assert error.value.path == str(file)
    file.unlink()
    with pytest.raises(FormatError, match="found no file"):
        read_benchmark(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": {}, "noise": {"ratio": 1}}'])
def test_what_is_no_card(content: str, tmp_path: Path) -> None:
    (tmp_path / "r10").mkdir()
    (tmp_path / "r10" / "card.json").write_text(content)
    with pytest.raises(FormatError, match="card.json: not a data card of"):
        read_benchmark(tmp_path)


def test_a_directory_without_conditions(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="found no condition with a card.json"):
        read_benchmark(tmp_path)


def test_a_corpus_has_no_id_twice() -> None:
    sentences = (cut("7", "你 好"), cut("7", "再见"))
    with pytest.raises(CijieError, match="id 7"):
        Corpus("example", "", sentences)


def test_a_corpus_is_read_in_any_format_with_words(tmp_path: Path) -> None:
    path = tmp_path / "river.txt"
    path.write_text("\n".join(SENTENCES), encoding="utf-8")
    corpus = read_corpus(path, licence="CC0")
    assert (corpus.name, corpus.licence) == ("river", "CC0")
    assert [str(each.segmentation) for each in corpus.sentences] == list(SENTENCES)
    with pytest.raises(ValueError, match="numbered files"):
        read_corpus(path, files={400})
    with pytest.raises(FormatError):
        read_corpus(path, options=ReadOptions("conllu"))


def test_the_files_of_the_treebank_are_chosen_by_number(tmp_path: Path) -> None:
    for number, sentence in zip((399, 400, 550, 551), SENTENCES, strict=False):
        text = f"<S ID=1>\n{sentence}\n</S>\n"
        (tmp_path / f"chtb_{number}.seg").write_text(text, encoding="gb18030")
    corpus = read_corpus(tmp_path, files=range(400, 551))
    assert [each.id for each in corpus.sentences] == ["chtb_400-1", "chtb_550-1"]
    assert str(corpus.sentences[0].segmentation) == SENTENCES[1]
