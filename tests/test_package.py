"""The wheel, as users get it: built, installed into an empty environment, tried there."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"cijie"}
    for needed in ("cijie/py.typed", "cijie/__init__.pyi"):
        assert needed in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/NOTICE") for name in names)


def test_the_notice_names_all_shipped_data() -> None:
    notice = (PROJECT / "NOTICE").read_text(encoding="utf-8")
    shipped = [path.relative_to(PROJECT) for path in (PROJECT / "src").rglob("data/*")]
    computed = [path.as_posix() for path in shipped if path.suffix in {".npz", ".json"}]
    assert len(computed) > 3
    assert [path for path in computed if path not in notice] == []
    assert "src/cijie/gold/data" in notice


def test_it_works_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*command: object) -> str:
        result = subprocess.run(
            [str(part) for part in command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    run(sys.executable, "-m", "venv", "env")
    scripts = tmp_path / "env" / "bin"
    run(scripts / "pip", "install", "--quiet", wheel)
    assert "旅行困" in run(scripts / "cijie", "demo")
    code = "import cijie; print(cijie.recover('我参加了旅行困', '我参加了旅行团', method='p1'))"
    assert run(scripts / "python", "-c", code) == "我 参加 了 旅行 困\n"
