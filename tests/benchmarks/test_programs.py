"""Comparisons of programs: all learn from equal rows, each has its own pieces, and missing ones can be added later."""

import importlib.metadata
import math
import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.catalogue import DECLARED
from benchmarks.measurement import Contender, Outcome
from benchmarks.papers import __main__ as command_line
from benchmarks.papers import arrows, peers, programs
from benchmarks.papers.accuracy import ACCURACY
from benchmarks.papers.archive import stored_rows
from benchmarks.papers.arrows import ARROWS_PROGRAMS
from benchmarks.papers.experiment import Experiment, label
from benchmarks.papers.running import do
from benchmarks.papers.store import ResultFile
from benchmarks.papers.summary import summary
from benchmarks.problem import Answer, Problem
from benchmarks.worker import find_solver
from learners import Dataset

HERE = "tests.benchmarks.contenders"
REQUIREMENTS = Path(peers.__file__).parents[1] / "requirements.txt"
CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)
OURS = Contender("ours", f"{HERE}:empty_graph", params={"seconds": 0.1})
PEER = Contender("numpy", f"{HERE}:empty_graph", package="numpy", params={"seconds": 0.1})
ABSENT = Contender("absent", f"{HERE}:empty_graph", package="no-such-package", params={"seconds": 0.1})
EACH = pytest.mark.parametrize("experiment", peers.ALL, ids=lambda one: one.name)


def chain(_piece) -> Problem:
    return Problem(np.zeros((3, 10), dtype=np.uint8), CHAIN, np.full(3, 2))


def small(*others: Contender, searches: bool = False, **settings) -> Experiment:
    contenders = (OURS, *others)
    return Experiment(
        name="small",
        what="a small one",
        cells=({"p": 1}, {"p": 2}),
        networks={"smoke": 1, "desk": 2, "paper": 3},
        run=programs.runner(chain, contenders, searches=searches),
        derive=programs.side_by_side,
        programs=contenders,
        **settings,
    )


def answering(monkeypatch, outcome: Outcome) -> None:
    """Replace every program with a stub that returns `outcome`."""
    monkeypatch.setattr(programs, "run_contender", lambda *_: outcome)


def figures_of(experiment: Experiment, program: str) -> dict[str, float]:
    return {one.metric: one.value for one in experiment.run({"p": 1, "program": program, "seed": 0})}


def test_declared_peers_are_those_of_the_requirements_file():
    """The file has every compared package with one version, and no others."""
    lines = REQUIREMENTS.read_text().split()
    assert all(re.fullmatch(r"[a-z-]+==[\d.]+(a\d+)?", line) for line in lines)
    declared = {one.package for experiment in (*peers.ALL, ACCURACY, ARROWS_PROGRAMS) for one in experiment.programs}
    declared |= {one.package for measurement in DECLARED for one in measurement.contenders}
    assert declared - {None} == {line.partition("==")[0] for line in lines}


@EACH
def test_every_program_has_its_adapter(experiment):
    """Edgewise comes first, names are unique, and every solver can be imported without its package."""
    assert experiment.programs[0].package is None
    assert len({one.name for one in experiment.programs}) == len(experiment.programs) > 1
    assert all(callable(find_solver(one.solver)) for one in experiment.programs)


@EACH
def test_programs_learn_from_the_same_rows_with_the_same_settings(experiment):
    """Pieces that differ in the program share the seed of their data, alpha and the largest set."""
    pieces = experiment.pieces("desk")
    by_seed = {piece["seed"]: {k: v for k, v in piece.items() if k != "program"} for piece in pieces}
    assert all(by_seed[piece["seed"]].items() <= piece.items() for piece in pieces)
    assert len(by_seed) == len(experiment.cells) * experiment.networks["desk"]
    for key in ("alpha", "max_cond_size"):
        assert len({one.params[key] for one in experiment.programs if key in one.params}) <= 1


@EACH
def test_what_is_left_out_is_declared_of_a_peer_and_a_cell(experiment):
    """Only pieces of other programs are left out, never those of Edgewise."""
    ours, *others = (one.name for one in experiment.programs)
    assert set(experiment.left_out) <= set(others)
    cells = {label(cell) for cell in experiment.cells}
    assert all(labels < cells for labels in experiment.left_out.values())
    left = {
        (piece["program"], label({k: v for k, v in piece.items() if k not in ("program", "seed")}))
        for piece in experiment.pieces("paper")
    }
    assert not left & {(name, cell) for name, labels in experiment.left_out.items() for cell in labels}
    assert {cell for name, cell in left if name == ours} == cells


@EACH
def test_our_learner_does_its_piece(experiment):
    """On a few rows of the first cell, our learner finds a graph over the variables."""
    problem = (peers.of_network if "network" in experiment.cells[0] else peers.of_random)(
        {**experiment.cells[0], "n": 50, "seed": 1}
    )
    ours = experiment.programs[0]
    answer = find_solver(ours.solver)(problem, **ours.params)()
    assert answer.amat.shape == (problem.p, problem.p)
    assert not answer.amat.diagonal().any()


def test_stored_rows_bear_out_that_tests_agree():
    """With equal tests skeletons are equal: causal-learn's with G², and all of them with Fisher's z."""
    for experiment, others in ((peers.PC_G2, ["causal-learn"]), (peers.PC_FISHER_Z, ["causal-learn", "pgmpy"])):
        rows = stored_rows(experiment.name)
        same = rows[(rows["metric"] == "same skeleton") & rows["method"].isin(others)]
        assert set(same["method"]) == set(others)
        assert (same["value"].dropna() == 1).all()


def test_rows_of_a_network_are_mixed_up_with_their_truth():
    """Columns, arities and edges are permuted together; the seed determines the order."""
    piece = {"network": "child", "n": 30, "seed": 3}
    one, again, other = peers.of_network(piece), peers.of_network(piece), peers.of_network({**piece, "seed": 4})
    np.testing.assert_array_equal(one.data, again.data)
    np.testing.assert_array_equal(one.truth, again.truth)
    assert (one.arity != other.arity).any()
    assert (one.data.max(axis=1) < one.arity).all()
    assert one.truth.sum() == other.truth.sum() == 25


def test_a_missing_program_is_named_and_its_pieces_wait(tmp_path, capsys, monkeypatch):
    """The remaining pieces are done; after the program is installed, only its pieces are added."""
    experiment = small(PEER, ABSENT)
    command_line.carry_out(experiment, "smoke", ResultFile(tmp_path / "small.csv"))
    actual = capsys.readouterr().out
    assert "small: absent not installed, 1 of 3 pieces wait" in actual
    assert "small: 2 of 2 pieces to do" in actual
    assert ResultFile(tmp_path / "small.csv").finished == {"p=1 program=ours seed=0", "p=1 program=numpy seed=0"}
    monkeypatch.setattr(programs, "versions", lambda packages: dict.fromkeys(packages, "9.9"))
    answering(monkeypatch, Outcome((0.1,), (0.1,), Answer(CHAIN)))
    command_line.carry_out(experiment, "smoke", ResultFile(tmp_path / "small.csv"))
    assert "small: 1 of 3 pieces to do" in capsys.readouterr().out
    rows = ResultFile(tmp_path / "small.csv").rows()
    assert set(rows["method"]) == {"ours", "numpy", "absent"}
    assert rows.loc[rows["method"] == "absent", "version"].str.endswith("no-such-package 9.9").all()


def test_no_piece_of_a_missing_program_gets_done():
    """The piece fails on any machine, so no figures are stored."""
    with pytest.raises(RuntimeError, match="absent must be installed in .* found no no-such-package"):
        do(small(ABSENT), {"p": 1, "program": "absent", "seed": 0})


def test_rows_tell_the_version_of_the_program():
    """Rows of a peer state the version of its package; rows of Edgewise state none."""
    experiment = small(PEER)
    theirs, ours = (programs.version_of(experiment, {"program": name}) for name in ("numpy", "ours"))
    assert theirs == f"numpy {importlib.metadata.version('numpy')}"
    assert ours == ""


def test_a_process_of_its_own_yields_errors_time_and_memory():
    """An empty graph misses both edges of the chain and invents none; seconds and memory are measured."""
    found = figures_of(small(PEER), "numpy")
    assert (found["FP"], found["FN"], found["SHD"], found["JI"]) == (0, 2, 2, 0)
    assert "BIC" not in found
    assert 0 <= found["seconds"] < 1
    assert found["MB"] > 1


def test_a_dag_is_held_against_the_truth_by_its_class(monkeypatch):
    """The equivalent reversed chain has SHD 0 and a BIC for a search, and errors for a constraint-based program."""
    answering(monkeypatch, Outcome((0.2,), (0.1, 0.3, 0.5), Answer(CHAIN.T), 80.0))
    found = figures_of(small(PEER, searches=True), "numpy")
    assert (found["SHD"], found["JI"], found["same skeleton"]) == (0, 1, 0)
    assert found["BIC"] < 0
    assert (found["seconds"], found["MB"]) == (0.3, 80)
    assert figures_of(small(PEER), "numpy")["SHD"] > 0


@pytest.mark.parametrize(
    ("outcome", "seconds"),
    [(Outcome(note="no answer in 60 s", at_least=57.0), 57.0), (Outcome(note="failed (exit code 1)"), None)],
    ids=["late", "broken"],
)
def test_a_program_without_an_answer_has_no_figures(monkeypatch, capsys, outcome, seconds):
    """Every metric is NaN, a lower bound of the time is recorded, a line gives the reason, and the run continues."""
    answering(monkeypatch, outcome)
    figures = list(small(PEER).run({"p": 1, "program": "numpy", "seed": 0}))
    assert all(math.isnan(one.value) for one in figures)
    assert {one.metric: one.seconds for one in figures}["seconds"] == seconds
    assert f"numpy: {outcome.note}" in capsys.readouterr().out


def test_tables_have_the_programs_of_a_cell_side_by_side(monkeypatch, tmp_path):
    """The table has a row per cell and a column per program; omitted entries are empty."""
    answering(monkeypatch, Outcome((0.1,), (0.1,), Answer(CHAIN), 80.0))
    experiment = small(PEER, left_out={"numpy": frozenset({"p=2"})})
    store = ResultFile(tmp_path / "small.csv")
    command_line.carry_out(experiment, "desk", store)
    assert len(store.finished) == 2 * (2 + 1)
    first = summary(experiment, store.rows()).split("\n\n")[0].splitlines()
    assert first[0] == "| FP | ours | numpy |"
    assert [line.split(" | ")[0] for line in first[2:]] == ["| p=1", "| p=2"]
    assert first[3].endswith("| - |")


def test_arrows_of_programs_are_judged_on_the_same_table():
    """The first program is ours and claims the causes of our method; no name has a space."""
    assert not any(" " in one.name for one in ARROWS_PROGRAMS.programs)
    assert all(callable(find_solver(one.solver)) for one in ARROWS_PROGRAMS.programs)
    values = np.random.default_rng(0).standard_normal((200, 4)).cumsum(axis=1)
    boss = next(one for one in ARROWS_PROGRAMS.programs if one.name == "BOSS")
    claimed = find_solver(boss.solver)(Problem(values, np.zeros((4, 4), dtype=bool)), **boss.params)().amat
    assert (claimed == arrows.METHODS["BOSS"](Dataset.from_values(values, ["v0", "v1", "v2", "v3"]))).all()


def test_an_arrow_is_false_if_its_tail_does_not_cause_its_head(monkeypatch):
    """Both figures come from the answer of the program and the causes of the table."""
    made = arrows.simulate("clean", 977_001, arrows.COLUMNS, arrows.ROWS)
    claimed = made.causes.copy()
    first = tuple(np.argwhere(~made.causes & ~np.eye(len(claimed), dtype=bool))[0])
    claimed[first] = True
    monkeypatch.setattr(programs, "run_contender", lambda *_: Outcome(answer=Answer(claimed)))
    found = {
        one.metric: one.value for one in ARROWS_PROGRAMS.run({"world": "clean", "program": "trust", "seed": 977_001})
    }
    assert found == {"false causes": 1 / claimed.sum(), "causes claimed": claimed.sum()}
    monkeypatch.setattr(programs, "run_contender", lambda *_: Outcome(note="stopped", at_least=60.0))
    left = ARROWS_PROGRAMS.run({"world": "clean", "program": "trust", "seed": 977_001})
    assert [math.isnan(one.value) for one in left] == [True]
