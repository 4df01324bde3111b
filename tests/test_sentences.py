"""Plain words on screen: every text in the source, whether a test reaches it or not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from learners.registry import LEARNERS
from tests.test_architecture import ROOT, of_every, sources, tree

# What nobody says any more, and what the house says in another way.
ODD = re.compile(
    r"\b(mend(s|ed|ing)?|foretell\w*|whether or no|heed(s|ed)?|whence|thereof|herein|wherein|lest|upon|amongst|whilst"
    r"|nought|hitherto|albeit|shall|unto|of one another)\b",
    re.IGNORECASE,
)
PARAMETERS = {one.name for learner in LEARNERS.values() for one in learner.parameters}
RAW = re.compile(rf"\b({'|'.join({name for name in PARAMETERS if '_' in name} | {'ess', 'twf', 'n_jobs'})})\b")
# Warnings and errors of the library name parameters; the app puts labels in their place.
LABELLED = [path for path in sources("learners") if path.name in ("settings.py", "entry.py")]
SHOWN = sources("pages", "viz")


def texts(module: ast.Module) -> Iterator[str]:
    """Texts of more than one word, docstrings apart; 1 in place of what an f-string fills in."""
    seen = set()
    for node in ast.walk(module):
        if id(node) in seen:
            continue
        text = ""
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            seen.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            seen |= {id(part) for part in node.values}
            text = "".join(part.value if isinstance(part, ast.Constant) else "1" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        if " " in text.strip():
            yield text


@of_every(sources("learners", "pages", "viz"))
def test_no_odd_word_is_said(path):
    """Fix, not mend."""
    assert [text for text in texts(tree(path)) if ODD.search(text)] == []


@of_every([*SHOWN, *LABELLED])
def test_settings_are_named_as_the_form_names_them(path):
    """The largest conditioning set, never max_cond_size."""
    assert [text for text in texts(tree(path)) if RAW.search(text)] == []


def test_the_law_sees_what_it_forbids():
    """In plain texts and in f-strings, also inside what an f-string fills in; not in docstrings and keys."""
    module = ast.parse(
        '''
def caption(n):
    """We mend max_cond_size here."""
    write("please mend it", f"raise max_cond_size to {n}", f"{'look upon ' * n} it", params["max_cond_size"])
'''
    )
    found = list(texts(module))
    assert [text for text in found if ODD.search(text)] == ["please mend it", "look upon "]
    assert [text for text in found if RAW.search(text)] == ["raise max_cond_size to 1"]
    assert (ROOT / SHOWN[0]).exists()
    assert len(LABELLED) > 10
