"""Folders of viz import each other in one direction."""

from __future__ import annotations

from collections import defaultdict

from tests.test_architecture import imports, sources


def folder_of(module: str) -> str:
    """Return the folder of a module of viz, or "" for top-level modules."""
    parts = module.split(".")
    return parts[1] if len(parts) > 2 else ""


def test_imports_between_folders_have_no_cycle():
    graph: dict[str, set[str]] = defaultdict(set)
    for path in sources("viz"):
        folder = path.parts[1] if len(path.parts) > 2 else ""
        graph[folder] |= {folder_of(name) for name in imports(path) if name.startswith("viz.")} - {folder}
    graph = {folder: {other for other in others if other in graph} for folder, others in graph.items()}
    while graph:
        free = [folder for folder, others in graph.items() if not others & set(graph)]
        assert free, f"imports go round in a circle among {sorted(graph)}"
        for folder in free:
            del graph[folder]
