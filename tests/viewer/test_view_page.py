"""The viewer in a browser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.counts import contested_regions, error_regions
from cijie.text.segmentation import Segmentation

from learners import SENTENCES, SYSTEMS, dump, split, write_view

OpenPage = Callable[..., Any]


def ids(page: Any) -> list[str]:
    """The ids of the sentences shown, for which one has to scroll."""
    count = int(page.inner_text("#count").split()[0])
    found: dict[str, None] = {}
    place = 0
    while place == 0 or len(found) < count:
        assert place < 20_000, found
        page.evaluate(
            "place => new Promise(done => {"
            "scrollTo(0, place); requestAnimationFrame(() => setTimeout(done)) })",
            place,
        )
        found |= dict.fromkeys(page.eval_on_selector_all(".card", "x => x.map(c => c.dataset.id)"))
        place += 800
    assert len(found) == count
    return sorted(found, key=list(SENTENCES).index)


def cut(joined: str) -> Segmentation:
    return Segmentation.from_tokens(*split(joined))


def counts(page: Any) -> dict[str, int]:
    """The number beside each filter value."""
    pairs = page.eval_on_selector_all(
        "#filters [data-count]", "x => x.map(e => [e.dataset.count, e.textContent])"
    )
    return {key: int(number.replace(",", "")) for key, number in pairs}


def search(page: Any, query: str, field: str = "all", *, pattern: bool = False) -> list[str]:
    page.select_option("#field", field)
    page.set_checked("#pattern", pattern)
    page.fill("#query", query)
    return ids(page)


def copied(page: Any) -> str:
    """What the page has copied, once it says so."""
    page.locator("#status", has_text="copied").wait_for()
    return str(page.evaluate("navigator.clipboard.readText()"))


@pytest.fixture(scope="module")
def compared(corpus: Path) -> tuple[Comparison, dict[str, list[Segmentation]]]:
    """What Python says of the corpus, and each sentence: gold, then the systems."""
    files = [corpus / f"{name}.jsonl" for name in SYSTEMS]
    gold, systems = read_to_compare(corpus / "gold.jsonl", files)
    sentences = {id: [gold[id], *(system[id] for system in systems)] for id in gold}
    return compare(gold, dict(zip(SYSTEMS, systems, strict=True)), trials=20), sentences


def test_scores_are_those_of_python(
    open_page: OpenPage, viewer: Path, compared: tuple[Comparison, Any]
) -> None:
    page = open_page(viewer)
    page.click("#tables summary")
    assert page.inner_text("#signature") == compared[0].signature
    for name, evaluation in compared[0].systems.items():
        row = page.locator(".panel.scores tbody tr", has_text=re.compile(f"^{name}\\b"))
        values = [evaluation.precision, evaluation.recall, evaluation.f1]
        shown = row.locator("td").all_inner_texts()[:3]
        assert [f"{float(x):.4f}" for x in shown] == [f"{x:.4f}" for x in values]
    # The scores of the sentences shown are added up in the page.
    added = page.locator("#shown-scores > span").all_inner_texts()
    assert [float(text.split()[1]) for text in added] == [
        round(each.f1, 4) for each in compared[0].systems.values()
    ]


def test_counts_are_those_of_python(
    open_page: OpenPage, viewer: Path, compared: tuple[Comparison, Any]
) -> None:
    comparison, sentences = compared
    shown = counts(open_page(viewer))
    for pattern, count in comparison.token_patterns.items():
        assert shown[f"word={pattern}"] == count
    for pattern, count in comparison.contested_patterns.items():
        assert shown[f"region={pattern}"] == count
    for pattern, count in comparison.sentence_patterns.items():
        assert shown[f"sentence={pattern}"] == count
    assert shown["region=any"] == comparison.contested_patterns.total() > 0
    for name, evaluation in comparison.systems.items():
        for kind in ("over", "under", "drift"):
            assert shown[f"error={name}.{kind}"] == getattr(evaluation.errors, kind)
        assert shown[f"right:{name}=yes"] == evaluation.exact
        assert shown[f"right:{name}=no"] == len(sentences) - evaluation.exact
        assert shown[f"region=right.{name}"] == comparison.contested_right[name]


def test_sentences_without_gold_are_shown_without_verdicts(
    open_page: OpenPage, corpus: Path, tmp_path: Path
) -> None:
    for name in SYSTEMS:
        (tmp_path / f"{name}.jsonl").write_bytes((corpus / f"{name}.jsonl").read_bytes())
    lines = (corpus / "gold.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "gold.jsonl").write_bytes(b"".join(lines[:2]))
    made = write_view(tmp_path, tmp_path / "page.html")
    page = open_page(made, permissions=["clipboard-read", "clipboard-write"])
    assert ids(page) == list(SENTENCES)
    shown = counts(page)
    assert (shown["gold=yes"], shown["gold=no"]) == (2, len(SENTENCES) - 2)
    assert sum(count for key, count in shown.items() if key.startswith("sentence=")) == 2
    page.check("[data-filter='gold=no']")
    assert ids(page) == list(SENTENCES)[2:]
    assert page.locator(".card .row.gold").count() == 0
    assert page.inner_text("#shown-scores") == ""
    page.click("#copy")
    head, first, *_ = copied(page).splitlines()
    assert first.split("\t")[head.split("\t").index("gold")] == ""
    page.uncheck("[data-filter='gold=no']")
    page.check("[data-filter='gold=yes']")
    assert ids(page) == list(SENTENCES)[:2]
    assert page.locator(".card .row.gold").count() == 2
    write_view(tmp_path, tmp_path / "page.html", "--intersection")
    page = open_page(tmp_path / "page.html")
    assert ids(page) == list(SENTENCES)[:2]
    assert "gold=no" not in counts(page)


def test_each_filter_shows_the_sentences_it_says(
    open_page: OpenPage, viewer: Path, compared: tuple[Comparison, Any]
) -> None:
    _, sentences = compared
    page = open_page(viewer)

    def alone(key: str) -> list[str]:
        page.locator(f'#filters [data-filter="{key}"]').check()
        shown = ids(page)
        page.click("#clear")
        return shown

    def having(wanted: Callable[[Segmentation, list[Segmentation]], bool]) -> list[str]:
        return [id for id, (gold, *systems) in sentences.items() if wanted(gold, systems)]

    for k, name in enumerate(SYSTEMS):
        right = having(lambda gold, systems, k=k: systems[k] == gold)
        assert alone(f"right:{name}=yes") == right
        assert alone(f"right:{name}=no") == [id for id in sentences if id not in right]
        for kind in ("over", "under", "drift"):
            erring = having(
                lambda gold, systems, k=k, kind=kind: any(
                    its == kind for _, its in error_regions(gold, systems[k])
                )
            )
            assert alone(f"error={name}.{kind}") == erring
        corrected = having(
            lambda gold, systems, k=k: any(
                pattern[k] == "g" for _, pattern in contested_regions(gold, systems)
            )
        )
        assert alone(f"region=right.{name}") == corrected
    assert alone("region=any") == having(
        lambda gold, systems: bool(contested_regions(gold, systems))
    )
    assert alone("length=0") == [id for id, (gold, *_) in sentences.items() if len(gold.text) < 20]
    assert alone("edit=none") == ["emoji", "𠮷", "blank", "drift"]
    assert alone("edit=S") == ["1"]
    assert alone("edit=W") == ["2"]
    assert alone("changed=P2.joined") == ["1", "2", "emoji", "blank"]


def test_counts_under_other_filters(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    before = counts(page)
    page.locator('#filters [data-filter="right:P2=no"]').check()
    after = counts(page)
    # The values of a filter are counted as if nothing of it were selected, the others under it.
    assert after["right:P2=yes"] == before["right:P2=yes"]
    assert after["error=P2.over"] == before["error=P2.over"]
    assert after["error=D.over"] < before["error=D.over"]
    # Both filters of error regions hold for the same region.
    page.click("#clear")
    page.locator('#filters [data-filter="error=D.over"]').check()
    page.locator('#filters [data-filter="edit=none"]').check()
    both = counts(page)
    assert both["error=D.over"] <= before["error=D.over"]
    assert both["edit=none"] <= before["edit=none"]
    assert ids(page) == ["emoji", "blank"]


def test_search(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    everything = list(SENTENCES)
    assert search(page, "") == everything
    assert search(page, "旅行") == ["1"]
    assert search(page, "旅行团", "source") == []
    assert search(page, "旅行团", "target") == ["1"]
    assert search(page, "EMOJI", "id") == ["emoji"]
    assert search(page, "𠮷") == ["𠮷"]
    assert search(page, "开心", "token") == ["emoji"]
    assert search(page, "旅行困", "token") == ["1"]
    assert search(page, "行", "token") == []
    assert search(page, ".", "source") == []
    assert search(page, "^.田", "source", pattern=True) == ["𠮷"]
    assert search(page, "^么.$", "token", pattern=True) == ["2"]
    assert search(page, "吗$|都", pattern=True) == ["emoji", "</script><b>&amp;", "right"]


def test_a_bad_pattern_is_said_to_be_one(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.check("#pattern")
    page.fill("#query", "(")
    assert "Not a regular expression" in page.inner_text("#query-error")
    assert page.get_attribute("#query", "aria-invalid") == "true"
    page.fill("#query", "(旅)")
    assert page.inner_text("#query-error") == ""
    assert ids(page) == ["1"]


def test_places_behind_an_emoji(open_page: OpenPage, viewer: Path) -> None:
    """Offsets are code points: 👩‍🏫 is three of them, and five units of JavaScript's strings."""
    page = open_page(viewer, "#in=id&q=emoji")
    card = page.locator(".card")
    # In each line of D, the words that are wrong.
    wrong = card.locator(".row.system", has_text="开").first.locator(".word.wrong")
    assert wrong.all_inner_texts() == ["开", "心"]
    assert card.locator(".row.gold .word.missed").all_inner_texts() == ["开心"]
    assert card.locator(".errors .span").first.inner_text() == "6–8"
    assert card.locator(".errors .is-wrong").first.inner_text() == "开|心"
    cluster = card.locator(".row.source .cell").nth(2)
    assert cluster.inner_text() == "👩‍🏫"
    page.fill("#query", "🙂吗")
    page.select_option("#field", "source")
    assert card.locator(".row.source .cell.hit").all_inner_texts() == ["🙂", "吗"]


def test_rows_are_aligned_by_character(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    misplaced = page.evaluate(
        """() => {
          const lines = [...document.querySelectorAll(".line")];
          return lines.flatMap((line) => {
            const place = new Map();
            return [...line.querySelectorAll("[data-source]")].filter((cell) => {
              const left = cell.getBoundingClientRect().left;
              if (!place.has(cell.dataset.source)) place.set(cell.dataset.source, left);
              return Math.abs(place.get(cell.dataset.source) - left) > 0.5;
            }).map((cell) => cell.textContent);
          });
        }"""
    )
    assert misplaced == []


def test_links_on_demand(open_page: OpenPage, viewer: Path, corpus: Path) -> None:
    page = open_page(viewer, "#in=id&q=^(1|2)$&re=1")
    assert page.locator(".links").count() == 0
    page.locator(".card", has_text="么").get_by_role(
        "button", name=re.compile("^Links of .?P2")
    ).click()
    records = map(orjson.loads, (corpus / "P2.jsonl").read_bytes().splitlines())
    [links] = [record["links"] for record in records if record["id"] == "2"]
    kinds = Counter(kind for _, _, kind, _ in links)
    drawn = page.locator(".links .link")
    drawn.first.wait_for(state="attached")
    assert page.locator(".links .link.anchor").count() == kinds["anchor"]
    assert page.locator(".links .link.residual").count() == kinds["residual"] == 1
    assert page.locator(".links .link.crossing").count() == 1
    title = page.locator(".links .link.residual title").text_content()
    assert re.search(r"score .?\d\.\d\d.?; crossing", title)
    reason = page.locator(".reasons li").last.inner_text()
    assert "么什 is one word, because 什么 is" in re.sub("[\u2068\u2069]", "", reason)


def test_the_address_holds_the_view(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.locator('#filters [data-filter="error=D.over"]').check()
    page.select_option("#sort", "length")
    page.fill("#query", "旅|么")
    page.check("#pattern")
    assert ids(page) == ["1", "2"]
    address = page.evaluate("location.hash")
    other = open_page(viewer, address)
    assert ids(other) == ["1", "2"]
    assert other.input_value("#sort") == "length"
    assert other.is_checked('#filters [data-filter="error=D.over"]')
    # What makes no sense in an address does no harm.
    assert ids(open_page(viewer, "#in=x&sort=y&f=q&f=word=&at=nowhere&re=2"))[:1] != ["1"]


def test_bars_of_the_dashboard_are_filters(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.click("#tables summary")
    bar = page.locator('#dashboard [data-filter="error=D.drift"]')
    bar.click()
    assert ids(page) == ["drift"]
    assert bar.get_attribute("aria-pressed") == "true"
    assert page.is_checked('#filters [data-filter="error=D.drift"]')
    bar.click()
    assert ids(page) == list(SENTENCES)


def test_order(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.select_option("#sort", "length")
    lengths = {id: len(split(source)[0]) for id, (source, _, _) in SENTENCES.items()}
    first = page.locator(".card").first.get_attribute("data-id")
    assert lengths[first] == max(lengths.values())


def test_copy_as_tsv(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer, permissions=["clipboard-read", "clipboard-write"])
    page.fill("#query", "旅行")
    page.click("#copy")
    lines = copied(page).splitlines()
    assert lines[0].split("\t") == ["id", "source", "target", "gold", *SYSTEMS]
    [row] = lines[1:]
    gold = SENTENCES["1"][1]
    assert row.split("\t")[:5] == [
        "1",
        gold.replace(" ", ""),
        SENTENCES["1"][2],
        gold,
        "我 参加 了 旅行 困 。",
    ]


def test_keys_have_nothing_to_do_where_no_sentence_is_shown(
    open_page: OpenPage, viewer: Path
) -> None:
    page = open_page(viewer, "#q=nothing")  # an error fails the test in the end
    assert page.locator(".card").count() == 0
    for key in "jlca":
        page.keyboard.press(key)
    assert page.locator("#nothing").is_visible()


def test_words_that_are_not_sure(open_page: OpenPage, corpus: Path, tmp_path: Path) -> None:
    for path in corpus.iterdir():
        records = [orjson.loads(line) for line in path.read_bytes().splitlines()]
        if path.stem == "P2":
            sure = [1.0] * len(records[1]["words"])
            records[1]["confidences"] = [*sure[:-1], 0.61]
        dump(tmp_path / path.name, records)
    page = open_page(write_view(tmp_path, tmp_path / "page.html"))
    page.select_option("#sort", "doubt")
    card = page.locator(".card").first
    assert card.get_attribute("data-id") == "2"
    assert card.locator(".word.doubtful").all_inner_texts() == ["？"]
    assert ".61" in card.locator(".word.doubtful").get_attribute("title")


def test_keys(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.keyboard.press("j")
    page.keyboard.press("j")
    focused = "document.activeElement.dataset.id"
    assert page.evaluate(focused) == "2"
    page.keyboard.press("l")
    page.locator(".links").wait_for(state="attached")
    page.keyboard.press("k")
    assert page.evaluate(focused) == "1"
    page.keyboard.press("/")
    page.keyboard.type("都j")
    assert page.input_value("#query") == "都j"


def test_language_and_theme_are_remembered(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    page.click("#language")
    page.click("#theme")
    assert page.inner_text("#copy") == "复制 TSV"
    page.reload()
    assert page.inner_text("#copy") == "复制 TSV"
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"


def test_hostile_text_stays_text(open_page: OpenPage, viewer: Path) -> None:
    page = open_page(viewer)
    assert page.evaluate("document.querySelectorAll('.card b, .card script').length") == 0
    page.fill("#query", "alert")
    card = page.locator(".card")
    assert card.get_attribute("data-id") == "</script><b>&amp;"
    assert card.locator("h3").inner_text() == "</script><b>&amp;"
    page.fill("#query", "abc")
    # A control that turns the text around turns around its own cell at most.
    cells = card.locator(".row.source .cell")
    lefts = cells.evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().left)")
    assert lefts == sorted(lefts)
    assert "U+202E" in card.locator(".row.source .odd").first.get_attribute("title")


def test_a_huge_line(open_page: OpenPage, corpus: Path, tmp_path: Path) -> None:
    text = "我们去𠮷田。" * 20_000
    spans = [[k, k + 1] for k in range(len(text))]
    for name in ("gold", *SYSTEMS):
        dump(tmp_path / f"{name}.jsonl", [{"id": "huge", "source": text, "tokens": spans}])
    page = open_page(write_view(tmp_path, tmp_path / "page.html"))
    assert page.locator(".card").count() == 1
    assert page.locator(".card .row.source .cell").count() == 1200
    page.fill("#query", "田")
    assert page.locator(".card .row.source .cell.hit").count() == 200
    page.locator(".card").get_by_role("button", name="show more").click()
    assert page.locator(".card .row.source .cell").count() == 4800


def test_many_sentences(open_page: OpenPage, tmp_path: Path) -> None:
    """50,000 sentences: few are drawn, and the last one can be reached."""
    count = 50_000
    gold = [
        {"id": str(n), "source": "我去旅行", "tokens": [[0, 1], [1, 2], [2, 4]]}
        for n in range(count)
    ]
    wrong = {"tokens": [[0, 1], [1, 2], [2, 3], [3, 4]]}
    dump(tmp_path / "gold.jsonl", gold)
    for name in SYSTEMS:
        dump(tmp_path / f"{name}.jsonl", [x | wrong if x["id"].endswith("7") else x for x in gold])
    page = open_page(write_view(tmp_path, tmp_path / "page.html"))
    assert page.inner_text("#count") == "50,000 of 50,000 sentences"
    assert page.locator(".card").count() < 40
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.locator('.card[data-id="49999"]').wait_for()
    page.wait_for_timeout(400)  # the list comes to rest
    last = page.locator('.card[data-id="49999"]').bounding_box()
    assert last["y"] + last["height"] <= page.viewport_size["height"] + 1
    page.locator('#filters [data-filter="right:D=no"]').check()
    assert page.inner_text("#count") == "5,000 of 50,000 sentences"
    page.fill("#query", "49997")
    page.locator('.card[data-id="49997"]').wait_for()
    assert page.inner_text("#count") == "1 of 50,000 sentences"


def test_split_page(open_page: OpenPage, corpus: Path, tmp_path: Path) -> None:
    page = write_view(corpus, tmp_path / "split & page.html", "--split")
    assert (tmp_path / "split & page.data.js").exists()
    assert ids(open_page(page)) == list(SENTENCES)


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(
    open_page: OpenPage, viewer: Path, width: int, color_scheme: str
) -> None:
    page = open_page(viewer, viewport={"width": width, "height": 800}, color_scheme=color_scheme)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    contrast = page.evaluate(CONTRAST)
    assert 4.5 <= min(contrast.values()) < max(contrast.values()), contrast


# The contrast of text with paper as WCAG 2 defines it, for each colour that text has.
CONTRAST = """() => {
  const sample = document.body.appendChild(document.createElement("i"));
  const luminance = (name) => {
    sample.style.color = `var(${name})`;
    const [r, g, b] = getComputedStyle(sample).color.match(/\\d+/g).map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = {};
  for (const paper of ["--paper", "--raised"])
    for (const ink of ["--ink", "--soft", "--right", "--wrong", "--moved"]) {
      const [a, b] = [luminance(paper), luminance(ink)].sort((x, y) => y - x);
      found[`${ink} on ${paper}`] = (a + 0.05) / (b + 0.05);
    }
  return found;
}"""
