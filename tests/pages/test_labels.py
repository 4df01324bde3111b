"""Each label that a page writes in the chosen language by its name has a German version."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from learners.data.plan.column_roles import USES
from learners.families.catalogue import LEARNERS
from learners.io.samples import NETWORKS, SAMPLES
from learners.settings.parameter import Parameter
from pages.blocks.compare import comparison
from pages.blocks.data import column_editor, simulation, table_source
from pages.blocks.inspect import edge_table, heat_map, lmm, probabilities
from pages.blocks.learn import recommendation
from pages.session.state import VIEWS
from viz.choosing.learner_list import GROUPS
from viz.choosing.trial import EXPLAINED
from viz.labels import POLICIES
from viz.legend import CAVEAT, ENDS
from viz.translation.sentences import catalog
from viz.verdicts import MEANINGS, SUPPORT_MEANS

ROOT = Path(__file__).parents[2]
# Names of methods, of statistics and of units are the same in both languages.
NAMES = re.compile(
    r"(Fast-IAMB|SI-HITON-PC|PC-stable|Benjamini-\w+|Joint CPPD|mbit|hybrid|BOSS-FCI|CImap|Score path|BGe|BDeu|pPC|pHGS"
    r"|Graph|Matrix|Bootstrap|[A-Z0-9-]+)"
)


def of_parameter(one: Parameter) -> Iterator[str]:
    """Yield the texts of a parameter in the form."""
    yield from (one.label, one.unit, one.switch, one.help, one.up, one.down, one.source)
    yield from (one.word(choice) for choice in (*one.choices, None, True, False))


def labels() -> Iterator[str]:
    """Yield all labels."""
    for learner in LEARNERS.values():
        yield from (learner.label, learner.family, learner.summary, learner.choose_if)
        yield from (text for preset in learner.presets for text in (preset.label, preset.help))
        yield from (text for one in learner.parameters for text in of_parameter(one))
    for group, members in GROUPS.items():
        yield from (group, *members.values())
    yield from (text for sample in SAMPLES.values() for text in (sample.description, sample.kind))
    yield from (network.description for network in NETWORKS.values())
    for words in (EXPLAINED, POLICIES, column_editor.BINNINGS, simulation.MECHANISMS, recommendation.GOALS):
        yield from words.values()
    yield from (*EXPLAINED, *USES, *VIEWS.values(), CAVEAT, ENDS, MEANINGS, SUPPORT_MEANS, comparison.VERDICTS)
    yield from (*comparison.EXPLAINED, *comparison.EXPLAINED.values(), heat_map.LEGEND, lmm.CPPD_HELP, lmm.MARGIN_HELP)
    yield from (*edge_table.AS_THEY_COME.values(), *edge_table.IN_WORDS, table_source.GUESS)
    yield from (*table_source.SEPARATORS.values(), *table_source.DECIMALS.values())
    yield from (probabilities.CALIBRATED_MEANS, probabilities.LIMITS_MEAN)


def switches() -> Iterator[str]:
    """Yield the labels between which a run's parts and slider modes are chosen, which stand in dicts of functions."""
    for path in sorted([*(ROOT / "pages" / "blocks" / "inspect").glob("*.py"), *(ROOT / "viz").rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "SliderModes" and node.args:
                modes = node.args[0]
                texts = modes.values if isinstance(modes, ast.Dict) else []
            elif isinstance(node, ast.Dict) and path.parent.name == "inspect":
                texts = node.keys if all(isinstance(value, ast.Name) for value in node.values) else []
            else:
                continue
            yield from (one.value for one in texts if isinstance(one, ast.Constant) and one.value[:1].isupper())


def test_parts_and_slider_modes_have_a_german_version():
    known, found = catalog("de"), set(switches())
    assert {"Steps of the run", "Calibration", "Edge ranking"} <= found
    assert sorted(found - known.keys()) == []


def test_every_label_has_a_german_version():
    known = catalog("de")
    texts = {text for text in labels() if re.search(r"[a-z]{2}", text) and not NAMES.fullmatch(text)}
    assert sorted(text for text in texts if text not in known) == []
