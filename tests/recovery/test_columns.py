"""`recover_batch` as users of `datasets`, pandas and Arrow call it."""

from itertools import pairwise
from typing import Any

import pytest

from cijie.errors import CijieError
from cijie.recovery.recoverer import Recoverer

COLUMNS: dict[str, list[Any]] = {
    "source": ["我参加旅行困", "好", ""],
    "target": ["我参加旅行团", "很好", "去"],
    "target_tokens": [["我", "参加", "旅行团"], None, ["去"]],
    "other": [1, 2, 3],
}
WORDS = [["我", "参加", "旅", "行困"], ["好"], []]


@pytest.fixture
def recoverer() -> Recoverer:
    def in_twos(text: str) -> list[str]:
        return [text[start:end] for start, end in pairwise([*range(0, len(text), 2), len(text)])]

    return Recoverer(in_twos, "p1")


def test_columns(recoverer: Recoverer) -> None:
    recovered = recoverer.recover_batch(COLUMNS)
    one_by_one = [
        recoverer.recover(source, target, target_tokens=tokens)
        for source, target, tokens, _ in zip(*COLUMNS.values(), strict=True)
    ]
    assert recovered["words"] == [recovery.words for recovery in one_by_one] == WORDS
    assert recovered["spans"] == [recovery.spans for recovery in one_by_one]
    assert recovered["links"][1] == [{"source": 0, "target": 1, "kind": "anchor", "score": None}]
    assert set(map(len, recovered.values())) == {3}
    assert recoverer.recover_batch({"source": [], "target": []})["words"] == []


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"source": ["我"]}, "missing column 'target'; use columns= to rename"),
        ({"source": ["我"], "target": []}, "different lengths"),
        ({"source": ["我", None], "target": ["我", "我"]}, "^id 2: 'source' is missing"),
        (
            {"id": ["a"], "source": ["我"], "target": ["我"], "target_tokens": [["你"]]},
            "^id a: target_tokens: at offset 0",
        ),
    ],
)
def test_columns_that_cannot_be_recovered(
    recoverer: Recoverer, columns: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(CijieError, match=message):
        recoverer.recover_batch(columns)


def test_p3_says_how_sure_it_is() -> None:
    recoverer = Recoverer(list, "p3")
    recovered = recoverer.recover_batch({"source": ["旅行困", ""], "target": ["旅行团", ""]})
    assert recovered["confidences"] == [
        list(recoverer.recover("旅行困", "旅行团").confidences),
        [],
    ]
    assert [len(doubts) for doubts in recovered["doubts"]] == [
        len(recoverer.recover("旅行困", "旅行团").doubts),
        0,
    ]


def test_columns_by_other_names(recoverer: Recoverer) -> None:
    names = {"source": "learner", "target": "corrected", "target_tokens": "words", "id": "sid"}
    others = {names.get(name, name): column for name, column in COLUMNS.items()} | {"sid": [7] * 3}
    assert recoverer.recover_batch(others, columns=names) == recoverer.recover_batch(COLUMNS)
    with pytest.raises(CijieError, match="^missing column 'corrected'; use columns= to rename$"):
        recoverer.recover_batch({"learner": []}, columns=names)
    with pytest.raises(ValueError, match="unknown column 'sources': did you mean 'source'"):
        recoverer.recover_batch(COLUMNS, columns={"sources": "learner"})


def test_what_cannot_be_recovered_is_kept_with_its_error(recoverer: Recoverer) -> None:
    columns = {**COLUMNS, "source": [None, "好", float("nan")]}
    recovered = recoverer.recover_batch(columns, on_error="keep")
    assert recovered["error"] == ["id 1: 'source' is missing", None, "id 3: 'source' is missing"]
    assert recovered["words"] == [None, ["好"], None]
    assert recovered["spans"][0] is None
    assert recoverer.recover_batch(COLUMNS, on_error="keep")["error"] == [None] * 3


@pytest.mark.filterwarnings("ignore")  # of libraries that are not ours
def test_datasets(recoverer: Recoverer) -> None:
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_dict(COLUMNS)
    mapped = dataset.map(recoverer.recover_batch, batched=True, batch_size=2)
    assert mapped["words"][:] == WORDS
    assert mapped["other"][:] == [1, 2, 3]
    assert mapped["spans"][0] == [[0, 1], [1, 3], [3, 4], [4, 6]]


@pytest.mark.filterwarnings("ignore")
def test_pandas(recoverer: Recoverer) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COLUMNS)
    assert list(frame.assign(**recoverer.recover_batch(frame))["words"]) == WORDS
    frame.loc[1, "source"] = None
    kept = frame.assign(**recoverer.recover_batch(frame, on_error="keep"))
    assert list(kept["error"].isna()) == [True, False, True]


@pytest.mark.filterwarnings("ignore")
def test_arrow(recoverer: Recoverer) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table(COLUMNS)
    assert pa.table(recoverer.recover_batch(table.to_pydict()))["words"].to_pylist() == WORDS
