"""Define one quick valid call of each public callable, which tests of arguments modify."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from enum import Enum
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

import learners
from learners import PDAG, BDeu, Dataset, FisherZ, Knowledge, learn, metrics, sweeping
from learners.common.task_pool import Pool
from learners.data.plan.binning import Binning
from learners.data.resampling import held_out
from learners.evaluation.held_out_likelihood import HeldOutRows
from learners.evaluation.posterior import RankedClass
from learners.io.interchange import to_networkx
from learners.scores.selection import BICs
from learners.workers import remote

CANCELLED_AFTER = 60  # number of ticks; a run with an unusual value need not be completed

# Methods that only other modules of the library call, with arrays and caches that users never create.
INTERNAL = {
    *("available", "bits", "compact", "conditional", "count_as_own"),
    *("declared_dof", "distances", "evidence", "from_correlations", "information_given", "of_skeleton"),
    *("is_there", "leave", "make_room", "meet", "of_draws", "on"),
    *("pair_information", "parents_of", "relabeled", "remember_in", "resampled"),
    *("rows_for_each_cell", "separate", "separate_in_turn", "share_rows_with", "shrunk_information", "stored_evidence"),
    "write_result",  # a callback of workers, which pass the path
}
# Result classes of the library, which users never construct.
RETURNED = {
    *("Changes", "Curve", "Link", "Plateau", "PriorDifference", "Recommendation", "Survival", "Sweep", "SweepOfTwo"),
    "MAGFound",
    "Replay",
    "Trial",
}

# By scikit-learn's convention, `fit` checks the arguments and the constructor does not;
# tests/learners/test_estimator.py runs scikit-learn's own checks.
ELSEWHERE = {"StructureLearner"}


def public_callables() -> dict[str, Callable]:
    """Return functions, constructors and methods that take arguments, by name."""
    found: dict[str, Callable] = {}
    for prefix, module in (("", learners), ("", sweeping), ("remote.", remote), ("metrics.", metrics)):
        for name in getattr(module, "__all__", vars(module)):
            one = getattr(module, name)
            if name in ELSEWHERE:
                continue
            if inspect.isfunction(one) and name[0] != "_" and name not in INTERNAL and _is_of(one, module):
                found[prefix + name] = one
            elif inspect.isclass(one) and hasattr(module, "__all__") and not issubclass(one, (Exception, Enum)):
                if name not in RETURNED:
                    found[name] = one
                found.update({f"{name}.{method}": value for method, value in _methods(one)})
    return {name: one for name, one in found.items() if inspect.signature(one).parameters}


def _is_of(function: Callable, module: ModuleType) -> bool:
    return hasattr(module, "__all__") or function.__module__ == module.__name__


def _methods(cls: type) -> Iterator[tuple[str, Callable]]:
    for name, value in inspect.getmembers(cls, callable):
        own = {"self", "cls"} if inspect.isfunction(value) else set()
        if not name.startswith("_") and name not in INTERNAL and set(inspect.signature(value).parameters) - own:
            yield name, value


def some_ticks() -> Callable[[str, int, int], bool]:
    """Return a listener that cancels after a number of ticks."""
    left = iter(range(CANCELLED_AFTER))
    return lambda _phase, _done, _total: next(left, None) is not None


@cache
def given() -> SimpleNamespace:
    """Return small arguments: data of each column type, tests, scores, networks, results and files."""
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=(60, 3)), axis=1)
    names = ["a", "b", "c"]
    codes = (walk.T > 0) * 1
    coded, numbers = Dataset.from_codes(codes, [2] * 3, names), Dataset.from_values(walk, names)
    mixed = Dataset.joined(names, coded.select([0]), numbers.select([1, 2]))
    chain = PDAG.from_edges(3, directed=[(0, 1), (1, 2)])
    table = learners.read_table(b"a,b\n" + b"0,1.5\n1,2.5\n1,3\n" * 12)
    plan = learners.default_plan(table).change("b", binning=Binning("width", 2), kind="categorical")
    result = learn("pc", coded)
    recipe = learners.recipe_of(table, plan, learn("hc", learners.prepare(table, plan).dataset))
    discrete = learners.fit(chain, coded)
    parts = held_out(coded, 0.3, seed=0)
    return SimpleNamespace(
        coded=coded, numbers=numbers, mixed=mixed, chain=chain, table=table, plan=plan, result=result, recipe=recipe,
        discrete=discrete, gaussian=learners.fit(chain, numbers), regression=learners.fit(chain, mixed),
        scattered=learners.random_mixed_network(3, 2, seed=1), codes=codes, names=names, walk=walk,
        test=FisherZ(numbers), g2=learners.G2(coded), information=learners.MutualInformation(coded),
        other_graph=PDAG.from_edges(5, directed=[(0, 1)]), score=BDeu(coded), draft=learners.Draft.of(discrete),
        known=Knowledge(forbidden=(("a", "b"),)),
        scattered_rows=learners.sample(learners.random_mixed_network(3, 2, seed=1), 4, seed=1).to_frame(),
        tree=learn("order_mcmc", coded, steps=200, run_on=0), parts=parts,
    )  # fmt: skip


def example(name: str) -> tuple[Callable, dict[str, Any]]:
    """Return a public callable, bound if it is a method, and the arguments of a valid call."""
    here = given()
    family, _, method = name.rpartition(".")
    call = getattr(OBJECTS[family](here), method) if family in OBJECTS else public_callables()[name]
    if name == "Dataset.joined":  # parts without names are accepted
        return lambda names: call(names, here.coded.select([0]), here.numbers.select([1, 2])), {"names": here.names}
    needed = [one.name for one in inspect.signature(call).parameters.values() if one.default is one.empty]
    chosen = CHOSEN.get(name, CHOSEN.get(method if family in OBJECTS else "", lambda _: {}))(here)
    arguments = {one: ARGUMENTS[one](here) for one in needed if one in ARGUMENTS and one not in chosen} | chosen
    if "tick" in inspect.signature(call).parameters:
        arguments["tick"] = some_ticks()
    return call, arguments


# Objects of the classes whose methods are called.
OBJECTS: dict[str, Callable[[SimpleNamespace], Any]] = {
    "PAG": lambda _: learners.PAG.from_ends(3, [(0, "o->", 2), (1, "o->", 2)]),
    "PDAG": lambda here: here.chain,
    "Dataset": lambda here: here.coded,
    "Knowledge": lambda here: here.known,
    "DiscreteNetwork": lambda here: here.discrete,
    "GaussianNetwork": lambda here: here.gaussian,
    "RegressionNetwork": lambda here: here.regression,
    "MixedNetwork": lambda here: here.scattered,
    "Draft": lambda here: here.draft,
    "Posterior": lambda here: here.tree.posterior,
    "Judge": lambda here: sweeping.Judge(here.coded, here.chain),
    "BIC": lambda here: learners.BIC(here.coded),
    "BDeu": lambda here: here.score,
    "BGe": lambda here: learners.BGe(here.numbers),
    "GaussianBIC": lambda here: learners.GaussianBIC(here.numbers),
    "BasisBIC": lambda here: learners.BasisBIC(here.mixed),
    "BasisTest": lambda here: learners.BasisTest(here.mixed),
    "DegenerateBIC": lambda here: learners.DegenerateBIC(here.mixed),
    "G2": lambda here: here.g2,
    "FisherZ": lambda here: learners.FisherZ(here.numbers),
    "DSeparation": lambda here: learners.DSeparation(here.chain),
    "DegenerateGaussian": lambda here: learners.DegenerateGaussian(here.mixed),
    "MutualInformation": lambda here: here.information,
    "TestedDependence": lambda here: learners.TestedDependence(here.coded),
    "ResampledGaussian": lambda _here: learners.ResampledGaussian(learners.load_sample("wine").dataset),
    "GaussianInformation": lambda here: learners.GaussianInformation(here.mixed),
    "OrderedG2": lambda here: learners.OrderedG2(here.coded),
    "PermutationG2": lambda here: learners.PermutationG2(here.coded, permutations=20),
    "PearsonX2": lambda here: learners.PearsonX2(here.coded),
    "ShrinkageMI": lambda here: learners.ShrinkageMI(here.coded),
    "Regression": lambda here: learners.Regression(here.mixed),
    "DependencePosterior": lambda here: learners.DependencePosterior(here.numbers),
    "DependenceOracle": lambda here: learners.DependenceOracle(here.chain),
}
# Values of arguments without a default, by argument name.
ARGUMENTS: dict[str, Callable[[SimpleNamespace], Any]] = {
    **dict.fromkeys(("dataset", "new", "train"), lambda here: here.coded),
    **dict.fromkeys(("dag", "graph", "pdag", "cpdag", "a", "b", "learnt", "truth"), lambda here: here.chain),
    **{name: lambda here, name=name: getattr(here, name) for name in ("table", "plan", "result", "recipe", "names")},
    **dict.fromkeys(("ci_test",), lambda here: here.g2),
    **dict.fromkeys(("x", "node", "i"), lambda _: 0),
    **dict.fromkeys(("y", "j"), lambda _: 2),
    **dict.fromkeys(("cond", "parents"), lambda _: [1]),
    **dict.fromkeys(("before", "after"), lambda here: here.result),
    **dict.fromkeys(("graphs",), lambda here: [here.chain, None, here.chain]),
    **dict.fromkeys(("order", "columns", "rows"), lambda _: [2, 1, 0]),
    **dict.fromkeys(("p", "n", "k"), lambda _: 3),
    **dict.fromkeys(("name", "old", "parent", "target", "column"), lambda _: "a"),
    **dict.fromkeys(("levels",), lambda _: ["x", "y"]),
    **dict.fromkeys(("evidence", "case"), lambda _: {}),
    "score": lambda here: here.score,
    "seed": lambda _: 1,
    "network": lambda here: here.discrete,
    "workers": lambda _: InThisProcess(),
    "key": lambda _: "pc",
    "child": lambda _: "b",
    "posterior": lambda here: learners.DependencePosterior(here.numbers),
}  # fmt: skip
# Other values for single callables or methods; some of them keep a call quick.
CHOSEN: dict[str, Callable[[SimpleNamespace], dict[str, Any]]] = {
    "PAG": lambda _: {"marks": learners.PAG.from_ends(3, [(0, "o->", 2)]).marks},
    "PAG.from_ends": lambda _: {"edges": [(0, "<->", 1)]},
    "PAG.from_edges": lambda _: {"directed": [(0, 1)], "undirected": [(1, 2)]},
    **dict.fromkeys(("canonical_dag", "pag_of_mag"), lambda _: {"mag": learners.PAG.from_edges(3, directed=[(0, 1)])}),
    "mag_of_dag": lambda _: {"hidden": [1]},
    "agreed": lambda here: {"dataset": here.numbers, "resamples": 2},
    "mag_from_dag": lambda here: {"dataset": here.numbers},
    "mag_search": lambda here: {"dataset": here.numbers, "score": learners.GaussianBIC(here.numbers)},
    "PDAG": lambda here: {"amat": here.chain.amat},
    "parents": lambda _: {"j": 1},
    "Draft.parents": lambda _: {"name": "a"},
    "PDAG.from_edges": lambda _: {"p": 3, "directed": [(0, 1)], "undirected": [(1, 2)]},
    "Dataset": lambda here: {"names": ("a", "b", "c"), "values": here.walk},
    "Dataset.from_codes": lambda here: {"codes": here.codes, "arity": [2, 2, 2]},
    "Dataset.from_frame": lambda here: {"df": here.coded.to_frame()},
    "Dataset.from_values": lambda here: {"values": here.walk},
    "Dataset.with_weights": lambda _: {"weights": [1] * 60},
    "Dataset.with_independence": lambda _: {"share": 0.5},
    "Dataset.with_groups": lambda _: {"groups": [k // 3 for k in range(60)]},
    "Dataset.with_ordered_levels": lambda here: {"names": list(here.coded.names)},
    "Dataset.with_completion": lambda _: {"completion": None},
    **dict.fromkeys(("BGe", "FisherZ", "GaussianBIC", "DependencePosterior"), lambda here: {"dataset": here.numbers}),
    **dict.fromkeys(
        ("BasisBIC", "BasisTest", "DegenerateBIC", "DegenerateGaussian", "Regression"),
        lambda here: {"dataset": here.mixed},
    ),
    "DiscreteNetwork": lambda here: _fields(here.discrete),
    "GaussianNetwork": lambda here: _fields(here.gaussian),
    "RegressionNetwork": lambda here: _fields(here.regression),
    "MixedNetwork": lambda here: _fields(here.scattered),
    "Recipe": lambda here: _fields(here.recipe),
    "LearnResult": lambda here: _fields(here.result),
    "DiscreteNetwork.with_table": lambda here: {"table": here.discrete.cpts[0]},
    "GaussianNetwork.with_equation": lambda _: {
        "name": "b",
        "weights": {"a": 0.5},
        "noise_variance": 1.0,
        "intercept": 0.0,
    },
    "RegressionNetwork.with_table": lambda here: {"table": here.regression.nodes[0].probabilities},
    "RegressionNetwork.with_regression": lambda here: {
        "name": "b",
        "coefficients": here.regression.nodes[1].coefficients,
    },
    "MixedNetwork.predict": lambda here: {"rows": here.scattered_rows, "target": here.scattered.names[0]},
    "MixedNetwork.value_of_information": lambda here: {"target": here.scattered.names[0]},
    "RegressionNetwork.predict": lambda here: {"rows": here.mixed.to_frame()},
    "GaussianNetwork.predict": lambda here: {"rows": here.numbers.to_frame()},
    "DiscreteNetwork.predict": lambda here: {"rows": here.coded.to_frame()},
    "Draft.renamed": lambda _: {"new": "d"},
    "Draft.turned": lambda _: {"parent": "a", "child": "b"},
    "Draft.with_edge": lambda _: {"child": "c", "strength": 0.3},
    "Draft.with_node": lambda _: {"name": "d"},
    "Draft.with_parents": lambda _: {"name": "c", "parents": ["a"]},
    "Draft.with_table": lambda here: {"table": here.discrete.cpts[0]},
    "Posterior": lambda here: {"classes": [RankedClass(learners.cpdag(here.chain), -3.0)]},
    "adjusted_effect": lambda here: {"dataset": here.numbers},
    "possible_effects": lambda here: {"dataset": here.numbers},
    "adjustment_sets": lambda _: {"x": 0, "y": 2},
    "aracne": lambda here: {"ci_test": here.information},
    "cimap": lambda here: {"ci_test": here.information},
    "pc_mi": lambda here: {"ci_test": here.information},
    "bootstrap": lambda here: {"learn_one": lambda *_: here.result, "n_resamples": 2},
    "brai": lambda _: {"s": 2},
    "build_network": lambda _: {"nodes": {"a": ["x", "y"], "b": []}, "edges": {("a", "b"): 0.5}},
    "calibrate": lambda here: {"result": here.tree, "tables": 1},
    "held_out_likelihoods": lambda here: {"runs": [(0, here.result)], "rows": HeldOutRows(*here.parts)},
    "held_out_curve": lambda _: {"values": [1.0, None]},
    "hpc_target": lambda _: {"target": "a"},
    "front_door_effect": lambda here: {"dataset": here.numbers, "mediators": [2]},
    "front_door_sets": lambda _: {},
    "instruments": lambda _: {},
    "intervene": lambda _: {"values": {"a": "1"}},
    "load_network": lambda _: {"key": "cancer"},
    "load_sample": lambda _: {"key": "asia"},
    "longest_plateau": lambda here: {"bands": sweeping.plateaus([here.chain]), "values": [0.1]},
    "merge_states": lambda _: {"most": 2},
    "order_mcmc": lambda _: {"steps": 200, "run_on": 0},
    "other_bins": lambda _: {"column": "b"},
    "random_dag": lambda _: {"mean_degree": 1.0},
    "random_gaussian_network": lambda _: {"expected_edges": 1.0},
    "random_mixed_network": lambda _: {"n_edges": 1.0},
    "random_modular_network": lambda _: {"p": 20, "n_edges": 20, "n_isolated": 4},
    "read_bif": lambda here: {"source": learners.write_bif(here.discrete).encode()},
    "read_network": lambda here: {"source": learners.write_network(here.discrete, "net").encode(), "form": "net"},
    "read_plan": lambda here: {"source": learners.write_plan(here.plan).encode()},
    "read_recipe": lambda here: {"source": learners.write_recipe(here.recipe).encode()},
    "read_table": lambda _: {"source": b"a;b\n1;2\n3;4\n"},
    "from_package": lambda here: {"graph": to_networkx(here.result.graph, here.result.names)},
    "compare": lambda here: {"a": here.result, "b": here.result},
    "recipe_of": lambda here: {"result": here.result},
    "sample_dags": lambda here: {"posterior": learners.order_posterior(here.score), "burn_in": 10, "thin": 2},
    "score_path": lambda here: {"bics": BICs(here.coded), "n_penalties": 3},
    "path": lambda _: {"tau": 3},
    "phgs": lambda _: {"tau": 3},
    "sweep": lambda _: {"parameter": "alpha", "values": [0.01, 0.05]},
    "swept": lambda _: {"parameter": "alpha", "values": [0.01, 0.05]},
    "sweep_two": lambda _: {"first": "alpha", "second": "max_cond_size", "first_values": [0.1]},
    "sweep_tables": lambda here: {"tables": sweeping.without_columns(here.coded)},
    "sweep_values": lambda _: {"parameter": learners.LEARNERS["pc"].parameters[0]},
    "survival": lambda here: {"graphs": [here.chain]},
    "Tables": lambda here: {"label": "x", "names": ("a",), "base": 0, "make": lambda _: here.coded},
    "directions_by_noise": lambda here: {"result": here.tree},
    "trust": lambda here: {"result": here.tree},
    "explanation": lambda here: {"result": here.result, "pair": (0, 1)},
    "under_priors": lambda here: {"result": here.tree},
    "remote.compare_priors_in_worker": lambda here: {"result": here.tree},
    "tile": lambda _: {"n_tiles": 2},
    "tile_networks": lambda here: {"networks": [here.discrete, here.discrete]},
    "trial": lambda _: {"keys": ["hc"], "resamples": 1},
    "suited_test": lambda _: {"n_pairs": 20},
    "with_completion": lambda _: {},
    "with_missing_cells": lambda _: {"share": 0.1},
    "without_groups": lambda _: {"column": "a"},
    "write_network": lambda _: {"form": "net"},
    "remote.sweep_in_worker": lambda _: {"parameters": ["alpha"], "values": [[0.05]], "near": [None]},
    "remote.predict_in_worker": lambda _: {"parameters": ["alpha"], "values": [[0.05]], "near": [None]},
    "remote.trial_in_worker": lambda _: {"keys": ["hc"]},
    "remote.trust_in_worker": lambda here: {"result": here.tree},
    "calibrated_probabilities": lambda here: {"result": here.tree},
    "remote.calibrate_in_worker": lambda here: {"result": here.tree, "tables": 1},
    "changes": lambda here: {"before": here.chain, "after": here.chain},
}  # fmt: skip


def _fields(one: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that its constructor takes."""
    return {field.name: getattr(one, field.name) for field in fields(one) if field.init}


class InThisProcess(Pool):
    """A worker pool that runs the work in this process."""

    capacity = 1

    def stream(self, work: Callable, *given: Any, tick: Callable, running: Any = None) -> Iterator[Any]:  # noqa: ARG002
        """Run the work and yield its results."""
        found = work(*given, tick=tick)
        yield from found if isinstance(found, Iterator) else [found]

    @contextmanager
    def share(self, value: Any) -> Iterator[Callable[[], Any]]:
        """Yield a function that returns the value."""
        yield lambda: value

    def warm_up(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def resident_mb(self) -> float:
        """Return 0, because there is no other process."""
        return 0.0
