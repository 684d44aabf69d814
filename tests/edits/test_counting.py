"""Which edits of a system are right, by the rules of ERRANT and of ChERRANT."""

from fractions import Fraction
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.edits.blocks import Annotation, M2Block, annotate, in_errant
from cijie.edits.counting import EditCounts, Measure, Rules, Scoring, best_match, counts_by
from cijie.edits.edits import Edit
from cijie.edits.types import EditTyper

SOURCE = ("我", "去", "学较", "里")
NOOP = Edit(-1, -1, ("-NONE-",), "noop")
NOT_ANNOTATED = Edit(-1, -1, ("-NONE-",), "NA")
SCHOOL, HOME, OUT = (Edit(2, 3, ("学校",), "S"), Edit(2, 3, ("家",), "S"), Edit(3, 4, (), "R"))


def block(*annotators: list[Edit]) -> M2Block:
    return M2Block(SOURCE, tuple(Annotation(k, tuple(edits)) for k, edits in enumerate(annotators)))


def counts(
    output: M2Block,
    references: M2Block,
    so_far: EditCounts | None = None,
    rules: Rules = "cherrant",
    measure: Measure = "correction",
) -> tuple[int, int, int] | None:
    so_far = so_far or EditCounts()
    match = best_match(output, references, so_far, Scoring(rules=rules), measure)
    if match is None:
        return None
    found = match.counts
    return found.tp, found.fp, found.fn


def test_what_is_right_wrong_and_missing() -> None:
    assert counts(block([SCHOOL]), block([SCHOOL, OUT])) == (1, 0, 1)
    assert counts(block([HOME, OUT]), block([SCHOOL, OUT])) == (1, 1, 1)
    assert counts(block([HOME, OUT]), block([SCHOOL, OUT]), measure="detection") == (2, 0, 0)
    assert counts(block([NOOP]), block([SCHOOL])) == (0, 0, 1)
    assert counts(block([SCHOOL]), block([NOOP])) == (0, 1, 0)
    assert counts(block([NOOP]), block([NOOP])) == (0, 0, 0)
    assert counts(M2Block(SOURCE), M2Block(SOURCE)) == (0, 0, 0)


def test_the_reference_that_is_best_for_the_corpus() -> None:
    output, references = block([SCHOOL]), block([NOOP], [HOME, OUT], [SCHOOL, OUT])
    match = best_match(output, references, EditCounts(), Scoring())
    assert match is not None
    assert (match.reference.annotator, match.hits, match.missed) == (2, (SCHOOL,), (OUT,))
    # One edit wrong against one reference, and two missing besides against the other.
    output, references = block([HOME]), block([SCHOOL, OUT], [NOOP])
    assert counts(output, references) == (0, 1, 0)


def test_a_tie_goes_to_more_hits_then_fewer_wrong_then_the_first() -> None:
    # F so far, to four digits, does not change by one edit among a million.
    so_far = EditCounts(10**6, 10**6, 10**6)
    assert counts(block([SCHOOL]), block([NOOP], [SCHOOL]), so_far) == (1, 0, 0)
    assert counts(block([HOME, OUT]), block([HOME], [OUT]), so_far) == (1, 1, 0)
    match = best_match(block([HOME, OUT]), block([HOME], [OUT]), so_far, Scoring())
    assert match is not None
    assert match.hits == (HOME,)


def test_a_cut_is_part_of_a_correction_for_errant_alone() -> None:
    cut, whole = Edit(2, 3, ("学", "校"), "S"), Edit(2, 3, ("学校",), "S")
    assert counts(block([cut]), block([whole]), rules="cherrant") == (1, 0, 0)
    assert counts(block([cut]), block([whole]), rules="errant") == (0, 1, 1)


def test_what_could_not_be_annotated_is_not_scored_by_cherrant() -> None:
    assert counts(block([SCHOOL]), block([NOT_ANNOTATED])) is None
    assert counts(block([SCHOOL]), block([NOT_ANNOTATED]), rules="errant") == (0, 1, 1)
    assert counts(block([SCHOOL]), block([NOT_ANNOTATED], [SCHOOL])) == (1, 0, 0)


def test_what_nobody_can_correct_is_for_detection() -> None:
    unknown = Edit(2, 3, ("学校",), "UNK")
    assert counts(block([SCHOOL]), block([unknown])) == (0, 1, 0)
    assert counts(block([SCHOOL]), block([unknown]), measure="detection") == (1, 0, 0)


def test_ways_to_write_what_an_annotator_does_are_taken_together() -> None:
    edits = Annotation(0, (SCHOOL,), (), 0), Annotation(0, (OUT,), (), 1)
    assert counts(block([SCHOOL]), M2Block(SOURCE, edits)) == (1, 0, 1)


def test_types() -> None:
    match = best_match(
        block([Edit(2, 3, ("学校",), "S:X"), OUT]), block([SCHOOL]), EditCounts(), Scoring()
    )
    assert match is not None
    assert counts_by([match]) == {"S": EditCounts(tp=1), "R": EditCounts(fp=1)}


@given(st.integers(0, 99), st.integers(0, 99), st.integers(0, 99), st.sampled_from([0.5, 1, 2]))
def test_f_is_the_ratio(tp: int, fp: int, fn: int, beta: float) -> None:
    found = EditCounts(tp, fp, fn)
    numerator, denominator = found.ratio(Fraction(str(beta)) ** 2)
    assert found.f(beta) == pytest.approx(numerator / denominator if denominator else 1.0)


TYPER = EditTyper()
WORDS = st.lists(st.sampled_from(["我", "去", "学校", "了", "。"]), max_size=6)


@given(st.lists(st.tuples(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3)), max_size=6))
@pytest.mark.parametrize("option", ["-cs", "-ds"])
def test_it_is_what_errant_counts(
    option: str, rows: list[tuple[list[str], list[str], list[list[str]]]]
) -> None:
    blocks = [
        (in_errant(annotate(source, [output], TYPER)), in_errant(annotate(source, them, TYPER)))
        for source, output, them in rows
    ]
    total, types = EditCounts(), dict[str, EditCounts]()
    for output, references in blocks:
        measure: Measure = "correction" if option == "-cs" else "detection"
        match = best_match(output, references, total, Scoring(rules="errant"), measure)
        assert match is not None
        total += match.counts
        for type, found in counts_by([match]).items():
            types[type] = types.get(type, EditCounts()) + found
    texts = ["".join(f"{block}\n" for block in side) for side in zip(*blocks, strict=True)]
    assert not rows or errant(option, *texts) == (total, types)


def errant(option: str, *texts: str) -> tuple[EditCounts, dict[str, EditCounts]]:
    """What `errant_compare` counts on two files with these texts."""
    compare = pytest.importorskip("errant.commands.compare_m2")
    found: list[tuple[EditCounts, dict[str, EditCounts]]] = []

    def keep(best: dict[str, int], types: dict[str, list[int]], _: object) -> None:
        counts = EditCounts(best["tp"], best["fp"], best["fn"])
        found.append((counts, {type: EditCounts(*three) for type, three in types.items()}))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compare, "print_results", keep)
        patch.setattr(compare, "open", lambda number: StringIO(texts[int(number)]), raising=False)
        patch.setattr("sys.argv", ["errant_compare", "-hyp", "0", "-ref", "1", option])
        compare.main()
    [result] = found
    return result
