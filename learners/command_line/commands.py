"""The commands `learn` and `run`, and their options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from ..common.checks import check_count
from ..common.errors import DataError, ParameterError
from ..common.wording import did_you_mean, quoted
from ..data.dataset import Dataset
from ..data.disclosure import disclosed_finding, rare_texts
from ..data.plan.command_line import KINDS, column_of, with_bins, with_kind, with_mark, with_order, with_row_range
from ..data.plan.data_use import use_of
from ..data.plan.plan import Plan, Policy, default_plan
from ..data.plan.plan_file import fitted, read_plan
from ..data.plan.preparation import prepare
from ..data.quality.fixes import PROPOSED, with_proposals, without_blockers
from ..data.quality.health import check_health, with_found_groups
from ..data.quality.inspection import Inspection
from ..data.reading.table import Table, read_table
from ..families.catalogue import LEARNERS
from ..registry import calibrate, learn
from ..results.result import LearnResult
from ..settings.parameter import Parameter
from ..settings.reference import Reference
from ..settings.shared import AVAILABLE, HIDDEN_SHARES, MISSING
from ..verdict.assumptions import check_assumptions
from ..workers.warm_up import kind_of, share
from .output_files import (
    WRITERS,
    check_file,
    check_output,
    edge_lines,
    write_calibration,
    write_findings,
    write_ranking,
    write_text,
    write_trust,
)
from .terminal import answer, flag, is_terminal, progress, say

if TYPE_CHECKING:
    from ..verdict.noise_directions import NoiseDirections

EXIT_DIFFERS = 1

chosen_sentence = Reference("explaining.explanation", "chosen_sentence")
# Imported only for --explain, --trust and --compare-tests
explanation = Reference("explaining.explanation", "explanation")
directions_by_noise = Reference("verdict.noise_directions", "directions_by_noise")
trust = Reference("verdict.trust", "trust")
suited_test = Reference("choosing.suited_test", "suited_test")
CELLS = "--missing-cells"  # option for both the policy of the plan and the treatment by the learner


def add_learn_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `learn` to its parser."""
    parser.set_defaults(run_command=learn_table)
    parser.add_argument(
        "table",
        help="CSV, Excel, Parquet, SPSS, Stata or SAS file, also compressed (gzip, zip); CSV and Parquet up to 20 GB",
    )
    parser.add_argument("--rows", type=int, metavar="N", help="read only the first N rows of the table")
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help="read a random sample of N rows (of the first ones with --rows), drawn with --seed",
    )
    parser.add_argument("--learner", default="pc", help="key of the learner (default: pc)")
    parser.add_argument(
        "--out", help="output file: .json, .csv, .dot or .graphml (default: standard output, see --print)"
    )
    parser.add_argument(
        "--print",
        choices=("edges", "json"),
        help="print the graph as a line for each edge or as JSON (default: edges on a terminal, otherwise json)",
    )
    parser.add_argument("--findings", metavar="FILE", help="write the problems found in the table to this .json file")
    parser.add_argument("--ranking", metavar="FILE", help="write the ranking of the pairs to this .csv file")
    parser.add_argument("--recipe", help="write the recipe of the run to this file")
    parser.add_argument(
        "--replay", metavar="FILE", help="write the interactive replay of the run to this .html file, not the graph"
    )
    parser.add_argument("--replay-data", action="store_true", help="include the rows of the data in the replay")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (default: 0)")
    parser.add_argument(
        "--explain",
        nargs=2,
        action="append",
        default=[],
        metavar=("A", "B"),
        help="print why two variables are adjacent, or not, instead of the graph; may be repeated",
    )
    parser.add_argument(
        "--compare-tests",
        action="store_true",
        help="compare independence tests by their errors on permuted columns of the table, and learn no graph",
    )
    parser.add_argument(
        "--calibration",
        metavar="FILE",
        help="write the calibration of the edge probabilities on simulated tables to this .csv file",
    )
    parser.add_argument(
        "--trust",
        metavar="FILE",
        help="write the verdict on each arrow as a cause to this .csv file, allowing for hidden common causes",
    )
    parser.add_argument(
        "--hidden-share",
        type=float,
        choices=HIDDEN_SHARES,
        metavar="SHARE",
        help="share of the tables of your field with hidden common causes, for --trust: 0.1, 0.5 (default) or 0.9",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="run resamples, chains, trees and tables on this Dask scheduler (tls:// uses Dask's TLS settings)",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    fixes = parser.add_mutually_exclusive_group()
    fixes.add_argument(
        "--force", action="store_true", help="learn even if the table has blocking problems, and fix none of them"
    )
    fixes.add_argument("--proposed", action="store_true", help="apply all suggested fixes, as on the Data page")
    _add_plan_options(parser)
    for name in _names():
        parser.add_argument(flag(name), dest=name, nargs="?", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def _add_plan_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that change the plan of the table."""
    columns = parser.add_argument_group("columns", "Each option may be repeated; columns are named as in the table.")
    columns.add_argument("--plan", help="plan.json from the Data page; the options below change it")
    columns.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="COLUMN=KIND",
        help=f"set the type of a column: {', '.join(KINDS)}",
    )
    columns.add_argument(
        "--bins", action="append", default=[], metavar="[COLUMN=]N", help="bin one column, or all numeric columns"
    )
    columns.add_argument(
        "--order",
        action="append",
        default=[],
        metavar="COLUMN=LEVELS",
        help='order the levels of a column, as in "pain=none < mild < severe"; COLUMN=none for no order',
    )
    columns.add_argument(
        "--missing", action="append", default=[], metavar="MARK", help="text that marks a missing value"
    )
    columns.add_argument("--ignore", action="append", default=[], metavar="COLUMN", help="ignore a column")
    columns.add_argument("--weights", metavar="COLUMN", help="column of row weights")
    columns.add_argument("--transpose", action="store_true", help="exchange the rows and columns of the table")
    columns.add_argument("--use-rows", metavar="FIRST-LAST", help="use only these rows, counted from 1")
    columns.add_argument("--drop-copies", action="store_true", help="leave out exact copies of earlier rows")
    columns.add_argument("--count-copies", action="store_true", help="treat exact copies of rows as separate cases")
    columns.add_argument("--one-row-per", metavar="COLUMN", help="use the first row of each subject or other group")
    columns.add_argument(
        "--resample-by", metavar="COLUMN", help="column of subjects or other groups; resamples draw each group whole"
    )
    columns.add_argument(
        "--independent-rows",
        type=int,
        metavar="N",
        help="count the rows as N independent ones, because they depend on one another",
    )
    columns.add_argument(
        CELLS,
        choices=("auto", *get_args(Policy)),
        help="missing cells: EM or imputation (auto, the default), or the rows complete for each "
        "test or score (available). drop leaves out incomplete rows, category makes missing a level, "
        "mode imputes the most frequent value",
    )


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `run` to its parser."""
    parser.set_defaults(run_command=run_recipe)
    parser.add_argument("recipe", help="recipe.json from the Inspect page or from learn --recipe")
    parser.add_argument("table", help="table of the recipe, or another one with the same columns")
    parser.add_argument("--out", help="output file of the graph: .json, .csv, .dot or .graphml")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def learn_table(options: argparse.Namespace, rest: Sequence[str]) -> int:
    """Learn a graph from a table and write it; `rest` are options that the parser does not know."""
    settings = _settings(options, rest)
    _check_scheduler(options)
    suffix = check_output(options.out)
    check_file("findings", options.findings, ".json")
    check_file("ranking", options.ranking, ".csv")
    check_file("calibration", options.calibration, ".csv")
    check_file("replay", options.replay, ".html", ".htm")
    _check_gives(options)
    if options.replay_data and not options.replay:
        raise ParameterError("--replay-data belongs to --replay; name its file as well")
    check_file("trust", options.trust, ".csv")
    if options.hidden_share and not options.trust:
        raise ParameterError("--hidden-share belongs to --trust; name its file as well")
    table, plan, dataset = _prepared(options)
    if options.compare_tests:
        return _compare_tests(dataset, options)
    pairs = [_pair(dataset, *names) for names in options.explain]
    share((options.learner, kind_of(dataset)))
    executor = nullcontext()
    if options.scheduler:
        from ..common.dask_client import distribute_over  # imports asyncio

        executor = distribute_over(options.scheduler)
    with executor, progress(quiet=options.quiet) as tick:
        result = learn(options.learner, dataset, tick=tick, seed=options.seed, **settings)
        grouped = with_found_groups(dataset, table, plan)
        found = calibrate(result, dataset, tick=tick) if options.calibration else None
        believed = None
        if options.trust:
            share_hidden = options.hidden_share or 0.5
            believed = trust(result, grouped, hidden_share=share_hidden, seed=options.seed, tick=tick)
    assumptions = check_assumptions(grouped, result)
    say([*_sentences(result), *assumptions.sentences(result.names)])
    result = replace(result, use=use_of(dataset, table, plan))
    _write_repetition(options, table, plan, dataset, result)
    if options.out:
        write_text(Path(options.out), WRITERS[suffix](result))
    elif not pairs and not options.replay:
        as_edges = options.print == "edges" or (options.print is None and is_terminal())
        answer(edge_lines(result) if as_edges else WRITERS[suffix](result) + "\n")
    noise = directions_by_noise(result, dataset, assumptions=assumptions) if pairs or believed else None
    for pair in pairs:
        answer("\n".join([*explanation(result, pair, dataset).written(), *_of_noise(noise, pair)]) + "\n")
    if options.ranking:
        write_ranking(Path(options.ranking), result)
    if found:
        write_calibration(Path(options.calibration), found)
    if believed:
        write_trust(Path(options.trust), believed, result)
        if assumptions.unread and assumptions.unread != believed.silent:
            say([assumptions.hidden_unchecked])
        say(noise.sentences())
    return 0


def _compare_tests(dataset: Dataset, options: argparse.Namespace) -> int:
    """Print the tests compared on permuted columns, and the recommended one."""
    with progress(quiet=options.quiet) as tick:
        found = suited_test(dataset, seed=options.seed, tick=tick)
    lines = [
        f"{one.label}: {one.false_share:.1%} of independent pairs, {one.found_share:.1%} of the pairs"
        for one in found.tests
    ]
    option = " ".join(f"{flag(name)} {value}" for name, value in found.recommended.settings.items())
    answer("\n".join([str(found.reason), *([f"Option: {option}"] if option else []), *lines]) + "\n")
    return 0


def _of_noise(noise: NoiseDirections, pair: tuple[int, int]) -> list[str]:
    """Return a sentence on the direction that the noise suggests for an undirected edge."""
    edge = noise.of_pair(*pair)
    if edge is None:
        return []
    text = noise.sentence(edge)
    return [f"{text[0].upper()}{text[1:]}."]


def _write_repetition(
    options: argparse.Namespace, table: Table, plan: Plan, dataset: Dataset, result: LearnResult
) -> None:
    """Write the recipe of the run and its replay, if requested."""
    if not options.recipe and not options.replay:
        return
    from ..recipes.recipe import recipe_of, write_recipe
    from ..recipes.replay_file import replay

    name = Path(options.table).name
    recipe = recipe_of(table, plan, result, seed=options.seed, reading=_reading(options), name=name)
    if options.recipe:
        write_text(Path(options.recipe), write_recipe(recipe))
    if options.replay:
        names_values = bool(rare_texts(table, plan))
        if names_values:
            say(["the replay has no recipe, because it would name values of few rows; write it by --recipe"])
        page = replay(
            result, dataset, title=name, recipe=None if names_values else recipe, include_data=options.replay_data
        )
        with progress(quiet=options.quiet) as tick:
            text = page.to_html(tick)
        write_text(Path(options.replay), text)


def _sentences(result: LearnResult) -> list[str]:
    """Return the imputation of missing cells, what the run itself chose, and the warnings."""
    treatment = [] if result.completed is None else [result.completed.sentence]
    sentence = chosen_sentence(result)
    chosen = [] if sentence is None else [sentence.text(result.names)]
    return [*treatment, *chosen, *result.warnings]


def _pair(dataset: Dataset, a: str, b: str) -> tuple[int, int]:
    """Return the positions of two variables that are named on the command line."""
    for name in (a, b):
        if name not in dataset.names:
            raise ParameterError(
                f"--explain: no variable is called {quoted([name])}{did_you_mean(name, dataset.names)}"
            )
    if a == b:
        raise ParameterError(f"--explain needs two different variables, got {quoted([a])} twice; name another one")
    return dataset.index(a), dataset.index(b)


def _check_gives(options: argparse.Namespace) -> None:
    """Raise ParameterError, before the run, if an output file needs a result that the learner lacks."""
    learner = LEARNERS.get(options.learner)
    for option, what in (("ranking", "ranking"), ("calibration", "probabilities")):
        if learner is not None and getattr(options, option) and learner.gives != what:
            able = ", ".join(key for key, one in LEARNERS.items() if one.gives == what)
            raise ParameterError(f"{options.learner} gives no {what}; remove --{option}, or choose {able}")


def _check_scheduler(options: argparse.Namespace) -> None:
    """Refuse a scheduler for a learner that has no independent tasks, unless a calibration needs it."""
    if not options.scheduler or options.calibration:
        return
    if options.learner in LEARNERS and not LEARNERS[options.learner].spreads:
        able = ", ".join(key for key, one in LEARNERS.items() if one.spreads)
        raise ParameterError(f"{options.learner} cannot use a scheduler; remove --scheduler, or choose {able}")


def run_recipe(options: argparse.Namespace, _rest: Sequence[str]) -> int:
    """Repeat the run of a recipe and print the comparison of the results."""
    from ..recipes.recipe import read_recipe
    from ..recipes.rerun import rerun

    suffix = check_output(options.out) if options.out else ""
    recipe = read_recipe(Path(options.recipe))
    table = read_table(Path(options.table), **recipe.reading)
    with progress(quiet=options.quiet) as tick:
        again = rerun(recipe, table, tick=tick)
    say([*again.notes, again.result.use.sentence, *_sentences(again.result)])
    if options.out:
        write_text(Path(options.out), WRITERS[suffix](again.result))
    answer("".join(f"{sentence}\n" for sentence in again.verdict.sentences))
    return 0 if again.verdict.same else EXIT_DIFFERS


def _settings(options: argparse.Namespace, rest: Sequence[str]) -> dict:
    """Convert options such as ``--alpha 0.01 --max-cond-size none`` to parameters of the learner."""
    key = options.learner
    if key not in LEARNERS:
        return {}  # `learn` raises an error that lists them
    known = {one.name: one for one in LEARNERS[key].parameters if one.name != MISSING.name}
    given = {name: vars(options)[name] for name in _names() if name in vars(options)}
    given = LEARNERS[key].with_present_names(given)
    unknown = [flag(name) for name in given if name not in known] + list(rest)
    if unknown and unknown[0] in LEARNERS:
        raise ParameterError(f"name the learner by --learner {unknown[0]}")
    if unknown:
        raise ParameterError(f"unknown option {unknown[0].split('=')[0]!r}; {key} has {', '.join(map(flag, known))}")
    for name, text in given.items():
        if text is None:
            raise ParameterError(f"option {flag(name)} needs a value")
    settings = {name: _converted(known[name], text) for name, text in given.items()}
    if options.missing_cells == AVAILABLE and LEARNERS[key].takes_missing:
        settings[MISSING.name] = AVAILABLE
    return settings


def _names() -> list[str]:
    """Return the parameters of all learners, so that the parser does not take their values for the table."""
    settings = [one for learner in LEARNERS.values() for one in learner.settings if one.name != MISSING.name]
    return sorted({parameter.name for parameter in settings} | {one.former for one in settings if one.former})


def _converted(parameter: Parameter, text: str) -> object:
    if parameter.optional and text.lower() in ("none", parameter.word(None)):
        return None
    kind = type(parameter.example)
    if kind is bool and text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return text if kind in (str, bool) else kind(text)
    except ValueError as error:
        words = {float: "a number", int: "a whole number", bool: "true or false"}
        raise ParameterError(f"{parameter.name} must be {words[kind]}, got {text!r}") from error


def _prepared(options: argparse.Namespace) -> tuple[Table, Plan, Dataset]:
    """Read and prepare the table, and print each step; raise DataError if problems remain that block learning."""
    table = read_table(Path(options.table), **_reading(options))
    plan = _plan(options, table)
    inspection = Inspection(table, plan)
    if inspection.table.n < inspection.n_chosen:
        say([f"only {inspection.table.n:,} of {table.n:,} rows are checked for problems, because the file is large"])
    done: list[str] = []
    if options.force:
        findings = check_health(table, plan)
    else:
        plan, findings, done = without_blockers(table, plan)
    say(f"fixed: {step}" for step in done)
    say(f"{finding.severity}: {finding.reason}" for finding in findings)
    if options.findings:
        write_findings(Path(options.findings), [disclosed_finding(one, table, plan) for one in findings])
    if not options.force and any(finding.code in PROPOSED and finding.fixes for finding in findings):
        say(["add --proposed to apply the suggested fixes"])
    if not options.force and any(finding.severity == "blocker" for finding in findings):
        raise DataError("the table has blocking problems; fix them, or add --force")
    prepared = prepare(table, plan)
    say([*prepared.notes, use_of(prepared.dataset, table, plan).sentence])
    return table, plan, prepared.dataset


def _reading(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `read_table`."""
    check_count("--rows", options.rows, 1, optional=True)
    check_count("--sample", options.sample, 1, optional=True)
    reading: dict[str, Any] = {"transpose": True} if options.transpose else {}
    reading |= {"max_rows": options.rows} if options.rows is not None else {}
    return reading | ({"sample": options.sample, "seed": options.seed} if options.sample is not None else {})


def _plan(options: argparse.Namespace, table: Table) -> Plan:
    """Return the plan: stored or guessed, then changed by the options in a fixed order."""
    plan = default_plan(table)
    if options.plan:
        plan, notes = fitted(read_plan(Path(options.plan)), table)
        say(notes)
    for mark in options.missing:
        plan = with_mark(table, plan, mark)
    plan = plan.change(*(column_of(plan, "--ignore", name) for name in options.ignore), kind="ignore")
    if options.weights:
        plan = plan.with_weights(column_of(plan, "--weights", options.weights))
    if options.use_rows:
        plan = with_row_range(plan, options.use_rows)
    if options.drop_copies:
        plan = plan.with_drop_copies(True)
    if options.count_copies:
        plan = plan.with_count_copies(True)
    if options.one_row_per:
        plan = plan.with_one_row_per(column_of(plan, "--one-row-per", options.one_row_per))
    if options.resample_by:
        plan = plan.with_resample_by(column_of(plan, "--resample-by", options.resample_by))
    if (rows := options.independent_rows) is not None:
        if not 0 < rows <= table.n:
            raise ParameterError(
                f"--independent-rows must be from 1 to the {table.n:,} rows of the table, got {rows:,}"
            )
        plan = plan.with_independence(rows / table.n)
    if options.proposed:  # before options of single columns, which override it
        plan, _, done = with_proposals(table, plan)
        say(f"fixed: {step}" for step in done)
    for wish in options.kind:
        plan = with_kind(plan, wish)
    for wish in options.order:
        plan = with_order(plan, wish)
    for wish in sorted(options.bins, key=lambda wish: "=" in wish):  # options of single columns come last and override
        plan = with_bins(plan, wish)
    return plan.with_policy(options.missing_cells) if options.missing_cells in get_args(Policy) else plan
