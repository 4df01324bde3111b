"""What the statistical calls of a run were made for."""

from __future__ import annotations

from enum import Enum


class CallKind(Enum):
    """A part of a run whose calls are counted by themselves, as Huang and Zhou (2022), section 5.1."""

    PARTITION = "partition"  # tests without a set, and an entropy each variable
    WITHIN = "within"  # tests inside clusters
    SCREENS = "screens"  # tests between clusters
    COMPLETION = "completion"  # tests that clusters had put off
    TESTS = "tests"  # of a skeleton without clusters
    SOLUTION_PATH = "solution path"  # local score differences of the solutions
    SEARCH = "search"  # those of the search that follows
    POLISH = "polish"  # those of GES after it
    NO_CONDITION = "no condition"  # of PC: tests without a set
    CONDITIONS = "conditions"  # of PC: the others
