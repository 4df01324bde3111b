"""The list of learners: each learner occurs once, in few words, and is found by a search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from learners.registry import LEARNERS
from viz.choosing.learner_list import GROUPS, listed


def test_each_learner_is_in_one_group_and_fits_a_line():
    keys = [key for members in GROUPS.values() for key in members]
    assert sorted(keys) == sorted(LEARNERS)
    for members in GROUPS.values():
        assert all(len(f"{LEARNERS[key].label}: {phrase}") <= 48 for key, phrase in members.items())


@pytest.mark.parametrize(
    ("search", "key"), [("BOSS", "boss"), ("target", "hpc_target"), ("small samples", "rai"), ("", "pc")]
)
def test_a_learner_is_found_by_its_name_and_purpose(search, key):
    assert any(key in members for members in listed(search).values())


def test_a_search_without_a_match_finds_nothing():
    assert listed("qwertz") == {}


def test_a_learner_of_another_package_is_listed_and_found(monkeypatch):
    monkeypatch.setitem(LEARNERS, "marginal", replace(LEARNERS["pc"], key="marginal", label="Marginal graph"))
    assert listed("marginal") == {"Learners of other packages": {"marginal": "from a plug-in"}}
