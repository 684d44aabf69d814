from __future__ import annotations

import re
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie

CHARACTERS = ("--segmenter", "builtins:list")
SENTENCES = "我们 昨天 参加 了 旅行团 。\n弟弟 在 河边 捡到 石头 。\n老师 问 学生 们 。\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["bench", *(str(argument) for argument in arguments)])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


@pytest.fixture
def made(corpus: Path, tmp_path: Path) -> Path:
    assert run("synthetic", corpus, "-o", tmp_path / "made", "--ratios", "5-7,12.5").exit_code == 0
    return tmp_path / "made"


def contents(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def test_a_condition_for_each_ratio_the_same_each_time(
    corpus: Path, made: Path, tmp_path: Path
) -> None:
    assert sorted(path.name for path in made.iterdir()) == ["r05", "r06", "r07", "r12.5"]
    (tmp_path / "again").mkdir()
    options = ("--ratios", "5,6,7,12.5", "--seed", 0)
    result = run("synthetic", corpus, "-o", tmp_path / "again", *options)
    assert contents(tmp_path / "again") == contents(made)
    assert result.stdout == ""
    assert result.stderr.splitlines()[0] == (
        "r05: 3 pairs, 2 unchanged; substitution 1, deletion 0, insertion 0; "
        "0 empty sources dropped"
    )
    run("synthetic", corpus, "-o", tmp_path / "other", *options[:2], "--seed", 1)
    assert contents(tmp_path / "other").keys() == contents(made).keys()
    assert contents(tmp_path / "other") != contents(made)


def test_options_are_in_the_card(corpus: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("1\t旅行困\t旅行团\n2\t好\t好的\n3\t我要去\t我去\n", encoding="utf-8")
    pool = tmp_path / "pool.txt"
    pool.write_text("甲 乙\n丙\n", encoding="utf-8")
    result = run(
        *("synthetic", corpus, "-o", tmp_path / "made", "--ratios", "33", "-q", "--seed", 3),
        *("--dist-from", pairs, "--pool", pool, "--noise", "similar"),
        *("--licence", "CC0"),
    )
    assert result.exit_code == 0, result.output
    assert result.output == ""
    card = orjson.loads((tmp_path / "made" / "r33" / "card.json").read_bytes())
    assert card["corpus"]["name"] == "corpus"
    assert card["corpus"]["licence"] == "CC0"
    assert card["noise"]["seed"] == 3
    assert card["noise"]["kind"].startswith("similar:")
    assert card["noise"]["pool"] == "pool.txt"
    assert set(card["noise"]["distribution"].values()) == {1 / 3}
    assert card["edits"] == {"substitution": 3, "deletion": 3, "insertion": 3, "all": 9}


def test_a_directory_with_something_in_it_is_left_alone(corpus: Path, made: Path) -> None:
    before = contents(made)
    result = run("synthetic", corpus, "-o", made)
    assert result.exit_code == 2
    assert "not an empty folder" in result.stderr
    assert contents(made) == before


def test_nothing_is_left_of_a_benchmark_that_fails(corpus: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool.txt"
    pool.write_text("，", encoding="utf-8")
    corpus.write_text("， ，\n", encoding="utf-8")
    result = run(
        *("synthetic", corpus, "-o", tmp_path / "made", "--ratios", "100", "--pool", pool),
        *("--from", "text"),
    )
    assert result.exit_code == 1
    assert "no character other than" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.txt", "pool.txt"]


@pytest.mark.parametrize(
    "options",
    [
        ("--ratios", "0-101"),
        ("--ratios", "1,1.0"),
        ("--ratios", "3-1"),
        ("--ratios", "many"),
        ("--dist", ".5,.5"),
        ("--dist", ".5,.3,.2", "--dist-from", __file__),
        ("--from", "word"),
        ("--files", "400-550"),
        ("--files", "a"),
        ("--pool", "missing.txt"),
        ("--seed", "-1"),
    ],
)
def test_wrong_usage(options: tuple[str, str], corpus: Path, tmp_path: Path) -> None:
    result = run("synthetic", corpus, "-o", tmp_path / "made", *options)
    assert result.exit_code == 2, result.output
    assert not (tmp_path / "made").exists()


def test_text_without_words_is_an_error_about_data(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    result = run("synthetic", path, "-o", tmp_path / "made")
    assert result.exit_code == 1
    assert "has no words" in result.stderr


def test_files_of_the_treebank(tmp_path: Path) -> None:
    (tmp_path / "ctb").mkdir()
    for number, sentence in zip((399, 400, 550), SENTENCES.splitlines(), strict=True):
        file = tmp_path / "ctb" / f"chtb_{number}.seg"
        file.write_text(f"<S ID=1>\n{sentence}\n</S>\n", encoding="gb18030")
    options = ("--files", "400-549,550", "--ratios", "0")
    result = run("synthetic", tmp_path / "ctb", "-o", tmp_path / "made", *options)
    assert result.exit_code == 0, result.output
    records = (tmp_path / "made" / "r00" / "gold.jsonl").read_bytes().splitlines()
    assert [orjson.loads(record)["id"] for record in records] == ["chtb_400-1", "chtb_550-1"]


def test_an_empty_corpus_is_an_error_about_data(corpus: Path, tmp_path: Path) -> None:
    corpus.write_text("")
    result = run("synthetic", corpus, "-o", tmp_path / "made")
    assert result.exit_code == 1
    assert "no sentence" in result.stderr


def test_conllu_and_text_give_the_same_sentences(corpus: Path, tmp_path: Path) -> None:
    lines = []
    for number, sentence in enumerate(SENTENCES.splitlines(), start=1):
        tokens = sentence.split()
        lines += [f"# sent_id = {number}", f"# text = {''.join(tokens)}"]
        lines += [
            "\t".join((str(n), token, *"_" * 7, "SpaceAfter=No"))
            for n, token in enumerate(tokens, start=1)
        ]
        lines.append("")
    path = tmp_path / "corpus.conllu"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    for source in (corpus, path):
        result = run("synthetic", source, "-o", tmp_path / source.suffix, "--ratios", "20")
        assert result.exit_code == 0, result.output
    assert contents(tmp_path / ".txt") == contents(tmp_path / ".conllu")


def test_methods_are_run_on_every_condition(made: Path, tmp_path: Path) -> None:
    out, figure = tmp_path / "out.json", tmp_path / "f1.svg"
    result = run(
        *("run", made, "--methods", "direct,P1=p1", "--target", "both", "--trials", 9),
        *("--format", "json", "-o", out, "--figure", figure, "-q", *CHARACTERS),
    )
    assert result.exit_code == 0, result.output
    record = orjson.loads(out.read_bytes())
    scores = [table for name, table in record.items() if name.startswith("scores-")]
    assert len(scores) == 8
    assert list(scores[0]["rows"]) == ["direct", "P1"]
    assert "gold target words" in figure.read_text(encoding="utf-8")


def test_the_ibm_style_aligner_is_run_with_its_model(made: Path, tmp_path: Path) -> None:
    pairs, model = tmp_path / "pairs.tsv", tmp_path / "model.npz"
    pairs.write_text("1\t么什\t什么\n", encoding="utf-8")
    trained = CliRunner().invoke(
        cijie, ["train-ibm", str(pairs), "-o", str(model), "-q", *CHARACTERS]
    )
    assert trained.exit_code == 0, trained.output
    methods = f"direct,IBM=ibm:ibm-model={model}:join-rule=endpoints"
    result = run("run", made, "--methods", methods, *CHARACTERS, "--signature", "long")
    assert result.exit_code == 0, result.output
    assert "method:ibm|model:" in result.stdout
    for wrong in ("ibm", f"p1:ibm-model={model}"):
        result = run("run", made, "--methods", wrong, *CHARACTERS)
        assert result.exit_code == 2
        assert "ibm" in result.stderr


def test_the_table_goes_to_standard_output(made: Path) -> None:
    result = run("run", made, "--methods", "direct,p1", *CHARACTERS)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "Token F1, gold target words"
    assert lines[1].split() == ["condition", "direct", "p1"]
    assert [line.split()[0] for line in lines[2:6]] == ["r05", "r06", "r07", "r12.5"]


@pytest.mark.parametrize(
    "options",
    [("--methods", "p9"), ("--figure", "a.gif"), ("--methods", "p2:glyph-table=missing.csv")],
)
def test_wrong_usage_of_run(options: tuple[str, str], made: Path) -> None:
    assert run("run", made, *options, *CHARACTERS).exit_code == 2


def test_segmenters_in_one_table_and_figure(corpus: Path, tmp_path: Path) -> None:
    made, figure = tmp_path / "made", tmp_path / "f1.pdf"
    assert run("synthetic", corpus, "-o", made, "--ratios", "0,20").exit_code == 0
    names = "mine=builtins:list,jieba"
    given = "run", made, "--methods", "direct,p1", "-q", "--figure", figure, "--segmenters", names
    result = run(*given)
    assert result.exit_code == 0, result.output
    [head] = {x for x in result.stdout.splitlines() if x.startswith("condition")}
    assert re.split(r"  +", head)[1:] == [
        *("direct, mine", "p1, mine", "direct, jieba", "p1, jieba")
    ]
    assert figure.read_bytes().startswith(b"%PDF")
    result = run(*given, *CHARACTERS)
    assert result.exit_code == 2
    assert "--segmenter has no effect with --segmenters" in result.stderr
    assert run(*given[:-1], "jieba,jieba").exit_code == 2


def test_several_seeds_are_several_folders(corpus: Path, tmp_path: Path) -> None:
    folders = [tmp_path / f"seed-{seed}" for seed in range(3)]
    for seed, folder in enumerate(folders):
        made = run("synthetic", corpus, "-o", folder, "--ratios", "0,20", "--seed", seed)
        assert made.exit_code == 0
    result = run("run", *folders, "--methods", "direct,p1", "-q", *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("the lowest and highest of 3 seeds") == 1
    result = run("run", folders[0], folders[0], *CHARACTERS)
    assert result.exit_code == 2
    assert "expected benchmarks of different seeds, got r20 twice" in result.stderr


def test_conditions_without_an_edit_may_have_the_same_sentences(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("我们 参加 旅行团\n", encoding="utf-8")
    folders = [tmp_path / f"seed-{seed}" for seed in range(2)]
    for seed, folder in enumerate(folders):
        made = run("synthetic", corpus, "-o", folder, "--ratios", "0-2", "--seed", seed)
        assert made.stderr.count("1 unchanged") == 3, made.stderr
    for given in folders[:1], folders:
        result = run("run", *given, "--methods", "direct,p1", *CHARACTERS)
        assert result.exit_code == 0, result.stderr


def test_a_folder_that_is_no_benchmark_is_told_in_a_sentence(made: Path, tmp_path: Path) -> None:
    result = run("run", made / "r05", *CHARACTERS)
    assert result.exit_code == 1
    assert result.stderr.endswith("r05: this is one condition; give the folder that holds it\n")
    (tmp_path / "other" / "study").mkdir(parents=True)
    (tmp_path / "other" / "study" / "card.json").write_text('{"noise": {}}')
    result = run("run", tmp_path / "other", *CHARACTERS)
    assert result.exit_code == 1
    assert "card.json: not a data card of `cijie bench" in result.stderr


def test_so_many_sentences_of_a_corpus(corpus: Path, tmp_path: Path) -> None:
    given = "synthetic", corpus, "--ratios", "0"
    assert run(*given, "-o", tmp_path / "two", "--sentences", 2).exit_code == 0
    card = orjson.loads((tmp_path / "two" / "r00" / "card.json").read_bytes())
    assert card["corpus"]["sentences"] == 2
    result = run(*given, "-o", tmp_path / "four", "--sentences", 4)
    assert (result.exit_code, "expected 4 sentences, found 3" in result.stderr) == (1, True)


def test_a_changed_file_is_refused(made: Path) -> None:
    (made / "r05" / "gold.jsonl").write_text("")
    result = run("run", made, *CHARACTERS)
    assert result.exit_code == 1
    assert "gold.jsonl: not the file of its card" in result.stderr


def test_a_run_says_why_there_is_no_loss(made: Path) -> None:
    result = run("run", made, "--methods", "direct", *CHARACTERS)
    assert "there is no loss without the condition of ratio 0: --ratios 0,…" in result.stderr
    assert "Loss" not in result.stdout
