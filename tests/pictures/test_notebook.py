from __future__ import annotations

from pathlib import Path

import pytest

CELL = """
import cijie
cijie.recover(
    "我参加了旅行困", "我参加了旅行团", segmenter=list,
    target_tokens=["我", "参加", "了", "旅行团"],
)
"""


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_notebook_shows_the_picture(tmp_path: Path) -> None:
    from nbclient import NotebookClient
    from nbformat import v4

    notebook = v4.new_notebook(cells=[v4.new_code_cell(CELL)])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=tmp_path)
    [output] = notebook.cells[0].outputs
    assert output.data["text/plain"] == "<Recovery '我 参加 了 旅行困', 3 changes>"
    html = output.data["text/html"]
    assert html.startswith('<figure class="cijie-recovery">')
    assert "<svg" in html
    assert "旅行困 is one word, because 旅行团 is" in html
