"""Registry entry of FCI."""

from __future__ import annotations

from ..settings.learner import EVERY_KIND, Learner
from ..settings.needs import ci_test_for, cost_of_tests
from ..settings.reference import Reference
from .settings import FCI

fci = Reference("latent.fci", "fci")

ENTRIES = (
    Learner(
        key="fci",
        label="FCI",
        summary="Removes edges by tests as PC-stable does, and marks each end by what holds even with hidden causes.",
        choose_if="variables that you did not measure may cause several of yours",
        paper="Spirtes, Meek and Richardson (1999); Zhang (2008)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=FCI,
        function=fci,
        needs=(ci_test_for,),
        cost=cost_of_tests,
    ),
)
