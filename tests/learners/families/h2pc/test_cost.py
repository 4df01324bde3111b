"""Tests of the time estimates of HPC and H2PC, which come from searches around a few variables, possibly cut short."""

import pytest

from learners import load_sample
from learners.common.progress import Stopped
from learners.families.h2pc import cost
from learners.registry import LEARNERS

ASIA = load_sample("asia").dataset


@pytest.mark.parametrize("key", ["hpc", "hpc_target", "h2pc"])
def test_searches_that_are_given_up_make_an_estimate_long(key, monkeypatch):
    """Searches that are given up lengthen the estimate, which covers all variables of the run."""
    learner, searched = LEARNERS[key], []

    class Endless:
        def __init__(self, *_args: object, targets: list[int], **_settings: object) -> None:
            searched.extend(targets)

        def run(self, _tick: object) -> None:
            raise Stopped

    params = learner.with_first_column(learner.checked("categorical", {}), ASIA.names[0])
    short = learner.estimate(ASIA, **params)
    monkeypatch.setattr(cost, "HPCSearch", Endless)
    long = learner.estimate(ASIA, **params)
    assert len(set(searched)) == cost.TARGETS
    variables = 1 if key == "hpc_target" else cost.SHARED * ASIA.p
    assert long >= variables * cost.BEYOND * cost.SECONDS > short
