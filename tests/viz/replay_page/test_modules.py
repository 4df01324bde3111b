"""Pure functions of the page of a replay, run in Node as ES modules."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator

import numpy as np
import pytest

from learners.recipes.replay_file import replay
from tests.javascript import VIZ, Node
from tests.viz.test_kinds import CASES, learnt
from viz.kinds import choice_step, graph_at
from viz.matrix import _cells
from viz.replay_page.page import packed
from viz.replay_page.views import run_view
from viz.tables import TYPES, edge_rows


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    node = Node()
    yield node
    node.close()


@pytest.mark.parametrize("module", sorted(path.stem for path in (VIZ / "replay_page").glob("*.js")))
def test_every_module_can_be_imported(node, module):
    assert node(f"replay_page/{module}", "Object.keys(m).length > 0")


def test_a_pack_opens_to_what_was_packed(node):
    given = {"names": ["Größe 😀", "</script>", 'a"b'], "spans": [[0, 3, "forward"]], "none": None}
    text = packed(given)
    assert json.loads(gzip.decompress(base64.b64decode(text))) == given
    assert node("replay_page/packs", f"m.unpack({json.dumps(text)})") == given


def test_a_pack_is_opened_once(node):
    text = json.dumps(packed({"a": 1}))
    opened = f"const open = m.opener(() => {{ n++; return {text}; }}); await open('x'); await open('x'); return n;"
    assert node("replay_page/packs", f"(async (n) => {{ {opened} }})(0)") == 1


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_table_and_matrix_of_a_step_are_those_of_its_graph(node, key, kind):
    """The rows equal those of the app's table, and the cells those of its matrix, at the result."""
    result = learnt(key, kind)
    data = run_view(replay(result), np.zeros((len(result.names), 2)))
    step = choice_step(result) - data["steps"].get("offset", 0)
    graph = graph_at(result, None)
    given = json.dumps(data)
    rows = node("replay_page/edge_rows", f"m.edgeRows({given}, {step}, {json.dumps(TYPES)})")
    table = edge_rows(result, graph).table()
    expected = [
        (result.names.index(a), mark, result.names.index(b), word)
        for a, mark, b, word in table[["from", "", "to", "type"]].itertuples(index=False, name=None)
    ]
    one_way = ("directed", "half open")

    def line(a: int, mark: str, b: int, word: str) -> tuple:
        return (a, mark, b, word) if word in one_way else (min(a, b), mark, max(a, b), word)

    found = [(row["from"], row["mark"], row["to"], row["type"]) for row in rows]
    assert sorted(line(*row) for row in found) == sorted(line(*row) for row in expected)
    cells = node("replay_page/edge_rows", f"m.matrixCells({given}, {step}).map(([a, b]) => [a, b])")
    app = _cells(result, graph, result.names)
    assert set(map(tuple, cells)) == set(zip(app.i.tolist(), app.j.tolist(), strict=True))


def test_columns_that_determine_one_another_have_no_direction(node):
    graph = {"edges": [{"a": 0, "b": 1, "determined": "no direction", "spans": [[0, 2, "forward"]]}]}
    rows = node("replay_page/edge_rows", f"m.edgeRows({json.dumps(graph)}, 1, {json.dumps(TYPES)})")
    assert [(row["mark"], row["type"]) for row in rows] == [("=", "determined")]
    assert node("replay_page/edge_rows", f"m.matrixCells({json.dumps(graph)}, 1).length") == 2


def test_presence_is_written_as_ranges(node):
    edge, steps = {"spans": [[0, 3, "undirected"], [3, 4, "forward"], [7, 8, "forward"]]}, {"count": 9, "offset": 1000}
    said = node("replay_page/edge_rows", f"m.presenceText({json.dumps(edge)}, {json.dumps(steps)}, 4)")
    assert said == "Present at steps 1,000 to 1,003, 1,007 of 1,008. At step 1,004, on screen: absent."
    assert node("replay_page/edge_rows", "m.presenceText(undefined, {count: 3}, 2)") == (
        "Never present. At step 2, on screen: absent."
    )


def test_rows_contain_every_word_of_a_search(node):
    rows = [{"cells": ["smoke", "→", "bronc"]}, {"cells": ["smoke", "—", "lung"]}]
    code = f"m.matchingRows({json.dumps(rows)}, ' LUNG  smo ', (row) => row.cells).length"
    assert node("replay_page/edge_rows", code) == 1


@pytest.mark.parametrize(("width", "n"), [(800, 8), (360, 37), (800, 100), (360, 700)])
def test_a_matrix_fits_its_width_as_far_as_cells_can_be_hit(node, width, n):
    sizes = node("replay_page/matrix", f"m.matrixSizes({width}, {n}, 90)")
    assert 3 <= sizes["cell"] <= 24
    assert sizes["margin"] + n * sizes["cell"] <= width or sizes["cell"] == 3
    assert sizes["named"] == (sizes["margin"] > 22)


def test_pairs_are_found_in_either_order(node):
    code = (
        "((index) => [index.get(spans.pairKey(2, 0)), index.get(spans.pairKey(0, 2))])(m.pairIndex([[0, 1], [0, 2]]))"
    )
    assert node("replay_page/explaining", f"import('./graph_view/spans.js').then((spans) => {code})") == [1, 1]
