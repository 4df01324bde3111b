"""Pages in German: no text of a page goes to Streamlit without its translation, and none stays English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from google.protobuf.json_format import MessageToDict

from learners.families.catalogue import LEARNERS
from learners.verdict.trust import Verdict
from tests.pages.driving import go, learn_now, open_app, press, sound, upload
from tests.pages.test_first_hour import CASES
from tests.viz.translation.test_sentences import PAGES, translated_pages
from viz.experiments.published import papers
from viz.language import Language
from viz.translation.sentences import catalog, messages

ROOT = Path(__file__).parents[2]
SHOWN = {  # functions of Streamlit whose first argument is a text on screen
    "button", "caption", "checkbox", "download_button", "error", "expander", "file_uploader", "form_submit_button",
    "info", "markdown", "multiselect", "number_input", "page_link", "pills", "popover", "segmented_control",
    "select_slider", "selectbox", "slider", "spinner", "subheader", "success", "text_area", "text_input", "title",
    "toast", "toggle", "warning",
}  # fmt: skip
TEXTS = {"help", "placeholder", "alt", "label"}  # arguments with a text on screen
SAME = {"Edgewise", "DAGitty", "dag { smoke -> tar -> cancer }", "](lessons?lesson="}
IN_LANGUAGE = {"explanation.py", "column_editor.py"}  # modules that draw their figures in the language of the page
NAMES = {"Tetrad, causal-learn", "random network, p =", "random mixed network, p =", "of the cells missing"}
NO_PROSE = re.compile(r"[<>{}]=|[{<]|\.st-key|rgba?\(|:material|\n")
ENGLISH = re.compile(
    r"\b(the|is|are|of|and|with|without|not|by|for|this|that|all|choose|show|open|use|missing|simulated)\b"
)
NO_TEXT = re.compile(r"'[^']*'|`[^`]*`|\]\([^)]*\)")  # names, code and addresses of links
GERMAN = re.compile(r"\b(der|die|das|den|dem|und|ist|sind|nicht|ein|eine|mit|von|zu|je|auf|aus|wie)\b")
A_WORD = re.compile(r"[a-z]{3}")
NO_WORDS = re.compile(  # keys of layouts, codes, files, keyboard shortcuts and lines of code
    r"[a-z_]+$|[A-Z_]+$|[0-9a-f]{32}$|[./#\\\W]|ctrl\+|Edgewise$|BIF|"
    r"from |table = |plan = |dataset = |result = |print\("
)
OTHERS = {  # fields without a text on screen
    *("id", "key", "columns", "options", "markdown_options", "url"),
    *("jsContent", "cssContent", "html", "spec", "code_text"),
}


def written_texts(path: Path) -> Iterator[str]:
    """Yield the literals that a module passes to Streamlit as texts without translating them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = [node.args[0]] if node.func.attr in SHOWN and node.args else []
            given += [word.value for word in node.keywords if word.arg in TEXTS]
            yield from (text for one in given for text in _literals(one))


def _literals(node: ast.expr) -> Iterator[str]:
    """Yield literals with words, but not those in calls, which translate them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if re.search(r"[A-Za-z]{2}", re.sub(r":material/\w+:|pages/\w+\.py|<[^>]*>", "", node.value)):
            yield node.value
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in ("escape_markdown", "as_sentence", "shorten"):
            yield from (text for one in node.args[:1] for text in _literals(one))
    else:
        yield from (text for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr) for text in _literals(one))


@pytest.mark.parametrize("path", translated_pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_skips_the_translation(path):
    assert [text for text in written_texts(path) if text not in SAME] == []


def test_a_text_that_skips_the_translation_is_found(tmp_path):
    module = tmp_path / "page.py"
    module.write_text('st.button("Run" if a else t("Stop"), help=t("x") + f"{n} rows")\n', encoding="utf-8")
    assert list(written_texts(module)) == ["Run", " rows"]


@pytest.mark.parametrize("path", translated_pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_list_that_can_be_empty_names_its_placeholder(path):
    """Streamlit's own placeholders are English."""
    calls = [
        (node.func.attr, {word.arg: word.value for word in node.keywords})
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    can_be_empty = [
        words
        for name, words in calls
        if name in ("multiselect", "dataframe", "data_editor")
        or (name == "selectbox" and ast.unparse(words.get("index", ast.Constant(0))) == "None")
    ]
    assert [words for words in can_be_empty if "placeholder" not in words] == []


def prose(path: Path) -> Iterator[list[str]]:
    """Yield the fixed parts of each sentence of three words or more, except docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            found = "\0".join(part.value for part in node.values if isinstance(part, ast.Constant))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (parts | alone):
            found = node.value
        else:
            continue
        if " " in found.strip() and not NO_PROSE.search(found):
            for sentence in re.split(r"[.?] ", found):
                if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 3:
                    yield [part.strip(" .:;,") for part in sentence.split("\0")]


@pytest.mark.parametrize("path", translated_pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_text_of_a_page_has_an_entry(path):
    """The catalog has each text; all fixed parts of a composed text occur in one template."""
    templates = [one.lower() for one in (*catalog("de"), *messages("de"))]
    missing = [
        parts
        for parts in prose(path)
        if not any(all(part.lower() in one for part in parts) for one in templates) and not set(parts) & NAMES
    ]
    assert missing == []


def test_prose_without_an_entry_is_found(tmp_path):
    module = tmp_path / "page.py"
    module.write_text('"""A docstring with words."""\ntext = f"nobody said {n} of these words"\n', encoding="utf-8")
    assert list(prose(module)) == [["nobody said", "of these words"]]


def test_reasons_for_ending_a_run_have_typed_sentences():
    """The reason becomes a warning of the run, so it is a phrase, never a finished text."""
    finished = [
        f"{path.name}, line {node.lineno}"
        for path in sorted((ROOT / "pages").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("cancel", "end_all")
        if any(isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and part.value) for part in node.args)
    ]
    assert finished == []


@pytest.mark.parametrize("path", translated_pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_figures_are_written_in_the_language(path):
    """All figures pass through `worded`, except in modules that draw them in the language of the page."""
    charts = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "plotly_chart"
    ]
    unworded = [one for one in charts if not (isinstance(one.args[0], ast.Call) and one.args[0].func.id == "worded")]
    assert not unworded or path.name in IN_LANGUAGE


def texts_on_screen(at, *, with_options: bool = False) -> set[str]:
    """Return all texts of the page on screen except contents of tables, and except options unless asked for."""
    found: set[str] = set()
    others = OTHERS - {"options"} if with_options else OTHERS

    def walk(value: object, key: str = "") -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                if name not in others:
                    walk(inner, name)
        elif isinstance(value, list):
            for inner in value:
                walk(inner, key)
        elif isinstance(value, str):
            found.update(value.split("\n"))

    def visit(node: object) -> None:
        if getattr(node, "type", "") not in ("bidi_component", "html", "code") and getattr(node, "proto", None):
            walk(MessageToDict(node.proto))
        for child in getattr(node, "children", {}).values():
            visit(child)

    visit(at._tree[0])
    return found


@pytest.mark.deep
def test_no_page_in_german_has_an_english_sentence():
    """No page, shown with the first sample and its run, contains an English sentence, and each contains German ones."""
    at = open_app(language="de")
    for page in PAGES:
        texts = texts_on_screen(sound(go(at, page)))
        english = {one for one in texts if ENGLISH.search(NO_TEXT.sub("", one)) and not GERMAN.search(one)}
        assert english == set(), page
        assert any(GERMAN.search(one) for one in texts), page


@pytest.mark.deep
def test_titles_of_tables_and_runs_are_german_on_every_page():
    """With two runs on a sample, no page writes its English title, and Compare writes both German ones."""
    at = learn_now(open_app(language="de"))
    for page in PAGES:
        texts = texts_on_screen(sound(go(at, page)), with_options=True)
        assert not [one for one in texts if re.search(r"\bon Child|simulated", one) and one[0] != "{"], page
    texts = texts_on_screen(go(at, "compare"))
    assert [one for one in texts if re.match(r"\*\*[AB]\*\*: .* auf Child", one)]


def names_on_screen(at) -> set[str]:
    """Return names that no language translates: variables, levels, learners, papers, and formats of files."""
    data = at.session_state["source"].dataset
    return {
        *data.names,
        *(level for levels in data.levels for level in levels or ()),
        *(learner.label for learner in LEARNERS.values()),
        *papers().values(),  # their words are checked below
        *SAME,
        *(
            "DAGitty",
            "Graph (JSON)",
            "GraphML",
            "Tetrad, causal-learn",
            "NET (Hugin)",
            "XDSL (GeNIe)",
            "R (bnlearn)",
            "Notebook (Jupyter)",
        ),
        *("Graph", "Matrix", "Format", "Name", "Variable", "Python", "Text", "Quiz", "Bootstrap"),  # German words, too
    }


@pytest.mark.deep
def test_texts_that_are_the_same_in_both_languages_are_names():
    """Labels and options such as those of layouts, which are looked up in the catalog one by one, are translated."""
    english, german = open_app(language="en"), open_app(language="de")
    for page in PAGES:
        same = set.intersection(
            *(texts_on_screen(sound(go(at, page)), with_options=True) for at in (english, german))
        ) - names_on_screen(german)
        assert {one for one in same if A_WORD.search(one) and not NO_WORDS.match(one)} == set(), page


def test_citations_are_german():
    """The words between the authors of papers are translated for every learner and on every page of papers."""
    cited = [Language("de").citation(learner.paper) for learner in LEARNERS.values()]
    assert [one for one in cited if re.search(r"\b(and|after|with|at|of|appendix)\b", one)] == []
    assert any(", nach " in one and " und " in one for one in cited)
    titles = [catalog("de").get(title, title) for title in papers().values()]
    assert [one for one in titles if re.search(r"\b(and|all|can|on)\b", one, re.IGNORECASE)] == []


def test_words_of_uploaders_are_german():
    at = open_app(language="de")
    styles = [node.proto.body for node in at.get("html") if "stFileUploader" in node.proto.body]
    assert len(styles) == 1
    assert 'content: "Hochladen"' in styles[0]
    assert 'content: "höchstens 200 MB je Datei"' in styles[0]


@pytest.mark.deep
def test_reasons_and_notes_on_data_are_german():
    """The table of variables and the notes have no English words, before and after all suggested fixes."""
    at = upload(open_app("data", language="de"), (CASES / "clinic2.csv").read_bytes())
    for press_fix in (False, True):
        at = press(at, "data_fix_all") if press_fix else at
        (whys,) = (one.value["why"] for one in sound(at).dataframe if "why" in one.value)
        texts = {*whys.dropna(), *texts_on_screen(at)}
        assert {one for one in texts if ENGLISH.search(NO_TEXT.sub("", one)) and not GERMAN.search(one)} == set()


def test_verdicts_on_arrows_have_german_words():
    assert {one for one in get_args(Verdict) if one not in catalog("de")} == set()
