"""The benchmark harness: measurements, robustness and reports."""

import os
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import catalogue, limits, report, rows, tables
from benchmarks import speed as command_line
from benchmarks.agreement import agreement, by_score
from benchmarks.catalogue import DECLARED, MEASUREMENTS
from benchmarks.measurement import Contender, Measurement, RunOptions, run_contender
from benchmarks.peers import _from_adjacency, _from_endpoints, _from_lists
from benchmarks.problem import Answer, Problem
from benchmarks.tables import copies_of
from benchmarks.worker import find_solver, repeated
from learners import PDAG, Dataset
from learners.scores import BIC, GaussianBIC

HERE = "tests.benchmarks.contenders"
CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)
PROBLEM = Problem(np.zeros((3, 10), dtype=np.uint8), CHAIN, np.full(3, 2))


def contender(name: str, **params: object) -> Contender:
    return Contender(name, f"{HERE}:{name}", params=params)


def measurement(ours: Contender, *others: Contender, time_out: float = 30.0) -> Measurement:
    return Measurement("small", "a small one", ours, others, prepare=lambda: PROBLEM, time_out=time_out)


@pytest.mark.parametrize("arity", [None, np.full(12, 3)], ids=["continuous", "categorical"])
def test_a_problem_survives_the_way_to_the_other_process(arity, tmp_path):
    """The loaded problem equals the saved one, and the warm-up uses a small part of it."""
    data = np.arange(12.0 * 600).reshape(600, 12) if arity is None else np.zeros((12, 600), dtype=np.uint8)
    problem = Problem(data, np.eye(12, k=1, dtype=bool), arity)
    problem.save(tmp_path / "problem.npz")
    loaded = Problem.load(tmp_path / "problem.npz")
    assert (loaded.n, loaded.p, loaded.data.dtype) == (600, 12, data.dtype)
    np.testing.assert_array_equal(loaded.data, data)
    np.testing.assert_array_equal(loaded.truth, problem.truth)
    assert (loaded.arity is None) == (arity is None)
    assert (loaded.head().n, loaded.head().p) == (500, 8)


@pytest.mark.deep
def test_repeats_end_with_their_number_or_the_budget(tmp_path):
    """At least one and at most K runs are done, each prepared separately; none starts after the budget is spent."""
    prepared = []

    def prepare(duration: float):
        prepared.append(duration)
        return lambda: Answer(note=str(time.sleep(duration)))

    durations, _ = repeated(partial(prepare, 0.0), 4, 10.0, tmp_path / "clock")
    assert len(durations.wall) == len(prepared) == 4
    durations, _ = repeated(partial(prepare, 0.05), 4, 0.01, tmp_path / "clock")
    assert len(durations.wall) == 1
    assert durations.wall[0] >= 0.05 > durations.cpu[0]


def test_rows_carry_the_median_the_ratio_and_the_agreement():
    """All figures are relative to those of Edgewise; a time that a run reports itself is used."""
    pair = measurement(contender("empty_graph", seconds=0.5), contender("empty_graph", seconds=2.0))
    ours, other = rows.side_by_side(pair, RunOptions(repeat=3), {})
    assert (ours["seconds"], ours["ratio"], ours["repeats"]) == (0.5, 1.0, 3)
    assert (other["seconds"], other["ratio"]) == (2.0, 4.0)
    assert (other["edges"], other["fn"], other["same"], other["n_tests"]) == (0, 2, 1.0, 7)
    assert other["note"] == "as reported"
    assert set(ours) == set(report.COLUMNS) - {"score"}  # only score-based searches have a score


def test_a_warm_up_on_the_head_comes_first(tmp_path):
    """The first preparation uses a few variables, the timed ones use all."""
    wide = Problem(np.zeros((20, 10), dtype=np.uint8), np.zeros((20, 20), dtype=bool), np.full(20, 2))
    one = contender("warned", folder=str(tmp_path))
    run_contender(one, measurement(one), wide, RunOptions(repeat=2))
    assert {path.name: len(path.read_text()) for path in tmp_path.iterdir()} == {"8": 1, "20": 2}


@pytest.mark.parametrize(
    ("name", "expected"), [("crashing", "exit code -6"), ("failing", "RuntimeError: no such luck")], ids=str
)
def test_a_broken_contender_becomes_a_note(name, expected):
    """A crash or an exception of one solver does not end the run."""
    bad, good = rows.side_by_side(measurement(contender(name), contender("empty_graph", seconds=1.0)), RunOptions(), {})
    assert expected in bad["note"]
    assert bad["seconds"] is None
    assert good["seconds"] == 1.0
    assert good["ratio"] is None


@pytest.mark.deep
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="looks for the process in /proc")
def test_a_hanging_contender_is_stopped_with_all_it_started(tmp_path):
    """After the time-out none of its processes is left, and its row has a lower bound on the time."""
    mark = tmp_path / "mark"
    hangs = measurement(contender("empty_graph", seconds=0.1), contender("hanging", mark=str(mark)), time_out=10.0)
    ours, late = rows.side_by_side(hangs, RunOptions(), {})
    assert ours["seconds"] == 0.1
    assert late["note"] == "no answer in 10 s"
    assert late["ratio"].startswith(">")
    assert 0 < float(late["ratio"][1:]) <= 100
    child = Path(f"/proc/{mark.read_text()}/stat")
    assert not child.exists() or child.read_text().split()[2] == "Z"


def test_a_peer_that_is_not_installed_is_left_out(capsys):
    """One line reports the missing peer; all other peers are measured."""
    absent = replace(contender("empty_graph", seconds=1.0), package="no-such-package")
    chosen = measurement(contender("empty_graph", seconds=0.1), absent)
    versions = command_line._versions([chosen], RunOptions())
    assert capsys.readouterr().out.count("\n") == 1
    assert len(list(rows.side_by_side(chosen, RunOptions(repeat=1), versions))) == 1


def test_agreement_counts_against_truth_and_ours():
    """A graph with one true and one false edge shares one of three edges with either reference."""
    found = np.zeros((3, 3), dtype=bool)
    found[0, 1] = found[1, 0] = found[0, 2] = found[2, 0] = True
    ours = Answer(CHAIN)
    figures = agreement(Answer(found), ours, PROBLEM)
    assert figures == {"edges": 2, "tp": 1, "fp": 1, "fn": 1, "ji": 1 / 3, "same": 1 / 3}
    assert agreement(None, ours, PROBLEM) == {}


def test_endpoints_of_causal_learn_become_our_matrix():
    """Entry (i, j) of the matrix is the mark at i: a -> b, b - c, a <-> c."""
    marks = np.array([[0, -1, 1], [1, 0, -1], [1, -1, 0]])
    expected = np.array([[0, 1, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    np.testing.assert_array_equal(_from_endpoints(marks), expected)


def test_lists_of_pybnesian_become_our_matrix():
    """Arcs keep their direction, and edges have both."""
    expected = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]], dtype=bool)
    np.testing.assert_array_equal(_from_lists(["a", "b", "c"], [("a", "b")], [("c", "b")]), expected)


def test_an_adjacency_frame_of_pgmpy_becomes_our_matrix():
    """The matrix has the order of the data's columns, whatever the order of the frame."""
    frame = pd.DataFrame([[0, 0, 1], [1, 0, 0], [1, 0, 0]], index=list("cab"), columns=list("cab"))
    expected = np.array([[0, 0, 1], [0, 0, 1], [0, 1, 0]], dtype=bool)
    np.testing.assert_array_equal(_from_adjacency(list("abc"), frame), expected)


def test_table_shows_only_columns_with_figures():
    """Empty columns are dropped, and numbers are right-aligned."""
    text = report.table([{"contender": "ours", "seconds": 0.0123}, {"contender": "other", "seconds": 2, "ratio": ">9"}])
    assert [line.split() for line in text.splitlines()] == [
        ["program", "seconds", "ratio"],
        ["ours", "0.0123"],
        ["other", "2.00", ">9"],
    ]


def test_results_get_one_line_of_column_names(tmp_path):
    """Rows are appended; a file with other columns is refused."""
    path = tmp_path / "results.csv"
    report.append([{"measurement": "a", "seconds": 0.1}], path)
    report.append([{"measurement": "b", "seconds": 0.2}], path)
    lines = path.read_text().splitlines()
    assert lines[0].split(",") == list(report.COLUMNS)
    assert [line.split(",")[1] for line in lines[1:]] == ["a", "b"]
    path.write_text("other\n")
    with pytest.raises(ValueError, match="rename"):
        report.append([], path)


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.name)
def test_every_declared_solver_exists(declared):
    """Names are unique, and every solver can be imported, even without its package."""
    assert MEASUREMENTS[declared.name] is declared
    assert all(callable(find_solver(each.solver)) for each in declared.contenders)


@pytest.mark.gate_cases(12)
@pytest.mark.compiled
@pytest.mark.parametrize("declared", [one for one in DECLARED if one.prepare], ids=lambda declared: declared.name)
def test_every_contender_of_ours_answers(declared, monkeypatch):
    """On a small problem of the same kind, each of our solvers returns a graph or a number of tests."""
    small = tables.copies_of("asia", 1, 300)
    for name in ("copies_of", "first_of", "tiled"):
        monkeypatch.setattr(catalogue, name, lambda *_: small)
    monkeypatch.setattr(catalogue, "gaussian", lambda *_: tables.gaussian(6, 6, 100))
    problem = declared.prepare()
    for each in declared.contenders:
        if each.package is None:
            answer = find_solver(each.solver)(problem, **declared.params | each.params)()
            assert (answer.amat is not None and answer.amat.shape == (problem.p, problem.p)) or answer.n_tests


@pytest.mark.deep
@pytest.mark.compiled
@pytest.mark.parametrize("each", MEASUREMENTS["kernel_limits"].contenders, ids=lambda each: each.name)
def test_every_kernel_is_timed(each, monkeypatch):
    """The functions that repeat a kernel match its arguments, and the time is that of a single call."""
    monkeypatch.setattr(limits, "ROUNDS", 1)
    answer = find_solver(each.solver)(**each.params)()
    assert 0 < answer.seconds < 10
    assert answer.note


def test_copies_are_independent_and_keep_their_truth():
    """Each block has the network's graph, no edge connects two blocks, and the rows differ."""
    problem = copies_of("asia", 2, 50)
    assert (problem.p, problem.n) == (16, 50)
    assert problem.truth.sum() == 16
    assert not problem.truth[:8, 8:].any()
    assert (problem.data[:8] != problem.data[8:]).any()


def test_our_learner_solves_what_it_is_given():
    """The declared solver and the reference implementation find the same skeleton with equally many tests."""
    problem = copies_of("asia", 1, 300)
    answers = [
        find_solver(f"benchmarks.ours:{name}")(problem, alpha=0.05, max_cond_size=2)() for name in ("pc", "naive_pc")
    ]
    ours, reference = (answer.amat | answer.amat.T for answer in answers)
    np.testing.assert_array_equal(ours, reference)
    assert answers[0].n_tests == answers[1].n_tests


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pc_alarm"], "did you mean|choose one of"),
        (["--repeat", "0"], "at least 1"),
        (["--peer-python", "/no"], "no Python"),
    ],
    ids=["name", "repeat", "python"],
)
def test_wrong_words_on_the_command_line_end_in_one_sentence(words, expected, capsys):
    """The message names the mistake, and nothing is measured."""
    with pytest.raises(SystemExit):
        command_line.main(words)
    assert any(part in capsys.readouterr().err for part in expected.split("|"))


def test_searches_are_compared_by_the_score_of_a_dag_of_their_class():
    """The score is the BIC as computed by Edgewise, also of numbers; graphs without a DAG in their class have none."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (3, 50)).astype(np.uint8)
    values = rng.normal(size=(50, 3))
    arrow, cycle = np.zeros((3, 3), dtype=bool), np.roll(np.eye(3, dtype=bool), 1, axis=1)
    arrow[0, 1] = True
    for problem, score in (
        (Problem(codes, arrow, np.full(3, 2)), BIC(Dataset.from_codes(codes, [2, 2, 2], ["v0", "v1", "v2"]))),
        (Problem(values, arrow), GaussianBIC(Dataset.from_values(values, ["v0", "v1", "v2"]))),
    ):
        expected = score.network(PDAG(arrow))
        assert by_score(Answer(arrow), None, problem)["score"] == pytest.approx(expected)
        assert by_score(Answer(arrow | arrow.T), None, problem)["score"] == pytest.approx(expected)
        assert "score" not in by_score(Answer(cycle), None, problem)
