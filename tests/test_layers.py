"""The order of the house: what stands higher uses what stands lower, never the other way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "cijie"

# From the top. Rooms on one floor do not use each other.
FLOORS = (
    ("cli",),
    ("paper",),
    ("gold",),
    ("viewer", "noise", "jobs"),
    ("corpora",),
    ("edits",),
    ("recovery",),
    ("pictures",),
    ("projection",),
    ("evaluation", "segmenters"),
    ("alignment",),
    ("text", "similarity", "files"),
    ("batching", "bounds", "extras", "signatures"),
    ("checking", "templates"),
    ("errors", "choices"),
)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# They compute: no file is opened there, and nothing heavy is loaded.
PURE = ("text", "alignment", "projection", "evaluation")


def rooms() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        if parts not in {("__init__.py",), ("__main__.py",)}:
            yield parts[0].removesuffix(".py"), path


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_every_room_has_its_floor() -> None:
    assert {room for room, _ in rooms()} == set(FLOOR)


@pytest.mark.parametrize("room", FLOOR)
def test_a_room_uses_only_lower_floors(room: str) -> None:
    upward = {
        f"{path.relative_to(PACKAGE)} imports {module}"
        for name, path in rooms()
        if name == room
        for module in imported(path)
        if module.startswith("cijie.")
        for other in [module.split(".")[1]]
        if other in FLOOR and other != room and FLOOR[other] <= FLOOR[room]
    }
    assert upward == set()


@pytest.mark.parametrize("room", PURE)
def test_what_computes_does_no_io(room: str) -> None:
    allowed = {"evidence.py"}  # it reads tables that are shipped
    found = {
        f"{path.relative_to(PACKAGE)} imports {module}"
        for name, path in rooms()
        if name == room and path.name not in allowed
        for module in imported(path)
        if module.startswith("cijie.files") or module.split(".")[0] in {"io", "pathlib"}
    }
    assert found == set()


def top_level(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """What a module imports when it is loaded, or for its types; not what its functions do."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom):
            yield child
        elif not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from top_level(child)


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {
        ".".join(("cijie", *path.relative_to(PACKAGE).with_suffix("").parts)): path
        for _, path in rooms()
    }
    graph = {
        name: {
            found
            for node in top_level(ast.parse(path.read_text(encoding="utf-8")))
            for found in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
            if found in names
        }
        for name, path in names.items()
    }
    assert len(graph) > 100
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle
