"""The warm-up: after it, no first run compiles anything."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from learners import Dataset, kernels
from learners.io.samples import SAMPLES, load_sample
from learners.registry import LEARNERS, learn
from learners.warm_up import warm_up


def compiled() -> dict[str, int]:
    """How many versions of each kernel are compiled in this process."""
    import importlib
    import pkgutil

    found = {}
    for module in pkgutil.walk_packages(kernels.__path__, f"{kernels.__name__}."):
        content = vars(importlib.import_module(module.name))
        for name, one in content.items():
            if isinstance(one, numba.core.dispatcher.Dispatcher):
                found[f"{module.name}.{name}"] = len(one.signatures)
    return found


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_first_runs_after_warm_up_compile_nothing():
    """Samples of every kind and width, learnt by every learner that takes them, find all kernels ready."""
    warm_up()
    before = compiled()
    assert before
    for key in ("asia", "gauss30", "insurance", "election"):
        dataset = load_sample(key).dataset
        if dataset is None:
            continue
        for name, learner in LEARNERS.items():
            if dataset.kind in learner.kinds:
                learn(name, dataset)
    learn("hc", Dataset.from_codes(np.tile([[0, 1], [1, 1]], 2_000), [2, 2], ["a", "b"]))  # rows that are merged
    assert compiled() == before


def test_warm_up_covers_every_learner_and_kind(monkeypatch):
    """Each learner is run on each kind of data that it declares."""
    ran = set()
    monkeypatch.setattr("learners.warm_up.learn", lambda key, dataset, **_: ran.add((key, dataset.kind)))
    warm_up()
    assert ran == {(key, kind) for key, learner in LEARNERS.items() for kind in learner.kinds}
    assert len(SAMPLES) > 0
