"""Parts of a lesson."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...common.errors import LearnersError
from ...effects.paths import Path
from ...graphs.graph import PDAG
from ...networks.network import DiscreteNetwork, GaussianNetwork
from .answer_texts import Texts
from .entered_answers import EnteredNumber, SliderPosition, StepOrder
from .picture_answers import ChosenEdges, ChosenNodes, OrientedEdges
from .typed_answers import ClickedNodes, TypedNumber, TypedText


class LessonError(LearnersError):
    """Error in a lesson file that cannot be read; the message names the line."""


@dataclass(frozen=True)
class LessonText:
    """Markdown, from one block to the next."""

    text: str


@dataclass(frozen=True)
class LessonGraph:
    """A drawn graph.

    Attributes
    ----------
    graph : PDAG
    names : tuple of str
    weights : (p, p) float array
        Coefficients of the linear equations from which rows are simulated: 1 where the lesson gives none.
    given : tuple of str
        Variables drawn as conditioned on.
    hidden : tuple of str
        Hidden variables, which the simulated tables do not contain.
    tables : DiscreteNetwork or None
        The graph with the probabilities that the lesson gives; None if it gives none.
    """

    graph: PDAG
    names: tuple[str, ...]
    weights: np.ndarray
    given: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    tables: DiscreteNetwork | None = None

    @property
    def network(self) -> DiscreteNetwork | GaussianNetwork:
        """The given probabilities, or linear equations with noise of variance 1 along its arrows."""
        if self.tables is not None:
            return self.tables
        p = len(self.names)
        return GaussianNetwork(self.names, self.weights, np.ones(p), np.zeros(p))


@dataclass(frozen=True)
class LessonPicture(LessonGraph):
    """A graph that is only shown: no question and no run is about it."""


SLIDERS = ("run", "solutions", "probable")  # slider modes of Inspect: the run, the solution path, a minimum probability
PROMISES = (
    "removals",
    "levels",
    "doubtful arrow",
    "SHD",
    "forward selection",
    "backward elimination",
    "joint CPPD curve",
    "γ line",
    "awareness dots",
    "BIC curve",
    "star",
    "probabilities",
    "probability line",
)


@dataclass(frozen=True)
class LessonRun:
    """A run, or several that differ in one setting.

    Attributes
    ----------
    learner : str
    data : str or LessonGraph
        Key of a sample or of a network, or the graph to draw rows from.
    settings : mapping of str to tuple of str, int or float
        `rows`, `seed` and parameters of the learner; at most one has several values.
    slider : str
        One of `SLIDERS`: what the slider below the graph moves through.
    shows : tuple of str
        Members of `PROMISES`: parts of the picture that the text mentions, which therefore must be visible.
    repeats : int
        Number of seeds with which the runs can be repeated, to show how much their errors vary.
    """

    learner: str
    data: str | LessonGraph
    settings: Mapping[str, tuple]
    slider: str = "run"
    shows: tuple[str, ...] = ()
    repeats: int = 1

    @property
    def varied(self) -> str | None:
        """The setting that has several values."""
        return next((name for name, values in self.settings.items() if len(values) > 1), None)

    def at(self, k: int) -> dict:
        """Return the settings of run number k."""
        return {name: values[k if len(values) > 1 else 0] for name, values in self.settings.items()}


@dataclass(frozen=True)
class MovingStrength:
    """Values of a strength that a slider moves through, and the position where it begins."""

    pair: tuple[int, int]
    values: tuple[float, ...]
    begin: int


@dataclass(frozen=True)
class LessonNumbers:
    """Numbers that move with sliders; see `learners.teaching.lessons.moving_numbers`.

    Attributes
    ----------
    graph : LessonGraph
    strengths : mapping of (int, int) to float or MovingStrength
        Strength of each arrow.
    effect, cause, group : int
        Compared variables: the effect by the cause, in the groups of the third.
    """

    graph: LessonGraph
    strengths: Mapping[tuple[int, int], float | MovingStrength]
    effect: int
    cause: int
    group: int

    @property
    def moving(self) -> tuple[MovingStrength, ...]:
        """The strengths that have a slider."""
        return tuple(one for one in self.strengths.values() if isinstance(one, MovingStrength))


MAX_MEMBERS = 12
Entry = (
    EnteredNumber | SliderPosition | StepOrder | ChosenNodes | ChosenEdges | OrientedEdges
    | TypedText | TypedNumber | ClickedNodes
)  # fmt: skip


@dataclass(frozen=True)
class Exercise:
    """A question with its answer, which was computed.

    Attributes
    ----------
    question : str
    choices : tuple of str
        Empty if the answer can only be entered.
    answer : int
        Position of the correct choice; -1 without choices.
    why : str
        Reason of the answer, as a sentence.
    path : tuple of int
        Path of the graph that the reason names, to be highlighted; empty if it names none.
    is_open : bool
        True if that path is open.
    members : tuple of PDAG
        DAGs of the class that the reason counts, at most `MAX_MEMBERS`.
    entry : Entry or None
        The answer as it is entered: in the picture, as a number, or as an order of steps. A probability also has
        `choices`, which offer it beside the values of mistakes.
    given : tuple of int
        Variables that the reason conditions on.
    paths : tuple of Path
        All paths that decide, open and blocked, of which the reason names some.
    because : str
        Sentence of the lesson that follows the reason; `why` contains it.
    """

    question: str
    choices: tuple[str, ...]
    answer: int
    why: str
    path: tuple[int, ...] = ()
    is_open: bool = False
    members: tuple[PDAG, ...] = ()
    entry: Entry | None = None
    given: tuple[int, ...] = ()
    paths: tuple[Path, ...] = ()
    because: str = ""

    @property
    def has_answer(self) -> bool:
        """True if there is a right answer; a question typed in class may have none."""
        return self.answer >= 0 if self.choices else self.entry.solution is not None

    def right_text(self, say: Texts) -> str:
        """Return the correct answer in words; empty if there is none."""
        if not self.has_answer:
            return ""
        return self.choices[self.answer] if self.choices else self.entry.label(self.entry.solution, say)

    def given_text(self, given: int | str, say: Texts) -> str:
        """Return an answer in words: the position of a choice, or the text of an entry."""
        return self.choices[given] if self.choices else self.entry.label(self.entry.parse(str(given)), say)


@dataclass(frozen=True)
class LessonQuestion:
    """A question about a graph or a run; `exercise` computes its answer.

    Attributes
    ----------
    text : str
    check : str
        Key in `learners.teaching.lessons.exercises.CHECKS` of the check that answers it.
    about : str
        Argument of the check.
    subject : LessonGraph or LessonRun
    line : int
        Line of the file where it begins.
    because : str
        Sentence that follows the computed reason.
    """

    text: str
    check: str
    about: str
    subject: LessonGraph | LessonRun
    line: int
    because: str = ""


@dataclass(frozen=True)
class Lesson:
    """A lesson file: key, title, duration in minutes, blocks in order, and language."""

    key: str
    title: str
    minutes: int
    blocks: tuple[LessonText | LessonGraph | LessonRun | LessonQuestion | LessonNumbers, ...]
    language: str = "en"
