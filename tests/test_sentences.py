"""Plain words on screen: every text in the source is checked, also texts that no test displays."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from learners.registry import LEARNERS
from tests.test_architecture import ROOT, of_every, sources, tree

# Archaic words, and phrases that the project words differently.
ODD = re.compile(
    r"\b(whether or no|heed(s|ed)?|whence|thereof|herein|wherein|lest|upon|amongst|whilst"
    r"|nought|hitherto|albeit|shall|unto|of one another)\b",
    re.IGNORECASE,
)
# Words that are not used on screen, with the words to use instead.
REPLACED = {
    r"twins?": "reference implementation",
    r"joined(?! (?:the|this) class)|(?:is|are) linked with": "adjacent, connected",
    r"parted|partings?": "separated, separation",
    r"with holes|holed|holes": "missing values",
    r"anew": "again, recompute",
    r"foretell\w*|foretold": "predict",
    r"whoever|whatever is meant|who does not": "the noun",
    r"dear(?:er|est)?": "expensive",
    r"seldom": "rarely",
    r"errands?|crews?": "task, thread pool",
    r"mend(?:s|ed|ing)?": "fix",
    r"takes? (?:it )?home|taken home": "export",
    r"(?:put|puts|kept|keeps?|set|hold|held) (?:\w+ ){0,2}aside|rows aside": "held out",
    r"hangs? (?:together|on)|hung on": "depend on, be connected",
    r"held against|hold \w+ against": "compared with",
    r"hold (?:it|them|this|that|\w+) fixed|held fixed": "condition on",
    r"speaks? (?:weakly|clearly|for|against)": "support",
    r"both kinds": "mixed data",
    r"how sure|surest": "confidence, best supported",
    r"ways? out": "option, fix",
    r"walks? (?:the|through|from|of tests)": "move through",
    r"takes? (?:it |that |this )?back": "remove, undo",
    r"fold(?:s|ed)? away": "close",
    r"for want of": "too few, lack of",
    r"alike in": "equal",
    r"hardly": "barely, almost no",
    r"bear(?:s)? out|born out": "support",
    r"left open by": "undetermined in",
    r"(?:filled|completed) (?:cells?|tables?)": "imputed",
    r"(?:cells|tables) (?:(?:are |were )filled|(?:are |were )?completed)": "imputed",
    r"(?:fill|complete|filling|completing) (?:the |missing |these )?cells|learners complete": "impute",
}
WORDS = {re.compile(rf"\b(?:{word})\b", re.IGNORECASE): instead for word, instead in REPLACED.items()}
# Files and phrases in which such a word has its usual meaning.
ALLOWED: tuple[tuple[str, str], ...] = ()
# Folders and files whose texts still contain such words.
PENDING: tuple[str, ...] = ()
PARAMETERS = {parameter.name for learner in LEARNERS.values() for parameter in learner.parameters}
RAW = re.compile(rf"\b({'|'.join({name for name in PARAMETERS if '_' in name} | {'ess', 'twf', 'n_jobs'})})\b")
# Warnings and errors of the library name parameters; the app replaces them by labels.
LABELLED = [path for path in sources("learners") if path.name in ("settings.py", "entry.py")]
SHOWN = sources("pages", "viz")
COMMANDS = [path for path in sources("learners") if path.parent.name == "command_line" or path.name == "__main__.py"]
SCRIPT_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')


def texts(module: ast.Module) -> Iterator[str]:
    """Yield texts of more than one word except docstrings; "1" replaces the expressions of an f-string."""
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


def errors(module: ast.Module) -> Iterator[str]:
    """Yield the texts inside raise statements."""
    for node in ast.walk(module):
        if isinstance(node, ast.Raise):
            yield from texts(ast.Module([ast.Return(node.exc)], []))


def shown_texts() -> Iterator[tuple[str, str]]:
    """Yield (file, text) for all texts of app, scripts, lessons, command line and docs, and errors of the library."""
    for path in [*SHOWN, *COMMANDS]:
        yield from ((path.as_posix(), text) for text in texts(tree(path)))
    for path in sources("learners"):
        yield from ((path.as_posix(), text) for text in errors(tree(path)))
    for path in sorted(ROOT.glob("viz/**/*.js")):
        lines = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found = (plain or template for plain, template in SCRIPT_TEXT.findall(lines))
        yield from ((path.relative_to(ROOT).as_posix(), text) for text in found if " " in text)
    for path in sorted(ROOT.glob("lessons/*.md")):
        prose = re.sub(r"^(?:joined|\w+):.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        yield path.relative_to(ROOT).as_posix(), prose
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]:
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        yield path.relative_to(ROOT).as_posix(), prose


def replaced_words(file: str, text: str) -> list[str]:
    """Return the words of a text that have a plain replacement, except phrases that are allowed in the file."""
    for allowed_file, phrase in ALLOWED:
        if file.startswith(allowed_file):
            text = text.replace(phrase, "")
    return [
        f"{file}: {found[0]!r} in {text[max(0, found.start() - 30) : found.end() + 30]!r}; write: {instead}"
        for word, instead in WORDS.items()
        for found in word.finditer(text)
    ]


def test_words_on_screen_are_plain():
    """No text on screen has a word that `REPLACED` lists."""
    hits = [hit for file, text in shown_texts() for hit in replaced_words(file, text) if not file.startswith(PENDING)]
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the pairs joined by an edge", True),
        ("you joined the class", False),
        ("rows kept aside", True),
        ("set this value aside", True),
        ("a random walk", False),
        ("adjacent pairs are separated", False),
    ],
)
def test_replaced_words_are_found(text, found):
    assert bool(replaced_words("viz/example.py", text)) == found


# A claim about causes with one sufficient condition: such a claim has several, so each of them is "only if".
SUFFICIENT = re.compile(
    r"\b(?:is|are|shows?|means?) (?:an? |the )?(?:causal(?: effects?)?|causes?|effects?)(?: of \w+)?,? if\b",
    re.IGNORECASE,
)


def test_no_text_makes_one_assumption_sufficient_for_a_cause():
    """An arrow is a cause under several assumptions; no text names one of them as if it were enough."""
    assert [(file, text) for file, text in shown_texts() if SUFFICIENT.search(text)] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is causal if no common cause is hidden.", True),
        ("Intervening shows effects if the graph is causal.", True),
        ("It is causal only if no common cause is hidden.", False),
        ("They are effects only if the graph is causal.", False),
    ],
)
def test_a_sufficient_condition_of_a_cause_is_found(text, found):
    assert bool(SUFFICIENT.search(text)) == found


@of_every(sources("learners", "pages", "viz"))
def test_no_odd_word_is_said(path):
    assert [text for text in texts(tree(path)) if ODD.search(text)] == []


@of_every([*SHOWN, *LABELLED])
def test_settings_are_named_as_the_form_names_them(path):
    """Messages name settings by their labels, never by parameter names such as max_cond_size."""
    assert [text for text in texts(tree(path)) if RAW.search(text)] == []


def test_texts_include_f_strings_but_no_docstrings():
    module = ast.parse(
        '''
def caption(n):
    """We heed max_cond_size here."""
    write("please heed it", f"raise max_cond_size to {n}", f"{'look upon ' * n} it", params["max_cond_size"])
'''
    )
    found = list(texts(module))
    assert [text for text in found if ODD.search(text)] == ["please heed it", "look upon "]
    assert [text for text in found if RAW.search(text)] == ["raise max_cond_size to 1"]
    assert (ROOT / SHOWN[0]).exists()
    assert len(LABELLED) > 10


def test_names_of_tests_are_plain():
    """No name of a test has a word that `REPLACED` lists, or one of the code's own former words."""
    odd = re.compile(r"_(walks?|mend(s|ed)?|hol(es|ed)|tells|told|prices?|anew|aside|twins?|whoever|both_kinds)(?=_|$)")
    names = [
        f"{path.name}: {node.name}"
        for path in sources("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and odd.search(node.name.replace("random_walk", ""))
    ]
    assert names == []


def test_names_in_code_are_plain():
    """No function, class or parameter has one of the code's own former words in its name."""
    odd = re.compile(r"(?:^|_)(?:fore)?(told|tells|anew|whoever|mend(s|ed)?|holed)(?=_|$)")
    found = []
    for path in sources("learners", "viz", "pages", "benchmarks", "tests"):
        for node in ast.walk(tree(path)):
            name = getattr(node, "name", None) or getattr(node, "arg", None)
            if isinstance(name, str) and odd.search(name):
                found.append(f"{path.name}: {name}")
    assert found == []
