import re
import signal
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie import Recoverer
from cijie.errors import SegmentationError, SegmenterError, UsageError
from cijie.segmenters import LIBRARIES, Segmenter, load_segmenter

from strategies import texts


class _Given(Segmenter):
    """Gives the words it was made with."""

    name = "given"

    def __init__(self, words: Sequence[Sequence[str]]) -> None:
        self._words = words

    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        return self._words


@given(st.lists(texts))
def test_white_space_separates_words_even_inside_of_a_token(given_texts: list[str]) -> None:
    segmenter = _Given([[text] for text in given_texts])
    for text, words in zip(given_texts, segmenter.segment(given_texts), strict=True):
        assert words.text == text
        assert not any(part.isspace() for token in words.tokens for part in token)


def test_what_comes_before_the_fault_is_given() -> None:
    segmenter = _Given([["我"], ["他"], ["你"]])
    results = segmenter.segment(["我", "她", "你"])
    assert next(results).tokens == ["我"]
    with pytest.raises(SegmentationError, match=r"offset 0: expected '她' \(U\+5979\)"):
        next(results)


def test_a_segmenter_must_answer_for_every_text() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(_Given([["我"]]).segment(["我", "你"]))


def test_functions_and_names() -> None:
    assert load_segmenter(list).name == "function:list"
    by_name = load_segmenter("textwrap:wrap")
    assert [str(words) for words in by_name.segment(["ab cd"])] == ["ab cd"]
    assert load_segmenter(by_name) is by_name
    with pytest.raises(ValueError, match="unknown segmenter 'jiba': did you mean 'jieba'"):
        load_segmenter("jiba")
    with pytest.raises(ValueError, match="unknown option of jieba 'hm': did you mean 'hmm'"):
        load_segmenter("jieba", {"hm": True})


@pytest.mark.parametrize("name", ["jieba", "rjieba"])
def test_options_are_in_the_name(name: str) -> None:
    assert load_segmenter(name).name == f"{name}-{LIBRARIES[name].installed()}"
    assert load_segmenter(name, {"hmm": False}).name.endswith(":hmm=off")


@pytest.mark.parametrize("value", ["maybe", "", 1])
def test_a_switch_is_on_or_off(value: object) -> None:
    with pytest.raises(ValueError, match="the option hmm must be on or off, not"):
        load_segmenter("rjieba", {"hmm": value})


def prints(text: str) -> list[str]:
    """Used by name below."""
    print("how chatty")  # noqa: T201
    return list(text)


def leaves(text: str) -> list[str]:
    """Used by name below."""
    sys.exit(0)


class _Leaves(Segmenter):
    name = "leaves"

    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        sys.exit(0)


def test_what_a_segmenter_prints_is_no_data(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    segmenter = load_segmenter(prints)
    assert [words.tokens for words in segmenter.segment(["我们"])] == [["我", "们"]]
    assert capsys.readouterr() == ("", "how chatty\n")
    assert sys.stdout is before


@pytest.mark.parametrize("segmenter", [leaves, _Leaves()])
def test_a_segmenter_does_not_end_the_program(segmenter: object) -> None:
    with pytest.raises(SegmenterError, match="failed: SystemExit: 0"):
        Recoverer(segmenter, "p1").recover("我", "你")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, GeneratorExit, SystemExit])
def test_only_a_signal_is_no_fault_of_the_segmenter(kind: type[BaseException]) -> None:
    class Raises(Segmenter):
        name = "raises"

        def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
            raise kind

    def raises(text: str) -> list[str]:
        raise kind

    def stop(number: int, frame: object) -> None:
        pass

    for segmenter in (raises, Raises()):
        recoverer = Recoverer(segmenter, "p1")
        # Python's own handler raises KeyboardInterrupt, others something else.
        for handler in (stop, signal.default_int_handler):
            before = signal.signal(signal.SIGINT, handler)
            try:
                if kind is KeyboardInterrupt and handler is not stop:
                    with pytest.raises(KeyboardInterrupt):
                        recoverer.recover("我", "你")
                else:
                    with pytest.raises(SegmenterError, match=f"failed: {kind.__name__}"):
                        recoverer.recover("我", "你")
            finally:
                signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("import sys; sys.exit(0)", SegmenterError, "module:cut failed: SystemExit: 0"),
        ("1 / 0", SegmenterError, "module:cut failed: ZeroDivisionError"),
        ("import no_such_library", UsageError, "no_such_library"),
        ("pass", UsageError, "no attribute 'cut'"),
        ("cut = 5", UsageError, "module:cut must be a function from a text to its words, not 5"),
    ],
)
def test_a_module_that_cannot_be_used_is_named(
    source: str,
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "module.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "module", raising=False)
    with pytest.raises(error, match=message):
        load_segmenter("module:cut")


def test_threads_never_lose_standard_output() -> None:
    before = sys.stdout
    barrier = Barrier(8)

    def cut(text: str) -> list[str]:
        return list(text)

    def work(_: int) -> None:
        barrier.wait()
        for _ in range(200):
            list(load_segmenter(cut).segment(["我们"]))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert sys.stdout is before


@pytest.mark.parametrize("wanted", [5, b"wapic"])
def test_what_is_no_segmenter_is_refused(wanted: object) -> None:
    with pytest.raises(TypeError, match="segmenter must be a name, a function from a text"):
        load_segmenter(wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize("segmenter", [list, load_segmenter(list), "builtins:list"])
def test_options_are_for_adapters(segmenter: Any) -> None:
    with pytest.raises(ValueError, match="options require the name of a segmenter: hmm"):
        load_segmenter(segmenter, {"hmm": True})
    with pytest.raises(TypeError, match="segmenter_options must be a dict .* not 'hmm'"):
        load_segmenter(segmenter, "hmm")  # type: ignore[arg-type]


def test_another_version_of_a_function_has_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that another version began is not resumed."""
    monkeypatch.syspath_prepend(tmp_path)
    names = []
    for version in ("list(text)", "text.split()"):
        (tmp_path / "own_module.py").write_text(f"def cut(text):\n    return {version}\n")
        monkeypatch.delitem(sys.modules, "own_module", raising=False)
        names.append(load_segmenter("own_module:cut").name)
    first, second = names
    assert re.fullmatch("function:own_module:cut@[0-9a-f]{8}", first)
    assert second != first
