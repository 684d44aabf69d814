from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie.viewer.pages import render_data, render_page

HOSTILE: dict[str, Any] = {"title": "</script><!-- data --><b>&amp;", "sentences": []}


def test_text_cannot_end_the_data() -> None:
    html = render_page("view", HOSTILE).decode()
    start = html.index('<script id="data"')
    held = html[html.index(">", start) + 1 :].partition("</script>")[0]
    assert "<" not in held
    assert orjson.loads(held) == HOSTILE


@pytest.mark.parametrize("page", ["view", "annotate", "agreement"])
def test_the_policy_names_each_script_and_style(page: str) -> None:
    html = render_page(page, HOSTILE, parts={"guideline": ""}).decode()
    [policy] = [line for line in html.splitlines() if "Content-Security-Policy" in line]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "'self'" not in policy
    assert policy.count("'sha256-") == html.count("<style>") + html.count("<script>")
    assert html.count(" src=") == html.count('<link rel="stylesheet"') == 0


def test_data_beside_the_page() -> None:
    html = render_page("view", data_file="a & b.data.js").decode()
    assert '<script src="a%20%26%20b.data.js"></script>' in html
    assert "script-src 'self' file: 'sha256-" in html
    assert render_data(HOSTILE).startswith(b'globalThis.cijieData = {"title":"\\u003c/script>')


def test_a_template_of_ones_own_has_the_shared_style(tmp_path: Path) -> None:
    (tmp_path / "own.html").write_text(
        '<!-- head --><link rel="stylesheet" href="own.css"><!-- text -->',
        encoding="utf-8",
    )
    (tmp_path / "own.css").write_text("b { color: red; }", encoding="utf-8")
    # What is filled in is not looked at again.
    html = render_page("own", parts={"text": "<!-- policy -->"}, folder=tmp_path).decode()
    assert html.endswith("<style>\nb { color: red; }</style><!-- policy -->")
    assert "--paper" in html
    assert "script-src" not in html
    with pytest.raises(FileNotFoundError):
        render_page("own", folder=tmp_path)
