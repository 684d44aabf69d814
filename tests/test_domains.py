from pathlib import Path

import pytest

from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare

FOLDER = Path(__file__).parent.parent / "benchmarks/domains"


@pytest.mark.skipif(not FOLDER.exists(), reason="the source distribution has no benchmarks")
@pytest.mark.parametrize("name", ["traditional", "speech", "ocr", "social"])
def test_a_set_of_other_texts_has_the_words_of_200_different_sources(name: str) -> None:
    pairs = list(sentences_of(read(str(FOLDER / f"{name}.tsv"), "pairs")))
    gold, _ = read_to_compare(str(FOLDER / f"{name}.gold.jsonl"), (), pairs)
    assert len({pair.source for pair in pairs}) == len(gold) == 200
    for pair in pairs:
        assert pair.source != pair.target
        assert gold.of_text(pair.id, pair.source).text == pair.source
