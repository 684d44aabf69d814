"""Methods as `show --methods` and `bench run --methods` take them: names, each with options."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cijie.alignment.links import AnchorAligner
from cijie.alignment.residual import ResidualAligner
from cijie.cli.main import cijie
from cijie.cli.options.methods import make_methods
from cijie.recovery.methods import NoAligner
from cijie.similarity.features import LocalPosition
from cijie.similarity.weights import Weights


def test_methods_have_options_and_names() -> None:
    methods = make_methods(
        " direct , p1,a-b=p2:position=local:weights=glyph=.2,pos=.8,p2:context=none"
    )
    assert list(methods) == ["direct", "p1", "a-b", "p2:context=none"]
    direct, p1, local, plain = methods.values()
    assert isinstance(direct.aligner, NoAligner)
    assert isinstance(p1.aligner, AnchorAligner)
    assert isinstance(local.aligner, ResidualAligner)
    assert isinstance(plain.aligner, ResidualAligner)
    assert local.aligner.scorer.weights == Weights(emb=0, glyph=0.2, pinyin=0, pos=0.8)
    assert local.aligner.scorer.features["pos"] == LocalPosition()
    assert "emb" not in plain.aligner.scorer.features


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown method ''"),
        ("p9", "unknown method 'p9'"),
        ("p1,p9", "unknown method 'p9'"),
        ("p9,p1", "unknown method 'p9'"),
        ("p1,p1", "duplicate method name 'p1'"),
        ("x=p1,x=p2", "duplicate method name 'x'"),
        ("p2:local", "'p2:local': expected an option NAME=VALUE, got 'local'"),
        ("p2:positon=local", "unknown option 'positon': did you mean 'position'"),
        (
            "p2:threshold=.5:threshold=.6",
            "'p2:threshold=.5:threshold=.6': threshold is given twice",
        ),
        ("p2:method=p1", "unknown option 'method'"),
        ("p2:position=near", "unknown position"),
        ("p2:threshold=high", "threshold must be a number, not 'high'"),
        ("p3:min-confidence=high", "min_confidence must be a number, not 'high'"),
        ("p2:weights=sound=1", "unknown weight"),
    ],
)
def test_what_is_no_method(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_methods(text)


def test_a_method_means_the_same_in_every_command(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")

    def written(*arguments: str) -> str:
        command = ["recover", str(pairs), "-q", "--segmenter", "builtins:list", *arguments]
        result = CliRunner().invoke(cijie, command)
        assert result.exit_code == 0, result.output
        return result.stdout

    strict = written("--method", "p2", "--threshold", ".99")
    assert written("--method", "p2:threshold=.99") == strict != written("--method", "p2")
    shown = CliRunner().invoke(cijie, ["show", str(pairs), "--method", "p2:threshold=.99"])
    assert "┊" not in shown.stdout.splitlines()[2]
    for given in ("p2:x=1", "p2:threshold=.9,p1", "p1,p2", "d"):
        result = CliRunner().invoke(cijie, ["recover", str(pairs), "--method", given])
        assert result.exit_code == 2
    twice = ["recover", str(pairs), "--method", "p2:threshold=.8", "--threshold", ".9"]
    stderr = CliRunner().invoke(cijie, twice).stderr
    assert "--threshold has no effect on p2:threshold=.8" in stderr
    settings = CliRunner().invoke(cijie, ["config", "--method", "p2:threshold=.99"]).stdout
    assert "threshold = 0.99  # command line\n" in settings
