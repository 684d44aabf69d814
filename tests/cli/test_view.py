from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie

from learners import SENTENCES, dump, write_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_corpus(tmp_path)
    return tmp_path


def _view(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["view", "--trials", "9", *map(str, arguments)])


def test_one_page(corpus: Path) -> None:
    gold, out = corpus / "gold.jsonl", corpus / "page.html"
    result = _view(corpus / "D.jsonl", "--gold", gold, "-o", out, "--title", "Learners <1>")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"{len(SENTENCES)} sentences\n"
    html = out.read_text(encoding="utf-8")
    assert '"title":"Learners \\u003c1>"' in html
    again = _view(corpus / "D.jsonl", "--gold", gold, "-o", "-", "-q", "--title", "Learners <1>")
    assert again.stdout == html


def test_split(corpus: Path) -> None:
    out = corpus / "page.html"
    result = _view(corpus / "D.jsonl", "--gold", corpus / "gold.jsonl", "-o", out, "--split")
    assert result.exit_code == 0, result.stderr
    assert "参加了" not in out.read_text(encoding="utf-8")
    assert "参加了" in (corpus / "page.data.js").read_text(encoding="utf-8")


def test_plain_text_with_pairs(tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("7\t旅行困\t旅行团\n", encoding="utf-8")
    (tmp_path / "gold.txt").write_text("旅行困\n", encoding="utf-8")
    (tmp_path / "d.txt").write_text("旅行 困\n", encoding="utf-8")
    files = tmp_path / "d.txt", "--gold", tmp_path / "gold.txt", "--pairs", tmp_path / "pairs.tsv"
    result = _view(*files, "-o", "-", "-q")
    assert result.exit_code == 0, result.stderr
    assert '"id":"7","source":"旅行困"' in result.stdout
    assert "旅行团" in result.stdout


def test_without_gold(corpus: Path) -> None:
    out = corpus / "page.html"
    result = _view(corpus / "D.jsonl", corpus / "P2.jsonl", "-o", out)
    assert (result.exit_code, result.stderr) == (0, f"{len(SENTENCES)} sentences\n")
    html = out.read_text(encoding="utf-8")
    assert '"title":"D, P2"' in html
    assert '"summary":null' in html
    # One alone is compared with what it started from.
    assert _view(corpus / "P2.jsonl", "-o", out).exit_code == 0
    assert '"systems":["initial","P2"]' in out.read_text(encoding="utf-8")
    dump(corpus / "P1.jsonl", [])
    result = _view(corpus / "D.jsonl", corpus / "P1.jsonl", "-o", out)
    assert (result.exit_code, result.stderr.count("D has this sentence")) == (1, 1)
    assert "no sentence to show" in _view(corpus / "P1.jsonl", "-o", out).stderr


def test_sentences_that_a_result_lacks(corpus: Path) -> None:
    (corpus / "one.jsonl").write_bytes((corpus / "D.jsonl").read_bytes().split(b"\n")[0])
    files = corpus / "one.jsonl", corpus / "P2.jsonl"
    result = _view(*files, "-o", corpus / "page.html")
    lacks = f"P2: {len(SENTENCES) - 1} sentences left out"
    assert result.stderr.splitlines() == ["1 sentence", lacks]
    gold = corpus / "gold.jsonl"
    result = _view(*files, "--gold", gold, "-o", corpus / "page.html")
    assert result.stderr.endswith(
        f"the gold ({gold}) has this sentence, but one does not; --intersection skips it\n"
    )


def test_sentences_that_gold_lacks_are_shown_and_counted(corpus: Path) -> None:
    (corpus / "some.jsonl").write_bytes((corpus / "gold.jsonl").read_bytes().split(b"\n")[0])
    arguments = (corpus / "D.jsonl", "--gold", corpus / "some.jsonl", "-o", corpus / "page.html")
    lacking = len(SENTENCES) - 1
    said = f"{len(SENTENCES)} sentences, {lacking} of them without gold\n"
    assert _view(*arguments).stderr == said
    assert (corpus / "page.html").read_text("utf-8").count('"without_gold":true') == lacking
    left = f"1 sentence\nD: {lacking} sentences left out\n"
    assert _view(*arguments, "--intersection").stderr == left


def test_pairs_are_recovered_first(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("7\t他来\t他们来了\t她来\n8\t好\t没有错误\n", encoding="utf-8")
    out = tmp_path / "page.html"
    options = ("--methods", "d=direct,p2", "--segmenter", "builtins:list", "-o", out)
    result = _view(pairs, *options)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "1 sentence\npairs: 1 sentence left out\n"
    html = out.read_text(encoding="utf-8")
    assert '"systems":["d","p2"]' in html
    # The nearest correction is the first of the targets.
    assert html.index('{"text":"她来"') < html.index('{"text":"他们来了"')
    twice = _view(pairs, "--pairs", pairs, *options)
    assert twice.exit_code == 1
    assert "has no words; `cijie recover` finds those of pairs" in twice.stderr


def test_pairs_that_begin_with_a_sentence_without_error_are_recovered(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("8\t好\t没有错误\n7\t他来\t她来\n", encoding="utf-8")
    result = _view(
        pairs, "--method", "p1", "--segmenter", "builtins:list", "-o", tmp_path / "p.html"
    )
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "1 sentence\npairs: 1 sentence left out\n"


def test_a_result_without_texts(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("7\t旅行困\t旅行团\n", encoding="utf-8")
    result = dump(tmp_path / "x.jsonl", [{"id": "7", "spans": [[0, 2], [2, 3]]}])
    shown = _view(result, "--pairs", pairs, "-o", "-", "-q")
    assert shown.exit_code == 0, shown.stderr
    assert '"source":"旅行困"' in shown.stdout
    message = "no text for these spans; name the file that has it with --pairs"
    assert message in _view(result, "-o", "-", "-q").stderr


def test_usage_errors(corpus: Path) -> None:
    d, gold = corpus / "D.jsonl", corpus / "gold.jsonl"
    assert _view(d, "--gold", gold, "-o", d).exit_code == 2
    assert _view(d, "--gold", gold, "-o", "-", "--split").exit_code == 2
    assert _view("-", "--gold", "-", "-o", corpus / "x.html").exit_code == 2
    dump(corpus / "P1.jsonl", [])
    result = _view(corpus / "P1.jsonl", "--gold", gold, "-o", corpus / "x.html")
    assert result.exit_code == 1
    assert not (corpus / "x.html").exists()


def test_names_of_results(tmp_path: Path) -> None:
    for name in ("a=b", "c"):
        dump(tmp_path / f"{name}.jsonl", [{"id": "1", "source": "旅行", "words": ["旅行"]}])
    files = [f"{tmp_path}/a=b.jsonl", f"first={tmp_path}/c.jsonl", f"{tmp_path}/c.jsonl"]
    page = tmp_path / "page.html"
    result = CliRunner().invoke(cijie, ["view", *files, "-o", str(page)])
    assert result.exit_code == 0, result.stderr
    assert '"systems":["a=b","first","c"]' in page.read_text(encoding="utf-8")
    twice = CliRunner().invoke(cijie, ["view", files[1], files[1], "-o", str(page)])
    assert "duplicate names: first, first" in twice.stderr
    assert (twice.exit_code, twice.stdout) == (2, "")
    missing = CliRunner().invoke(cijie, ["evaluate", files[0], "x=nowhere.jsonl"])
    assert "'nowhere.jsonl' does not exist" in missing.stderr
