"""Labels of buttons name an action: they contain a verb, in English and in German."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from viz.translation.sentences import catalog

ROOT = Path(__file__).parents[2]
BUTTONS = {"button", "download_button", "form_submit_button", "link_button", "popover"}
VERBS = {
    "add", "answer", "apply", "ask", "calibrate", "cancel", "change", "check", "choose", "clear", "close", "compare",
    "constrain", "count", "create", "delete", "dismiss", "download", "draw", "duplicate", "end",
    "estimate", "explain", "export", "import", "join", "judge", "learn", "leave", "log", "manage", "open", "pin",
    "present", "query", "redo", "reload", "remove", "rename", "repeat", "rerun", "reset", "restore", "revoke", "run",
    "save", "share", "show", "simulate", "start", "test", "undo", "unpin", "upload", "use", "write",
}  # fmt: skip
VERBS_DE = re.compile(r"\b\w+(en|ern|eln)\b")  # an infinitive, at the end or alone
FILE_FORMATS = {"bnlearn (model string)"}  # in the list of exports, where each button is a file format


def labels(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and each literal in the labels of the buttons; labels of lists come from variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in BUTTONS:
            given = node.args[:1] or [word.value for word in node.keywords if word.arg == "label"]
            for part in (part for one in given for part in ast.walk(one)):
                is_text = isinstance(part, ast.Call) and ast.unparse(part.func) == "t" and part.args
                literals = [one for one in ast.walk(part.args[0]) if isinstance(one, ast.Constant)] if is_text else []
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
