"""The German catalog has every sentence that a student may read: explanations, quiz, class and phone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from learners.data.determination import RELATIONS
from learners.explaining.explanation import event_sentence, explanation
from learners.io.samples import load_sample
from learners.registry import learn
from learners.results.phases import Stage
from viz.translation.sentences import catalog, translator

ROOT = Path(__file__).parents[3]
RECORDS = ("say", "caveat", "Count", "counted", "Listed", "phrase", "t", "ClassError", "TooManyTries")
COUNTS = ("Count", "counted")  # calls with a number and a noun, in singular and perhaps plural
WITHOUT_SENTENCES = {"record", "text", "explanation", "__init__"}
PREFIXES = {"ON_DIRECTION"}  # beginnings of sentences that are listed elsewhere
SAME = {
    "Test",
    "FDR",
    "Text",
    "Quiz",
    "Name",
    "Graph",
    "latent",
    "Instrument: {listed}.",
    "{numbers} in {seconds}",
    "Format",
    "Jaccard",
    "Variable",
    "marginal",
    "{edge} in {share}",
    "{mark} in {solutions}",
}  # words that are the same in both languages
PAGES = (  # pages that are translated completely
    "data",
    "learn",
    "inspect",
    "compare",
    "query",
    "effects",
    "build",
    "start",
    "projects",
    "experiments",
    "learn_more",
)
AROUND = ("navigation", "session/sidebar", "session/notes", "session/login", "session/lost_session")
SHARED = (
    "address",
    "addressed_run",
    "parameter_widgets",
    "presenter",
    "rare_values",
    "run_effort",
    "shared_links",
    "table_mismatch",
)
WORDS_EN = re.compile(r"\b(the|is|are|of|given|and|its|because|removed|edge|level)\b")


def sources() -> list[Path]:
    """Return the modules that write sentences of the catalog."""
    explaining = [p for p in (ROOT / "learners/explaining").glob("*.py") if p.stem not in WITHOUT_SENTENCES]
    families = [*(ROOT / "learners/families").glob("*/explaining.py"), ROOT / "learners/families/lmm/words.py"]
    classes = [*(ROOT / "learners/teaching/classroom").glob("*.py"), *(ROOT / "viz/classroom").glob("*.py")]
    pages = [*(ROOT / "pages/blocks/classroom").glob("*.py"), ROOT / "pages/classroom.py", ROOT / "pages/join_pages.py"]
    pages += translated_pages()
    others = [ROOT / "viz/quiz.py", ROOT / "viz/tables.py", ROOT / "learners/explaining/explanation.py", *files()]
    return sorted(
        {*explaining, *families, *classes, *pages, *others}
        | {path for folder in ("learners", "viz") for path in (ROOT / folder).rglob("*.py") if writes_phrases(path)}
    )


def files() -> list[Path]:
    """Return the modules that write reports and notebooks in the chosen language."""
    return [*(ROOT / "viz/report").glob("*.py"), ROOT / "viz/notebook.py"]


def translated_pages() -> list[Path]:
    """Return the modules of the completely translated pages, and of the parts around all pages."""
    blocks = [path for page in PAGES for path in (ROOT / "pages/blocks" / page).glob("*.py")]
    names = [*PAGES, *AROUND, *(f"blocks/{name}" for name in SHARED)]
    return [*blocks, *(ROOT / f"pages/{name}.py" for name in names), *(ROOT / "pages/session/jobs").glob("*.py")]


def writes_phrases(path: Path) -> bool:
    """Return True for a module that writes texts of the graph, or other sentences."""
    made = r"sentences import (\([^)]*|.*)\b(say|phrase|Phrase)\b|^from \.+text import .*\bedges\b"
    return re.search(made, path.read_text("utf-8"), re.M) is not None


def templates_of(path: Path) -> Iterator[str]:
    """Yield the literals of calls of `RECORDS`, and of the module's constants with words for a sentence."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RECORDS:
            yield from (nouns(node.args[1:]) if node.func.id in COUNTS else literals(node.args))
        if (
            isinstance(node, ast.Assign | ast.Return)
            and path.parent.name != "classroom"
            and path not in (*translated_pages(), *files())
            and path != ROOT / "viz/tables.py"
            and not writes_phrases(path)
        ):
            is_constant = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
            if not (is_constant and node.targets[0].id in PREFIXES):
                yield from (text for text in literals([node.value]) if " " in text and path.stem not in ("join_pages",))
        elif isinstance(node, ast.Assign) and any(_is_template(target) for target in node.targets):
            yield from (text for text in literals([node.value]) if " " in text)
    if path.stem == "join_pages":
        constants = (node for node in tree.body if isinstance(node, ast.Assign))
        yield from (text for node in constants for text in literals([node.value]) if text.endswith("."))


def _is_template(target: ast.expr) -> bool:
    """Return True for a variable that holds the template of a sentence, alone or in a tuple."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return any(isinstance(one, ast.Name) and one.id == "template" for one in names)


def nouns(nodes: list[ast.expr]) -> list[str]:
    """Return the noun of a count in singular and plural."""
    found = list(literals(nodes))
    return [*found, f"{found[0]}s"] if len(found) == 1 else found


def literals(nodes: list[ast.expr]) -> Iterator[str]:
    """Yield the strings in expressions that are no part of an f-string."""
    for node in nodes:
        pieces = {id(part) for one in ast.walk(node) if isinstance(one, ast.JoinedStr) for part in ast.walk(one)}
        for one in ast.walk(node):
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in pieces:
                yield one.value


def has_words(template: str) -> bool:
    """Return True for a template with a word besides its fields and names of statistics."""
    return bool(re.search(r"[a-z]{2}", re.sub(r"{\w+}|alpha|dof", "", template)))


def fields(template: str) -> set[str]:
    return set(re.findall(r"{\w+}", template))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_sentence_has_a_german_version(path):
    known = catalog("de")
    missing = [text for text in templates_of(path) if has_words(text) and text not in known]
    assert missing == []


def test_names_of_phases_and_relations_have_a_german_version():
    texts = [stage.label for stage in Stage] + [text for pair in RELATIONS.values() for text in pair]
    assert [text for text in texts if text not in catalog("de")] == []


def test_translations_have_the_fields_of_their_templates():
    for english, german in catalog("de").items():
        assert fields(english) == fields(german)
        assert german != english or not has_words(english) or english in SAME


@pytest.mark.parametrize("key", ["pc", "gs", "hpc", "ges", "cimap", "path"])
def test_explanations_of_a_run_are_german(key):
    """No English word is left in the explanations and steps of a run."""
    data = load_sample("asia").dataset
    result = learn(key, data)
    texts = [
        one for pair in combinations(range(4), 2) for one in explanation(result, pair, data).written(catalog("de"))
    ]
    texts += [
        event_sentence(result, result.trace[int(t)]).text(data.names, catalog("de")) for t in result.trace.changes
    ]
    assert [text for text in texts if WORDS_EN.search(text)] == []


def test_numbers_are_separated_by_blanks():
    t = translator("de")
    assert t("Question {k} of {n}", k=1, n=1_200) == "Frage 1 von 1\u00a0200"
