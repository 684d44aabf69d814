from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie import Recoverer
from cijie.cli.main import cijie
from cijie.cli.settings import read_settings

# One word a character, so that no model is loaded.
CHARACTERS = ("--segmenter", "builtins:list")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, [str(argument) for argument in arguments])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("1\t么什\t什么\n2\t旅行困\t旅行团\n3\t好\t好的\n", encoding="utf-8")
    return path


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    lines = ['{"id": "1", "tokens": [[0, 2]]}', '{"id": "2", "tokens": [[0, 3]]}']
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_model_is_trained_and_used(pairs: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "model.npz", tmp_path / "out.jsonl"
    result = run("train-ibm", pairs, "-o", model, *CHARACTERS, "--signature", "long")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith("3 pairs\n")
    signature = result.stderr.splitlines()[-1]
    cijie_version, _, signature = signature.partition("|")
    assert cijie_version.startswith("cijie:")
    assert signature.startswith("method:ibm|model:")
    ibm = ("--method", "ibm", "--ibm-model", model, "--signature", "long")
    result = run("recover", pairs, *ibm, "-o", out, *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    assert signature in result.stderr
    assert len(out.read_bytes().splitlines()) == 3
    first = model.read_bytes()
    run("train-ibm", pairs, "-o", model, *CHARACTERS)
    assert model.read_bytes() == first


def test_pairs_that_teach_nothing_are_counted(pairs: Path, tmp_path: Path) -> None:
    with pairs.open("a", encoding="utf-8") as stream:
        stream.write("4\t好\t\u3000\n")
    result = run("train-ibm", pairs, "-o", tmp_path / "model.npz", *CHARACTERS)
    assert result.stderr.startswith("3 pairs; 1 pair with an empty side left out\n")


def test_the_method_ibm_needs_a_model_and_words(pairs: Path, tmp_path: Path) -> None:
    assert "requires --ibm-model" in (result := run("recover", pairs, "--method", "ibm")).stderr
    assert result.exit_code == 2
    run("train-ibm", pairs, "-o", tmp_path / "model.npz", *CHARACTERS)
    result = run("align", pairs, "--method", "ibm", "--ibm-model", tmp_path / "model.npz")
    assert "use `cijie recover`" in result.stderr
    assert result.exit_code == 2


def test_a_config_sets_options_and_the_command_line_wins(pairs: Path, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text('weights = "glyph=.5,pos=.5"\nthreshold = 0.4\nglyph-table = "identity"\n')
    for command in ("align", "recover"):
        options = ("--signature", "long", *(CHARACTERS if command == "recover" else ()))
        result = run(command, pairs, "--config", config, *options)
        assert "weights:emb=0,glyph=0.5:identity,pinyin=0,pos=0.5" in result.stderr
        assert "threshold:0.4" in result.stderr
        result = run(command, pairs, "--config", config, "--threshold", ".7", *options)
        assert "threshold:0.7" in result.stderr
        assert "glyph=0.5" in result.stderr


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("nonsense = 1", 2, "unknown setting 'nonsense'"),
        ("method = 'p9'", 2, "method must be one of"),
        ("method", 1, "c.toml: not TOML"),
    ],
)
def test_a_bad_config_is_refused(
    text: str, code: int, message: str, pairs: Path, tmp_path: Path
) -> None:
    (tmp_path / "c.toml").write_text(text)
    result = run("align", pairs, "--config", tmp_path / "c.toml")
    assert result.exit_code == code
    assert message in result.stderr


def test_tune_writes_a_setting_that_other_commands_take(
    pairs: Path, gold: Path, tmp_path: Path
) -> None:
    best, figure = tmp_path / "best.toml", tmp_path / "f.svg"
    given = (pairs, "--gold", gold, "--glyph-table", "identity", *CHARACTERS)
    outputs = ("--best", best, "--figure", figure)
    result = run("tune", *given, "--folds", 2, *outputs, "--format", "json")
    assert result.exit_code == 0, result.stderr
    rows = orjson.loads(result.stdout)["settings"]["rows"]
    assert len(rows) == 3718
    assert "1 pair without gold left out" in result.stderr
    assert figure.read_bytes().startswith(b"<?xml")
    chosen = read_settings(best)
    assert next(iter(rows.values()))["setting"].endswith(f" threshold={chosen['threshold']:g}")
    for command in (("recover", pairs, *CHARACTERS), ("ablate", *given)):
        result = run(*command, "--config", best, "--signature", "long")
        assert result.exit_code == 0, result.stderr
        assert f"threshold:{chosen['threshold']:g}" in result.output


def test_tune_refuses_what_it_cannot_do(pairs: Path, gold: Path) -> None:
    given = ("tune", pairs, "--gold", gold, *CHARACTERS)
    for options in (("--folds", 3), ("--figure", "f.gif")):
        assert run(*given, *options).exit_code == 2


def test_ablate_shows_every_feature(pairs: Path, gold: Path) -> None:
    result = run("ablate", pairs, "--gold", gold, "--trials", 9, "--format", "tsv", *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    for name in ("emb", "glyph", "pinyin", "pos"):
        assert f"ablation\t- {name}\tp\t" in result.stdout
    assert "signature\t\t\tcijie:" in result.stdout


def test_ibm_is_a_method_of_the_command_line_alone(pairs: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.npz"
    run("train-ibm", pairs, "-o", model, *CHARACTERS)
    config = tmp_path / "c.toml"
    config.write_text(f'method = "ibm"\nibm-model = "{model}"\njoin-rule = "endpoints"\n')
    result = run("recover", pairs, "--config", config, *CHARACTERS, "--signature", "long")
    assert result.exit_code == 0, result.stderr
    assert "method:ibm|model:" in result.stderr
    assert "join:endpoints" in result.stderr
    with pytest.raises(ValueError, match="unknown method 'ibm'"):
        Recoverer(list, "ibm")  # type: ignore[arg-type]
