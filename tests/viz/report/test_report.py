"""Property tests of reports for every learner: the report shows the result, runs no code and sends no request."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from learners.data.dataset import Dataset
from learners.data.plan.plan import default_plan
from learners.data.plan.preparation import prepare
from learners.data.quality.health import check_health
from learners.data.reading.table import read_table
from learners.evaluation import metrics
from learners.explaining.explanation import explanation
from learners.graphs.graph import PDAG
from learners.graphs.knowledge import Knowledge
from learners.graphs.pag import PAG
from learners.graphs.rules import Rule
from learners.recipes.recipe import read_recipe, recipe_of
from learners.registry import LEARNERS, learn
from learners.results.events import Action
from tests.viz.cases import HOSTILE, judged, made, oriented
from tests.viz.test_kinds import CASES, DATA, learnt
from tests.viz.test_verdicts import judged as verdict
from viz.compare.tables import edge_by_edge
from viz.language import Language
from viz.report.document import Grid, Heading, Items, Picture, Text
from viz.report.report import belief_section, html_report, markdown_report, report
from viz.report.side_by_side import ComparedRuns, html_comparison, markdown_comparison
from viz.report.subject import Subject
from viz.text import PROBABILITIES, format_number, one_line

SVG = "{http://www.w3.org/2000/svg}"
TEXT_TAGS = {"h1", "h2", "h3", "p", "ul", "li", "pre", "code", "figure", "figcaption", "div", "section", "main"}
TABLE_TAGS = {"table", "thead", "tbody", "tr", "th", "td"}
TAGS = {"html", "head", "meta", "title", "style", "body", "svg", "g", "path", "rect", "text"} | TEXT_TAGS | TABLE_TAGS
ENGLISH_WORD = re.compile(
    r"\b(the|is|are|of|and|with|without|not|by|for|this|that|edges?|rows?|columns?|missing)\b", re.I
)
ARROWS = {"→": True, "—": False}
OF_PAGS = {"circles": "o-o", "circle-forward": "o->", "circle-backward": "<-o", "bidirected": "<->"}
SIGNS = {"o-o": "o—o", "o->": "o→", "<-o": "←o", "<->": "↔", "->": "→"}


def subject_of(result, dataset, **more) -> Subject:
    """Return the subject of a report with nodes on a circle."""
    angle = np.linspace(0, 2 * np.pi, len(result.names), endpoint=False)
    places = 0.5 + 0.5 * np.column_stack([np.cos(angle), np.sin(angle)])
    return Subject("A run", "A table", result, dataset, places, **more)


@cache
def page(key: str, kind: str) -> ElementTree.Element:
    """Return the report on a run, which is also well-formed XML."""
    return ElementTree.fromstring(html_report(subject_of(learnt(key, kind), DATA[kind])))


def section(root: ElementTree.Element, title: str) -> ElementTree.Element | None:
    return next((one for one in root.iter("section") if one.find("h2").text == title), None)


def table_of(part: ElementTree.Element) -> list[dict[str, str]]:
    """Return the first table of a section of the page."""
    found = part.find(".//table")
    head = [one.text or "" for one in found.iter("th")]
    return [dict(zip(head, [cell.text or "" for cell in row], strict=True)) for row in found.find("tbody")]


def drawn(root: ElementTree.Element, p: int, *, is_pag: bool = False) -> PDAG:
    """Read the graph from the picture: each edge names its ends, and has a head if it is an arrow."""
    amat, ends = np.zeros((p, p), dtype=bool), []
    for one in root.iter(f"{SVG}g"):
        if "data-edge" in one.attrib:
            i, j = map(int, one.attrib["data-edge"].split())
            sign = OF_PAGS.get(one.attrib["class"])
            if sign:
                assert sum(part.get("class") == "open-end" for part in one) == sign.count("o")
                assert sum(part.get("class") == "head" for part in one) == sign.count("<") + sign.count(">")
            ends.append((i, sign or "->", j))
            if sign:
                continue
            heads = sum(path.get("class") == "head" for path in one)
            assert heads == {"directed": 1, "undirected": 0, "conflict": 2}[one.attrib["class"].split()[0]]
            amat[i, j] = True
            amat[j, i] = heads != 1
    return PAG.from_ends(p, ends) if is_pag else PDAG(amat)


def listed(rows: list[dict[str, str]], names: tuple[str, ...], *, is_pag: bool = False) -> PDAG:
    """Read the graph from the table of edges."""
    at, amat = {name: k for k, name in enumerate(names)}, np.zeros((len(names),) * 2, dtype=bool)
    ends = []
    for row in rows:
        i, j = at[row["from"]], at[row["to"]]
        if is_pag:
            ends.append((i, {sign: other for other, sign in SIGNS.items()}[row[""]], j))
            continue
        amat[i, j] = True
        amat[j, i] = not ARROWS[row[""]]
    return PAG.from_ends(len(names), ends) if is_pag else PDAG(amat)


@pytest.mark.gate_cases(4)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_graph_and_numbers_are_those_of_the_result(key, kind):
    """The picture and the table of edges show strength, information and support of each direction."""
    result, root = learnt(key, kind), page(key, kind)
    is_pag = isinstance(result.graph, PAG)
    assert drawn(root, len(result.names), is_pag=is_pag) == result.graph
    found = section(root, "The edges")
    assert (found is None) == (result.graph.n_edges == 0)
    rows = table_of(found) if found is not None else []
    assert listed(rows, result.names, is_pag=is_pag) == result.graph
    numbered = result.strengths.label.startswith(PROBABILITIES)
    assert numbered == ("opacity of an edge" in root.find(".//figcaption").text)
    for row in rows:
        i, j = (result.names.index(row[end]) for end in ("from", "to"))
        assert row[result.strengths.label] == format_number(float(result.strengths.values[i, j]))
        assert row["marginal bits per row"] == format_number(result.information(i, j))
        actual = result.directions.get((i, j)) if ARROWS.get(row[""]) else None
        assert row["direction"] == ("" if actual is None else actual.support.value)


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_method_and_parameters_are_those_of_the_run(key, kind):
    """The report names the paper, each parameter once with its reason, and the share of the data that was used."""
    result, root = learnt(key, kind), page(key, kind)
    learner, text = LEARNERS[key], "".join(root.itertext())
    assert learner.paper in text
    assert result.use.sentence in text
    rows = table_of(section(root, "The method")) if result.params else []
    assert [row["parameter"] for row in rows] == [
        one.label for one in learner.parameters_for(kind) if one.name in result.params
    ]
    for row in rows:
        assert row["value"]
        assert len(row["source and effect"]) > 10


@pytest.mark.gate_cases(1)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_markdown_has_the_same_edges(key, kind):
    """The rows of the table are equal, and the picture is that of the page."""
    result = learnt(key, kind)
    text = markdown_report(subject_of(result, DATA[kind]))
    svg = b64decode(re.search(r"data:image/svg\+xml;base64,([^)]*)\)", text)[1])
    is_pag = isinstance(result.graph, PAG)
    assert drawn(ElementTree.fromstring(svg), len(result.names), is_pag=is_pag) == result.graph
    part = text.split("## The edges")[1].split("\n## ")[0] if result.graph.n_edges else ""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in part.splitlines() if line.startswith("|")]
    cells = [[cell.strip().replace("\\", "").replace("\u2060", "") for cell in line] for line in lines]
    rows = [dict(zip(cells[0], row, strict=True)) for row in cells[2:]] if cells else []
    assert listed(rows, result.names, is_pag=is_pag) == result.graph


@pytest.mark.gate_cases(2)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_negative_numbers_have_a_minus_sign(key, kind):
    """No hyphen stands before a number, apart from code; exponents such as 3e-9 keep theirs."""
    root = page(key, kind)
    code = {id(part) for one in root.iter() if one.tag in {"pre", "code", "style"} for part in one.iter()}
    for one in root.iter():
        if id(one) not in code:
            assert not re.search(r"(?<![\w.-])-\.?[0-9]", f"{one.text or ''} {one.tail or ''}"), one.text


def uploaded(names: tuple[str, ...] = ("a", "b", "c", "d")) -> Subject:
    """Return a run on a small file with a dropped column, knowledge, a truth, a recipe and an explanation."""
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 2, size=(200, 4))
    rows[:, 1] = rows[:, 0] ^ (rng.random(200) < 0.1)
    csv = "w,x,y,z\n" + "\n".join(",".join("no" if v else "yes" for v in row) for row in rows)
    table = read_table(csv.encode(), names=names)
    plan = default_plan(table).change(names[3], kind="ignore")
    prepared = prepare(table, plan)
    known = Knowledge(forbidden=((names[1], names[0]),), tiers={names[0]: 0})
    result = replace(learn("pc", prepared.dataset, knowledge=known, alpha=0.02), warnings=(f"odd {names[0]}",))
    return subject_of(
        result, prepared.dataset, table=table, plan=plan, notes=prepared.notes, findings=check_health(table, plan),
        knowledge=known, truth=PDAG.from_edges(3, directed=[(0, 1)]), pairs=((0, 1),), date="2026-01-02",
        recipe=recipe_of(table, plan, result, knowledge=known, name=names[0]),
    )  # fmt: skip


def test_a_report_is_complete():
    """The report lists dropped columns, knowledge, the explanation, truth, checks, versions and the recipe."""
    subject = uploaded()
    root = ElementTree.fromstring(html_report(subject))
    columns = {row["column"]: row for row in table_of(section(root, "The data"))}
    assert columns["d"]["used as"] == "ignored"
    assert columns["a"] | {"values": "2", "missing": "0%", "levels": "no, yes"} == columns["a"]
    text = "".join(root.itertext())
    story = explanation(subject.result, (0, 1), subject.dataset)
    for sentence in (
        "Made on 2026-01-02", "b → a is forbidden.", "Odd a.", "Set for this run; the default is 0.05", story.headline,
        *story.sentences, f"SHD {metrics.shd(subject.result.graph, subject.truth)}", "numpy ",
    ):  # fmt: skip
        assert sentence in text, sentence
    assert read_recipe(root.find(".//pre/code").text.encode()) == subject.recipe
    fence = re.search(r"```\n(.*?)\n```", markdown_report(subject), re.S)
    assert read_recipe(fence[1].encode()) == subject.recipe


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_only_names(name):
    """Names of columns, levels, tables and warnings never become markup, code or a requested address."""
    if "\n" in name:
        name = " ".join(name.split())
    subject = replace(uploaded((name, "b", "c", name + "'")), title=name, name=name)
    page_ = html_report(subject)
    root = ElementTree.fromstring(page_)
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= TAGS
    names = {attribute for one in root.iter() for attribute in one.attrib}
    assert not {one for one in names if one.startswith("on") or one in ("href", "src", "srcset", "action")}
    assert "url(" not in page_.replace(name, "")
    assert "\u202e" not in page_
    assert read_recipe(root.find(".//pre/code").text.encode()) == subject.recipe
    assert drawn(root, 3) == subject.result.graph
    text = markdown_report(subject).split("```")[0]
    assert not re.search(r"(?<!\\)<[a-z/]", text.split("base64,")[0])


def test_marks_of_the_picture():
    """A conflict has two heads and !, an uncertain arrow a ?, a probability its number; names are complete."""
    long = "x" * 60
    result = made(
        [
            judged(Action.KEEP, 0, 1, -9.0),
            judged(Action.KEEP, 1, 2, -9.0),
            oriented(0, 1, Rule.V_STRUCTURE, action=Action.CONFLICT),
        ],
        names=("a", "b", long),
    )
    data = Dataset.from_codes(DATA["categorical"].codes[:3], DATA["categorical"].arity[:3], result.names)
    root = ElementTree.fromstring(html_report(subject_of(result, data)))
    kinds = {one.attrib["data-edge"]: one for one in root.iter(f"{SVG}g") if "data-edge" in one.attrib}
    assert kinds["0 1"].attrib["class"] == "conflict"
    assert kinds["0 1"].find(f"{SVG}text").text == "!"
    assert long in {one.text for one in root.iter(f"{SVG}title")}


@pytest.mark.parametrize("p", [1, 2, 12, 30, 61, 150])
def test_every_node_lies_on_the_sheet_and_covers_no_other(p):
    """Nodes fit and do not overlap for any number of variables at any positions."""
    rng = np.random.default_rng(p)
    names = tuple(f"variable {k}" for k in range(p))
    dataset = Dataset.from_values(rng.normal(size=(40, p)), names)
    result = replace(made([], p=p, names=names), graph=PDAG.from_edges(p, directed=[(k, k + 1) for k in range(p - 1)]))
    root = ElementTree.fromstring(html_report(subject_of(result, dataset)))
    left, top, width, height = map(float, root.find(f".//{SVG}svg").attrib["viewBox"].split())
    boxes = []
    for one in root.iter(f"{SVG}g"):
        if "transform" in one.attrib:
            x, y = map(float, re.findall(r"-?[0-9.]+", one.attrib["transform"]))
            box = one.find(f"{SVG}rect").attrib
            boxes.append((x, y, float(box["width"]), float(box["height"])))
    assert len(boxes) == p
    for k, (x, y, w, h) in enumerate(boxes):
        assert left <= x - w / 2
        assert x + w / 2 <= left + width
        assert top <= y - h / 2
        assert y + h / 2 <= top + height
        if p <= 60:
            for a, b, c, d in boxes[:k]:
                assert abs(x - a) > (w + c) / 2 - 1 or abs(y - b) > (h + d) / 2 - 1


def test_a_verdict_on_the_arrows_is_in_the_report_if_it_was_asked_for():
    found, result = verdict()
    data = Dataset.from_values(np.random.default_rng(0).standard_normal((50, 3)), list("abc"))
    assert "Reliability of the arrows" not in html_report(subject_of(result, data))
    part = section(
        ElementTree.fromstring(html_report(subject_of(result, data, trust=found))), "Reliability of the arrows"
    )
    assert "1 of 2 arrows is well supported as a cause." in "".join(part.itertext())
    verdicts = [(row["arrow"], row["verdict"]) for row in table_of(part)]
    assert verdicts == [("a → c", "identified"), ("b → c", "undecided")]


def test_a_run_without_its_table_has_a_report_too():
    """A report without the table names no columns and has no recipe."""
    root = page("pc", "categorical")
    assert section(root, "The data").find(".//table") is None
    assert section(root, "Repeat this run").find(".//pre") is None


@pytest.mark.gate_cases(4)
@pytest.mark.parametrize("name", HOSTILE)
def test_a_comparison_draws_each_graph_and_names_and_notes_are_only_text(name):
    name = " ".join(name.split())
    one = replace(uploaded((name, "b", "c", "d")), note=f"first {name}\n\n<b>second</b>")
    empty = replace(one.result, graph=PDAG(np.zeros((3, 3), dtype=bool)))
    subjects = {"A": one, "B": replace(one, result=empty)}
    graphs = {letter: each.result.graph for letter, each in subjects.items()}
    edges = edge_by_edge(graphs, one.result.names).drop(columns=["i", "j"])
    numbers = pd.DataFrame({"edges": [graph.n_edges for graph in graphs.values()]}, index=list(graphs))
    text = ComparedRuns({"A": name, "B": "none"}, subjects, edges, numbers, ((f"A: {name}", "because"),))
    root = ElementTree.fromstring(html_comparison(text))
    assert {one.tag.removeprefix(SVG) for one in root.iter()} <= TAGS
    svgs = list(root.iter(f"{SVG}svg"))
    assert [drawn(svg, 3) for svg in svgs] == list(graphs.values())
    assert len(table_of(section(root, "Edge by edge"))) == one.result.graph.n_edges
    notes = [part.text for part in section(root, "A: Note").iter("p")]
    assert notes == [one_line(f"first {name}"), "<b>second</b>"]
    assert "<b>second" not in markdown_comparison(text)


def texts_of(subject: Subject) -> Iterator[str]:
    """Yield the texts of a report except code and rows of tables."""
    document = report(subject)
    yield document.lead
    for part in document.sections:
        yield part.title
        for block in part.blocks:
            if isinstance(block, Items):
                yield from block.items
            elif isinstance(block, Grid):
                yield from block.columns
                yield from (row[-1] for row in block.rows)
            elif isinstance(block, Text | Heading | Picture):
                yield block.alt if isinstance(block, Picture) else block.text


def english_in(texts: Iterable[str]) -> set[str]:
    """Return the texts with an English word besides names of papers."""
    papers = {learner.paper for learner in LEARNERS.values()}
    papers = sorted(papers | {one.source for learner in LEARNERS.values() for one in learner.parameters}, key=len)
    found = set()
    for text in texts:
        rest = text.replace("(missing at random)", "")
        for paper in reversed(papers):
            rest = rest.replace(paper, "")
        if ENGLISH_WORD.search(rest):
            found.add(text)
    return found


@pytest.mark.gate_cases(4)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_a_german_report_has_no_english_sentence(key, kind):
    """Every text of a report of each learner has a German entry: its warnings, settings and explanations too."""
    result = learnt(key, kind)
    pairs = tuple(combinations(range(4), 2))
    assert english_in(texts_of(subject_of(result, DATA[kind], pairs=pairs, language=Language("de")))) == set()


def test_a_german_report_of_an_uploaded_table_has_no_english_sentence():
    """Columns, background knowledge, truth, verdicts and the text for a paper are German; the warning has no entry."""
    found, _ = verdict()
    subject = replace(uploaded(), language=Language("de"))
    assert english_in(texts_of(subject)) == set()
    assert 'lang="de"' in html_report(subject)
    blocks = belief_section(replace(subject, trust=found)).blocks
    assert english_in(text for block in blocks for text in getattr(block, "items", ())) == set()


def test_an_english_text_of_a_report_is_found():
    assert english_in(texts_of(uploaded()))


@pytest.mark.gate_cases(10)
@pytest.mark.compiled
@pytest.mark.parametrize(("key", "kind"), CASES)
def test_small_numbers_have_three_significant_digits(key, kind):
    """A number with an exponent has three digits, apart from code and settings, which stand as they were typed."""
    root = page(key, kind)
    code = {id(part) for one in root.iter() if one.tag in {"pre", "code", "style"} for part in one.iter()}
    for one in root.iter():
        if id(one) not in code:
            for number in re.findall(r"(?<![\w.])[\d.]+e[-+]?\d+", f"{one.text or ''} {one.tail or ''}"):
                assert re.fullmatch(r"\d(\.\d\d)?e-?[1-9]\d*", number), one.text
