"""Tests of the command line: runs equal the library's, answers go to stdout, and everything else to stderr."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from learners import __main__ as cli
from learners.command_line import commands, terminal
from learners.command_line.learner_list import described
from learners.command_line.output_files import edge_lines
from learners.data.plan.plan import default_plan
from learners.data.plan.plan_file import write_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.finding import Finding
from learners.data.reading.table import read_table
from learners.explaining.explanation import explanation
from learners.graphs.graph import PDAG
from learners.io.edge_csv import read_edge_csv
from learners.io.interchange import from_json
from learners.io.samples import SAMPLES
from learners.registry import LEARNERS, learn
from learners.verdict.trust import Trust
from tests.limited import limit
from tests.viz.replay_page.opening import ReplayFile

ASIA = str(SAMPLES["asia"].path)
WINE = str(SAMPLES["wine"].path)
ROOT = Path(__file__).resolve().parents[2]


def run(capsys, *words):
    """Return exit code, stdout and stderr of a command."""
    code = cli.main(words)
    return code, *capsys.readouterr()


def dataset_of(path):
    """Return the data set that the command prepares from a file."""
    table = read_table(Path(path))
    return prepare(table, default_plan(table)).dataset


def test_json_on_standard_output_is_the_learners_graph(capsys):
    """Standard output has only the answer; progress and findings go to stderr, without a bar if stderr is a log."""
    code, out, err = run(capsys, "learn", ASIA)
    graph, names = from_json(out)
    expected = learn("pc", dataset_of(ASIA))
    assert code == 0
    assert (graph, names) == (expected.graph, expected.names)
    assert out.count("\n") == 1
    assert "\r" not in err
    assert "edgewise: level 0" in err


@pytest.mark.parametrize(("words", "terminal"), [((), True), (("--print", "edges"), False)], ids=["terminal", "asked"])
def test_a_graph_is_printed_as_a_line_for_each_edge(words, terminal, capsys, monkeypatch):
    """A terminal shows edges with the names of the variables; pipes and files get JSON unless asked otherwise."""
    monkeypatch.setattr(commands, "is_terminal", lambda: terminal)
    result = learn("pc", dataset_of(ASIA))
    code, out, _ = run(capsys, "learn", ASIA, "--quiet", *words)
    first, *lines = out.splitlines()
    assert (code, first) == (0, f"{len(result.graph.edges())} edges between 8 variables")
    assert "bronc → smoke" in lines
    assert "bronc — dysp" in lines
    assert lines[-1] == "—: the data do not determine the direction"
    assert len(lines) == len(result.graph.edges()) + 1
    _, out, _ = run(capsys, "learn", ASIA, "--quiet", "--print", "json")
    assert from_json(out) == (result.graph, result.names)


def test_lines_of_edges_are_unambiguous():
    """Names with spaces, signs or quotes are quoted, so that each line has one sign between two names."""
    names = ("a b", "c→d", "plain", "")
    graph = PDAG.from_edges(4, directed=[(0, 1), (2, 0)], undirected=[(1, 3)])
    lines = edge_lines(replace(learn("pc", dataset_of(ASIA)), graph=graph, names=names)).splitlines()
    assert sorted(lines[1:-1]) == ["'a b' → 'c→d'", "'c→d' — ''", "plain → 'a b'"]


def test_an_explanation_is_printed_in_place_of_the_graph(capsys, tmp_path):
    """Each sentence of the app is a line of the output, and the graph is written to its file."""
    data = dataset_of(ASIA)
    result = learn("pc", data)
    pairs = (("smoke", "bronc"), ("asia", "xray"))
    words = [word for pair in pairs for word in ("--explain", *pair)]
    expected = [explanation(result, tuple(map(data.index, pair)), data).written() for pair in pairs]
    code, out, _ = run(capsys, "learn", ASIA, *words, "--quiet")
    assert code == 0
    assert out.splitlines() == [sentence for sentences in expected for sentence in sentences]
    assert out.startswith("bronc → smoke is in the graph.\n")
    _, again, _ = run(capsys, "learn", ASIA, *words, "--quiet", "--out", str(tmp_path / "graph.json"))
    assert again == out
    assert from_json((tmp_path / "graph.json").read_text())[0] == result.graph


def test_an_explanation_says_which_direction_fits_the_noise(capsys, tmp_path):
    x, noise = np.random.default_rng(0).uniform(-1.0, 1.0, (2, 400))
    path = tmp_path / "two.csv"
    np.savetxt(path, np.column_stack([x, x + noise]), delimiter=",", header="x,y", comments="")
    code, out, _ = run(capsys, "learn", str(path), "--learner", "ges", "--explain", "x", "y", "--quiet")
    assert code == 0
    assert out.splitlines()[-1].startswith("'x' → 'y' fits the noise better than the opposite direction (z = ")


@pytest.mark.parametrize(
    ("names", "cause"),
    [(("smoke", "brunch"), "no variable is called 'brunch'"), (("smoke", "smoke"), "two different variables")],
    ids=["unknown", "same"],
)
def test_an_explanation_needs_two_variables_of_the_table(names, cause, capsys):
    code, out, err = run(capsys, "learn", ASIA, "--explain", *names, "--quiet")
    assert (code, out) == (2, "")
    assert cause in err


@pytest.mark.gate_cases(3)
@pytest.mark.compiled
@pytest.mark.parametrize("key", [key for key, one in SAMPLES.items() if one.kind != "mixed" and one.p < 40])
def test_every_sample_can_be_learnt(key, capsys):
    """Every sample can be learned from, plain or compressed, categorical or continuous."""
    code, out, _ = run(capsys, "learn", str(SAMPLES[key].path), "--quiet", "--max-cond-size", "1")
    assert code == 0
    assert len(json.loads(out)["names"]) <= SAMPLES[key].p


@pytest.mark.parametrize("suffix", ["json", "csv", "dot", "graphml"])
def test_each_format_holds_the_same_graph(suffix, capsys, tmp_path):
    """In each format, the graph is written to the file, and stdout stays empty."""
    path = tmp_path / f"graph.{suffix}"
    code, out, _ = run(capsys, "learn", ASIA, "--out", str(path), "--quiet")
    expected = learn("pc", dataset_of(ASIA))
    text = path.read_text(encoding="utf-8")
    assert (code, out) == (0, "")
    if suffix == "json":
        assert from_json(text) == (expected.graph, expected.names)
    elif suffix == "csv":
        assert read_edge_csv(text, expected.names) == expected.graph
        assert all(row["strength"] for row in csv.DictReader(io.StringIO(text)))
    elif suffix == "dot":
        assert text.count("->") == expected.graph.n_edges
    else:
        assert len(ElementTree.fromstring(text.encode()).findall(".//{*}edge")) == expected.graph.n_edges


@pytest.mark.parametrize(
    ("words", "params"),
    [
        (("--alpha", "0.001"), {"alpha": 0.001}),
        (("--alpha=0.2", "--max-cond-size", "0"), {"alpha": 0.2, "max_cond_size": 0}),
        (("--max-cond-size", "none", "--dof", "plain"), {"max_cond_size": None, "dof": "plain"}),
        (("--rows-per-cell", "5"), {"rows_per_cell": 5.0}),
    ],
    ids=["alpha", "equals sign", "no limit", "number"],
)
def test_options_reach_the_learner(words, params, capsys, monkeypatch):
    """Each option reaches the learner under its declared name and with its declared type."""
    used = {}
    monkeypatch.setattr(commands, "learn", lambda *args, **options: used.update(options) or learn(*args, **options))
    assert run(capsys, "learn", ASIA, "--quiet", *words)[0] == 0
    assert {name: used[name] for name in params} == params


@pytest.mark.parametrize(
    "words",
    [
        ("--learner", "lmm", "--max-size", "6", WINE),
        ("--max-size", "6", WINE, "--learner", "lmm"),
        ("--max-size=6", "--learner=lmm", WINE),
        (WINE, "--max-size", "6", "--learner", "lmm"),
        ("--quiet", "--max-size", "6", "--learner", "lmm", WINE),
    ],
    ids=["last", "middle", "equals signs", "first", "after a switch"],
)
def test_options_may_stand_in_any_order(words, capsys, monkeypatch):
    """Options may come in any order; the value of a learner's option is never read as the table."""
    used = []
    monkeypatch.setattr(
        commands, "learn", lambda *args, **options: used.append(options["max_size"]) or learn(*args, **options)
    )
    code, out, _ = run(capsys, "learn", *words)
    assert (code, used) == (0, [6])
    assert len(from_json(out)[1]) == SAMPLES["wine"].p


def test_seed_and_learner_are_handed_on(capsys, monkeypatch):
    """The seed is passed on even if the learner does not need it."""
    used = {}

    def noting(key, *args, **options):
        used.update(options, key=key)
        return learn(key, *args, **options)

    monkeypatch.setattr(commands, "learn", noting)
    assert run(capsys, "learn", ASIA, "--quiet", "--seed", "7", "--learner", "pc")[0] == 0
    assert (used["seed"], used["key"]) == (7, "pc")


def test_quiet_shows_no_bar(capsys):
    """With --quiet no progress bar is shown."""
    code, _, err = run(capsys, "learn", ASIA, "--quiet")
    assert code == 0
    assert "\r" not in err
    assert "[" not in err


@pytest.mark.compiled
def test_findings_and_notes_are_said_on_standard_error(capsys):
    """Findings and automatic decisions are reported on standard error."""
    code, out, err = run(capsys, "learn", str(SAMPLES["insurance"].path), "--quiet", "--max-cond-size", "0")
    assert code == 0
    assert "'None'" in err
    assert all(line.startswith("edgewise: ") for line in err.splitlines())
    assert "edgewise" not in out


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("learn", "no_such.csv"), "no_such.csv"),
        (("learn", ASIA, "--learner", "pcc"), "did you mean 'pc'?"),
        (("learn", ASIA, "--alpha", "2"), "alpha must be in (0, 1), got 2.0"),
        (("learn", ASIA, "--alpha", "small"), "alpha must be a number, got 'small'"),
        (("learn", ASIA, "--alpha"), "option --alpha needs a value"),
        (("learn", ASIA, "--beta", "1"), "unknown option '--beta'; pc has --alpha, --max-cond-size, --test"),
        (("learn", "--gamme", "1", ASIA), "unknown option '--gamme'; pc has --alpha"),
        (("learn", ASIA, "--gamme=1"), "unknown option '--gamme'; pc has --alpha"),
        (("learn", ASIA, "--alph", "0.1"), "unknown option '--alph'; pc has --alpha"),
        (("learn", ASIA, "stray"), "unknown option 'stray'"),
        (("learn", ASIA, "boss"), "name the learner by --learner boss"),
        (("learn", ASIA, "--dof", "huge"), "unknown dof 'huge'"),
        (("learn", ASIA, "--max-cond-size", "1.5"), "max_cond_size must be a whole number, got '1.5'"),
        (("learn", ASIA, "--out", "graph.png"), "the output file must end in"),
        (("learn", ASIA, "--out", "no/such/folder/graph.json"), "no/such/folder"),
        (("learn", ASIA, "--ranking", "ranking.json"), "the ranking must end in .csv"),
        (("learn", ASIA, "--ranking", "no/such/folder/ranking.csv"), "no/such/folder"),
    ],
    ids=lambda value: " ".join(value[1:]).replace(ASIA, "").strip() if isinstance(value, tuple) else "",
)
def test_bad_input_is_exit_code_2_and_one_line(words, cause, capsys):
    """Invalid input gives exit code 2 and a one-line message that names the mistake; stdout is empty."""
    code, out, err = run(capsys, *words, *(["--quiet"] if words[0] == "learn" and words[-1] != "--alpha" else []))
    assert (code, out) == (2, "")
    assert cause in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("edgewise: ")
    assert "Traceback" not in err


def test_a_mixed_table_with_missing_cells_needs_no_preparation(capsys):
    """Nothing of the mixed sample penguins is binned, dropped or filled, and stderr reports that."""
    path = str(SAMPLES["penguins"].path)
    code, out, err = run(capsys, "learn", path, "--quiet", "--alpha", "0.01")
    assert code == 0
    assert from_json(out)[0] == learn("pc", dataset_of(path), alpha=0.01).graph
    assert "19 cells of columns 'bill_length_mm'" in err
    assert "are missing, and stay empty; 333 of 344 rows are complete" in err
    assert json.loads(out)["rows_of_a_test"] == [333, 344]


def test_a_learner_that_cannot_take_the_table_says_what_it_needs(capsys, monkeypatch):
    """A learner that does not support the table says what it needs in one line; the exit code is 2."""
    limit(monkeypatch, "brai", "categorical")
    code, out, err = run(capsys, "learn", str(SAMPLES["penguins"].path), "--quiet", "--learner", "brai")
    assert (code, out) == (2, "")
    assert "B-RAI needs categorical columns, found mixed ones with missing cells" in err.splitlines()[-1]


def test_findings_go_to_their_file(capsys, tmp_path):
    """The records of the findings are those of `check_health`."""
    path, table = tmp_path / "findings.json", tmp_path / "table.csv"
    table.write_text("a,b,k\n" + "".join(f"{'xy'[n % 2]},{'uvw'[n % 3]},same\n" for n in range(60)), "utf-8")
    code, *_ = run(capsys, "learn", str(table), "--quiet", "--force", "--findings", str(path))
    found = [Finding.from_dict(one) for one in json.loads(path.read_text("utf-8"))]
    assert code == 0
    assert [(one.severity, one.code, one.columns) for one in found] == [("blocker", "constant", ("k",))]
    assert found[0].reason.startswith("column 'k' has a single value in all rows used.")


def test_findings_quote_no_value_of_few_rows(capsys, tmp_path):
    """The file of findings is an export: it quotes no ID and no other value that identifies a row."""
    path, table = tmp_path / "findings.json", tmp_path / "table.csv"
    rows = [f"P{1000 + n}/{n},person{n}@mail.example,{120 + n}/{70 + n % 9},{'xy'[n % 2]}" for n in range(60)]
    rows[7] = "p1007/7,PERSON7@mail.example,n. d. by Smith,x"
    rows += [f"{rows[3].split(',')[0]},person3@mail.example;person4@mail.example,€ 1{n},y" for n in range(3)]
    table.write_text("patient,contact,pressure,group\n" + "\n".join(rows) + "\n", "utf-8")
    run(capsys, "learn", str(table), "--quiet", "--force", "--findings", str(path))
    text = path.read_text("utf-8")
    found = [Finding.from_dict(one) for one in json.loads(text)]
    assert found
    for private in ("P100", "p1007", "mail.example", "Smith", "121/", "€ 1"):
        assert private not in " ".join(
            [*(one.reason for one in found), *(fix.label for one in found for fix in one.fixes)]
        )


def test_a_ranking_goes_to_its_file(capsys, tmp_path):
    """A ranking is written to its file and to the JSON; for a learner without a ranking, a message says so."""
    path = tmp_path / "ranking.csv"
    code, out, _ = run(capsys, "learn", WINE, "--quiet", "--learner", "lmm", "--max-size", "6", "--ranking", str(path))
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert code == 0
    assert [int(row["rank"]) for row in rows] == [one["rank"] for one in json.loads(out)["ranking"]["pairs"]]
    assert {"joint CPPD", "hardest set of the first", "hardest set of the second"} <= set(rows[0])


@pytest.mark.parametrize(
    ("option", "refused"),
    [
        ("ranking", "hc gives no ranking; remove --ranking, or choose pc, mmpc,"),
        ("calibration", "hc gives no probabilities; remove --calibration, or choose"),
    ],
)
def test_a_file_that_the_learner_cannot_give_is_refused_before_the_run(option, refused, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(commands, "learn", lambda *_, **__: pytest.fail("the run began"))
    code, out, err = run(capsys, "learn", ASIA, "--quiet", "--learner", "hc", f"--{option}", str(tmp_path / "a.csv"))
    assert (code, out) == (2, "")
    assert refused in err


@pytest.mark.deep
@pytest.mark.compiled
def test_how_often_what_it_says_comes_true_goes_to_its_file(capsys, tmp_path):
    """The calibration file counts the pairs of all tables; a scheduler is contacted before the run."""
    path = tmp_path / "calibration.csv"
    arguments = ("learn", ASIA, "--learner", "exact_posterior", "--calibration", str(path), "--quiet")
    code, _, err = run(capsys, *arguments)
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert code == 0
    assert sum(int(row["pairs"]) for row in rows) == 20 * 28
    assert "from 20 tables" in err
    code, _, err = run(capsys, *arguments, "--scheduler", "nowhere")
    assert code == 2
    assert "no Dask scheduler answers at 'nowhere'" in err


@pytest.mark.deep
@pytest.mark.compiled
def test_what_the_arrows_are_worth_goes_to_its_file(capsys, tmp_path):
    """The file has a row for each ordered pair with a claim; the conclusion, or why there is no claim, is printed."""
    table, path = tmp_path / "table.csv", tmp_path / "trust.csv"
    rng = np.random.default_rng(0)
    a, b, d = rng.standard_normal((3, 400))
    values = np.column_stack([a, b, a + b + rng.standard_normal(400), d])
    np.savetxt(table, values, delimiter=",", header="a,b,c,d", comments="")
    code, _, err = run(capsys, "learn", str(table), "--learner", "boss", "--trust", str(path), "--quiet")
    assert code == 0, err
    assert "of 2 arrows" in err
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert {("a", "c"), ("b", "c")} <= {(row["first"], row["second"]) for row in rows}
    rarely = ("--trust", str(path), "--hidden-share", "0.1", "--quiet")
    assert run(capsys, "learn", str(table), "--learner", "boss", *rarely)[0] == 0
    sure = {(row["first"], row["second"]): row[Trust.HEADS[2]] for row in rows}
    assert all(repr(float(cell)) == cell for cell in sure.values())
    assert max(map(len, sure.values())) > 10  # at full precision
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert all(float(row[Trust.HEADS[2]]) >= float(sure[row["first"], row["second"]]) for row in rows)
    code, _, err = run(capsys, "learn", ASIA, "--hidden-share", "0.1", "--quiet")
    assert code == 2
    assert "--hidden-share belongs to --trust" in err
    code, _, err = run(capsys, "learn", ASIA, "--learner", "hc", "--trust", str(path), "--quiet")
    assert code == 0
    assert "nothing is claimed about causes, because other columns determine 'either'" in err
    assert path.read_text("utf-8").count("\n") == 1


def test_gates_that_a_table_does_not_have_are_stated_beside_the_verdict(capsys, tmp_path):
    """With categorical columns, `--trust` judges arrows and says which checks were not done."""
    table, path = tmp_path / "table.csv", tmp_path / "trust.csv"
    codes = np.random.default_rng(0).integers(0, 2, (300, 4))
    codes[:, 1] = np.where(codes[:, 2] == 1, codes[:, 0], codes[:, 1])
    np.savetxt(table, np.where(codes == 1, "yes", "no"), delimiter=",", header="a,b,c,d", comments="", fmt="%s")
    code, _, err = run(capsys, "learn", str(table), "--learner", "hc", "--trust", str(path), "--quiet")
    assert code == 0, err
    assert "nothing is claimed" not in err
    assert "share hidden causes was not checked, because this check fits linear equations to numeric columns" in err
    assert "linearity are checked in numeric columns only, and this table has none" in err


@pytest.mark.parametrize(
    "content", [b"", b"a,b\n", b"a,b\n1,2,3\n", bytes(range(256)) * 4], ids=["empty", "header", "ragged", "binary"]
)
def test_unreadable_table_is_refused_in_one_line(content, capsys, tmp_path):
    """A table that cannot be read, which the Data page refuses as well, is refused in one line."""
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    code, out, err = run(capsys, "learn", str(path))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_interrupted_run_writes_nothing(capsys, monkeypatch, tmp_path):
    """A run interrupted by Ctrl-C writes no result; it gives exit code 130 and one line."""

    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "learn", interrupted)
    path = tmp_path / "graph.json"
    code, out, err = run(capsys, "learn", ASIA, "--out", str(path), "--quiet")
    assert (code, out) == (130, "")
    assert "interrupted; nothing was written" in err
    assert not path.exists()


def test_list_names_every_learner_with_its_parameters(capsys):
    """The list names each learner and each of its options once, with the default for each type of table."""
    code, out, err = run(capsys, "list")
    assert (code, err) == (0, "")
    for learner in LEARNERS.values():
        shown = described(learner)
        assert shown in out
        assert shown.startswith(f"{learner.key}: {learner.label} ({learner.paper})")
        flags = re.findall(r"^  (--[a-z0-9-]+)", shown, re.M)
        names = dict.fromkeys(one.name for one in learner.parameters if one.name != "missing")  # an option of the table
        assert flags == [f"--{name.replace('_', '-')}" for name in names]
        assert shown.count("default ") >= sum(one.name != "missing" for one in learner.parameters)
        assert not re.search(r"default (None|True|False|[,);])", shown)


def test_a_default_of_the_list_can_be_typed(capsys, monkeypatch):
    """The words for no limit and for automatic are values of an option, like the other defaults."""
    given = {}
    monkeypatch.setattr(commands, "learn", lambda key, data, **params: given.update(params) or learn(key, data))
    for learner, word, value in (("pc", "--max-cond-size", "no limit"), ("boss", "--restarts", "automatic")):
        assert run(capsys, "learn", ASIA, "--quiet", "--learner", learner, word, value)[0] == 0
    assert (given["max_cond_size"], given["restarts"]) == (None, None)


def test_warm_up_command_says_nothing(capsys, monkeypatch):
    """The command runs the warm-up, with or without low priority, without output."""
    called = []
    monkeypatch.setattr("learners.workers.warm_up.warm_up", lambda *, behind: called.append(behind))
    assert run(capsys, "warm-up") == (0, "", "")
    assert run(capsys, "warm-up", "--behind") == (0, "", "")
    assert called == [False, True]


@pytest.mark.parametrize("words", [[], ["dance"], ["learn"]], ids=["nothing", "unknown", "no table"])
def test_wrong_usage_is_exit_code_2(words, capsys):
    """Wrong usage gives the message of argparse and exit code 2."""
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 2
    assert "usage: python -m learners" in capsys.readouterr().err


def test_module_runs_as_a_program():
    """A process of the module has the exit code and the streams of `main`."""
    done = subprocess.run(
        [sys.executable, "-m", "learners", "learn", ASIA, "--alpha", "0.01"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert from_json(done.stdout)[0] == learn("pc", dataset_of(ASIA), alpha=0.01).graph
    assert "level 1" in done.stderr


def test_a_blocker_ends_the_run_unless_forced(capsys, tmp_path):
    """A blocker is shown, the exit code is 2, and nothing is written; with --force the run continues."""
    path = tmp_path / "few.csv"
    path.write_text("a,b\nx,y\nz,y\nx,w\nz,w\n")
    code, out, err = run(capsys, "learn", str(path), "--quiet")
    assert (code, out) == (2, "")
    assert "edgewise: blocker: " in err
    assert err.rstrip().endswith("fix them, or add --force")
    code, out, _ = run(capsys, "learn", str(path), "--quiet", "--force")
    assert (code, from_json(out)[1]) == (0, ("a", "b"))


def test_odd_seeds_and_suffixes_are_no_crash(capsys, tmp_path):
    """A negative seed is refused with a message; the case of a suffix does not matter."""
    code, _, err = run(capsys, "learn", ASIA, "--quiet", "--seed", "-1")
    assert (code, "seed must be a whole number of at least 0, got -1" in err) == (2, True)
    assert run(capsys, "learn", ASIA, "--quiet", "--out", str(tmp_path / "g.JSON"))[0] == 0


@pytest.mark.compiled
def test_a_reader_that_has_enough_and_a_plain_terminal_are_no_crash():
    """A closed pipe and an ASCII-only terminal cause no traceback."""
    command = [sys.executable, "-m", "learners", "list"]
    closed = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    closed.stdout.close()
    assert (closed.stderr.read(), closed.wait()) == (b"", 0)
    plain = subprocess.run(command, cwd=ROOT, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (plain.returncode, plain.stderr) == (0, b"")
    assert b"G\\xb2" in plain.stdout


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.skipif(os.name != "posix", reason="asks a shell to close streams")
@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        ("list >&-", 2, "edgewise: standard output is closed; use the option --out of learn\n"),
        ("learn {asia} --quiet >&-", 2, "edgewise: standard output is closed; use the option --out of learn\n"),
        ("learn {asia} --out {folder}/g.json >&- 2>&-", 0, ""),
        (
            "learn {asia} --quiet > /dev/full",
            2,
            "edgewise: standard output cannot be written (No space",
        ),
        ("list > /dev/full", 2, "edgewise: standard output cannot be written (No space"),
    ],
)
def test_streams_that_are_closed_or_full_end_in_a_sentence(words, code, expected, tmp_path):
    """Closed or full streams cause neither a traceback nor a message of the interpreter."""
    line = f"{sys.executable} -m learners {words.format(asia=ASIA, folder=tmp_path)}"
    done = subprocess.run(line, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr.startswith(expected)) == (code, True), done.stderr
    assert done.stderr.count("\n") == (code == 2)


def test_a_file_that_cannot_be_written_is_named(capsys, tmp_path, monkeypatch):
    """A missing folder is reported before the run; a full disk is reported with the name of the file."""
    where = tmp_path / "no such folder" / "g.json"
    code, out, err = run(capsys, "learn", ASIA, "--out", str(where))
    assert (code, out) == (2, "")
    assert err == f"edgewise: the folder of {str(where)!r} does not exist; create it or choose another one\n"

    def full(*_args, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    code, _, err = run(capsys, "learn", ASIA, "--quiet", "--out", str(tmp_path / "g.json"))
    assert code == 2
    assert err.splitlines()[-1].endswith("g.json' cannot be written (No space left on device); choose another path")


MIXED = "sex;age;dose;ward;day\n" + "".join(
    f"{'mf'[k % 2]};{'k.A.' if k % 9 == 0 else 20 + k * 7 % 60};{k * k % 37},5;{'ABC'[k * k % 3]};{k % 28 + 1}.3.2024\n"
    for k in range(120)
)


def mixed(tmp_path, text=MIXED):
    """Write a mixed table with decimal commas, missing-value codes and dates; return its path."""
    path = tmp_path / "mixed.csv"
    path.write_text(text)
    return str(path)


def test_a_mixed_table_with_missing_cells_works_with_defaults(capsys, tmp_path):
    """Mixed data with missing cells need no option; the amount of data used is reported and stored with the answer."""
    code, out, err = run(capsys, "learn", mixed(tmp_path), "--quiet", "--missing", "k.A.", "--ignore", "day")
    assert code == 0
    assert "edgewise: uses 120 rows and 4 of 5 columns; 14 of 480 cells are missing" in err.splitlines()
    actual = json.loads(out)
    assert actual["names"] == ["sex", "age", "dose", "ward"]
    assert actual["data"] == {"rows": 120, "rows_of": 120, "columns": 4, "columns_of": 5, "cells": 466, "cells_of": 480}
    assert actual["rows_of_a_test"][0] < 120


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--bins", "3"], "column 'dose' was cut into 3 bins"),
        (["--bins", "3", "--bins", "dose=5"], "column 'dose' was cut into 5 bins"),
        (["--kind", "dose=normal-scores"], "the numbers of column 'dose' were transformed to normal scores by rank"),
        (["--kind", "dose=ignore"], "uses 120 rows and 3 of 5 columns"),
        (["--missing-cells", "drop"], "rows dropped for missing cells: 14 of 120"),
        (["--weights", "dose"], "as survey weights: 120 rows carry as much information as 85 of"),
        (["--weights", "dose"], ", weighed to a sample size of 85"),
        (["--missing-cells", "mode"], "14 missing numbers of column 'age' were imputed by the median"),
    ],
)
def test_columns_are_what_the_options_say(words, expected, capsys, tmp_path):
    """The columns are prepared according to the options, which are reported on stderr."""
    common = ["--quiet", "--missing", "k.A.", "--ignore", "day", "--max-cond-size", "1"]
    code, _, err = run(capsys, "learn", mixed(tmp_path), *common, *words)
    assert code == 0
    assert expected in err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--kind", "dosis=ignore"], "--kind names 'dosis', which is not a column; did you mean 'dose'?"),
        (["--kind", "dose"], "--kind must be COLUMN=VALUE, got 'dose'"),
        (["--kind", "dose=number"], "unknown kind 'number'; choose one of 'categorical', 'ordered', 'continuous'"),
        (["--bins", "dose=x"], "--bins must be N or COLUMN=N with a whole number N, got 'dose=x'"),
        (["--bins", "1"], "bins must be a whole number of at least 2, got 1"),
        (["--ignore", "nobody"], "--ignore names 'nobody', which is not a column"),
        (["--weights", "nobody"], "--weights names 'nobody', which is not a column"),
        (["--weights", "sex"], "column 'sex' must hold finite numbers, found 120 cells"),
        (["--plan", "nowhere.json"], "file 'nowhere.json' cannot be opened"),
    ],
)
def test_wishes_that_cannot_be_met_end_in_a_sentence(words, sentence, capsys, tmp_path):
    """Options that cannot be satisfied give exit code 2 and no answer; an invalid weight column is a blocker."""
    code, out, err = run(capsys, "learn", mixed(tmp_path), "--quiet", *words)
    assert (code, out) == (2, "")
    assert sentence in err


def test_a_plan_does_on_the_command_line_what_it_did_on_the_page(capsys, tmp_path):
    """A plan gives the same data set and graph as on the page; options change the plan."""
    path = mixed(tmp_path)
    table = read_table(Path(path))
    plan = default_plan(table).change("dose", normal_scores=True).change("age", "day", kind="ignore")
    stored = tmp_path / "plan.json"
    stored.write_text(write_plan(plan))
    code, out, err = run(capsys, "learn", path, "--quiet", "--plan", str(stored))
    assert (code, json.loads(out)["names"]) == (0, ["sex", "dose", "ward"])
    assert from_json(out)[0] == learn("pc", prepare(table, plan).dataset).graph
    assert "were transformed to normal scores by rank" in err


def test_columns_that_say_nothing_are_left_out_and_said(capsys, tmp_path):
    """Constant, empty and duplicate columns are ignored; with --force nothing is changed automatically."""
    rows = [line.split(";") for line in MIXED.replace("k.A.", "").splitlines()]
    wide = [[*row, "one", "", row[2]] for row in rows]
    wide[0][5:] = ["same", "none", "copy"]
    path = mixed(tmp_path, "".join(";".join(row) + "\n" for row in wide))
    code, out, err = run(capsys, "learn", path, "--quiet", "--ignore", "day")
    assert code == 0
    assert json.loads(out)["names"] == ["sex", "age", "dose", "ward"]
    assert "fixed: column 'same' has a single value in all rows used" in err
    assert "Done: leave out 'copy'" in err
    assert run(capsys, "learn", path, "--quiet", "--force", "--kind", "same=categorical", "--ignore", "none")[0] == 0


def test_what_the_page_proposes_is_taken_by_one_option(capsys, tmp_path):
    """One option applies and reports all suggested fixes, except for ignored columns and columns with other options."""
    text = MIXED.replace(";0,5", ";-99,0") + "m;-99;3,5;k.A.;3.3.2024\n"
    words = ["learn", mixed(tmp_path, text), "--quiet", "--max-cond-size", "1"]
    code, out, err = run(capsys, *words)
    assert (code, "add --proposed to apply" in err) == (0, True)
    code, out, err = run(capsys, *words, "--proposed", "--kind", "dose=bins", "--ignore", "sex")
    assert code == 0
    assert json.loads(out)["names"] == ["age", "dose", "ward", "day"]
    assert "add --proposed" not in err
    for expected in (
        "treat 'k.A.' as missing",
        "treat '-99' and '-99,0' as missing",
        "convert 'day' to days since the first date",
        "into 3 bins",
    ):
        assert expected in err
    with pytest.raises(SystemExit) as caught:
        run(capsys, *words, "--proposed", "--force")
    assert caught.value.code == 2


def test_a_learner_of_one_column_type_names_the_other_columns_and_a_fix(capsys, tmp_path, monkeypatch):
    """A learner of one column type names the other columns and a fix that works."""
    limit(monkeypatch, "brai", "categorical")
    words = ["learn", mixed(tmp_path), "--quiet", "--learner", "brai", "--ignore", "day", "--missing", "k.A."]
    code, _, err = run(capsys, *words)
    assert code == 2
    assert "cut columns 'age' and 'dose' into bins" in err
    assert run(capsys, *words, "--bins", "3", "--missing-cells", "drop")[0] == 0


def test_rows_and_sample_read_some_rows_and_stand_in_the_recipe(capsys, tmp_path):
    """Runs on the first rows or a sample equal the library's; the recipe repeats them from the whole file."""
    recipe, graph = tmp_path / "recipe.json", tmp_path / "graph.json"
    words = ("--rows", "3000", "--sample", "800", "--seed", "5")
    code, out, err = run(capsys, "learn", ASIA, "--quiet", *words, "--recipe", str(recipe), "--out", str(graph))
    table = read_table(Path(ASIA), max_rows=3_000, sample=800, seed=5)
    expected = learn("pc", prepare(table, default_plan(table)).dataset)
    assert (code, out) == (0, "")
    assert "uses 800 rows" in err
    assert from_json(graph.read_text())[0] == expected.graph
    assert json.loads(recipe.read_text())["reading"] == {"max_rows": 3000, "sample": 800, "seed": 5}
    assert run(capsys, "run", str(recipe), ASIA, "--quiet")[0] == 0
    for option in ("--rows", "--sample"):
        code, _, err = run(capsys, "learn", ASIA, option, "0")
        assert code == 2
        assert f"{option} must be" in err


def test_a_range_of_rows_is_used_and_stands_in_the_recipe(capsys, tmp_path):
    recipe, graph = tmp_path / "recipe.json", tmp_path / "graph.json"
    words = ("--use-rows", "1001-3000", "--recipe", str(recipe), "--out", str(graph))
    code, _, err = run(capsys, "learn", ASIA, "--quiet", *words)
    table = read_table(Path(ASIA))
    expected = learn("pc", prepare(table, default_plan(table).with_rows(1_001, 3_000)).dataset)
    assert code == 0
    assert "rows 1,001 to 3,000 of 5,000 rows" in err
    assert from_json(graph.read_text())[0] == expected.graph
    assert run(capsys, "run", str(recipe), ASIA, "--quiet")[0] == 0
    for wrong, sentence in (("1000", "must be FIRST-LAST"), ("9-3", "must not be below the first, got 9 and 3")):
        code, _, err = run(capsys, "learn", ASIA, "--use-rows", wrong)
        assert code == 2
        assert sentence in err


def test_a_recipe_is_written_and_followed(capsys, tmp_path):
    """Replaying a recipe gives exit code 0 for the same result, 1 for a different one, and 2 for an invalid recipe."""
    recipe, graph, other = tmp_path / "recipe.json", tmp_path / "graph.csv", tmp_path / "other.csv"
    assert run(capsys, "learn", ASIA, "--quiet", "--alpha", "0.01", "--recipe", str(recipe))[0] == 0
    code, actual, _ = run(capsys, "run", str(recipe), ASIA, "--quiet", "--out", str(graph))
    assert (code, actual.split(":")[0]) == (0, "the result is the same")
    assert graph.read_text(encoding="utf-8").startswith('"from",')
    other.write_bytes(b"".join(Path(ASIA).read_bytes().splitlines(keepends=True)[:200]))
    code, actual, _ = run(capsys, "run", str(recipe), str(other))
    assert (code, [line.split(":")[0] for line in actual.splitlines()]) == (
        1,
        ["the result differs", "the table differs"],
    )
    code, _, actual = run(capsys, "run", ASIA, str(recipe))
    assert (code, "a recipe must be JSON" in actual) == (2, True)


def test_a_replay_goes_to_its_file_in_place_of_the_graph(capsys, tmp_path):
    """The replay file explains the run and has its recipe; it contains rows only if the option requests them."""
    target = tmp_path / "out.html"
    code, out, _ = run(capsys, "learn", ASIA, "--replay", str(target), "--quiet")
    assert (code, out) == (0, "")
    packs = ReplayFile(target.read_text(encoding="utf-8")).packs
    data = dataset_of(ASIA)
    texts = explanation(learn("pc", data), (0, 1), data).written()
    assert tuple(packs["texts-en"]["texts"][0]) == texts
    assert json.loads(packs["page"]["recipe"])["learner"] == "pc"
    assert packs["page"]["title"] == Path(ASIA).name
    assert "data" not in packs
    run(capsys, "learn", ASIA, "--replay", str(target), "--replay-data", "--quiet")
    csv_text = ReplayFile(target.read_text(encoding="utf-8")).packs["data"]["csv"]
    assert csv_text.count("\n") == data.n_rows + 1


def test_a_log_names_each_phase_once_and_each_count_once(capsys):
    """Phases that alternate quickly, as those of a search with many starts, get one line each."""
    with terminal.progress(quiet=False) as tick:
        for k in range(40):
            tick("start", k, 40)
            tick(f"insertions, {k} steps so far", k, 0)
            tick("moves", k, 0)
    lines = [line.rpartition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert lines == ["edgewise: start: 0%", "edgewise: insertions, 0 steps so far", "edgewise: moves: 0"]


def test_a_replay_reports_its_progress(capsys, tmp_path):
    _, _, err = run(capsys, "learn", ASIA, "--replay", str(tmp_path / "out.html"))
    assert "edgewise: explaining pairs: 0%" in err


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["--replay", "out.json"], "the replay must end in .html"),
        (["--replay", "no/such/folder/out.html"], "the folder of"),
        (["--replay-data"], "--replay-data belongs to --replay"),
    ],
)
def test_a_replay_that_cannot_be_written_is_refused_before_the_run(words, cause, capsys):
    code, out, err = run(capsys, "learn", ASIA, *words)
    assert (code, out) == (2, "")
    assert cause in err


def test_a_replay_does_not_name_rare_values(capsys, tmp_path):
    """If a missing-value code of few rows would occur in the recipe, the replay has no recipe and says so."""
    path, target = tmp_path / "t.csv", tmp_path / "out.html"
    path.write_text("a,b\n" + "0,1\n1,0\n1,1\n" * 20 + "secretcode,1\n", encoding="utf-8")
    code, _, err = run(capsys, "learn", str(path), "--missing", "secretcode", "--replay", str(target))
    assert code == 0
    assert "the replay has no recipe" in err
    assert "secretcode" not in json.dumps(ReplayFile(target.read_text(encoding="utf-8")).packs)


def loaded_by(*words: str) -> set[str]:
    """Return the modules that a command has loaded at its end."""
    program = (
        "import atexit, sys, runpy\n"
        "atexit.register(lambda: sys.stderr.write('\\nloaded: ' + ' '.join(sys.modules)))\n"
        "runpy.run_module('learners', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout
    return set(done.stderr.rpartition("loaded: ")[2].split())


@pytest.mark.parametrize("word", ["list", "--version", "--help"])
def test_a_command_without_a_table_loads_no_package(word):
    """A command without a table loads neither NumPy nor a package that needs it."""
    assert loaded_by(word) & {"numpy", "pandas", "pyarrow", "scipy", "numba", "networkx"} == set()


@pytest.mark.deep
@pytest.mark.parametrize("sample", ["penguins.csv", "wine.csv"])
def test_reading_numbers_loads_no_pandas(sample):
    """Tables of numbers, also mixed ones with missing cells, are read without loading pandas."""
    assert "pandas" not in loaded_by("learn", str(ROOT / "sample_data/data" / sample), "--quiet")


@pytest.mark.deep
def test_a_run_loads_its_own_family():
    """PC on a complete categorical table loads no frame, graph library, network or other learner, and little SciPy.

    pyarrow would load pandas to convert an array, see `learners.data.arrow_arrays`. numba loads `scipy.linalg` with the
    first kernel.
    """
    loaded = loaded_by("learn", ASIA, "--quiet")
    assert loaded & {"pandas", "networkx", "learners.networks.network", "learners.recipes.recipe"} == set()
    assert {name for name in loaded if name.startswith("learners.independence.")} == {
        f"learners.independence.{name}"
        for name in ("ci_cache", "ci_test", "compiled_test", "g2", "selection", "set_search")
    }
    assert loaded & {"asyncio", "scipy.special", "scipy.stats", "scipy.optimize"} == set()
    assert {name for name in loaded if name.startswith("learners.completion.")} == {"learners.completion.completed"}
    assert {name for name in loaded if name.startswith("learners.verdict.")} == {
        f"learners.verdict.{name}" for name in ("assumptions", "filled_tables", "serial_rows")
    }
    others = {"averaging", "brai", "cimap", "h2pc", "hybrid", "latent", "lmm", "phgs", "score_based"}
    parts = [name.split(".") for name in loaded if name.startswith("learners.")]
    assert {part[2] for part in parts if part[1] in others and len(part) > 2} <= {"entry", "settings"}
