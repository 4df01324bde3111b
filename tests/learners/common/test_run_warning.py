"""Warnings of runs are records: a kind, columns, and a sentence that is stored and written in any language."""

from __future__ import annotations

import json
import pickle

import pytest

from learners.common.run_warning import RunWarning, warning_records
from learners.common.sentences import Count, Number, Quoted, Setting, Unit, say
from learners.data.determination import DeterminedGroup, determination_warnings
from learners.evaluation.relations import RelationsFound, Violation
from learners.graphs.consistent_extension import CYCLE
from learners.registry import LEARNERS
from learners.search.skeleton_levels import untested_warning
from learners.store.packing import pack, unpack
from learners.verdict.assumptions import Assumptions, HiddenCauses
from viz.labels import with_labels
from viz.text import as_sentence
from viz.translation.sentences import catalog, translated

NAMES = ("a", "b", "c", "d", "e", "f", "g", "h")
RELATIONS = tuple(Violation("nonlinear", child, 0, -9.0) for child in range(1, 6))
WARNINGS = [
    CYCLE,
    *untested_warning(1),
    *untested_warning(1200),
    *determination_warnings([DeterminedGroup(0, (1,), 1.0, "copy", True)], NAMES),
    *RelationsFound(RELATIONS).sentences(NAMES),
    *Assumptions((), hidden=HiddenCauses("factors", (0, 1, 2))).sentences(NAMES),
    *Assumptions((), hidden=HiddenCauses("causes", tuple(range(8)))).sentences(NAMES),
]


@pytest.mark.parametrize("warning", WARNINGS, ids=lambda one: one.code)
def test_a_warning_survives_every_way_to_store_it(warning):
    for copy in (
        RunWarning.from_dict(json.loads(json.dumps(warning.to_dict()))),
        pickle.loads(pickle.dumps(warning)),
        unpack(pack((warning,)))[0],
    ):
        assert type(copy) is RunWarning
        assert (copy, copy.code, copy.columns) == (warning, warning.code, warning.columns)
        assert copy.written(catalog("de")) == warning.written(catalog("de"))


@pytest.mark.parametrize("warning", WARNINGS, ids=lambda one: one.code)
def test_a_warning_is_written_in_german(warning):
    german = translated(as_sentence(warning), "de")
    assert german != as_sentence(warning)
    assert not set(german.lower().split()) & {"the", "is", "are", "of", "and", "were", "because"}


def test_warnings_state_their_columns_and_read_as_before():
    """The expected texts are those of version 0.1.0, before warnings were records."""
    assert untested_warning(1200)[0] == (
        "1,200 pairs were separated without a test, because there are too few rows; use smaller conditioning sets, or "
        "for categorical data a smaller rows_per_cell"
    )
    (bent,) = RelationsFound(RELATIONS).sentences(NAMES)
    assert bent.startswith("relations of 'a' and 'b'; 'a' and 'c'; 'a' and 'd' and 2 more relations seem nonlinear. L")
    assert bent.columns == ("a", "b", "c", "d", "e", "f")
    (hidden,) = Assumptions((), hidden=HiddenCauses("causes", tuple(range(8)))).sentences(NAMES)
    assert hidden.endswith("explain. Pairs most affected: 'a' and 'b'; 'c' and 'd'; 'e' and 'f' and 1 more pair")
    (factors,) = Assumptions((), hidden=HiddenCauses("factors", (0, 1, 2))).sentences(NAMES)
    assert factors.startswith("columns 'a', 'b' and 'c' are correlated as if")


def test_plain_texts_of_earlier_runs_stay_readable():
    old = "the run was cancelled; the graph is the last one reached"
    assert unpack(pack((old,))) == (old,)
    assert warning_records((old, CYCLE)) == [{"code": "", "text": old}, CYCLE.to_dict()]
    assert translated(old, "de").startswith("der Lauf wurde abgebrochen")


def test_parameters_get_the_labels_of_the_form():
    (warning,) = untested_warning(2)
    label = next(one.label for one in LEARNERS["pc"].parameters if one.name == "rows_per_cell")
    shown = with_labels(warning, LEARNERS["pc"])
    assert shown.endswith(f"a smaller “{label}”")
    assert f"“{catalog('de')[label]}”" in translated(shown, "de")


def test_values_of_a_sentence_are_stored():
    sentence = say("{n} {m} {name} {setting}", n=Number(0.5, Unit.HUNDREDTHS), m=Count(2, "edge"), name=Quoted(["x"]),
                   setting=Setting("run_on"))  # fmt: skip
    warning = RunWarning("test", sentence)
    assert warning == "0.50 2 edges 'x' run_on"
    assert RunWarning.from_dict(warning.to_dict()) == warning
