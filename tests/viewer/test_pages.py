from __future__ import annotations

import re
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
    html = render_page(page, HOSTILE, guideline="", mode="vote").decode()
    [policy] = [line for line in html.splitlines() if "Content-Security-Policy" in line]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "'self'" not in policy
    assert policy.count("'sha256-") == html.count("<style>") + html.count('<script type="module">')
    assert html.count(" src=") == html.count('<link rel="stylesheet"') == 0


def test_data_beside_the_page() -> None:
    html = render_page("view", data_file="a & b.data.js").decode()
    assert '<script src="a%20%26%20b.data.js"></script>' in html
    assert "script-src 'self' file: 'sha256-" in html
    assert render_data(HOSTILE).startswith(b'globalThis.cijieData = {"title":"\\u003c/script>')


def test_a_template_of_ones_own_has_the_shared_style(tmp_path: Path) -> None:
    (tmp_path / "own.html").write_text(
        '{% extends "base.html" %}{% block body %}{{ style("own.css") }}{{ text }}{% endblock %}',
        encoding="utf-8",
    )
    (tmp_path / "own.css").write_text("b { color: red; }", encoding="utf-8")
    # What is filled in is text, and is not looked at again.
    html = render_page("own", text="<b>{{ policy() }}", folder=tmp_path).decode()
    assert "<style>\nb { color: red; }</style>&lt;b&gt;{{ policy() }}" in html
    assert "--paper" in html
    assert "script-src" not in html
    with pytest.raises(FileNotFoundError):
        render_page("own.html", folder=tmp_path)


@pytest.mark.parametrize("page", ["view", "annotate", "agreement"])
def test_messages_are_there_in_both_languages(page: str) -> None:
    held = (
        render_page(page, {}, guideline="", mode="vote")
        .decode()
        .partition('<script id="messages"')[2]
    )
    messages = orjson.loads(held.partition(">")[2].partition("</script>")[0])
    for key, pair in messages.items():
        # In Chinese one is said as several are.
        assert len(pair) == 2 or key.endswith(".one"), key
        assert key in messages
        names = [sorted(re.findall(r"\{\w+\}", message)) for message in pair]
        assert names[0] == names[-1], key


@pytest.mark.parametrize("page", ["view", "annotate", "agreement"])
def test_modules_of_a_page_share_one_scope(page: str) -> None:
    html = render_page(page, {}, guideline="", mode="vote").decode()
    script = html.partition('<script type="module">')[2].partition("</script>")[0]
    declared = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", script, re.MULTILINE)
    assert len(declared) == len(set(declared)) > 20
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
