"""The bundle of the graph component's ES modules."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from viz.bundle import bundle, in_order
from viz.graph_view import HERE
from viz.query.picture import FOLDER
from viz.replay_page.page import HERE as REPLAY_PAGE

ENTRY = HERE / "graph_view.js"
QUERY = FOLDER / "query.js"
REPLAY = REPLAY_PAGE / "replay_page.js"
DEFINED = re.compile(r"^(?:export )?(?:async )?(?:function|class) (\w+)|^(?:export )?(?:const|let) (.*)", re.MULTILINE)


def names(text: str) -> list[str]:
    """Return the names that a module defines at top level."""
    found = DEFINED.findall(text)
    return [name for word, rest in found for name in ([word] if word else re.findall(r"(?:^|, )(\w+) = ", rest))]


def test_every_module_is_bundled_once_after_its_imports():
    modules = in_order(ENTRY)
    assert sorted(modules) == sorted(HERE.glob("*.js"))
    for place, module in enumerate(modules):
        wanted = re.findall(r'from "\./(.*?)"', module.read_text(encoding="utf-8"))
        assert {HERE / name for name in wanted} <= set(modules[:place])


@pytest.mark.parametrize("entry", [ENTRY, QUERY, REPLAY], ids=["graph", "query", "replay"])
def test_no_name_is_defined_twice(entry):
    """No name is defined twice, because all modules share one scope in the bundle."""
    counts = Counter(name for module in in_order(entry) for name in names(module.read_text(encoding="utf-8")))
    assert {name for name, times in counts.items() if times > 1} == set()


def test_names_are_found():
    counts = Counter(name for module in in_order(ENTRY) for name in names(module.read_text(encoding="utf-8")))
    assert {"GraphView", "LINE_LEAP", "scaleOf", "Threshold"} <= set(counts)


def test_pictures_share_one_routing():
    """Query draws cards instead of pills, with the same routes."""
    for entry in (ENTRY, QUERY, REPLAY):
        assert HERE / "routing.js" in in_order(entry)
    assert not re.search(r"^import ", bundle(QUERY), re.MULTILINE)


def test_script_has_no_import_and_one_export():
    script = bundle(ENTRY)
    assert re.findall(r"^(?:import|export) .*", script, re.MULTILINE) == [
        "export default function mount({ data, parentElement, setStateValue }) {"
    ]


def test_modules_are_short():
    for module in HERE.glob("*.js"):
        assert module.read_text(encoding="utf-8").count("\n") <= 300, module.name


def test_no_method_is_defined_in_two_modules():
    """No method is defined twice: all modules extend one prototype, where the second would replace the first."""
    method = re.compile(r"^  (?:async |get )?(\w+)\(.*\) \{", re.MULTILINE)
    parts = [set(method.findall(path.read_text(encoding="utf-8"))) for path in HERE.glob("*.js")]
    found = Counter(name for part in parts for name in part)
    assert found["drawMap"] == 1
    assert [name for name, n in found.items() if n > 1 and name not in ("if", "for")] == []
