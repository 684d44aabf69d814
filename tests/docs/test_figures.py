"""Figures that stand in the documents outside of commands' output are those of today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import get_args

import click
import numpy as np
import orjson
import pytest

import cijie
from cijie import Recoverer, Weights
from cijie.alignment.links import MOST_CELLS
from cijie.alignment.residual import WINDOW
from cijie.choices import JoinRule
from cijie.cli.main import cijie as command
from cijie.noise.injection import EditDistribution
from cijie.paper.grid import THRESHOLDS, Setting, simplex
from cijie.recovery.options import METHOD_OPTIONS
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Definition, Phonology

PROJECT = Path(__file__).parent.parent.parent

if not (PROJECT / "docs").is_dir():
    pytest.skip("the documents are in the repository alone", allow_module_level=True)


@cache
def text_of(document: str) -> str:
    return (PROJECT / document).read_text(encoding="utf-8")


def documents() -> list[str]:
    found = [*PROJECT.glob("README*.md"), *PROJECT.glob("docs/**/*.md")]
    return sorted(path.relative_to(PROJECT).as_posix() for path in found)


def rows(document: str, head: str) -> dict[str, list[str]]:
    """The rows of the table with such a head, by their first cell."""
    _, _, below = text_of(document).partition(head)
    table = re.match(r"[^\n]*\n\|[-|]+\|\n((?:\|.*\n)+)", below)
    assert table, (document, head)
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table[1].splitlines()]
    return {first.strip("`"): rest for first, *rest in cells}


def commands(document: str) -> Iterator[list[str]]:
    """The words of each line that calls cijie, in blocks and in running text."""
    text = re.sub(r"\\\n\s*", " ", text_of(document))
    for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            called = re.search(r"(?:^|\s)cijie ([a-z].*)", line.split(" #")[0])
            if called:
                yield called[1].split()
    for inline in re.findall(
        r"`cijie ([a-z][^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    ):
        yield inline.split()


@pytest.mark.parametrize("document", documents())
def test_every_option_in_a_command_is_one_of_that_command(document: str) -> None:
    for words in commands(document):
        called: click.Command = command
        names: list[str] = []
        for word in words:
            below = (
                called.get_command(click.Context(called), word)
                if isinstance(called, click.Group)
                else None
            )
            if below is None:
                break
            called, names = below, [*names, word]
        assert names, f"{document}: cijie {words[0]} is no command"
        known = {name for each in called.params for name in (*each.opts, *each.secondary_opts)}
        known |= {"--help", "--help-all", "--version"}
        given = {word.split("=")[0] for word in words if word.startswith("--") and word != "--"}
        assert given <= known, f"{document}: cijie {' '.join(words)}"


@pytest.mark.parametrize("document", documents())
def test_signatures_are_of_this_version(document: str) -> None:
    versions = re.findall(r"cijie:(\d[\w.]*)", text_of(document))
    assert set(versions) <= {cijie.__version__}


def test_the_signature_that_is_shown_is_that_of_p1() -> None:
    signature = Recoverer("wapic", "p1").signature
    for document in ("docs/method.md", "docs/cite.md"):
        assert signature in text_of(document)


def test_the_data_that_ships_is_as_large_as_it_says() -> None:
    table = rows("docs/data.md", "| data | file |")
    what = {
        "similarity/data/glyph-1.npz": ("values", "650,168 pairs"),
        "similarity/data/vectors-1.npz": ("characters", "4,931 characters"),
        "projection/data/words-1.npz": ("keys", "99,305 words"),
        "projection/data/habits-1.npz": ("keys", "43,248 strings"),
    }
    for name, (_, said) in what.items():
        [row] = [row for row in table.values() if f"`{name}`" in row[0]]
        path = PROJECT / "src" / "cijie" / name
        assert f"{path.stat().st_size / 1000:.0f} kB" in row[0]
        assert said in row[1]
        counted = len(np.load(path)[what[name][0]])
        assert said.startswith(f"{counted:,} ")
    assert "48 numbers for each of" in text_of("docs/data.md")
    assert np.load(PROJECT / "src/cijie/similarity/data/vectors-1.npz")["vectors"].shape[1] == 48
    assert "of 99,305 words" in text_of("docs/method.md")
    gold = (files("cijie.gold") / "data" / "learner-dev.jsonl").read_bytes().splitlines()
    tokens = sum(len(orjson.loads(line)["tokens"]) for line in gold)
    assert f"{len(gold)} stand-off segmentations" in text_of("docs/data.md")
    assert f"{len(gold)} sentences, {tokens:,} tokens" in text_of("docs/paper.md")


def test_the_share_of_glyph_pairs_that_are_alike() -> None:
    def is_gb2312(char: str) -> bool:
        return len(char.encode("gb2312", "ignore")) == 2 and "一" <= char <= "\u9fff"

    characters = np.array([code for code in range(0x4E00, 0xA000) if is_gb2312(chr(code))])
    assert len(characters) == 6_763
    table = GlyphTable.builtin()
    both = np.isin(table.keys >> np.uint64(32), characters)
    both &= np.isin(table.keys & np.uint64(0xFFFFFFFF), characters)
    pairs = len(characters) * (len(characters) - 1) // 2
    share = 100 * np.count_nonzero(both & (table.values >= 0.75)) / pairs
    assert f"pairs of GB2312 characters {share:.2f} % have".replace(" 0.", " .") in (
        text_of("docs/data.md")
    )


def test_the_similarities_of_sounds() -> None:
    table = rows("docs/data.md", "| | definition | 妈麻 | 妈八 |")
    assert list(table) == list(get_args(Definition))
    for definition, (_, *shown) in table.items():
        phonology = Phonology(definition)  # type: ignore[arg-type]
        found = [
            float(phonology.similarities(*(np.array([ord(x)], np.uint32) for x in pair))[0])
            for pair in ("妈麻", "妈八")
        ]
        assert [f"{value:.2f}".removeprefix("0") for value in found] == shown


def test_the_defaults_of_methods() -> None:
    method = " ".join(text_of("docs/method.md").split())

    def default(name: str, of: str) -> object:
        return METHOD_OPTIONS[name].defaults[of]  # type: ignore[index]

    paper = Setting(Weights(0.1, 0.6, 0.0, 0.3), 0.85)
    assert Setting() == paper == Setting(default("weights", "p2"), default("threshold", "p2"))  # type: ignore[arg-type]
    assert "λ = 0.1, 0.6, 0.0, 0.3 and τ = 0.85" in method
    assert default("weights", "p3") == Weights(0.0, 0.3, 0.2, 0.5)
    assert default("threshold", "p3") == 0.4
    assert "λ_glyph = .3, λ_pinyin = .2, λ_pos = .5, and τ = .4." in method
    model = orjson.loads((files("cijie.projection") / "data" / "model-2.json").read_bytes())
    assert f"{model['agreed']:.4f}"[1:] + " where source and target agree" in method
    assert f"{model['near']:.4f}"[1:] + " elsewhere" in method


def test_the_grid_and_the_shares_of_edits() -> None:
    experiments = " ".join(text_of("docs/experiments.md").split())
    vectors = len(list(simplex()))
    assert f"({vectors} of them)" in experiments
    assert f"These are {vectors * len(THRESHOLDS):,} settings." in experiments
    sub, deletion, insertion = (f"{float(x):.3f}"[1:] for x in EditDistribution().shares)
    benchmarks = " ".join(text_of("docs/benchmarks.md").split())
    assert f"Their shares are {sub}, {deletion} and {insertion} by default" in benchmarks


def test_the_examples_of_join_rules() -> None:
    table = rows("docs/method.md", "| | joins | 旅 行 困 ~ 旅行团 |")
    assert list(table) == [
        f"{rule}` (default)" if rule == "equal-length" else rule for rule in get_args(JoinRule)
    ]

    def words(source: str, rule: str, method: str = "p2", threshold: float = 0.6) -> str:
        options = {"threshold": threshold} if method == "p2" else {}
        recoverer = Recoverer(list, method, join_rule=rule, **options)  # type: ignore[arg-type]
        tokens = source.split()
        made = recoverer.recover(
            "".join(tokens), "旅行团", source_tokens=tokens, target_tokens=["旅行团"]
        )
        return str(made)

    for name, (_, shown, lacking, extra) in table.items():
        rule = name.split("`")[0]
        linked = table["contiguous"][1] if shown == "as `contiguous`" else shown
        assert linked.startswith(words("旅 行 困", rule))
        otherwise = words("旅 行 困", rule, "p1")
        assert linked.endswith(f"else {otherwise}") == (rule != "equal-length")
        assert lacking == words("旅 团", rule, "p1")
        assert extra == words("旅 了 团", rule, "p1")


def test_the_limits_on_long_texts() -> None:
    scale = " ".join(text_of("docs/scale.md").split())
    assert f"at most {MOST_CELLS:,} pairs of characters" in scale
    assert f"{MOST_CELLS / 8 / 2**30:.0f} GiB at the limit" in scale
    assert f"at most {WINDOW} unlinked source" in scale
    assert f"| the {WINDOW} nearest of them" in text_of("docs/paper.md")
    assert f"some {int(MOST_CELLS**0.5 / 1000)},000 characters on either" in scale
