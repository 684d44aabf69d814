from __future__ import annotations

from pathlib import Path

import pytest

from cijie import FormatError
from cijie.cli.config import read_config, write_config


def test_settings_come_back(tmp_path: Path) -> None:
    settings = {"weights": 'a "b" \\ 旅\n', "threshold": 0.85}
    write_config(settings, tmp_path / "c.toml", comments=["why"])
    assert (tmp_path / "c.toml").read_text("utf-8").startswith("# why\n")
    assert read_config(tmp_path / "c.toml") == settings


@pytest.mark.parametrize(
    ("text", "message"), [("a =", "not TOML"), ("[a]\nb = 1", "cannot be set")]
)
def test_errors_name_the_file(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(FormatError, match=rf"c\.toml: .*{message}"):
        read_config(tmp_path / "c.toml")
