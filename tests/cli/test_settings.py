"""Files of settings: what they may say, and what they must not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cijie import FormatError
from cijie.cli.main import cijie
from cijie.cli.options.base import Option
from cijie.cli.recover import recover
from cijie.cli.settings import SETTINGS, read_settings, settings_text
from cijie.recovery.options import METHOD_OPTIONS

NAMES = {name.replace("_", "-") for name in SETTINGS}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, [str(argument) for argument in arguments])


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    return path


def test_settings_come_back(tmp_path: Path) -> None:
    settings = {"weights": 'a "b" \\ 旅\n', "threshold": 0.85}
    (tmp_path / "c.toml").write_text(settings_text(settings), encoding="utf-8")
    assert read_settings(tmp_path / "c.toml") == settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[method]\nb = 1", "method must be one of direct, .*, not {'b': 1}"),
        # Where things run, what is written, what is loaded as code or from a hub.
        ('scheduler = "tcp://10.0.0.1:8786"', "unknown setting 'scheduler'"),
        ('output = "x.jsonl"', "unknown setting 'output'"),
        ("resume = true", "unknown setting 'resume'"),
        ('config = "other.toml"', "unknown setting 'config'"),
        ('segmenter = "os:system"', "segmenter must be one of wapic, .*not 'os:system'"),
        ('segmenter = "ltp"', "segmenter must be one of wapic"),
        ('segmenter = "hanlp"', "segmenter must be one of wapic"),
        (
            'segmenter-option = "model=x"',
            "unknown setting 'segmenter-option': did you mean",
        ),
        (
            'context = "somebody/model"',
            "context must be one of .*; name somebody/model on",
        ),
        (
            'glyph-table = "/dev/zero"',
            "glyph-table must be one of builtin, literal, identity or the path of a file",
        ),
        ('glyph-table = "https://x.org/t.csv"', "glyph-table must be"),
        ('user-words = "/dev/stdin"', "user-words must be the path of a file"),
        ("ibm-model = 1", "ibm-model must be the path of a file, not 1"),
        # Wrong types, and misspelt names.
        ("threshold = true", "threshold: 'True' is not a valid float"),
        ("threshold = 1979-05-27", "threshold: '1979-05-27' is not a valid float"),
        ('method = ["p2"]', r"method must be one of .*, not \['p2'\]"),
        ("method = 2", "method must be one of .*, not 2"),
        ("treshold = 1", "unknown setting 'treshold': did you mean 'threshold'"),
    ],
)
def test_what_a_file_must_not_say_is_an_error_that_names_it(
    text: str, message: str, tmp_path: Path, pairs: Path
) -> None:
    (tmp_path / "c.toml").write_text(text)
    result = run("recover", pairs, "--config", tmp_path / "c.toml", "-o", tmp_path / "out.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.search(rf"^Error: .*c\.toml: .*{message}", result.stderr, re.MULTILINE)
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("threshold = nan", "the threshold must be a finite number, not nan"),
        ("threshold = inf", "the threshold must be a finite number, not inf"),
        (f"threshold = {10**400}", "the threshold must be a finite number, not inf"),
        ("weights = 3", "unknown weight '3': expected one of emb, glyph, pinyin, pos"),
    ],
)
def test_what_a_method_refuses_may_be_from_the_file(
    text: str, message: str, tmp_path: Path, pairs: Path
) -> None:
    (tmp_path / "c.toml").write_text(text)
    result = run("recover", pairs, "--config", tmp_path / "c.toml", "-o", tmp_path / "out.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {message}; {tmp_path / 'c.toml'} sets options too\n" in result.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_what_is_no_toml_is_bad_data(tmp_path: Path, pairs: Path) -> None:
    for text in ("a =", "a = " + "1" * 5000):
        (tmp_path / "c.toml").write_text(text)
        with pytest.raises(FormatError, match=r"c\.toml: not TOML"):
            read_settings(tmp_path / "c.toml")
    assert run("recover", pairs, "--config", tmp_path / "c.toml").exit_code == 1


def test_every_setting_is_an_option() -> None:
    options = {
        name.removeprefix("--")
        for option in recover.params
        if isinstance(option, Option)
        for name in option.opts
    }
    assert options >= NAMES


def test_whether_an_option_of_methods_may_be_a_setting_is_decided() -> None:
    assert {name.replace("_", "-") for name in METHOD_OPTIONS} <= NAMES


def test_a_command_takes_the_settings_that_it_has(tmp_path: Path, pairs: Path) -> None:
    (tmp_path / "c.toml").write_text('segmenter = "rjieba"\nmethod = "p1"\n')
    result = run("align", pairs, "--config", tmp_path / "c.toml", "--signature", "long")
    assert "|method:p1" in result.stderr
    result = CliRunner().invoke(
        cijie, ["segment"], input="好\n", env={"CIJIE_CONFIG": str(tmp_path / "c.toml")}
    )
    assert "segmenter:rjieba-" in result.stderr


def test_settings_of_one_method_are_not_taken_for_another(tmp_path: Path, pairs: Path) -> None:
    (tmp_path / "c.toml").write_text('method = "p2"\nthreshold = 0.4\n')
    result = run("align", pairs, "--config", tmp_path / "c.toml", "--method", "p3")
    assert result.exit_code == 2
    assert "c.toml holds settings for the method p2, not for p3" in result.stderr
    (tmp_path / "c.toml").write_text('method = "p3"\nposition = "global"\n')
    for command in (("tune", pairs), ("ablate", pairs), ("reproduce", "--pairs", pairs)):
        result = run(*command, "--gold", pairs, "--config", tmp_path / "c.toml", "-o", "out")
        assert result.exit_code == 2
        assert "'p3' is not 'p2'" in result.stderr


def test_what_a_file_must_not_say_is_written_as_a_comment(tmp_path: Path) -> None:
    written = settings_text({"context": "somebody/model", "threshold": 0.9})
    assert '# for the command line alone: context = "somebody/model"' in written
    (tmp_path / "c.toml").write_text(written)
    assert read_settings(tmp_path / "c.toml") == {"threshold": 0.9}


def test_config_shows_what_is_in_force_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CIJIE_SEGMENTER", "jieba")
    (tmp_path / "c.toml").write_text('method = "p2"\nglyph-table = "identity"\n')
    given = ("--config", tmp_path / "c.toml", "--threshold", ".7")
    result = run("config", *given)
    assert result.stdout.splitlines() == [
        f'method = "p2"  # {tmp_path / "c.toml"}',
        'weights = "emb=0.1,glyph=0.6,pinyin=0,pos=0.3"  # default of p2',
        "threshold = 0.7  # command line",
        f'glyph-table = "identity"  # {tmp_path / "c.toml"}',
        'phonology = "pinyin-marks"  # default of p2',
        'position = "global"  # default of p2',
        'context = "embedded"  # default of p2',
        'join-rule = "equal-length"  # default of p2',
        'segmenter = "jieba"  # $CIJIE_SEGMENTER',
    ]
    (tmp_path / "again.toml").write_text(result.stdout)
    again = run("config", "--config", tmp_path / "again.toml")
    assert read_settings(tmp_path / "again.toml")["threshold"] == 0.7
    assert [line.partition("  #")[0] for line in again.stdout.splitlines()] == [
        line.partition("  #")[0] for line in result.stdout.splitlines()
    ]


def test_config_leaves_out_what_a_file_must_not_say(tmp_path: Path) -> None:
    result = run("config", "--method", "p2", "--context", "somebody/model", "--segmenter", "ltp")
    assert '# for the command line alone: context = "somebody/model"' in result.stdout
    assert '# for the command line alone: segmenter = "ltp"' in result.stdout
    (tmp_path / "c.toml").write_text(result.stdout)
    assert "context" not in read_settings(tmp_path / "c.toml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "p1", "--threshold", "1"), "--threshold has no effect on p1"),
        (("--weights", "glyf=1"), "unknown weight 'glyf': did you mean 'glyph'?"),
    ],
)
def test_config_refuses_what_would_not_run(arguments: tuple[str, ...], message: str) -> None:
    result = run("config", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_the_documentation_lists_all_settings() -> None:
    page = Path(__file__).parents[2] / "docs" / "command-line.md"
    table = re.findall(r"^\| (`[^|]*) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name.strip("` ") for row in table for name in row.split(",")} == NAMES
