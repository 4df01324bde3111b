"""Tests of lessons: every file parses, every answer is computed, and a malformed file gives an error with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from learners.effects.interventions import intervene
from learners.graphs.graph import PDAG
from learners.networks.network import DiscreteNetwork
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.exercises import CHECKS, exercise
from learners.teaching.lessons.graph_syntax import read_graph
from learners.teaching.lessons.lesson import LessonError, LessonGraph, LessonQuestion, LessonRun
from learners.teaching.lessons.lesson_parser import read_lesson
from learners.teaching.lessons.lesson_runs import errors_by_seed, result_of
from learners.teaching.lessons.probability_answers import probability_answer
from tests import naive, naive_lessons
from viz.translation.sentences import catalog

FOLDER = Path(__file__).parents[4] / "lessons"
FILES = sorted(FOLDER.glob("*.md"))
TRANSLATED = sorted(FOLDER.glob("*/*.md"))
HEAD = "# A lesson\nminutes: 10\n"
FORK = "```graph\na <- b -> c\n```\n"
SAY = TEXTS["en"]


def lesson(path):
    return read_lesson(path.read_text(encoding="utf-8"), path.stem, "en" if path.parent == FOLDER else path.parent.name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_lesson_reads_and_has_exercises(path):
    """Every lesson takes at most 15 minutes and has at least two questions."""
    one = lesson(path)
    assert one.minutes <= 15
    assert sum(isinstance(block, LessonQuestion) for block in one.blocks) >= 2


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_a_translation_has_the_same_directives(path):
    """A translation has the graphs, runs and checks of the English lesson in the same order; only prose differs."""
    theirs, ours = directives(path), directives(FOLDER / path.name)
    assert theirs == ours
    assert lesson(path).title != lesson(FOLDER / path.name).title


def directives(path):
    """Return the minutes and the blocks of a lesson, with questions reduced to their check."""
    lines = path.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w+)\n(.*?)\n```$", lines, re.M | re.S)
    return lines.splitlines()[1], [
        (name, text.splitlines()[-1] if name == "question" else text) for name, text in blocks
    ]


def test_every_lesson_is_reported_in_german():
    """All lessons and all texts about answers have a German version."""
    assert [path.name for path in TRANSLATED if path.parent.name == "de"] == [path.name for path in FILES]
    fields = {
        language: {k: set(re.findall(r"{\w+}", v)) for k, v in entries.items()} for language, entries in TEXTS.items()
    }
    assert fields["de"] == fields["en"]
    assert not {k for k in TEXTS["en"] if TEXTS["en"][k] == TEXTS["de"][k]}


def test_german_lessons_name_pages_and_buttons_as_the_screen_does():
    """German lessons translate the words in italics that the catalog translates, such as *Inspect*."""
    known = catalog("de")
    for path in TRANSLATED:
        named = re.findall(r"(?<!\*)\*([A-Z][^*\n]*)\*(?!\*)", path.read_text(encoding="utf-8"))
        assert not [word for word in named if known.get(word, word) != word], path.name


@pytest.mark.compiled
def test_every_question_about_a_run_has_an_answer():
    """Questions about a run of a learner have an answer among their choices."""
    about_runs = [b for path in FILES for b in lesson(path).blocks if isinstance(b, LessonQuestion)]
    for question in about_runs:
        if isinstance(question.subject, LessonRun):
            solved = exercise(question)
            assert 0 <= solved.answer < len(solved.choices)


@pytest.mark.parametrize("path", [*FILES, *TRANSLATED], ids=lambda path: f"{path.parent.name} {path.stem}")
@pytest.mark.compiled
def test_an_independent_program_answers_every_question(path):
    """Every answer agrees with an independent program that reads the file, and no question is negated."""
    language = "en" if path.parent == FOLDER else path.parent.name
    expected = list(naive_lessons.answers(path.read_text(encoding="utf-8"), language))
    questions = [block for block in lesson(path).blocks if isinstance(block, LessonQuestion)]
    assert [(q.line, q.text) for q in questions] == [(line, text) for line, text, *_ in expected]
    for question, (line, _, about_run, found) in zip(questions, expected, strict=True):
        if not about_run:
            assert len(set(exercise(question, language).choices)) > 1
        if about_run and language != "en":
            continue  # the run is the same as in English
        solved = exercise(question, language)
        assert (line, solved.choices[solved.answer]) == (line, found)


@pytest.mark.compiled
def test_more_data_make_fewer_errors():
    """The data of lesson 6 support its claim: the errors of each seed decrease with the number of rows."""
    run = next(b for b in lesson(FOLDER / "06-more-data.md").blocks if isinstance(b, LessonRun))
    counts = np.array(errors_by_seed(replace(run, repeats=2)))
    assert (np.diff(counts, axis=0) < 0).all()


@pytest.mark.deep
@pytest.mark.compiled
def test_more_data_make_fewer_errors_with_every_seed():
    """The median errors of the 20 seeds in the picture decrease with the rows; the last two ranges do not overlap."""
    run = next(b for b in lesson(FOLDER / "06-more-data.md").blocks if isinstance(b, LessonRun))
    counts = np.array(errors_by_seed(run))
    assert counts.shape == (3, 20)
    assert (np.diff(np.median(counts, axis=1)) <= -3).all()
    assert counts[2].max() <= counts[1].min()


@pytest.mark.compiled
def test_the_reasons_for_the_wrong_graph_of_asia_are_those_of_the_run():
    """Lesson 3 names the missing edges, the sets that removed them, and the doubtful arrows."""
    run = next(b for b in lesson(FOLDER / "03-pc-by-hand.md").blocks if isinstance(b, LessonRun))
    result, names = result_of(run), result_of(run).names
    between = {
        (a, b): {names[k] for k in result.sepsets.between(names.index(a), names.index(b))}
        for a, b in (("either", "xray"), ("either", "dysp"), ("asia", "tub"), ("lung", "bronc"))
    }
    assert between == {
        ("either", "xray"): {"tub", "lung"},
        ("either", "dysp"): {"tub", "lung"},
        ("asia", "tub"): set(),
        ("lung", "bronc"): {"either"},
    }
    smoke = names.index("smoke")
    assert {names[k] for k in result.graph.parents(smoke)} == {"lung", "bronc"}
    assert all(result.directions[k, smoke].support.is_doubtful for k in result.graph.parents(smoke))


def test_all_checks_are_used():
    """Every check is used by a lesson."""
    used = {b.check for path in FILES for b in lesson(path).blocks if isinstance(b, LessonQuestion)}
    assert used == set(CHECKS)


def answer(graph, check, about=""):
    text = (
        f"{HEAD}```graph\n{graph}\n```\n```question\nIs it independent, or an adjustment set?\n{check}: {about}\n```\n"
    )
    solved = exercise(read_lesson(text, "x").blocks[-1])
    return solved.choices[solved.answer]


def test_answers_agree_with_enumeration():
    """Answers on separation, direction and class size equal enumeration on random DAGs of four nodes."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        dag = naive.random_dag(rng, 4, 5)
        arrows = PDAG(dag).directed_edges()
        if {k for edge in arrows for k in edge} != set(range(4)):
            continue
        graph = "\n".join(f"v{a} -> v{b}" for a, b in arrows)
        members = naive.dags_of_class(dag)
        assert answer(graph, "members") == str(len(members))
        for x, y in ((0, 1), (2, 3)):
            shown = answer(graph, "independent", f"v{x}, v{y} | v{3 - x}")
            if 3 - x not in (x, y):
                assert shown == ("yes" if naive.d_separated(dag, x, y, (3 - x,)) else "no")
        a, b = arrows[0]
        ways = {bool(member[a, b]) for member in members}
        assert answer(graph, "arrow", f"v{a}, v{b}") == (f"v{a} → v{b}" if ways == {True} else "either way")


TEST = (
    "disease -> test\nP(disease): yes 0.01, no 0.99\n"
    "P(test | disease = yes): positive 0.9, negative 0.1\nP(test | disease = no): positive 0.05, negative 0.95"
)


def test_probabilities_agree_with_the_junction_tree():
    """Answers about seen and set values equal those of the inference engine, on random networks of four variables."""
    rng = np.random.default_rng(1)
    for _ in range(8):
        dag = PDAG(naive.random_dag(rng, 4, 4))
        names = tuple("abcd")
        tables = [rng.dirichlet((1.0, 1.0), 2 ** len(dag.parents(j))) for j in range(4)]
        network = DiscreteNetwork(names, (("yes", "no"),) * 4, dag, tables)
        seen, done = {"b": "yes", "c": "no"}, {"b": "yes"}
        for changed, given, about in (
            (network, seen, "a = yes | b = yes, c = no"),
            (intervene(network, done), {}, "a = yes | do(b = yes)"),
            (intervene(network, done), {"c": "no"}, "a = yes | do(b = yes), c = no"),
        ):
            choices, right, *_, entered = probability_answer(
                LessonGraph(dag, names, np.eye(4), tables=network), about, SAY
            )
            expected = 100 * changed.posterior({**given, **(done if changed is not network else {})})["a"][0]
            assert entered.value == pytest.approx(expected)
            assert choices[right] == f"{expected:.3g} %"


def test_an_entered_percentage_is_right_or_a_known_mistake():
    """A swapped condition is named; a small probability has a small tolerance."""
    text = f"{HEAD}```graph\n{TEST}\n```\n```question\nHow likely?\nprobability: disease = yes | test = %s\n```\n"
    positive, negative = (exercise(read_lesson(text % level, "x").blocks[-1]) for level in ("positive", "negative"))
    assert [positive.percentage.is_right(n) for n in (15.4, 15, 14.5, 90)] == [True, True, False, False]
    assert "swapped" in positive.percentage.slip(90)
    assert positive.percentage.slip(50) == ""
    assert [negative.percentage.is_right(n) for n in (0.106, 0.1, 0, 0.5)] == [True, True, False, False]


def test_a_set_that_comes_after_the_cause_does_not_adjust():
    """An adjustment set blocks the causes of the treatment and has none of its effects."""
    story = "s -> t -> r\ns -> r\nt -> m -> r"
    assert [answer(story, "adjusts", f"t, r | {held}") for held in ("", "s", "s, m")] == ["no", "yes", "no"]


def test_weights_and_marks_of_a_graph():
    """In the graph of a lesson, the weight of an arrow is the number that follows it, or 1."""
    graph = read_graph(["a -> b : -0.5", "c -> b", "c -- d", "given: b"])
    assert graph.names == ("a", "b", "c", "d")
    assert graph.weights[0, 1] == -0.5
    assert graph.weights[2, 1] == 1
    assert graph.graph == PDAG.from_edges(4, directed=[(0, 1), (2, 1)], undirected=[(2, 3)])
    assert graph.given == ("b",)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("PC by hand", 1, "begins with its title"),
        ("# PC\nten minutes", 1, "how long"),
        (HEAD + "```graph\na -> b", 1, "no end"),
        (HEAD + "\n```graph\na ->\n```", 4, "joins names"),
        (HEAD + "```graph\na -> b : x\n```", 3, "a number"),
        (HEAD + "```graph\na -> b\nb -> a\n```", 3, "given once"),
        (HEAD + "```grpah\na -> b\n```", 3, "grpah"),
        (HEAD + "```graph\na -> b\nP(a): yes 0.5, no 0.5\n```", 3, "probabilities of b are missing"),
        (HEAD + f"```graph\n{TEST[:-10]}\n```", 3, "a level and its probability"),
        (HEAD + f"```graph\n{TEST.replace('0.99', '0.9')}\n```", 3, "sum"),
        (HEAD + f"```graph\n{TEST.replace('disease = no', 'disease = maybe')}\n```", 3, "disease = no"),
        (HEAD + FORK + "```question\nHow likely?\nprobability: a = yes\n```", 6, "no probabilities"),
        (HEAD + f"```graph\n{TEST}\n```\n```question\nSo?\nprobability: test = maybe\n```", 9, "test = maybe"),
        (HEAD + FORK + "```question\nWell?\nguessed: yes\n```", 6, "computed by one of"),
        (HEAD + FORK + "```question\nAre a and z independent?\nindependent: a, z\n```", 6, 'no variable "z"'),
        (HEAD + FORK + "```question\nAre a and b adjacent?\nadjacent: a, b\n```", 6, "a run, and none"),
        (HEAD + FORK + "```question\nAre a and c not independent?\nindependent: a, c |\n```", 6, "negated"),
        (HEAD + FORK + "```question\nAre a and c dependent?\nindependent: a, c |\n```", 6, "independent"),
        (HEAD + FORK + "```question\nName it.\nindependent: a, c |\n```", 6, "question mark"),
        (HEAD + "```run\ndata: asia\nslider: sideways\n```", 3, "slider is one of"),
        (HEAD + "```run\ndata: asia\nshows: unicorns\n```", 3, "parts of a picture"),
        (HEAD + "```run\ndata: asia\nrepeats: 20\n```", 3, "several values"),
        (HEAD + "```run\nlearner: magic\n```", 3, 'no learner "magic"'),
        (HEAD + "```run\ndata: asia\nalhpa: 0.1\n```", 3, "alhpa"),
        (HEAD + "```run\ndata: asia\nalpha: 0.1, 0.2\nrows: 10, 20\n```", 3, "only one setting"),
        (HEAD + "```run\ndata: asia\nrows: 1e9\n```", 3, "whole number"),
    ],
)
def test_a_wrong_file_gets_a_sentence_with_its_line(text, line, words):
    """The error message names the line, so that the author of a lesson can find the fault."""
    with pytest.raises(LessonError, match=rf"x, line {line}: ") as caught:
        read_lesson(text, "x")
    assert words in str(caught.value)
    with pytest.raises(LessonError, match=rf"de/x, line {line}: "):
        read_lesson(text.replace("Are a and z independent?", "Sind a und z unabhängig?"), "x", "de")
