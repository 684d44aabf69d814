import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.links import Alignment, Link, LinkTuple
from cijie.errors import AlignmentError
from cijie.evaluation.counts import Coverage


@st.composite
def alignments(draw: st.DrawFn) -> Alignment:
    """Any one-to-one links: a random matching, an increasing part of it made anchors."""
    m, n = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    size = draw(st.integers(0, min(m, n)))
    sources = draw(st.permutations(range(m)))[:size]
    targets = draw(st.permutations(range(n)))[:size]
    links: list[LinkTuple] = []
    last = (-1, -1)
    for i, j in sorted(zip(sources, targets, strict=True)):
        if j > last[1] and draw(st.booleans()):
            links.append((i, j, "anchor", None))
            last = (i, j)
        else:
            links.append((i, j, "residual", draw(st.floats(0, 1))))
    return Alignment.from_tuples(m, n, draw(st.permutations(links)))


@given(alignments())
def test_links_give_the_alignment_back(alignment: Alignment) -> None:
    links = alignment.links
    m, n = alignment.source_length, alignment.target_length
    assert Alignment.from_tuples(m, n, alignment.as_tuples()) == alignment
    assert len(links) == len(alignment)
    assert links == sorted(links, key=lambda link: link.source)


@given(alignments())
def test_crossings_are_residual_links_that_cross_an_anchor_or_else_another_link(
    alignment: Alignment,
) -> None:
    anchors = [link for link in alignment.links if link.kind == "anchor"] or alignment.links
    crossing = [
        link
        for link in alignment.links
        if link.kind == "residual"
        and any((a.source - link.source) * (a.target - link.target) < 0 for a in anchors)
    ]
    assert alignment.crossing_links == crossing
    assert alignment.crossings == len(crossing)


@given(alignments())
def test_coverage_is_the_share_of_linked_characters(alignment: Alignment) -> None:
    m, n = alignment.source_length, alignment.target_length
    assert alignment.source_coverage == (len(alignment) / m if m else 0)
    assert alignment.target_coverage == (len(alignment) / n if n else 0)


@pytest.mark.parametrize(
    ("links", "said"),
    [
        ([(0, 0)], "no residual links"),
        ([(0, 0), (1, 1)], "1 residual link, none crossing"),
        (
            [(1, 1), (0, 2)],
            (
                "1 residual link, 1 crossing (100.00%; 33.33% of source characters, "
                "50.00% of linked ones), in 1 pair"
            ),
        ),
    ],
)
def test_coverage_in_words(links: list[tuple[int, int]], said: str) -> None:
    anchor, *residuals = links
    found: list[LinkTuple] = [(*anchor, "anchor", None)]
    found += [(*link, "residual", 0.5) for link in residuals]
    coverage = str(Coverage.of(Alignment.from_tuples(3, 3, found)))
    assert coverage.endswith(f" target characters; {said}")


@pytest.mark.parametrize(
    "links",
    [
        [(-1, 0)],
        [(0, -1)],
        [(3, 0)],
        [(0, 3)],
        [(0, 0, "residual")],
        [(0, 0, "residual", float("nan"))],
        [(0, 0, "anchor", 0.5)],
        [(0, 0, "guess")],
        [(0, 1), (1, 0)],
        [(0, 0), (0, 1, "residual", 0.9)],
        [(0, 0), (1, 0, "residual", 0.9)],
        [(0, 0, "residual", 0.9), (0, 1, "residual", 0.9)],
    ],
)
def test_bad_links_are_refused(links: list[tuple[int, int]]) -> None:
    with pytest.raises(AlignmentError):
        Alignment.from_tuples(3, 3, [Link(*link) for link in links])
