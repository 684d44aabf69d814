from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from cijie import CijieError, Sentence
from cijie.paper.claims import claims, papers_table
from cijie.paper.reproduce import Exhibit, as_files, exhibits, printed
from cijie.paper.reproduction import LITERAL, SYSTEMS, Plan, Reproduction, run
from reproductions import CORPUS, GOLD, PAIRS, PLAN

from strategies import words


@pytest.fixture(scope="module")
def shown(results: Reproduction) -> list[Exhibit]:
    return exhibits(results)


@pytest.fixture(scope="module")
def page(results: Reproduction) -> str:
    return as_files(results)["index.html"].decode()


def test_the_page_in_chinese_has_the_same_figures(results: Reproduction, page: str) -> None:
    chinese = as_files(results)["index.zh.html"].decode()
    assert '<html lang="zh-Hans">' in chinese
    assert "<h1>词界恢复：论文的实验</h1>" in chinese
    assert (page.count('href="index.zh.html"'), chinese.count('href="index.html"')) == (1, 1)
    figures = [re.findall(r"[+−]?\d*\.\d{4}", each) for each in (page, chinese)]
    assert len(figures[0]) > 300
    assert figures[0] == figures[1]
    for pattern in ("<h2>(.*?)</h2>", '<p class="caption"[^>]*>(.*?)</p>'):
        for english, translated in zip(
            re.findall(pattern, page), re.findall(pattern, chinese), strict=True
        ):
            # A caption that says a number, or names a sentence, stays in English.
            assert english != translated or re.search(r"\d|: ", english), english


def test_the_experiments_agree_with_one_another(results: Reproduction) -> None:
    systems = results.comparison.systems
    assert list(systems) == list(SYSTEMS)
    assert systems["D"].f1 < systems["P1"].f1 < systems["P2"].f1
    assert results.papers.systems["P2"].histogram == systems["P2"].histogram
    assert results.readings[results.join_rule].systems["P2"].histogram == systems["P2"].histogram
    assert results.ablation[0].f1 == systems["P2"].f1
    held_out = results.tuning.held_out_f1 - systems["P2"].f1
    assert results.held_out.difference == pytest.approx(held_out)


def test_links_are_counted_in_all_pairs_and_scores_where_there_is_gold(
    results: Reproduction,
) -> None:
    assert results.coverage["P1"].pairs == len(results.recoveries["D"]) == len(PAIRS)
    assert results.comparison.sentences == len(results.cases)
    assert [case.id for case in results.cases] == list(GOLD)
    assert results.coverage["P2"].residuals > results.coverage["P1"].residuals == 0


def test_the_literal_reading_links_no_identical_characters_but_anchors() -> None:
    # Long enough that characters which have changed places are still near one another.
    moved = Sentence("moved", "我们今天在学校里学习么什东西呀", "我们今天在学校里学习什么东西呀")
    results = run([*PAIRS, moved], GOLD, replace(PLAN, vectors=PLAN.vectors[:1]))

    def identical(name: str) -> int:
        return sum(
            each.source[link.source] == each.target[link.target]
            for each in results.recoveries[name].values()
            for link in each.alignment.residuals
        )

    assert identical("P2") > 0 == identical(LITERAL)
    assert results.coverage[LITERAL].anchors == results.coverage["P2"].anchors
    assert results.coverage[LITERAL].residuals < results.coverage["P2"].residuals
    assert list(results.literal.systems) == ["P2", LITERAL]
    assert results.literal.systems["P2"] == results.comparison.systems["P2"]


def test_the_literal_reading_stands_beside_the_readings_of_algorithm_1(
    shown: list[Exhibit], results: Reproduction, page: str
) -> None:
    [readings] = [exhibit for exhibit in shown if exhibit.name == "readings"]
    values = dict(
        line.rsplit("\t", 1) for line in readings.files()["readings.tsv"].decode().splitlines()
    )
    literal = results.literal.systems[LITERAL]
    assert values[f"scores\t{LITERAL}\tF1"] == str(literal.f1)
    assert values[f"errors\t{LITERAL}\tall"] == str(literal.errors.total)
    test = results.literal.tests[LITERAL, "P2"]
    assert values[f"differences\t{LITERAL} vs P2\tdifference"] == str(test.difference)
    assert f'<th scope="row">{LITERAL} vs P2</th>' in page


def test_what_is_left_out_is_counted() -> None:
    gold = {**GOLD, "x": words("好")}
    plan = replace(PLAN, vectors=PLAN.vectors[:1])
    results = run(PAIRS, gold, plan)
    assert results.skipped == {"pairs without gold": 1, "gold sentences without a pair": 1}
    assert results.synthetic is None
    names = [exhibit.name for exhibit in exhibits(results)]
    assert "synthetic" not in names
    assert b"No corpus" in as_files(results)["index.html"]


def test_too_little_gold_is_an_error() -> None:
    with pytest.raises(CijieError, match="1 pair with gold, which is too few for 5 folds"):
        run(PAIRS, {"1": GOLD["1"]}, PLAN)


def test_what_takes_long_can_be_watched() -> None:
    seen: Counter[str] = Counter()

    def watch(items, what):  # type: ignore[no-untyped-def]
        for item in items:
            seen[what] += 1
            yield item

    run(PAIRS, GOLD, PLAN, corpus=CORPUS, watch=watch)
    assert seen == {
        "pairs segmented": 6,
        "systems": 7,
        "of 10 weight vectors": 10,
        "of 2 synthetic conditions": 2,
    }


def test_methods_take_of_p2s_options_what_they_share_with_it() -> None:
    p2 = {
        "context": "none",
        "glyph_table": "identity",
        "position": "local",
        "join_rule": "contiguous",
    }
    plan = replace(PLAN, p2=p2)
    signatures = {name: method.signature for name, method in plan.methods().items()}
    assert "pos=0.3:local" in signatures["P2"]
    assert "glyph=0.6:identity" in signatures["P2"]
    assert "glyph=0.3:identity" in signatures["P3"]
    assert [name for name, each in signatures.items() if "join:contiguous" in each] == [
        "P1",
        "P2",
        LITERAL,
    ]
    assert "glyph=0.6:identity-literal" in signatures[LITERAL]
    assert plan.join_rule == "contiguous"


def test_the_signature_tells_runs_apart(results: Reproduction) -> None:
    def signature(pairs: list[Sentence], plan: Plan) -> str:
        return run(pairs, GOLD, replace(plan, vectors=PLAN.vectors[:1])).signature

    assert signature(PAIRS, PLAN) == results.signature
    others = [*PAIRS[:-1], replace(PAIRS[-1], targets=("天气真好",), target_segmentations=())]
    assert signature(others, PLAN) != results.signature
    assert signature(PAIRS, replace(PLAN, seed=1)) != results.signature


def test_the_papers_rows_and_columns_are_those_of_the_run(
    shown: list[Exhibit], results: Reproduction
) -> None:
    ours = {f"{exhibit.name}/{table.name}": table for exhibit in shown for table in exhibit.tables}
    papers = dict(printed())
    assert papers.pop("selection/selection")  # there are no other corrections here
    papers["claims/claims"] = papers_table(claims(results))
    assert len(papers) == 10
    for name, table in papers.items():
        assert {row[0] for row in table.rows} <= {row[0] for row in ours[name].rows}
        # A column of ours may say more: which test, or which join rule.
        names = {re.sub(r" \(.*", "", column) for column in ours[name].columns}
        assert set(table.columns) <= names


def test_files_have_the_runs_own_figures_and_their_signature(shown: list[Exhibit]) -> None:
    names = {name for exhibit in shown for name in exhibit.files()}
    assert {f"table-{n}.{kind}" for n in (1, 2, 3) for kind in ("tsv", "tex")} <= names
    kinds = ("pdf", "png", "svg")
    figures = {f"{name}.{kind}" for name in ("tuning", "synthetic") for kind in kinds}
    assert figures | {"failures.svg"} == {name for name in names if name.endswith(kinds)}
    for exhibit in shown:
        for name, content in exhibit.files().items():
            assert exhibit.signature.split("|", 1)[0].encode() in content
            if name.endswith(("tsv", "tex")):
                assert exhibit.signature in content.decode()
    [scores] = [exhibit for exhibit in shown if exhibit.name == "table-1"]
    for _, figure in printed()["table-1/scores"].rows:
        assert str(figure).encode() not in scores.files()["table-1.tsv"]


def test_the_same_run_gives_the_same_bytes(results: Reproduction) -> None:
    assert as_files(run(PAIRS, GOLD, PLAN, corpus=CORPUS)) == as_files(results)


class References(HTMLParser):
    """Collects what a page refers to, and which elements it has."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name in {"src", "href", "srcset", "action", "data"}:
                self.targets.append(value or "")
            if name == "id":
                self.ids.append(value or "")


def test_the_page_refers_to_nothing_outside(page: str) -> None:
    found = References()
    found.feed(page)
    assert not found.tags["script"] + found.tags["iframe"]
    assert found.tags["link"] == found.targets.count("data:,") == 1
    assert found.tags["img"] == 3
    assert "url(" not in page
    assert "@import" not in page
    assert len(set(found.ids)) == len(found.ids)
    for target in found.targets:
        if target.startswith("#"):
            assert target[1:] in found.ids
        elif target not in ("data:,", "index.zh.html"):  # there is no icon; the page beside it
            kind, _, content = target.partition(",")
            assert kind == "data:image/svg+xml;base64"
            links = re.findall(rb'(?:href|src)="([^"]*)"', b64decode(content))
            assert all(link.startswith(b"#") for link in links)


def test_the_page_escapes_text(page: str) -> None:
    assert "<b>" not in page
    assert "&lt;b&gt;名字&lt;/b&gt; &amp; &#34;&#39;" in page


def test_the_papers_figures_are_marked_on_the_page(page: str) -> None:
    [[shown]] = [row[1:] for row in printed()["table-1/scores"].rows if row[0] == "D"]
    # Beside Table 1, beside the three readings, and beside the IBM-style aligner.
    assert page.count(f"{shown:.4f}") == 3
    assert page.count(f'<td class="paper number">{shown:.4f}</td>') == 3
