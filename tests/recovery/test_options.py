from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest

from cijie import Recoverer
from cijie.choices import Method
from cijie.recovery.methods import MethodOptions, make_method
from cijie.recovery.options import METHOD_OPTIONS


def test_every_option_has_a_type() -> None:
    assert MethodOptions.__annotations__.keys() == METHOD_OPTIONS.keys()


@pytest.mark.parametrize("method", get_args(Method))
def test_defaults_that_are_given_change_nothing(method: Method) -> None:
    own: Any = {
        name: option.defaults[method]
        for name, option in METHOD_OPTIONS.items()
        if method in option.defaults and name != "context"
    }
    assert make_method(method, **own).signature == make_method(method).signature


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "p2", "treshold": 1}, TypeError, "'treshold': did you mean 'threshold'"),
        ({"method": "P2"}, ValueError, "unknown method 'P2': expected one of direct"),
        ({"method": "p1", "threshold": 1}, ValueError, "p1 has no option threshold: .* join_rule"),
        ({"method": "direct", "join_rule": "contiguous"}, ValueError, "it takes none"),
        ({"method": "p2", "position": "locale"}, ValueError, "position 'locale': did you mean"),
        ({"method": "p2", "weights": {"glyf": 1}}, ValueError, "'glyf': did you mean 'glyph'"),
        ({"method": "p2", "weights": 1}, TypeError, "weights must be a mapping or .*, not 1"),
        ({"method": "p2", "weights": {"glyph": "1"}}, ValueError, "weight glyph must be a number"),
        ({"method": "p2", "threshold": ".8"}, TypeError, "threshold must be a number, not '.8'"),
        ({"method": "p2", "position": 1}, TypeError, "position must be a name, not 1"),
        ({"method": "p2", "glyph_table": 1}, TypeError, "glyph_table must be .*, not 1"),
        ({"method": "p2", "context": 1}, TypeError, "context must be .*, not 1"),
        ({"method": "p2", "phonology": 1}, TypeError, "phonology must be .*, not 1"),
    ],
)
def test_a_wrong_option_is_named_with_what_was_wanted(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Recoverer(list, **options)


def test_weights_may_be_written_as_on_the_command_line() -> None:
    by_text = Recoverer(list, "p2", weights="glyph=.7,pos=.3")
    by_name = Recoverer(list, "p2", weights={"emb": 0, "glyph": 0.7, "pinyin": 0, "pos": 0.3})
    assert by_text.signature == by_name.signature


def test_numbers_may_be_those_of_numpy() -> None:
    for least, signed in ((np.float64(0.5), False), (np.float32(0.75), True)):
        signature = Recoverer(list, "p3", min_confidence=float(least)).signature
        assert ("|least:0.75" in signature) == signed
        assert Recoverer(list, "p3", min_confidence=least).signature == signature  # type: ignore[arg-type]
