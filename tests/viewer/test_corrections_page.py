"""The page of corrections: edits of systems and references, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from cijie.edits.annotate import SentenceBlocks
from cijie.edits.blocks import Annotation, M2Block
from cijie.edits.counting import OUTCOMES, Scoring
from cijie.edits.edits import Edit
from cijie.edits.scoring import CorrectionScores, score, score_blocks
from cijie.viewer.correction_data import correction_data
from cijie.viewer.pages import render_page

OpenPage = Callable[..., Any]

SOURCES = ["我去学较里", "他们在见面了", "今天很好"]
REFERENCES = [["我去学校", "我到学校里"], ["他们再见面"], ["今天很好"]]
SYSTEMS = {
    "mine": ["我去学校", "他们再见面了", "今天很好"],
    "theirs": ["我到学校里", "他们在见面", "今天好"],
}


@pytest.fixture(scope="module")
def scores() -> CorrectionScores:
    return score(SOURCES, SYSTEMS, REFERENCES, segmenter=list, trials=99)


def test_edits_with_their_outcomes(scores: CorrectionScores) -> None:
    data = correction_data(scores)
    assert data["summary"]["differences"][0]["a"] == "theirs"
    mine, _ = (system["correction"] for system in data["summary"]["systems"])
    assert (mine["f"], mine["by_type"]["S:SPELL:SOUND"]["tp"]) == (scores.systems["mine"].f, 1)
    first, second, third = data["sentences"]
    found = {
        (start, end, outcome, text): systems
        for start, end, outcome, _, systems, text in second["errors"]
    }
    assert found == {
        (2, 3, "hit", "再"): [0],
        (2, 3, "missed", "再"): [1],
        (5, 6, "hit", ""): [1],
        (5, 6, "missed", ""): [0],
    }
    assert [pattern for _, _, pattern, _ in second["contested"]] == ["gb", "bg"]
    assert [each["text"] for each in second["targets"]] == [
        REFERENCES[1][0],
        *(x[1] for x in SYSTEMS.values()),
    ]
    # What source and target share is anchored; marks are of words.
    assert second["targets"][1]["anchors"] == ((0, 0, 2), (3, 3, 3))
    assert second["targets"][1]["marks"] == [(2, 3, "hit")]
    assert [mark[2] for mark in second["targets"][0]["marks"]] == ["missed", "missed"]
    # Each system is compared with the reference that fits it best: both are shown.
    assert len(first["targets"]) == 4
    assert third["errors"] == [(2, 3, "wrong", ["R:OTHER"], [1], "")]
    edits = [edit for sentence in data["sentences"] for edit in sentence["errors"]]
    for k, system in enumerate(scores.systems.values()):
        counts = [sum(k in x[4] for x in edits if x[2] == outcome) for outcome in OUTCOMES]
        assert counts == list(astuple(system.counts))


def test_an_error_without_a_known_correction_is_no_deletion() -> None:
    unknown = Edit(1, 2, (), "UNK")
    blocks = [
        M2Block(("我", "吃"), (Annotation(0, (edit,)),))
        for edit in (unknown, Edit(-1, -1, (), "noop"))
    ]
    found = SentenceBlocks("1", blocks[0], (blocks[1],))
    scores = score_blocks(["mine"], [found], Scoring())
    [sentence] = correction_data(scores)["sentences"]
    assert [target["text"] for target in sentence["targets"]] == ["我吃", "我吃"]


def test_the_page(open_page: OpenPage, scores: CorrectionScores, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(render_page("view", correction_data(scores)))
    page = open_page(path, viewport={"width": 1400, "height": 1000})
    assert page.locator(".card").count() == 3
    shown = page.locator("#shown-scores > span").all_inner_texts()
    found = {name: float(figure) for name, figure in map(str.split, shown)}
    assert found == {name: round(system.f, 4) for name, system in scores.systems.items()}
    page.click("#tables summary")
    types = page.locator(".panel.types tbody tr")
    assert types.count() == len({x for each in scores.systems.values() for x in each.by("type")})
    heads = page.locator(".panel.types thead th").all_inner_texts()
    assert heads[-4:] == ["F0.5 mine", "F0.5 theirs", "F0.5 theirs − F0.5 mine", "p (Holm)"]
    spelling = types.filter(has_text="S:SPELL:SOUND").locator("td").all_inner_texts()
    assert spelling[-2:] == ["−1.0000", "–"]  # one sentence
    card = page.locator(".card[data-id='2']")
    assert card.locator(".row.system .word.right").all_inner_texts() == ["再"]
    assert card.locator(".row.target .word.missed").all_inner_texts() == ["再"]
    notes = card.locator(".errors li").all_inner_texts()
    assert len(notes) == 4
    assert "missed" in notes[1] or "missed" in notes[0]
    page.check("#filters [data-filter='error=theirs.wrong']")
    assert page.eval_on_selector_all(".card", "x => x.map(c => c.dataset.id)") == ["3"]
    page.check("#filters [data-filter='edit=S:SPELL:SOUND']")  # both of one edit
    assert page.locator(".card").count() == 0
    page.click("#clear")
    page.click("#language")
    assert "漏" in card.locator(".errors").inner_text()
