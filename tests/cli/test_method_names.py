"""Methods as `show --methods` and `bench run --methods` take them: names, each with options."""

from __future__ import annotations

import pytest

from cijie.alignment.anchors import AnchorAligner
from cijie.alignment.residual import ResidualAligner
from cijie.cli.options.compared import parse_methods
from cijie.recovery.methods import NoAligner
from cijie.similarity.features import LocalPosition
from cijie.similarity.weights import Weights


def test_methods_have_options_and_names() -> None:
    methods = parse_methods(
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
        ("p2:method=p1", "unknown option 'method'"),
        ("p2:position=near", "unknown position"),
        ("p2:threshold=high", "high"),
        ("p2:weights=sound=1", "unknown weight"),
    ],
)
def test_what_is_no_method(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_methods(text)
