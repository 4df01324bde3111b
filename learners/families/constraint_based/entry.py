"""Registry entries of PC-stable and of the learners that search around each variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import ci_test_for, cost_of_blankets, cost_of_skeleton, test_with_five_rows
from ...settings.reference import Reference
from .settings import FAST_IAMB, GS, MMPC, PC, SI_HITON_PC

if TYPE_CHECKING:
    from ...independence.ci_test import CITest

fast_iamb = Reference("families.constraint_based.fast_iamb", "fast_iamb")
gs = Reference("families.constraint_based.gs", "gs")
mmpc = Reference("families.constraint_based.mmpc", "mmpc")
pc = Reference("families.constraint_based.pc", "pc")
si_hiton_pc = Reference("families.constraint_based.si_hiton_pc", "si_hiton_pc")

# Running times in multiples of PC's skeleton; measured: 1 to 9, and 3 to 10 with hubs.
MMPC_TIMES, SI_HITON_PC_TIMES = 3.0, 4.0


def cost_of_mmpc(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of the searches around each variable."""
    return MMPC_TIMES * cost_of_skeleton(ci_test, **settings)


def cost_of_si_hiton_pc(ci_test: CITest, **settings: Any) -> float:
    """Estimate the seconds of the searches around each variable."""
    return SI_HITON_PC_TIMES * cost_of_skeleton(ci_test, **settings)


ENTRIES = (
    Learner(
        key="pc",
        label="PC-stable",
        summary="Starts from the complete graph and removes each edge whose ends a test finds independent.",
        choose_if="you want a reason for each missing edge, and have many rows and few levels",
        paper="Colombo and Maathuis (2014), after Spirtes, Glymour and Scheines (2000)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=PC,
        function=pc,
        needs=(ci_test_for,),
        cost=cost_of_skeleton,
        cut="alpha",
        pair_bytes=40,
    ),
    Learner(
        key="mmpc",
        label="MMPC (MaxMin)",
        summary="Selects neighbours of each variable, the strongest first, and connects pairs that select each other.",
        choose_if="you have hundreds of variables and want their skeleton, without directions",
        paper="Tsamardinos, Brown and Aliferis (2006)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=MMPC,
        function=mmpc,
        needs=(test_with_five_rows,),
        cost=cost_of_mmpc,
        pair_bytes=120,
    ),
    Learner(
        key="gs",
        label="GS (grow-shrink)",
        summary="Finds Markov blankets by growing and shrinking, and connects pairs that no subset of them separates.",
        choose_if="you need Markov blankets, and they are small",
        paper="Margaritis (2003), after Margaritis and Thrun (2000)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=GS,
        function=gs,
        needs=(test_with_five_rows,),
        cost=cost_of_blankets,
        pair_bytes=470,
    ),
    Learner(
        key="fast_iamb",
        label="Fast-IAMB",
        summary="Finds Markov blankets, several variables at a time, and connects pairs that no subset separates.",
        choose_if="you need Markov blankets and have many rows: it needs fewer rounds than GS",
        paper="Yaramakala and Margaritis (2005), after Tsamardinos, Aliferis and Statnikov (2003)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=FAST_IAMB,
        function=fast_iamb,
        needs=(test_with_five_rows,),
        cost=cost_of_blankets,
        pair_bytes=640,
    ),
    Learner(
        key="si_hiton_pc",
        label="SI-HITON-PC",
        summary="Adds neighbours to each variable, the strongest first, unless earlier ones explain the association.",
        choose_if="you want the neighbours of many variables quickly, and a less thorough search than MMPC is enough",
        paper="Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=SI_HITON_PC,
        function=si_hiton_pc,
        needs=(test_with_five_rows,),
        cost=cost_of_si_hiton_pc,
        pair_bytes=130,
    ),
)
