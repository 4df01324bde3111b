"""Tests of the contracts of every learner in LEARNERS."""

from __future__ import annotations

import ast
import dataclasses
import pickle
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from learners import (
    BIC,
    LEARNERS,
    PDAG,
    BDeu,
    DataError,
    Dataset,
    Knowledge,
    LearnersError,
    LearnResult,
    ParameterError,
    hc,
    learn,
    tabu,
    with_missing_cells,
)
from learners.common import parallel
from learners.common.run_warning import RunWarning
from learners.families.catalogue import FAMILIES
from learners.graphs.rules import Rule
from learners.graphs.sepsets import Sepsets
from learners.independence.selection import ci_test_for
from learners.networks.mixed_network import random_mixed_network
from learners.networks.sampling import sample as rows_of
from learners.results.phases import Phase, Stage
from learners.results.result import Strengths, ranks_pairs
from learners.results.trace import Trace
from learners.scores.selection import score_for
from learners.settings.learner import EVERY_KIND, with_completion
from learners.settings.reference import defaults_of
from tests.cancelling import cut_short
from tests.tiers import family

ROOT = Path(__file__).resolve().parents[2]
DECLARATIONS = [
    path
    for pattern in ("families/*/settings.py", "families/*/entry.py", "settings/shared.py", "registry.py")
    for path in sorted((ROOT / "learners").glob(pattern))
]
KINDS = ("categorical", "continuous", "mixed")
LONG = ("bootstrap", "order_mcmc", "exact_posterior")  # learners with a hundred runs, or as many moves
CASES = [
    pytest.param(key, kind, id=f"{key} {kind}", marks=[pytest.mark.compiled] * (key in LONG))
    for key, learner in LEARNERS.items()
    for kind in learner.kinds
]
KIND_OF = {  # type of evidence of a completed run; every other learner has "tests"
    "mmpc": "skeleton",
    **dict.fromkeys(("hc", "tabu", "sca"), "score"),
    "boss": "order",
    "score_path": "score_path",
    **dict.fromkeys(("mmhc", "gsc"), "hybrid"),
    **dict.fromkeys(("cimap", "pc_mi"), "cimap"),
    **{key: key for key in ("ppc", "path", "phgs", "arges", "ges", "hpc", "hpc_target", "h2pc", "aracne")},
    **{key: key for key in ("rai", "brai", "bootstrap", "lmm")},
    **dict.fromkeys(("fci", "boss_fci"), "pag"),
    "mag_search": "mag",
    **{"order_mcmc": "mcmc", "exact_posterior": "exact"},
}
PARAMETERS = [
    pytest.param(key, parameter, id=f"{key} {parameter.name}")
    for key, learner in LEARNERS.items()
    for parameter in learner.parameters
]


def sample(kind: str, p: int = 7, n: int = 400, seed: int = 1) -> Dataset:
    """Return columns of a random linear network, cut into 2 to 4 levels if categorical.

    In mixed data every second column is cut, and one cell in 20 of most columns is missing.
    """
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < 0.4), 1)
    values = rng.normal(size=(n, p)) @ np.linalg.inv(np.eye(p) - weights)
    names = [f"column {k}" for k in range(p)]
    if kind == "continuous":
        return Dataset.from_values(values, names)
    arity = 2 + np.arange(p) % 3
    cuts = [np.quantile(values[:, k], np.arange(1, r) / r) if n else [] for k, r in enumerate(arity)]
    codes = np.array([np.searchsorted(cut, values[:, k]) for k, cut in enumerate(cuts)]).reshape(p, n)
    if kind == "categorical":
        return Dataset.from_codes(codes, arity, names)
    missing = rng.random((n, p)) < 0.05 * (np.arange(p) > 1)
    coded = Dataset.from_codes(np.where(missing.T, -1, codes)[::2], arity[::2], names[::2])
    if p == 1:
        return coded
    return Dataset.joined(names, coded, Dataset.from_values(np.where(missing, np.nan, values)[:, 1::2], names[1::2]))


def final(result: LearnResult) -> PDAG:
    return result.trace.graph_at(len(result.trace.changes))


def learn_or_refuse(key: str, data: Dataset) -> LearnResult | None:
    """Return the result, or None if the learner refuses the data; other exceptions propagate."""
    try:
        return learn(key, data)
    except LearnersError:
        return None


def check_result(result: LearnResult, data: Dataset, key: str) -> None:
    """Check the invariants of a complete or cancelled result."""
    assert result.method == key
    assert result.complete <= (result.kind == KIND_OF.get(key, "tests"))
    assert result.names == data.names
    assert result.graph.p == data.p
    assert isinstance(result.sepsets, Sepsets)
    assert isinstance(result.trace, Trace)
    assert isinstance(result.strengths, Strengths)
    assert result.strengths.values.shape == (data.p, data.p)
    assert not result.strengths.values.flags.writeable
    assert min(result.n_tests, result.n_scores, result.seconds) >= 0
    assert all(isinstance(warning, RunWarning) and warning for warning in result.warnings)
    assert final(result) == result.graph
    assert not any(result.graph.skeleton[tuple(pair)] for pair in result.sepsets)
    if result.graph.has_directed_cycle():
        assert any("cycle" in warning for warning in result.warnings)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
@pytest.mark.parametrize("seed", range(5))
def test_learner_gives_the_same_answer_to_the_same_data(key, kind, seed):
    """The same data give the same graph, evidence and trace, and the result has the parameters used."""
    data = sample(kind, seed=seed)
    first, second = learn(key, data), learn(key, data)
    check_result(first, data, key)
    assert first.complete
    assert first.graph == second.graph
    assert dict(first.sepsets) == dict(second.sepsets)
    assert first.n_tests == second.n_tests
    np.testing.assert_array_equal(first.strengths.values, second.strengths.values)
    for column in ("i", "j", "action", "log_p", "cond"):
        np.testing.assert_array_equal(getattr(first.trace, column), getattr(second.trace, column))
    assert dict(first.params) == {parameter.name: parameter.default for parameter in LEARNERS[key].parameters_of(data)}


@pytest.mark.gate_cases(each=family)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_does_not_depend_on_the_number_of_threads(key, kind, monkeypatch):
    """Graph, evidence and trace are equal with one thread and with five."""
    data = sample(kind, p=12)
    results = []
    for cores in (1, 5):
        monkeypatch.setattr(parallel, "available_cores", lambda cores=cores: cores)
        results.append(learn(key, data))
    one, five = results
    assert one.graph == five.graph
    assert one.n_tests == five.n_tests
    for column in dataclasses.fields(Trace):
        np.testing.assert_array_equal(getattr(one.trace, column.name), getattr(five.trace, column.name))


def counting(kernel: parallel.Kernel) -> parallel.Kernel:
    """Wrap a kernel to check that it counts each item that it processes, unless it was stopped."""

    def counted(begin: int, end: int, stop: np.ndarray, done: np.ndarray) -> None:
        before = int(done[0])
        kernel(begin, end, stop, done)
        assert stop[0] or done[0] - before == end - begin

    return counted


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_kernels_count_the_items_that_a_progress_bar_shows(key, kind, monkeypatch):
    """Kernels count the items that they process, except searches, which are a single item and count moves."""
    pool, inline = parallel._ThreadPool, parallel._run_inline

    def watched_pool(start, bounds, *rest):
        return pool(start if bounds[-1] - bounds[0] == 1 else lambda: counting(start()), bounds, *rest)

    def watched_inline(kernel, total, *rest):
        return inline(kernel if total == 1 else counting(kernel), total, *rest)

    monkeypatch.setattr(parallel, "_ThreadPool", watched_pool)
    monkeypatch.setattr(parallel, "_run_inline", watched_inline)
    learn(key, sample(kind))


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "kind"), CASES)
@pytest.mark.parametrize(("p", "n"), [(2, 0), (2, 1), (2, 2), (2, 400), (5, 2), (5, 4), (5, 6), (1, 400)], ids=str)
def test_learner_takes_tiny_data_or_says_why_not(key, kind, p, n):
    """Tables with few rows or columns give a result or an error of the library."""
    data = sample(kind, p, n)
    result = learn_or_refuse(key, data)
    if result is not None:
        check_result(result, data, key)
        assert p > 1


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_takes_constant_and_repeated_columns(key, kind):
    """For constant and repeated columns, the learner returns a result without NaN or refuses the data."""
    data = sample(kind)
    if kind == "continuous":
        values = np.column_stack([data.values, data.values[:, 0], np.full(data.n, 3.0)])
        data = Dataset.from_values(values, [*data.names, "copy", "flat"])
    elif kind == "mixed":
        frame = data.to_frame().assign(copy=data.to_frame()["column 1"], flat=3.0)
        data = Dataset.from_frame(frame)
    else:
        codes = np.vstack([data.codes, data.codes[:1], np.zeros((1, data.n), np.uint8)])
        data = Dataset.from_codes(codes, [*data.arity, data.arity[0], 1], [*data.names, "copy", "flat"])
    result = learn_or_refuse(key, data)
    if result is not None:
        check_result(result, data, key)
        assert result.graph.adjacent(data.index("flat")) == ()


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_result_survives_pickling(key, kind):
    """Results survive pickling, because they are passed between sessions."""
    result = learn(key, sample(kind))
    again = pickle.loads(pickle.dumps(result))
    assert again.graph == result.graph
    assert again.names == result.names
    assert dict(again.params) == dict(result.params)
    assert dict(again.sepsets) == dict(result.sepsets)
    assert final(again) == result.graph
    assert [repr(event) for event in again.trace] == [repr(event) for event in result.trace]


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_gives_what_it_declares(key, kind):
    """A ranking or probabilities beside the graph; the command line refuses their files by this."""
    result = learn(key, sample(kind))
    gives = "ranking" if ranks_pairs(result) else "graph" if result.posterior is None else "probabilities"
    assert LEARNERS[key].gives == gives


@pytest.mark.gate_cases(3)
@pytest.mark.compiled  # does one run for each of hundreds of ticks
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_cancelled_at_any_tick_hands_over_what_it_has(key, kind, monkeypatch):
    """Cancelled at any tick, the result is incomplete with a warning, and its trace rebuilds the graph."""
    monkeypatch.setattr(parallel, "TICK_SECONDS", 0.0005)
    data = sample(kind, p=12 if LEARNERS[key].most_columns else 25, n=1_000)
    few = {"n_resamples": 20} if key == "bootstrap" else {}  # enough ticks at which to cancel
    heard = []

    def listen(*progress: object) -> bool:
        heard.append(progress)
        return True

    whole = learn(key, data, tick=listen, **few)
    assert whole.complete
    assert heard
    assert all(isinstance(phase, str) and min(done, total) >= 0 for phase, done, total in heard)
    check_result(whole, data, key)
    for result in cut_short(
        lambda tick: learn(key, data, tick=tick, **few), at=sorted({1, 2, 3, max(1, len(heard) // 2), len(heard)})
    ):
        check_result(result, data, key)


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_respects_knowledge(key, kind):
    """Required edges are present and directed, forbidden pairs are not adjacent, and tiers hold."""
    data = sample(kind)
    names = data.names
    graph = learn(key, data).graph
    apart = [(i, j) for i, j in combinations(range(data.p), 2) if not graph.skeleton[i, j]]
    absent, present = next((a, b) for a in apart for b in graph.edges() if set(a).isdisjoint(b))
    forbidden = [(names[a], names[b]) for a, b in (present, present[::-1])]
    known = Knowledge(
        required=((names[absent[1]], names[absent[0]]),),
        forbidden=tuple(forbidden),
        tiers={names[absent[1]]: 0, names[absent[0]]: 1},
    )
    result = learn(key, data, knowledge=known)
    check_result(result, data, key)
    assert result.graph.mark(absent[1], absent[0]) == "forward"
    assert result.graph.mark(*present) == "none"


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_names_its_parameters_in_the_result(key, kind):
    """Defaults and settings appear under the names of the registry."""
    data = sample(kind, p=3, n=60)
    for parameter in LEARNERS[key].parameters_of(data):
        result = learn(key, data, **{parameter.name: parameter.default})
        assert result.params[parameter.name] == parameter.default


def test_the_gate_distinguishes_families():
    """Tests with one case per family cover each family; averaging learners are among the score-based ones."""
    names = {entry.__name__.split(".")[2] for entry in FAMILIES}  # learners.families.<family>.entry
    assert {family({"key": key}) for key in LEARNERS} == names - {"averaging"}


@pytest.mark.parametrize("key", LEARNERS)
def test_learner_is_documented(key):
    """Each learner has its key, a label, a summary, a paper, a family and column types."""
    learner = LEARNERS[key]
    assert learner.key == key
    assert learner.label
    assert learner.summary.endswith(".")
    assert any(year.isdigit() and len(year) == 4 for year in learner.paper.replace("(", " ").replace(")", " ").split())
    assert learner.family in ("constraint-based", "score-based", "hybrid")
    assert learner.kinds
    assert set(learner.kinds) <= set(KINDS)
    for kind in learner.kinds:
        names = [parameter.name for parameter in learner.parameters_for(kind)]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize(("key", "parameter"), PARAMETERS)
def test_parameter_is_documented(key, parameter):
    """Each parameter has help and a source; a number also has a range and the effects of raising and lowering it."""
    assert parameter.label
    assert parameter.help.endswith(".")
    assert parameter.source
    assert set(parameter.kinds) <= set(LEARNERS[key].kinds)
    assert parameter.checked(parameter.default) == parameter.default  # `Learner.checked` relies on it
    assert type(parameter.checked(parameter.default)) is type(parameter.default)
    if parameter.choices:
        assert parameter.default in parameter.choices
    elif parameter.default is None:
        assert parameter.optional
        assert parameter.checked(parameter.suggested) == parameter.suggested
    elif not isinstance(parameter.default, bool | str):
        assert parameter.up
        assert parameter.down
        assert np.isfinite([parameter.low, parameter.high]).all()


@pytest.mark.parametrize("parameter", [one.values[1] for one in PARAMETERS], ids=[one.id for one in PARAMETERS])
def test_choices_are_called_by_words(parameter):
    """Labels of choices have a capital letter or a word of at least four letters, and no underscore."""
    words = [parameter.word(choice) for choice in parameter.choices]
    assert len(set(words)) == len(words)
    for word in words:
        assert "_" not in word
        assert re.search("[A-Z]|[a-z]{4}|^on$|^off$", word), word


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_declaration_says_a_default(path):
    """Declarations contain no defaults, which are only in the signature of the function that takes the parameter."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    assert not [f"line {call.lineno}" for call in calls for word in call.keywords if word.arg == "default"]


@pytest.mark.parametrize("key", LEARNERS)
def test_every_default_is_read_from_one_signature(key):
    """Every default comes from the signature of the learner or of the function that binds a test or score."""
    learner = LEARNERS[key]
    for declared, read in zip(learner.settings, learner.parameters, strict=True):
        signatures = [defaults_of(one) for one in (*learner.needs, learner.function, with_completion)]
        found = [one[read.name] for one in signatures if read.name in one]
        if read.choices and found[0] not in read.choices:  # a choice for other column types
            found[0] = read.choices[0]
        assert found == [read.default]
        assert dataclasses.replace(read, default=None) == declared


@pytest.mark.parametrize("needs", [(), (ci_test_for, ci_test_for)], ids=["none", "two"])
def test_a_setting_that_not_exactly_one_signature_takes_is_refused(needs):
    """A setting must belong to exactly one signature; the error names the learner and the setting."""
    with pytest.raises(TypeError, match=f"^pc: one signature must have 'test', found {len(needs)}"):
        _ = dataclasses.replace(LEARNERS["pc"], needs=needs).parameters


@pytest.mark.gate_cases(each=family)
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learn_does_what_the_function_does_by_default(key, kind):
    """The learner's function, called with its test or score, gives the same graph and evidence as `learn`."""
    learner, data = LEARNERS[key], sample(kind)
    seen = data if learner.takes_missing else with_completion(data)
    alone = learner.function(*(need(seen) for need in learner.needs))
    result = learn(key, data, **({"missing": "available"} if learner.takes_missing else {}))
    assert alone.graph == result.graph
    assert alone.n_tests == result.n_tests
    np.testing.assert_array_equal(alone.strengths.values, result.strengths.values)


@pytest.mark.gate_cases(each="key")
@pytest.mark.parametrize(("key", "parameter"), PARAMETERS)
def test_learner_refuses_values_outside_the_declared_range(key, parameter):
    """Values outside the declared range are refused before the run by the name of the parameter."""
    data = sample(parameter.kinds[0])
    wrong = "no such word" if parameter.choices else "3" if isinstance(parameter.default, bool) else parameter.high + 1
    with pytest.raises(ParameterError, match=parameter.name):
        learn(key, data, **{parameter.name: wrong})


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_learner_estimates_its_time(key, kind):
    """Each learner has a positive estimate of its time, which needs no run."""
    params = {parameter.name: parameter.default for parameter in LEARNERS[key].parameters_for(kind)}
    for p in (2, 8):
        assert 0.0 < LEARNERS[key].estimate(sample(kind, p=p), **params) < 60.0


@pytest.mark.parametrize(("key", "kind"), CASES)
def test_an_estimate_counts_the_run_also_where_cells_are_missing(key, kind):
    """The probe sees the missing cells only if the run leaves out rows; the seconds of completion are added."""
    learner, data, seen = LEARNERS[key], sample(kind, p=8), []
    data = with_missing_cells(data, 0.1, "mcar", seed=2) if data.complete else data

    def with_need(dataset):
        seen.append(dataset)
        return dataset

    declared = dataclasses.replace(learner, cost_needs=(with_need,), cost=lambda _data, **_settings: 5.0)
    assert declared.estimate(data, **learner.checked(kind, {})) >= 5.0
    (probed,) = seen
    assert probed.complete != learner.takes_missing
    assert (probed.n_rows, probed.names, probed.kinds) == (data.n_rows, data.names, data.kinds)


# --- learn ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: learn("pcc", sample("continuous")), ParameterError, "unknown learner 'pcc'; did you mean 'pc'?"),
        (
            lambda: learn("pc", sample("continuous", p=1)),
            DataError,
            r"a graph needs at least two columns, found 'col",
        ),
        (
            lambda: learn("pc", sample("continuous"), alfa=0.1),
            ParameterError,
            "pc has no parameter 'alfa' for continuous",
        ),
        (
            lambda: learn("pc", sample("continuous"), dof="plain"),
            ParameterError,
            "pc has no parameter 'dof' for continuo",
        ),
        (lambda: learn("pc", sample("categorical"), alpha=0), ParameterError, r"alpha must be in \(0, 1\), got 0"),
        (
            lambda: learn("pc", sample("categorical"), knowledge=Knowledge(tiers={"zz": 1})),
            ParameterError,
            r"knowledge must name columns of the data, found 'zz'",
        ),
    ],
    ids=["learner", "one column", "parameter", "parameter of the other kind", "range", "knowledge"],
)
def test_learn_refuses_wrong_calls_with_a_sentence(call, error, message):
    """Wrong calls are refused with a message that states the requirement, the value and the fix."""
    with pytest.raises(error, match="^" + message):
        call()


def test_a_learner_that_refuses_a_kind_says_why():
    """A learner has a reason exactly if it does not accept every column type."""
    for learner in LEARNERS.values():
        assert bool(learner.why_kinds) == (learner.kinds != EVERY_KIND)


def test_every_learner_takes_a_mixed_table_and_none_needs_categories():
    """No learner asks for categorical columns only."""
    data = rows_of(random_mixed_network(4, 4, 1), 20, 1)
    for learner in LEARNERS.values():
        assert learner.refusal(data) is None
        assert "continuous" in learner.kinds


def test_learn_refuses_data_of_a_kind_the_learner_cannot_take(monkeypatch):
    """Data of an unsupported column type are refused with a message that has the label of the learner."""
    only = dataclasses.replace(LEARNERS["pc"], kinds=("continuous",))
    monkeypatch.setitem(LEARNERS, "pc", only)
    with pytest.raises(DataError, match="^PC-stable needs continuous columns, found categorical ones"):
        learn("pc", sample("categorical"))


def test_learn_passes_settings_to_the_test():
    """The settings dof and rows_per_cell reach G² and change the number of tests and edges."""
    data = sample("categorical", p=10, n=300)
    graphs = {
        name: learn("pc", data, **params)
        for name, params in {
            "default": {},
            "plain": {"dof": "plain"},
            "rule of five": {"rows_per_cell": 5},
            "alpha": {"alpha": 1e-6},
            "size": {"max_cond_size": 0},
        }.items()
    }
    assert len({result.n_tests for result in graphs.values()}) == 5
    assert any(event.rule is Rule.UNTESTED for event in graphs["rule of five"].trace)
    assert {event.phase for event in graphs["size"].trace if event.rule is Rule.TEST} == {Phase(Stage.LEVEL, size=0)}


@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_scores_of_few_distinct_rows_are_those_of_all(score):
    """Merging repeated rows changes neither the score of a family nor the graph of a search."""
    data = sample("categorical", p=6, n=6_000)
    merged = score_for(data, score=score, ess=10.0, edge_penalty=None)
    whole = BIC(data) if score == "bic" else BDeu(data, ess=10.0, edge_penalty=None)
    assert merged.sample.codes.shape[1] * 10 <= 6_000 == whole.sample.codes.shape[1]
    for j in range(6):
        for parents in combinations([k for k in range(6) if k != j], 2):
            assert merged.local(j, parents) == pytest.approx(whole.local(j, parents), rel=1e-9)
    for key, search in (("hc", hc), ("tabu", tabu)):
        np.testing.assert_array_equal(learn(key, data, score=score).extra.dag.amat, search(whole).extra.dag.amat)


@pytest.mark.parametrize("key", LEARNERS)
def test_what_a_setting_depends_on_is_a_setting_of_the_same_learner(key):
    """A setting depends only on a setting of the same learner, and the required value is one of its choices."""
    known = {
        (one.name, choice)
        for one in LEARNERS[key].parameters
        for choice in ((True, False) if isinstance(one.default, bool) else one.choices)
    }
    assert {one.only_if for one in LEARNERS[key].parameters if one.only_if} <= known
