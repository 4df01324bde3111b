"""Labels of buttons name an action and its object: a verb and a noun, in English and in German."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from viz.translation.sentences import catalog

ROOT = Path(__file__).parents[2]
BUTTONS = {"button", "download_button", "form_submit_button", "link_button", "popover"}
VERBS = {
    "add", "apply", "ask", "calibrate", "cancel", "change", "check", "choose", "clear", "close", "compare",
    "constrain", "count", "create", "delete", "dismiss", "download", "draw", "duplicate", "end",
    "estimate", "explain", "export", "go", "import", "join", "judge", "learn", "leave", "log", "manage", "move", "open",
    "pin", "play",
    "present", "query", "redo", "reload", "remove", "rename", "repeat", "rerun", "reset", "restore", "revoke", "run",
    "save", "share", "show", "simulate", "start", "submit", "test", "transpose",
    "undo", "unpin", "upload", "use", "write", "zoom",
}  # fmt: skip
SCRIPT_BUTTON = re.compile(r'\bbutton\("([^"]+)", [`"]([^`"]+)[`"]')
VERBS_DE = re.compile(r"\b\w+(en|ern|eln)\b")  # an infinitive, at the end or alone
ALONE = {"Cancel", "Log in", "Log out", "Redo", "Undo"}  # known from every program; the object is the last action
FILE_FORMATS = {"bnlearn (model string)"}  # in the list of exports, where each button is a file format


def choices(label: ast.expr) -> Iterator[ast.Constant]:
    """Yield the constant of a label, or those between which its condition chooses."""
    if isinstance(label, ast.IfExp):
        yield from choices(label.body)
        yield from choices(label.orelse)
    elif isinstance(label, ast.Constant):
        yield label


def labels(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each literal in the label of a button with its line; labels that are variables are skipped."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in BUTTONS:
            given = node.args[:1] or [word.value for word in node.keywords if word.arg == "label"]
            for part in (part for one in given for part in ast.walk(one)):
                is_text = isinstance(part, ast.Call) and ast.unparse(part.func) == "t" and part.args
                literals = list(choices(part.args[0])) if is_text else []
                literals += [part] if part in given and isinstance(part, ast.Constant) else []
                yield from ((node.lineno, one.value) for one in literals)


def all_labels() -> dict[str, str]:
    """Return the labels of the buttons of all pages with the place of each."""
    return {
        label: f"{path.relative_to(ROOT)}, line {line}"
        for path in sorted((ROOT / "pages").rglob("*.py"))
        for line, label in labels(ast.parse(path.read_text(encoding="utf-8")))
    }


def has_verb(label: str) -> bool:
    """Return True if the label begins with a verb."""
    return label.split()[0].lower() in VERBS


def has_object(label: str) -> bool:
    """Return True if something follows the verb."""
    return len(label.split()) > 1


def component_labels() -> dict[str, str]:
    """Return the labels of the buttons in the scripts of the components, each with its name for screen readers."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "viz").rglob("*.js"))]
    return {label: name for script in scripts for label, name in SCRIPT_BUTTON.findall(script)}


def test_every_button_names_its_object():
    assert {label for label in all_labels() if not has_object(label)} | {"Log in", "Log out"} == ALONE


def test_every_button_of_a_component_names_action_and_object_to_screen_readers():
    """A tool such as + or Play shows one word or sign, and its name says what it does."""
    found = component_labels()
    assert len(found) > 10
    assert [name for name in found.values() if not (has_verb(name) and has_object(name))] == []


def test_every_button_names_an_action():
    found = all_labels()
    assert len(found) > 100
    assert {label: place for label, place in found.items() if not has_verb(label)}.keys() == FILE_FORMATS


def test_every_german_button_names_an_action():
    german = catalog("de")
    assert [german[one] for one in all_labels() if one not in FILE_FORMATS and not VERBS_DE.search(german[one])] == []


def test_a_button_without_a_verb_is_found():
    tree = ast.parse('st.button(t("Options"))\nst.popover("Files")\nst.button(t("Show score") if last else t("Next"))')
    assert [label for _, label in labels(tree)] == ["Options", "Files", "Show score", "Next"]
    assert [label for _, label in labels(tree) if not has_verb(label)] == ["Options", "Files", "Next"]


def test_a_download_runs_no_script():
    """A run of the script that a click starts may remove the file before the browser has asked for it."""
    for path in sorted((ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "download_button"
            ):
                clicked = [ast.unparse(word.value) for word in node.keywords if word.arg == "on_click"]
                assert clicked == ["'ignore'"], f"{path.relative_to(ROOT)}, line {node.lineno}"
