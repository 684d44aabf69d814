"""The view page in a browser, of systems that are compared with one another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.evaluation.counts import differing_regions
from cijie.pictures.reasons import reasons
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery

from learners import SENTENCES, dump, split

OpenPage = Callable[..., Any]

METHODS = ("direct", "p1", "p3")
SCREENS = {"desktop": {"width": 1400, "height": 900}, "phone": {"width": 390, "height": 844}}


def plain(text: str) -> str:
    """A text of the page without the marks that isolate names."""
    return re.sub("[\u2068\u2069]", "", text)


def shown(page: Any) -> list[str]:
    """The ids of the sentences that are drawn: those in view, and some more."""
    ids: list[str] = page.eval_on_selector_all(".card", "x => x.map(card => card.dataset.id)")
    return ids


@pytest.fixture(scope="module")
def recoveries() -> dict[str, dict[str, Recovery]]:
    """What each method makes of each sentence."""
    pairs = {}
    for id, (initial, _, target) in SENTENCES.items():
        (source, source_tokens), (text, target_tokens) = split(initial), split(target)
        words = {"source_tokens": source_tokens, "target_tokens": target_tokens}
        pairs[id] = {"source": source, "target": text, **words}
    return {
        method: dict(zip(pairs, Recoverer(list, method).recover_all(pairs.values()), strict=True))
        for method in METHODS
    }


@pytest.fixture(scope="module")
def results(
    recoveries: dict[str, dict[str, Recovery]], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("results")
    for method, recovered in recoveries.items():
        records = [recovery.as_record(id) for id, recovery in recovered.items()]
        dump(folder / f"{method}.jsonl", records)
    return folder


def write(out: Path, *arguments: object) -> Path:
    command = ["view", *map(str, arguments), "-o", str(out), "-q"]
    result = CliRunner().invoke(cijie, command)
    assert result.exit_code == 0, result.output
    return out


@pytest.fixture(scope="module")
def compared(results: Path) -> Path:
    return write(results / "page.html", *(results / f"{method}.jsonl" for method in METHODS))


@pytest.mark.parametrize("screen", SCREENS)
def test_the_first_sentence_is_on_the_first_screen(
    open_page: OpenPage, compared: Path, viewer: Path, screen: str
) -> None:
    for path in (compared, viewer):
        page = open_page(path, viewport=SCREENS[screen])
        box = page.locator(".card .row.source").first.bounding_box()
        assert box["y"] + box["height"] < SCREENS[screen]["height"] / 2
        assert page.locator("#dashboard").is_hidden()
        folded = page.locator("#filters").is_hidden()
        assert folded == (screen == "phone")


def test_the_first_sentence_is_one_where_systems_differ(
    open_page: OpenPage, compared: Path, recoveries: dict[str, dict[str, Recovery]]
) -> None:
    page = open_page(compared)
    differing = [
        id
        for id in SENTENCES
        if list(differing_regions(*(recoveries[x][id].segmentation for x in METHODS)))
    ]
    assert 0 < len(differing) < len(SENTENCES)
    assert shown(page)[:3] == differing[:3]
    page.locator('#filters [data-filter="alike=no"]').check()
    assert page.inner_text("#count").startswith(f"{len(differing)} of")
    page.click("#clear")
    page.select_option("#sort", "file")
    assert page.locator(".card").first.get_attribute("data-id") == next(iter(SENTENCES))


def test_regions_are_counted_as_in_python(
    open_page: OpenPage, compared: Path, recoveries: dict[str, dict[str, Recovery]]
) -> None:
    counts: Counter[str] = Counter()
    for id in SENTENCES:
        direct, p1, p3 = (recoveries[method][id].segmentation for method in METHODS)
        for (start, end), _ in differing_regions(direct, p1, p3):
            cuts = [[at for at in each.boundaries if start < at < end] for each in (direct, p1, p3)]
            names: dict[tuple[int, ...], str] = {}
            counts["".join(names.setdefault(tuple(cut), "abc"[len(names)]) for cut in cuts)] += 1
    page = open_page(compared)
    for pattern, count in counts.items():
        box = page.locator(f'#filters [data-count="region={pattern}"]')
        assert box.inner_text() == str(count)
    # The filters about a region go together for one region.
    page.locator('#filters [data-filter="edit=S"]').check()
    assert page.locator(".card").first.get_attribute("data-id") == "1"
    assert page.inner_text("#count").startswith("1 of")


def test_reasons_are_those_of_python(
    open_page: OpenPage, compared: Path, recoveries: dict[str, dict[str, Recovery]]
) -> None:
    page = open_page(compared)
    for id in SENTENCES:
        page.select_option("#field", "id")
        page.fill("#query", id)
        card = page.locator(".card")
        assert card.get_attribute("data-id") == id
        told = {plain(text) for text in card.locator(".reasons .told").all_inner_texts()}
        expected = {str(reason) for method in METHODS for reason in reasons(recoveries[method][id])}
        assert told == expected
    page.fill("#query", "1")
    sure = plain(page.locator(".reasons .why").first.inner_text())
    [reason] = reasons(recoveries["p3"]["1"])
    assert sure.endswith(reason.sure())


def test_decisions_and_confidence_are_filters(open_page: OpenPage, compared: Path) -> None:
    page = open_page(compared)
    page.click("#tables summary")
    page.locator('#dashboard [data-filter="changed=p3.joined"]').click()
    assert page.is_checked('#filters [data-filter="changed=p3.joined"]')
    assert shown(page)[0] == "1"
    page.click("#clear")
    page.select_option("#sort", "doubt")
    sure = [
        float(re.search(r"least sure decision (\S+)", plain(text))[1])  # type: ignore[index]
        for text in page.locator(".card-head").all_inner_texts()
        if "least sure decision ." in plain(text)
    ]
    assert sure == sorted(sure)
    assert sure


def test_one_result_is_compared_with_what_it_started_from(
    open_page: OpenPage, results: Path, tmp_path: Path
) -> None:
    page = open_page(write(tmp_path / "page.html", results / "p3.jsonl"))
    card = page.locator(".card").first
    labels = card.locator(".row.system .label").all_inner_texts()
    assert labels[:2] == ["initial", "p3"]
    assert card.locator(".row.system .word.differs").first.inner_text()
    assert page.locator("#shown-scores").inner_text() == ""


def test_a_card_can_show_another_target(open_page: OpenPage, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("7\t他来\t他们来了\t她来\n", encoding="utf-8")
    result = tmp_path / "p3.jsonl"
    arguments = ["recover", str(pairs), "-o", str(result), "--segmenter", "builtins:list", "-q"]
    assert CliRunner().invoke(cijie, arguments).exit_code == 0
    page = open_page(write(tmp_path / "p.html", result, "--pairs", pairs))
    row = page.locator(".row.target .cells")
    assert row.inner_text() == "她来"
    button = page.get_by_role("button", name="Target 2")
    button.click()
    assert plain(row.inner_text()) == "他们来了"
    assert button.get_attribute("aria-pressed") == "true"
    # The links of a system are to the target that it was given.
    page.get_by_role("button", name=re.compile("Links of")).click()
    assert row.inner_text() == "她来"
    page.locator(".links .link").nth(1).wait_for(state="attached")
    assert page.locator(".links .link").count() == 2


def test_signs_are_explained(open_page: OpenPage, compared: Path, viewer: Path) -> None:
    signs = {
        ".edited": "identical character",
        ".wrong": "not in gold",
        ".missed": "of gold",
        ".differs": "not all systems have",
        ".doubtful": "sure",
        ".cut": "inserted",
        ".joined": "removed",
        ".odd": "invisible",
    }
    for path in (compared, viewer):
        page = open_page(path)
        for sign, meaning in signs.items():
            used = page.locator(f".card {sign}").count()
            explained = page.locator(f"#signs div:has({sign}) dd")
            assert explained.count() or not used, sign
            assert all(meaning in text for text in explained.all_inner_texts())


def test_nothing_found_is_said(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.fill("#query", "没有这样的句子")
    assert "“没有这样的句子”" in plain(page.inner_text("#nothing"))
    assert page.inner_text("#shown-scores") == ""


def test_patterns_are_words(open_page: OpenPage, viewer: Path, compared: Path) -> None:
    page = open_page(viewer)
    label = page.locator('#filters label:has([data-filter="region=bbg"])')
    assert plain(label.inner_text()).split()[:6] == ["D", "✗", "P1", "✗", "P2", "✓"]
    assert "P2 is right, and D or P1 is wrong" in plain(page.inner_text("#filters"))
    groups = open_page(compared).inner_text("#filters")
    assert "direct = p1 ≠ p3" in plain(groups)


@pytest.mark.parametrize("style", ["auto", "light", "dark"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_one_pair(open_page: OpenPage, tmp_path: Path, style: str, scheme: str) -> None:
    out = tmp_path / "pair.html"
    texts = ["我参加了旅行困", "我参加了旅行团", "--style", style, "--segmenter", "builtins:list"]
    command = ["show", *texts, "--format", "html", "-o", str(out)]
    assert CliRunner().invoke(cijie, command).exit_code == 0
    page = open_page(out, color_scheme=scheme)
    colour = "getComputedStyle(document.querySelector('.cijie .ink')).fill"
    light = (scheme if style == "auto" else style) == "light"
    assert page.evaluate(colour) == ("rgb(29, 32, 35)" if light else "rgb(232, 229, 222)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_results_without_a_difference(
    open_page: OpenPage, results: Path, tmp_path: Path
) -> None:
    out = tmp_path / "page.html"
    same = str(results / "p3.jsonl")
    command = ["view", f"A={same}", f"B={same}", "-o", str(out)]
    assert CliRunner().invoke(cijie, command).exit_code == 0
    page = open_page(out)
    page.check("[data-filter='alike=no']")
    assert page.inner_text("#count").startswith("0 of ")
    assert page.locator("#nothing").is_visible()


def test_long_names_are_shown_where_they_differ(
    open_page: OpenPage, results: Path, tmp_path: Path
) -> None:
    for name in ("direct", "p3"):
        copy(results / f"{name}.jsonl", tmp_path / f"learners_dev.segmenter.{name}.jsonl")
    files = sorted(map(str, tmp_path.glob("*.jsonl")))
    out = tmp_path / "page.html"
    assert CliRunner().invoke(cijie, ["view", *files, "-o", str(out), "-q"]).exit_code == 0
    page = open_page(out)
    labels = page.locator(".card >> nth=0").locator(".row.system .label")
    assert labels.all_inner_texts()[:2] == ["direct", "p3"]
    assert labels.first.get_attribute("title") == "learners_dev.segmenter.direct"
    page.click("#tables summary")
    assert "learners_dev.segmenter.p3" in page.inner_text("#dashboard")
