"""A number before a plural verb, as in "1 have", needs a singular form beside it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.test_architecture import sources, tree

VERBS = (
    "agree|are|become|begin|change|contain|depend|differ|do|end|exist|fail|fit|give|have|hold|lack|leave|make|need|"
    "occur|point|remain|run|separate|share|show|stay|support|use|were"
)
BEFORE_PLURAL = re.compile(rf"\{{(\w+)\}} (?:of \{{\w+\}} )?(?:{VERBS})\b")
WRITERS = {"say", "phrase", "caveat", "t"}
PLURALS = re.compile(r"(?:columns_of|Listed|Nodes?|Quoted)\(|[A-Z_]+$|letters|group$|name$|column$|b$|way$")  # names
ALWAYS_SEVERAL = {  # templates whose number is at least two, with the reason
    "{groups} are": "one group is reported by nothing",
    "{n} are": "the number of rows that a table shows at once",
    "{variables} are": "only trees of many variables are collapsed",
}


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield each call that writes a sentence from one template, with its file."""
    for folder in ("learners", "viz", "pages"):
        for path in sources(folder):
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in WRITERS and node.args:
                    yield str(path), node


def numbers_before_plurals(call: ast.Call) -> list[str]:
    """Return the parts of a template in which a number stands before a plural verb; none if there is a choice."""
    template = call.args[0]
    if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
        return []
    values = {word.arg: ast.unparse(word.value) for word in call.keywords}
    return [
        found.group()
        for found in BEFORE_PLURAL.finditer(template.value)
        if found[1] in values and not PLURALS.match(values[found[1]])
    ]


def test_numbers_before_a_plural_verb_have_a_singular_form():
    """A template with one form is neutral, as in "this edge is in {n} of them", unless its number is always several."""
    found = {(place, part) for place, call in calls() for part in numbers_before_plurals(call)}
    assert {part for _, part in found} == ALWAYS_SEVERAL.keys(), found


def test_a_number_before_a_plural_verb_is_found():
    call = ast.parse('say("{n} of {all} have it", n=k, all=3)', mode="eval").body
    assert numbers_before_plurals(call) == ["{n} of {all} have"]
    choice = ast.parse('say("{n} has it" if k == 1 else "{n} have it", n=k)', mode="eval").body
    assert numbers_before_plurals(choice) == []
