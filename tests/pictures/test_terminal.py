from __future__ import annotations

import io
from collections.abc import Mapping

import pytest
from hypothesis import given
from rich.cells import cell_len
from rich.console import Console

from cijie.alignment.links import Alignment
from cijie.choices import Language
from cijie.pictures.terminal import draw, print_lines
from cijie.recovery.sentence import Recovery
from cijie.text.segmentation import Segmentation

from recovered import MOVED, SUBSTITUTED, projected, recovered
from strategies import aligned


def drawn(
    recoveries: Mapping[str, Recovery], width: int = 80, language: Language = "en"
) -> list[str]:
    return [line.plain.rstrip() for line in draw(recoveries, width, language)]


def test_characters_that_the_other_text_lacks_are_coloured() -> None:
    lines = list(draw({"p3": recovered(*SUBSTITUTED)}, 80))
    coloured = [
        line.plain[span.start : span.end].strip()
        for line in (lines[0], lines[2], lines[3])
        for span in line.spans
        if span.style == "magenta"
    ]
    assert coloured == ["困", "团", "困"]


def test_a_substituted_character() -> None:
    by_method = {"direct": recovered(*SUBSTITUTED, "direct"), "p3": recovered(*SUBSTITUTED)}
    assert drawn(by_method)[:9] == [
        "S        我│参 加│了│旅 行│困",
        "         │  │  │  │  │  │  ┊",
        "T        我│参 加│了│旅 行 团",
        "direct   我│参 加│了│旅 行│困",
        "p3       我│参 加│了│旅 行‿困",
        "",
        "        │ same character   ┊ similar shape or sound   ‿ joined",
        "",
        "p3  旅行困 is one word, because 旅行团 is, and 困 looks like 团 (similarity .89).",
    ]


def test_what_place_alone_links_has_a_sign_of_its_own() -> None:
    lines = drawn({"p3": recovered("我 有 觉 好", "我 感 觉 好")})
    assert lines[:3] == ["S    我│有│觉│好", "     │  :  │  │", "T    我│感│觉│好"]
    assert lines[-3:] == [
        "    │ same character   : linked by place or context",
        "",
        "No boundary changes, and 有 is linked to 感 by place or context (score .50).",
    ]


def test_a_block_that_has_moved() -> None:
    lines = drawn({"p3": recovered(*MOVED)})
    assert lines[:6] == [
        "S            │因 为│下 雨│我│昨 天│没│去",
        "     ╭┄┄┄┄┄┄┄┄┼┄┄┼┄┄┼┄┄┼┄┄╯  ┊  ┊  │  │",
        "     ┊  ╭┄┄┄┄┄┼┄┄┼┄┄┼┄┄┼┄┄┄┄┄╯  ┊  │  │",
        "     ┊  ┊  ╭┄┄┼┄┄┼┄┄┼┄┄┼┄┄┄┄┄┄┄┄╯  │  │",
        "T    我│昨 天│因 为│下 雨         │没│去",
        "p3           │因 为│下 雨│我│昨 天│没│去",
    ]
    assert lines[-3:] == [
        "    │ same character   ╰┄╮ moved   ┼ crossing",
        "",
        "No boundary changes.",
    ]
    assert "changes" not in "".join(drawn({"p3": recovered("我 来", "我 来")}))
    assert drawn({"p3": recovered(*MOVED)}, language="zh")[-1] == "词界不变。"


def test_links_that_leave_their_line() -> None:
    lines = drawn({"p3": recovered(*MOVED)}, 26)
    assert "▸" in "".join(lines)
    assert "◂" in "".join(lines)
    assert max(map(cell_len, lines[: lines.index("")])) <= 26


def test_wide_characters_stand_under_wide_ones() -> None:
    top, _, bottom, *_ = drawn({"p1": recovered("我 学 OK 👩‍🏫 了", "我 学 OK 👩‍🏫 吗", "p1")})
    assert cell_len(top) == cell_len(bottom) == cell_len("S    我│学│O K│👩‍🏫│了")


def test_nothing_in_a_text_steers_the_terminal() -> None:
    text = "好\x1b[31m\u202e\x07了"
    recovery = recovered(text, text.replace("了", "吗"))
    shown = "".join(drawn({"\x1b[1m": recovery}))
    assert "␛" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


@given(aligned())
def test_any_pair_can_be_drawn(pair: tuple[Segmentation, Segmentation, Alignment]) -> None:
    recovery = projected(*pair)
    lines = drawn({"p": recovery}, 24)
    picture = lines[: lines.index("")] if "" in lines else lines
    assert all(cell_len(line) <= 24 for line in picture)
    for cell in recovery.initial.characters.keys:
        if cell.isalnum():
            assert any(cell in line for line in lines)


@pytest.mark.parametrize(("no_color", "escapes"), [("", True), ("1", False)])
def test_colours_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, no_color: str, escapes: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm-256color")
    for terminal in (True, False):
        console = Console(file=io.StringIO(), force_terminal=terminal, width=80)
        print_lines(lambda width: draw({"p3": recovered(*SUBSTITUTED)}, width), console=console)
        written = console.file.getvalue()  # type: ignore[attr-defined]
        assert ("\x1b[3" in written) == (terminal and escapes)


def test_show_and_repr(capsys: pytest.CaptureFixture[str]) -> None:
    recovery = recovered(*SUBSTITUTED)
    recovery.show(width=60)
    assert "旅 行‿困" in capsys.readouterr().out
    assert repr(recovery) == "<Recovery '我 参加 了 旅行困', 1 change>"
