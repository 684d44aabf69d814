from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from cijie.alignment.links import Alignment
from cijie.pictures.svg import to_svg
from cijie.text.segmentation import Segmentation

from recovered import MOVED, SUBSTITUTED, projected, recovered
from strategies import aligned

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> Any:
    return ET.fromstring(svg)


def classes(svg: str) -> list[str]:
    return [name for element in parsed(svg).iter() if (name := element.get("class"))]


def test_the_texts_are_text() -> None:
    svg = recovered(*SUBSTITUTED).to_svg()
    texts = ["".join(text.itertext()) for text in parsed(svg).iter(f"{SVG}text")]
    assert texts == [
        *("S", "我参加了旅行困", "T", "我参加了旅行团", "recovered", "我参加了旅行困"),
        *("same character", "similar shape or sound", "joined", "not in the other text"),
        "旅行困 is one word, because 旅行团 is, and 困 looks like 团 (similarity .89).",
        ".99 sure; otherwise 旅行|困 (.01)",
    ]
    in_chinese = parsed(recovered(*SUBSTITUTED).to_svg(language="zh")).iter(f"{SVG}text")
    assert "“旅行困”是一个词" in "".join("".join(text.itertext()) for text in in_chinese)


def test_characters_that_the_other_text_lacks_have_a_colour_of_their_own() -> None:
    svg = parsed(recovered(*SUBSTITUTED).to_svg())
    edited = [each.text for each in svg.iter(f"{SVG}tspan") if each.get("class") == "edited"]
    assert edited == ["困", "团", "困"]


def test_reasons_go_on_in_another_line() -> None:
    svg = parsed(recovered(*SUBSTITUTED).to_svg(width=300))
    assert float(svg.get("width")) <= 300
    words = " ".join(text.text or "" for text in svg.iter(f"{SVG}text"))
    assert "because 旅行团 is, and 困" in words


def test_links_of_each_kind_are_distinct() -> None:
    # The legend has one more of each kind.
    assert classes(recovered(*SUBSTITUTED).to_svg()).count("residual") == 2
    moved = classes(recovered(*MOVED).to_svg())
    assert moved.count("crossing") == 7  # three links, each with a ring
    assert moved.count("residual") == 1


def test_styles() -> None:
    recovery = recovered(*SUBSTITUTED)
    light, dark, auto = (recovery.to_svg(style=style) for style in ("light", "dark", "auto"))
    assert "#fcfbf8" in light
    assert "#16181b" in dark
    assert "#16181b" not in light
    assert "<style>" not in light + dark  # so that every program which reads SVG has the colours
    assert "prefers-color-scheme:dark" in auto
    with pytest.raises(ValueError, match="unknown style 'red': expected one of light, dark, auto"):
        recovery.to_svg(style="red")  # type: ignore[arg-type]


def test_a_long_pair_goes_on_in_another_line() -> None:
    recovery = recovered(*MOVED)
    wide, narrow = (parsed(recovery.to_svg(width=width)) for width in (800, 300))
    assert float(narrow.get("width")) <= 300
    assert float(narrow.get("height")) > 1.5 * float(wide.get("height"))


def test_a_word_longer_than_a_line_has_a_box_in_each() -> None:
    word = "OK" * 20
    svg = recovered(f"说 {word}", f"说 {word}", "p1").to_svg(width=300)
    boxes = [element for element in parsed(svg).iter(f"{SVG}g") if element.get("class") == "box"]
    lines = [text for text in parsed(svg).iter(f"{SVG}text") if text.text == "S"]
    assert len(boxes) == 3 * len(lines) > 6


def test_several_pairs_are_one_picture() -> None:
    pairs = [{"p3": recovered(*pair)} for pair in (SUBSTITUTED, MOVED)]
    both = parsed(to_svg(*pairs))
    heights = [float(parsed(to_svg(pair)).get("height")) for pair in pairs]
    assert sum(heights) - 40 < float(both.get("height")) <= sum(heights)
    assert len(list(both.iter(f"{SVG}title"))) > 2


def test_hostile_text_stays_text() -> None:
    hostile = "</svg><script>alert(1)</script>&\x00\x1b\ud800"
    svg = to_svg({"<b>": recovered(hostile, hostile + "好", "p1")})
    assert not list(parsed(svg).iter(f"{SVG}script"))
    svg.encode()


@given(aligned())
def test_any_pair_is_well_formed(pair: tuple[Segmentation, Segmentation, Alignment]) -> None:
    recovery = projected(*pair)
    parsed(to_svg({"p": recovery}, width=200))
