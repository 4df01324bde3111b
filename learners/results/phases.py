"""Phases of a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Stage(Enum):
    """Stage of a run, with the label of its phases for progress and exports; no code depends on the label."""

    label: str

    def __new__(cls, label: str) -> Stage:
        """Create a stage with its label."""
        stage = object.__new__(cls)
        stage._value_ = len(cls.__members__)  # two stages may have one label
        stage.label = label
        return stage

    __hash__ = object.__hash__  # the hash of Enum is slow

    KNOWLEDGE = "knowledge"

    # Tests.
    LEVEL = "level {size}"
    MARGINAL = "marginal"  # marginal tests of all pairs, before the searches of single variables
    ROUND = "round {round}"  # each variable adds or tests a candidate
    BACKWARD = "backward tests"  # each variable tests its candidates again
    BLANKETS = "blankets"
    WITHIN_BLANKETS = "within blankets, size {size}"
    WITHIN_CLUSTERS = "within clusters, size {size}"
    FIRST_SCREEN = "first screen"
    SECOND_SCREEN = "second screen"
    COMPLETION = "completion, size {size}"
    POSSIBLE_D_SEP = "possible d-sep, size {size}"  # sets from variables that may be needed beyond the neighbours
    THRESHOLD = "threshold"  # removal of edges above the threshold chosen afterwards

    # Rules that decide on a partner in the search around a variable.
    ONE_VARIABLE = "one variable"
    ALONE = "alone"
    BLANKET = "blanket"
    DECENTRALISED = "decentralised"
    EDGES = "edges, {last}"  # named by the rule that decided the later end

    # Mutual information.
    TRIPLETS = "triplets"
    FDR = "FDR"
    FDR_OF_LEVEL = "FDR, level {size}"

    # Joint CPPD.
    FORWARD_SELECTION = "forward selection"
    BACKWARD_ELIMINATION = "backward elimination"
    BACK_TO_CHOICE = "back to the choice"

    # Directions.
    V_STRUCTURES = "v-structures"
    MEEK_RULES = "Meek rules"
    COLLIDERS = "colliders"
    END_RULES = "rules of the ends"
    INDUCING = "pairs that no set separates"
    PATTERN = "completion"  # arrows that the whole graph implies within the groups

    # Searches by score.
    INITIAL_GRAPH = "initial graph"
    MOVES = "moves"
    CANDIDATES = "candidates {round}"  # moves among the candidate parents of a round
    PERTURBATION = "random moves {round}"
    RESTART = "restart {round}"
    BACK_TO_BEST = "back to the best graph"
    OPTIMUM = "optimal search"
    INSERTIONS = "insertions"
    DELETIONS = "deletions"
    TURNS = "turns"
    EQUIVALENCE_CLASS = "equivalence class"
    POLISH_FORWARD = "polish, insertions"
    POLISH_BACKWARD = "polish, deletions"

    # Averages.
    RESAMPLES = "resamples"
    SETTLING = "part {round}"  # part of the chains or of the draws
    AFTER_TABU = "after the tabu search"  # the probable edges of the classes that it reaches


@dataclass(frozen=True)
class Phase:
    """A stage with its number.

    Attributes
    ----------
    stage : Stage
    size : int or None
        Number of members of the conditioning sets if the stage has a phase for each size.
    round : int or None
        Number from 1 if the stage is repeated.
    last : Stage or None
        For `Stage.EDGES`: the rule that decided the later of the two ends.
    """

    stage: Stage
    size: int | None = None
    round: int | None = None
    last: Stage | None = None

    def __str__(self) -> str:
        last = self.last.label if self.last else None
        return self.stage.label.format(size=self.size, round=self.round, last=last)
