from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.corpora.checks import Ids
from cijie.errors import FormatError, printable
from cijie.recovery.records import given_id

ids = st.one_of(
    st.integers(0, 30).map(str),
    st.integers(0, 30).map("s-{}".format),
    st.integers(0, 30).map("{:03}".format),
    st.sampled_from(["", "a", "a\n1", "٣", "1" * 30, "0" * 30]),
)


@given(st.lists(ids, unique=True))
def test_every_id_has_its_line(added: list[str]) -> None:
    seen = Ids("check", "in.tsv")
    for line, id in enumerate(added, start=1):
        assert seen.add(id, line) is None
    assert [seen.add(id, 99) for id in added] == list(range(1, len(added) + 1))
    assert seen.add("other", 99) is None


@pytest.mark.parametrize("form", ["{}", "dev-{}", "dev.{:06}", "{:08}.txt-3"])
def test_ids_that_go_up_with_their_lines_take_no_memory(form: str) -> None:
    seen = Ids("check", "in.tsv")
    for line in range(1, 20_000):
        seen.add(form.format(line), line)
    assert len(seen) < 10 or form.endswith("3")
    assert seen.add(form.format(12_345), 20_000) == 12_345


@given(st.lists(ids))
def test_unique_ids_are(given_ids: list[str]) -> None:
    unique = Ids("unique", "in.tsv")
    made = [unique(id, line) for line, id in enumerate(given_ids, start=1)]
    assert len(set(made)) == len(made)
    assert all(new.startswith(old) for old, new in zip(given_ids, made, strict=True))


@given(st.lists(ids, min_size=1, unique=True), st.data())
def test_a_repeated_id_names_both_lines(given_ids: list[str], data: st.DataObject) -> None:
    check = Ids("check", "in.tsv")
    for line, id in enumerate(given_ids, start=1):
        assert check(id, line) == id
    again = data.draw(st.sampled_from(given_ids))
    with pytest.raises(FormatError) as caught:
        check(again, 99)
    first = given_ids.index(again) + 1
    message = f"duplicate id, first used on line {first}; --ids unique renames it"
    assert str(caught.value).startswith(f"in.tsv:99: id {printable(again)}: {message}")


class Missing:
    """pandas' NA is known by its name."""


Missing.__name__ = "NAType"


@pytest.mark.parametrize(
    ("id", "string"),
    [
        ("5", "5"),
        ("", ""),
        (5, "5"),
        (5.0, "5"),
        (-0.0, "0"),
        (np.int64(5), "5"),
        (np.uint8(5), "5"),
        (np.float32(5), "5"),
        (np.str_("5"), "5"),
        (None, "the line"),
        (float("nan"), "the line"),
        (np.float64("nan"), "the line"),
        (Missing(), "the line"),
    ],
)
def test_ids_that_are_strings_or_whole_numbers(id: Any, string: str) -> None:
    assert given_id({"id": id}, "the line") == string
    assert type(given_id({"id": id}, "the line")) is str


@pytest.mark.parametrize("id", [["a"], {}, True, np.bool_(True), 5.5, float("inf"), 1e300, b"5"])
def test_ids_that_are_something_else(id: Any) -> None:
    with pytest.raises(FormatError, match="7: 'id' is neither a string nor a whole number"):
        given_id({"id": id}, 7)


def test_ids_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([5, None], dtype="Int64")
    assert [given_id({"id": id}, line) for line, id in enumerate(column)] == ["5", "1"]
