"""Parse a lesson: Markdown with fenced blocks named graph, picture, run, numbers and question.

A yes/no question has to name the property that a "yes" confirms: `check_polarity`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ...common.errors import LearnersError
from .exercises import CHECKS, exercise
from .graph_syntax import read_graph
from .lesson import (
    Lesson,
    LessonError,
    LessonGraph,
    LessonNumbers,
    LessonPicture,
    LessonQuestion,
    LessonRun,
    LessonText,
)
from .lesson_runs import read_run
from .moving_numbers import read_numbers

FENCE = "```"
BECAUSE = "because:"  # begins the line of a question that adds to the computed reason
DIRECTIVES = ("graph", "picture", "run", "numbers", "question")
Line = tuple[int, str]
Block = LessonText | LessonGraph | LessonRun | LessonQuestion | LessonNumbers
# The property that a check asks about, as words of a question in each language.
WORDS: Mapping[str, Mapping[str, str]] = {
    "independent": {"en": r"independent|separate\b|removed", "de": r"unabhängig|trennt|entfernt"},
    "dependent": {"en": r"dependent", "de": r"abhängig"},
    "adjacent": {"en": r"adjacent", "de": r"benachbart"},
    "collider": {"en": r"collider", "de": r"Kollider"},
    "equivalent": {"en": r"equivalent", "de": r"äquivalent"},
    "causes": {"en": r"causes?\b", "de": r"verursacht|Ursache"},
    "adjusts": {"en": r"adjustment set|suffice|condition on", "de": r"Adjustierungsmenge|genügt|bedingen"},
}
NEGATIONS = {"en": r"not|\w+n't|no|never|without|neither|fail", "de": r"nicht|kein\w*|nie|ohne|weder"}


def read_lesson(text: str, key: str, language: str = "en") -> Lesson:
    """Parse the text of a lesson file.

    The first line is the title (``# PC by hand``), the second is the duration (``minutes: 10``). A third line may name
    the language of the text (``language: de``).

    Parameters
    ----------
    text : str
    key : str
        Name of the file, for its address and for errors.
    language : str
        Language of the text and of its answers.

    Raises
    ------
    LessonError
        If the file is not a lesson, or the answer of a question cannot be computed. The message names the line.
    """
    where = key if language == "en" else f"{language}/{key}"
    lesson, faults = parsed(text, key, language)
    if faults:
        number, sentence = faults[0]
        raise LessonError(f"{where}, line {number}: {sentence}")
    return lesson


def parsed(text: str, key: str, language: str = "en") -> tuple[Lesson | None, list[tuple[int, str]]]:
    """Return a lesson, None if it has no valid head, and its faults: the line and a sentence for each."""
    lines = list(enumerate(text.splitlines(), start=1))
    try:
        title, minutes, language, n_head = _head(lines, language)
    except LearnersError as error:
        return None, [(1, str(error))]
    blocks: list[Block] = []
    faults: list[tuple[int, str]] = []
    try:
        for number, name, body in _parts(lines[n_head:]):
            try:
                blocks.append(_block(name, body, number, blocks, language))
            except LearnersError as error:
                faults.append((number, str(error)))
    except LearnersError as error:  # the last block has no end
        faults.append((max(number for number, line in lines if line.startswith(FENCE)), str(error)))
    return Lesson(key, title, minutes, tuple(blocks), language), faults


def _head(lines: list[Line], language: str) -> tuple[str, int, str, int]:
    """Return title, minutes, language, and the number of lines of the head."""
    head = [line for _, line in lines[:3]] + ["", "", ""]
    if not head[0].startswith("# "):
        raise LessonError('a lesson begins with its title, as in "# PC by hand"')
    word, _, minutes = head[1].partition(":")
    if word != "minutes" or re.fullmatch(r"\s*[0-9]{1,3}\s*", minutes) is None:
        raise LessonError('the second line says how long the lesson takes, as in "minutes: 10"')
    title = head[0][2:].strip()
    word, _, named = head[2].partition(":")
    if word != "language":
        return title, int(minutes), language, 2
    if named.strip() not in WORDS["independent"]:
        raise LessonError(f'language is one of {", ".join(WORDS["independent"])}, got "{named.strip()[:80]}"')
    return title, int(minutes), named.strip(), 3


def _parts(lines: list[Line]) -> Iterator[tuple[int, str, list[Line]]]:
    """Return text and fenced blocks in turn, each with its first line number, its name and its lines."""
    name, begun, held = "", 0, []
    for number, line in [*lines, (len(lines) + 3, "")]:
        begun = begun or number
        fence = line.startswith(FENCE)
        if not fence:
            held.append((number, line))
            continue
        if any(one.strip() for _, one in held) or name:
            yield begun, name, held
        name, begun, held = ("" if name else line[len(FENCE) :].strip() or "text"), number, []
    if name:
        raise LessonError(f"the block {name} that begins at line {begun} has no end; close it with {FENCE}")
    if any(one.strip() for _, one in held):
        yield begun, name, held


def _block(name: str, body: list[Line], number: int, before: list, language: str) -> Block:
    lines = [line.strip() for _, line in body if line.strip()]
    if name == "graph":
        return read_graph(lines)
    if name == "picture":
        return LessonPicture(**vars(read_graph(lines)))
    asked = [one for one in before if not isinstance(one, LessonPicture)]
    if name == "run":
        return read_run(lines, next((one for one in reversed(asked) if isinstance(one, LessonGraph)), None))
    if name == "numbers":
        return read_numbers(lines)
    if name == "question":
        return _question(lines, number, asked, language)
    text = "\n".join(line for _, line in body)
    if not name:
        return LessonText(text)
    if name != "text":
        raise LessonError(f'a block is one of {", ".join(DIRECTIVES)} or text, got "{name}"')
    return LessonText(f"{FENCE}\n{text}\n{FENCE}")


def _question(lines: list[str], number: int, before: list, language: str) -> LessonQuestion:
    because = " ".join(line.removeprefix(BECAUSE).strip() for line in lines if line.startswith(BECAUSE))
    lines = [line for line in lines if not line.startswith(BECAUSE)]
    if len(lines) < 2:
        raise LessonError("a question needs a line of text and, below it, a line on how its answer is computed")
    check, _, about = lines[-1].partition(":")
    if check not in CHECKS:
        raise LessonError(f'an answer is computed by one of {", ".join(CHECKS)}, got "{check}"')
    subjects = [one for one in before if isinstance(one, CHECKS[check].of)]
    if not subjects:
        subject = CHECKS[check].of.__name__.removeprefix("Lesson").lower()
        raise LessonError(f'"{check}" asks about a {subject}, and none stands above it')
    question = LessonQuestion(" ".join(lines[:-1]), check, about.strip(), subjects[-1], number, because)
    check_polarity(question.text, check, language)
    if isinstance(question.subject, LessonGraph):  # a run is learnt when it is shown
        exercise(question)
    return question


def check_polarity(text: str, check: str, language: str) -> None:
    """Raise an error if the last sentence of a yes/no question lacks the property of its check, or negates it.

    Parameters
    ----------
    text : str
        The whole question.
    check : str
        Key of `learners.teaching.lessons.exercises.CHECKS`; other types of questions have no polarity.
    language : str
    """
    words = WORDS.get(check, {}).get(language)
    if words is None:
        return
    asked = re.split(r"(?<=[.!?])\s+", text.strip())[-1]
    if not asked.endswith("?"):
        raise LessonError(f'a question ends with a question mark, got "{asked[-80:]}"')
    if not re.search(rf"\b(?:{words})", asked, re.IGNORECASE):
        raise LessonError(f'"{check}" answers whether something is {check}; the question has to ask that in this word')
    if found := re.search(rf"\b(?:{NEGATIONS[language]})\b", asked, re.IGNORECASE):
        raise LessonError(f'a negated question has no clear answer; rewrite it without "{found.group()}"')
