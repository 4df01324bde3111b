"""LEARNERS, the catalogue of all learners, which imports none of the modules that learn.

Each family lists its learners in its `entry.py`; other installed packages may add some (`settings.plug_ins`). Only the
bootstrap, which runs any other learner, is listed here.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from ..settings.learner import EVERY_KIND, Learner
from ..settings.needs import score_for, the_data
from ..settings.parameter import Parameter
from ..settings.plug_ins import plug_ins
from ..settings.reference import Reference
from ..settings.shared import ESS, SCORE, SCORE_OF_NUMBERS
from .averaging import entry as averaging
from .averaging.settings import BOOTSTRAP
from .brai import entry as brai
from .cimap import entry as cimap
from .constraint_based import entry as constraint_based
from .h2pc import entry as h2pc
from .hybrid import entry as hybrid
from .latent import entry as latent
from .lmm import entry as lmm
from .phgs import entry as phgs
from .score_based import entry as score_based

if TYPE_CHECKING:
    from ..data.dataset import Dataset

FAMILIES = (constraint_based, score_based, hybrid, latent, lmm, phgs, cimap, brai, h2pc, averaging)
LEARNERS: dict[str, Learner] = {
    learner.key: learner for learner in chain.from_iterable(family.ENTRIES for family in FAMILIES)
}
LEARNERS |= plug_ins((*LEARNERS, "bootstrap"))


def cost_of_bootstrap(dataset: Dataset, *, base: str, n_resamples: int, **_others: Any) -> float:
    """Estimate the seconds of the learner times the resamples; 0 if it cannot take the data."""
    if LEARNERS[base].refusal(dataset):
        return 0.0
    return n_resamples * LEARNERS[base].estimate(dataset, **LEARNERS[base].checked(dataset.kind, {}))


LEARNERS["bootstrap"] = Learner(
    key="bootstrap",
    label="Bootstrap",
    summary="Runs another learner on many resamples of the rows and counts how often each edge occurs.",
    choose_if="you want to know which edges would recur on other rows",
    paper="Friedman, Goldszmidt and Wyner (1999)",
    family="hybrid",
    gives="probabilities",
    kinds=EVERY_KIND,
    settings=(
        Parameter(
            "base",
            "Base learner",
            choices=tuple(LEARNERS),
            words=tuple(learner.label for learner in LEARNERS.values()),
            help="The learner of each resample, with its defaults.",
            up="",
            down="",
            source="MMHC: the comparison of Rohekar et al. (2018)",
        ),
        *BOOTSTRAP,
        SCORE,
        SCORE_OF_NUMBERS,
        ESS,
    ),
    function=Reference("families.averaging.bootstrap", "bootstrap"),
    needs=(the_data, score_for, Reference("registry", "repeated")),
    cost=cost_of_bootstrap,
    cost_needs=(the_data,),
    spreads=True,
)
