"""Redirect imports and stored classes from earlier names of modules to their current names.

Until version 1.0, the folders of `families` and `teaching` lay in `learners`, so code and notebooks import by these
names; ``from learners.lmm.lmm import lmm`` still works.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FAMILIES = ("averaging", "brai", "cimap", "constraint_based", "h2pc", "hybrid", "latent", "lmm", "phgs", "score_based")
MOVED = {
    **{f"learners.{family}": f"learners.families.{family}" for family in FAMILIES},
    **{f"learners.{folder}": f"learners.teaching.{folder}" for folder in ("classroom", "lessons", "quiz")},
    "learners.catalogue": "learners.families.catalogue",
    "learners.choosing.experience": "learners.choosing.duration_corrections",
    "learners.common.job": "learners.common.cancellable_job",
    "learners.common.pool": "learners.common.task_pool",
    "learners.completion.draws": "learners.completion.imputed_tables",
    "learners.completion.families": "learners.completion.family_layout",
    "learners.completion.tables": "learners.completion.categorical_augmentation",
    "learners.data.column_types.guess": "learners.data.column_types.types_and_missing_codes",
    "learners.data.reading.batches": "learners.data.reading.long_csv",
    "learners.data.reading.gathering": "learners.data.reading.long_columns",
    "learners.data.row_runs": "learners.data.resampling",
    "learners.data.tables": "learners.data.reading.table",
    "learners.data.treatments": "learners.data.plan.conversion",
    "learners.explaining.record": "learners.explaining.explanation_record",
    "learners.explaining.restricted_search": "learners.explaining.hybrid_pairs",
    "learners.explaining.search": "learners.explaining.scored_pairs",
    "learners.explaining.separation": "learners.explaining.tested_pairs",
    "learners.families.averaging.exact": "learners.families.averaging.best_classes",
    "learners.families.brai.branching": "learners.families.brai.resample_count",
    "learners.families.brai.sample_size": "learners.families.brai.classes_by_rows",
    "learners.families.cimap.search": "learners.families.cimap.twf_pc",
    "learners.families.h2pc.packing": "learners.families.h2pc.request_batches",
    "learners.families.lmm.elimination": "learners.families.lmm.resumable_run",
    "learners.families.lmm.skeleton": "learners.families.lmm.skeleton_for_searches",
    "learners.families.score_based.both_ways": "learners.families.score_based.tie_orders",
    "learners.graphs.meek": "learners.graphs.meek_closure",
    "learners.graphs.separating_set": "learners.graphs.d_separation",
    "learners.independence.memory": "learners.independence.ci_cache",
    "learners.independence.resampling": "learners.independence.permutation_and_x2",
    "learners.independence.sparse_tests": "learners.independence.sparse_table_edges",
    "learners.recipes.marks": "learners.recipes.fingerprints",
    "learners.remote": "learners.workers.remote",
    "learners.replay_file": "learners.recipes.replay_file",
    "learners.results.rules": "learners.graphs.rules",
    "learners.scores.discrete": "learners.scores.categorical_families",
    "learners.search.class_result": "learners.search.ges_result",
    "learners.search.equivalence": "learners.search.ges_search",
    "learners.search.skeleton": "learners.search.skeleton_levels",
    "learners.warm_up": "learners.workers.warm_up",
}


def present_name(module: str) -> str:
    """Return the current name of a module of the library; `module` itself if it has not moved.

    >>> present_name("learners.lmm.lmm"), present_name("learners.registry")
    ('learners.families.lmm.lmm', 'learners.registry')
    """
    parts = module.split(".")
    for k in range(len(parts), 0, -1):
        earlier = ".".join(parts[:k])
        if earlier in MOVED:
            return ".".join([MOVED[earlier], *parts[k:]])
    return module


class MovedModules(MetaPathFinder, Loader):
    """Finder of modules by their earlier names; both names give the same module."""

    def find_spec(self, fullname: str, *_search: Sequence[str] | ModuleType | None) -> ModuleSpec | None:
        """Return a spec for an earlier name; None for all other modules."""
        return ModuleSpec(fullname, self) if present_name(fullname) != fullname else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return a stand-in, which `exec_module` replaces."""
        return ModuleType(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Replace the stand-in by the moved module."""
        sys.modules[module.__name__] = import_module(present_name(module.__name__))


def find_moved_modules() -> None:
    """Let imports find modules by their earlier names.

    The finder is placed first, because the usual ones would import the modules of a moved folder twice, by both names.
    """
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, MovedModules())
