"""A report on a run; every number, sentence and picture derives from the result."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version

from learners.common.version import __version__
from learners.data.disclosure import MIN_ROWS, rare_texts
from learners.recipes.recipe import write_recipe
from learners.registry import LEARNERS
from learners.verdict.assumptions import check_assumptions
from learners.verdict.noise_directions import directions_by_noise

from ..labels import with_labels
from ..language import Language
from ..text import as_sentence
from ..verdicts import DEFINITIONS, arrow_table, details, headline
from ..weak_evidence import few_rows_line
from .document import Block, Code, Document, Heading, Items, Section, Text
from .markdown import to_markdown
from .markup import to_html
from .methods import bibtex, methods_text
from .of_data import data_section
from .of_graph import edges_in_short, edges_section, explanations_section, graph_section, grid
from .of_method import method_section
from .subject import Subject

LIBRARIES = ("numpy", "scipy", "numba", "pandas", "pyarrow", "networkx")
# Control characters, line separators and marks of writing direction, which the recipe's JSON escapes.
UNSEEN = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def html_report(subject: Subject) -> str:
    """Return one HTML page without scripts and links, with a style for print."""
    return to_html(report(subject))


def markdown_report(subject: Subject) -> str:
    """Return the report as Markdown."""
    return to_markdown(report(subject))


def report(subject: Subject) -> Document:
    """Return graph, edges, chosen explanations, data, method, checks, the text for a paper, versions and recipe."""
    language = subject.language
    return Document(
        language.run_title(subject.title),
        made_on(subject.date, language) + edges_in_short(subject.result, language),
        (
            note_section(subject),
            graph_section(subject),
            edges_section(subject),
            belief_section(subject),
            explanations_section(subject),
            data_section(subject),
            method_section(subject),
            checks_section(subject),
            again_section(subject),
            paper_section(subject),
        ),
        language.code,
    )


def made_on(date: str, language: Language) -> str:
    """Return the sentence on the date and the program of a report, which begins its lead; empty without a date."""
    made = language.t("Made on {date} by Edgewise {version}.", date=date, version=__version__)
    return f"{made} " if date else ""


def note_section(subject: Subject) -> Section:
    """Return the user's note, line by line."""
    return Section(subject.language.t("Note"), tuple(Text(line) for line in subject.note.splitlines() if line.strip()))


def belief_section(subject: Subject) -> Section:
    """Return the section on how credible the arrows are as causes; empty unless the user asked for a verdict."""
    found, written = subject.trust, subject.language.written
    title = subject.language.t("Reliability of the arrows")
    if found is None:
        return Section(title, ())
    noise = directions_by_noise(subject.result, subject.dataset, assumptions=found.assumptions)
    said = [headline(found, subject.result), *details(found, subject.result), *map(as_sentence, noise.sentences())]
    table = arrow_table(found, subject.result)
    table = table.astype(object).where(table.notna(), "")  # empty where there is no claim
    sentences = Items(tuple(map(written, said)))
    verdicts = (Text(subject.language.t(DEFINITIONS)), grid(table, subject.language, "verdict")) if len(table) else ()
    return Section(title, (sentences, *verdicts))


def checks_section(subject: Subject) -> Section:
    """Return the findings on the table and the warnings of the run."""
    learner = LEARNERS[subject.result.method]
    written = subject.language.written
    found = [subject.redact(written(as_sentence(finding.reason))) for finding in subject.findings]
    against = check_assumptions(subject.dataset, subject.result).sentences(subject.result.names)
    warned = [as_sentence(with_labels(warning, learner)) for warning in (*subject.result.warnings, *against)]
    few = few_rows_line(subject.result)
    warned += [as_sentence(f"{few}: separated by tests with more degrees of freedom or cells than rows")] if few else []
    blocks: list[Block] = []
    t = subject.language.t
    for heading, sentences in ((t("Table"), found), (t("Run"), map(written, warned))):
        items = tuple(sentences)
        blocks += [Heading(heading), Items(items) if items else Text(t("None."))]
    return Section(t("Checks and warnings"), tuple(blocks))


def paper_section(subject: Subject) -> Section:
    """Return the methods text, the user's version if there is one, and what to cite."""
    text = subject.methods or methods_text(subject)
    paragraphs = tuple(Text(line) for line in text.splitlines() if line.strip())
    return Section(subject.language.t("For a paper"), (*paragraphs, Heading("BibTeX"), Code(bibtex(subject))))


def again_section(subject: Subject) -> Section:
    """Return versions and recipe."""
    t = subject.language.t
    blocks: list[Block] = [Items(tuple(versions(subject.language)))]
    if _is_private(subject):
        omitted = t("Omitted, because its plan names values with fewer than {limit} rows.", limit=MIN_ROWS)
        blocks += [Heading(t("Recipe")), Text(omitted)]
    elif subject.recipe is not None:
        text = UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", write_recipe(subject.recipe))
        lead = t(
            "Save this as recipe.json. The command edgewise run recipe.json TABLE repeats the run and compares it."
        )
        blocks += [Heading(t("Recipe")), Text(lead), Code(text)]
    return Section(t("Repeat this run"), tuple(blocks))


def _is_private(subject: Subject) -> bool:
    """Return True if the recipe names values with few rows that the user did not ask for."""
    known = subject.recipe is not None and subject.table is not None
    return known and not subject.rare and bool(rare_texts(subject.table, subject.recipe.plan))


def versions(language: Language) -> list[str]:
    """Return the versions of this program, Python and the numerical libraries."""
    python = language.t("Python {version} on {machine}", version=platform.python_version(), machine=platform.machine())
    return [f"Edgewise {__version__}", python] + [f"{name} {found}" for name in LIBRARIES if (found := _version(name))]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
