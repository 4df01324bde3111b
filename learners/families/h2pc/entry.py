"""Registry entries of HPC, HPC of one variable and H2PC."""

from __future__ import annotations

from ...settings.learner import EVERY_KIND, Learner
from ...settings.needs import bdeu_of_ten_rows, test_with_five_rows
from ...settings.reference import Reference
from .settings import H2PC, HPC, HPC_TARGET

h2pc = Reference("families.h2pc.h2pc", "h2pc")
hpc = Reference("families.h2pc.hpc", "hpc")
hpc_target = Reference("families.h2pc.hpc_target", "hpc_target")

cost_of_hpc = Reference("families.h2pc.cost", "cost_of_hpc")
cost_of_target = Reference("families.h2pc.cost", "cost_of_target")
cost_of_h2pc = Reference("families.h2pc.cost", "cost_of_h2pc")

ENTRIES = (
    Learner(
        key="hpc",
        label="HPC",
        summary="Finds the neighbours of each variable in small supersets, and adds those that only one end finds.",
        choose_if="hubs matter: it misses fewer neighbours of variables with many of them",
        paper="Gasse, Aussem and Elghazel (2012)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=HPC,
        function=hpc,
        needs=(test_with_five_rows,),
        cost=cost_of_hpc,
        pair_bytes=250,
    ),
    Learner(
        key="hpc_target",
        label="HPC of one variable",
        summary="Finds the parents and children of one variable, and its Markov blanket.",
        choose_if="there is one variable that you want to predict or explain",
        paper="Gasse, Aussem and Elghazel (2012)",
        family="constraint-based",
        gives="ranking",
        kinds=EVERY_KIND,
        settings=HPC_TARGET,
        function=hpc_target,
        needs=(test_with_five_rows,),
        cost=cost_of_target,
        pair_bytes=110,
    ),
    Learner(
        key="h2pc",
        label="H2PC",
        summary="Finds a skeleton with HPC, then runs a tabu search by score within it.",
        choose_if="you want one DAG and hubs matter, and can wait longer than for MMHC",
        paper="Gasse, Aussem and Elghazel (2012)",
        family="hybrid",
        kinds=EVERY_KIND,
        settings=H2PC,
        function=h2pc,
        needs=(test_with_five_rows, bdeu_of_ten_rows),
        cost=cost_of_h2pc,
        pair_bytes=180,
    ),
)
