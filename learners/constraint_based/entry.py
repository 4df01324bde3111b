"""PC-stable and the learners that search around each variable, as the registry lists them."""

from __future__ import annotations

from dataclasses import replace

from ..settings.learner import EVERY_KIND, Learner
from ..settings.needs import ci_test_for, cost_of_blankets, cost_of_tests, test_with_five_rows
from ..settings.reference import Reference
from ..settings.shared import ALPHA, COLLIDER_CHECK, DOF, MAX_COND_SIZE, ROWS_PER_CELL, TEST, TEST_OF_BOTH

fast_iamb = Reference("constraint_based.fast_iamb", "fast_iamb")
gs = Reference("constraint_based.gs", "gs")
mmpc = Reference("constraint_based.mmpc", "mmpc")
pc = Reference("constraint_based.pc", "pc")
si_hiton_pc = Reference("constraint_based.si_hiton_pc", "si_hiton_pc")

BLANKET_COND_SIZE = replace(
    MAX_COND_SIZE,
    help="Tests of two variables within their blankets condition on at most this many others; tests of blankets have "
    "no such limit.",
)

ENTRIES = (
    Learner(
        key="pc",
        label="PC-stable",
        summary="Starts with every pair joined and removes each edge that some test of independence explains away.",
        choose_if="you want a reason for every missing edge, and have many rows for few levels",
        paper="Colombo and Maathuis (2014), after Spirtes, Glymour and Scheines (2000)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=(ALPHA, MAX_COND_SIZE, TEST, TEST_OF_BOTH, DOF, ROWS_PER_CELL, COLLIDER_CHECK),
        function=pc,
        needs=(ci_test_for,),
        cost=cost_of_tests,
        cut="alpha",
    ),
    Learner(
        key="mmpc",
        label="MMPC (MaxMin)",
        summary="Lets each variable choose neighbours, the strongest first, and joins those that chose each other.",
        choose_if="there are hundreds of variables and you want to know who is linked, before any arrow",
        paper="Tsamardinos, Brown and Aliferis (2006)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=(ALPHA, MAX_COND_SIZE, TEST, TEST_OF_BOTH, DOF, ROWS_PER_CELL),
        function=mmpc,
        needs=(test_with_five_rows,),
        cost=cost_of_tests,
    ),
    Learner(
        key="gs",
        label="GS (grow-shrink)",
        summary="Grows a Markov blanket around each variable, shrinks it, and joins what no set within it separates.",
        choose_if="you care about Markov blankets, and they are small",
        paper="Margaritis (2003), after Margaritis and Thrun (2000)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=(ALPHA, BLANKET_COND_SIZE, TEST, TEST_OF_BOTH, DOF, ROWS_PER_CELL),
        function=gs,
        needs=(test_with_five_rows,),
        cost=cost_of_blankets,
    ),
    Learner(
        key="fast_iamb",
        label="Fast-IAMB",
        summary="Grows a Markov blanket around each variable in leaps and joins what no set within it separates.",
        choose_if="you care about Markov blankets, and have many rows: it needs fewer rounds than GS",
        paper="Yaramakala and Margaritis (2005), after Tsamardinos, Aliferis and Statnikov (2003)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=(ALPHA, BLANKET_COND_SIZE, TEST, TEST_OF_BOTH, DOF, ROWS_PER_CELL),
        function=fast_iamb,
        needs=(test_with_five_rows,),
        cost=cost_of_blankets,
    ),
    Learner(
        key="si_hiton_pc",
        label="SI-HITON-PC",
        summary="Lets each variable take others, the strongest link first, unless those taken before explain it.",
        choose_if="you want neighbours of many variables quickly, and can spare the symmetric search of MMPC",
        paper="Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos (2010)",
        family="constraint-based",
        kinds=EVERY_KIND,
        settings=(ALPHA, MAX_COND_SIZE, TEST, TEST_OF_BOTH, DOF, ROWS_PER_CELL),
        function=si_hiton_pc,
        needs=(test_with_five_rows,),
        cost=cost_of_tests,
    ),
)
