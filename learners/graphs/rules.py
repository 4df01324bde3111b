"""Rules that remove, add and orient edges, as reasons of the events of a trace, and groups of rules."""

from __future__ import annotations

from enum import Enum


class Rule(Enum):
    """Rule that decided an event. The value is a short name for exports; no code depends on it."""

    # Tests of independence.
    TEST = "test"
    UNTESTED = "untested"  # not tested, because there were too few rows
    THRESHOLD = "threshold"  # the largest p of all tests of the pair is above the threshold chosen afterwards
    BLANKET = "blanket"  # the last test of j as a member of the Markov blanket of i
    BLANKET_UNTESTED = "blanket untested"
    NO_ROOM = "no room"  # j is not in the Markov blanket of i, because there are too few rows
    MIDDLE = "middle"  # tests given sets that contain the middle variable, the first of `cond`
    # Test of a v-structure given the separating set of its ends and the middle, the first of `cond`.
    CHECKED = "checked"
    CHECKED_CUT = "checked cut"  # the same test if the ends are dependent with information below the cut
    C1 = "C1"  # the statistic is compared with a multiple of the degrees of freedom
    MI = "MI"  # the information is compared with a threshold in bits
    PROBABLE = "probable"  # the posterior probability of the edge or arrow, which is the statistic
    FREQUENCY = "frequency"  # share of the resamples with the edge or arrow, which is the statistic

    # Both ends of a pair.
    MUTUAL = "mutual"  # each end selected the other one as its neighbour
    BOTH_HOLD = "both hold"  # both ends are neighbours of each other
    TARGET_HOLDS = "target holds"  # the only target of the run has the other end as a neighbour

    # Mutual information; information in mbit is statistic and threshold of CUT, TRIPLET and CHECKED_CUT.
    CUT = "cut"
    TRIPLET = "triplet"  # the edge is the weakest one of a triangle
    NORMAL = "normal"  # test by z of the normal approximation
    FAMILY = "family"  # decision on all tests of an edge together
    FDR = "fdr"  # decision on the families of both ends by the false discovery rate
    POWER = "power"  # not tested, because its power is too low; the threshold is the bound on the degrees of freedom

    # Pairs ranked by joint CPPD; j is the node that i is aware of.
    SELECTED = "selected"
    DROPPED = "dropped"
    AWARE = "aware"
    UNAWARE = "unaware"
    ELIMINATED = "eliminated"
    PUT_BACK = "put back"

    # Background knowledge.
    REQUIRED = "required"
    FORBIDDEN = "forbidden"

    # Directions.
    V_STRUCTURE = "v-structure"
    TESTED_V_STRUCTURE = "tested v-structure"  # found by tests given the middle
    CHECKED_V_STRUCTURE = "checked v-structure"  # the ends are dependent given their separating set and the middle
    INDUCED = "induced"  # a v-structure by the dependence that its middle induces
    SCORED_V_STRUCTURE = "scored v-structure"  # a v-structure of the best DAG found within the skeleton
    V_STRUCTURE_CONTRADICTED = "v-structure contradicted"
    V_STRUCTURE_CYCLIC = "v-structure cyclic"
    R1 = "R1"  # R1 to R4: Meek's rules
    R2 = "R2"
    R3 = "R3"
    R4 = "R4"
    CONFLICT = "conflict"  # Meek's rules imply both directions
    AMBIGUOUS = "ambiguous"  # sets with and without the middle of a triple, which is in `cond`, separate its ends
    COLLIDER_ENDS = "PAG R0"  # rules of PAGs, for single ends: a collider between variables that are not adjacent
    ENDS_R1 = "PAG R1"
    ENDS_R2 = "PAG R2"
    ENDS_R3 = "PAG R3"
    ENDS_R4 = "PAG R4"
    ENDS_R4_COLLIDER = "PAG R4 collider"
    ENDS_R8 = "PAG R8"
    ENDS_R9 = "PAG R9"
    ENDS_R10 = "PAG R10"
    MAG_REMOVAL = "MAG removal"  # a move of a search over MAGs; `cond` become colliders between the ends
    MAG_COLLIDER = "MAG collider"  # the first of `cond` becomes a collider by a removal; the second is the other end
    MAG_ENDS = "MAG ends"  # a move that changes the marks of an edge
    INDUCING = "inducing path"  # no set separates the pair in the MAG
    PATTERN = "pattern"  # implied by the edges and v-structures of the whole graph

    # The initial graph of a search.
    COLLIDER_BEGUN = "collider begun"  # the first arrow of a v-structure
    COLLIDER = "collider"  # the second arrow of a v-structure
    COLLIDER_COMPLETED = "collider completed"  # the missing arrow of a v-structure that had one
    SINK = "sink"
    IMPLIED = "implied"  # implied by Meek's rules or a directed path
    KNOWN = "known"  # knowledge excludes the other direction
    NO_GAIN = "no gain"
    UNSETTLED = "unsettled"

    # Moves of a search by score, and the marks of its equivalence class.
    ADD = "add"
    DELETE = "delete"
    REVERSE = "reverse"
    INSERT = "insert"
    TURN = "turn"
    EQUIVALENT = "equivalent"  # either direction occurs in the class
    COMPELLED = "compelled"  # the same direction in the whole class
    SETTLED = "settled"  # a direction implied by background knowledge

    __hash__ = object.__hash__  # a trace looks up one rule per event, and Enum's own hash is slow

    def __str__(self) -> str:
        return self.value


MOVES = frozenset({Rule.ADD, Rule.DELETE, Rule.REVERSE, Rule.INSERT, Rule.TURN})
CLASS_MARKS = frozenset({Rule.EQUIVALENT, Rule.COMPELLED, Rule.SETTLED})

# Steps to the initial graph of a search: drawn arrows and omitted edges.
DRAWN = frozenset({Rule.COLLIDER_BEGUN, Rule.COLLIDER, Rule.COLLIDER_COMPLETED, Rule.SINK, Rule.IMPLIED, Rule.KNOWN})
LEFT_OUT = frozenset({Rule.NO_GAIN, Rule.UNSETTLED})
BEGINNINGS = DRAWN | LEFT_OUT

INFORMATION = frozenset({Rule.CUT, Rule.TRIPLET, Rule.NORMAL, Rule.FAMILY, Rule.FDR, Rule.POWER, Rule.CHECKED_CUT})
IN_MBIT = frozenset({Rule.CUT, Rule.TRIPLET, Rule.CHECKED_CUT})
CUTS = frozenset({Rule.C1, Rule.MI})  # tests with a threshold other than alpha
ADJACENCY_RULES = frozenset({Rule.BOTH_HOLD, Rule.TARGET_HOLDS})
AWARENESS = frozenset({Rule.AWARE, Rule.UNAWARE})

# Tests that neither add nor remove an edge by themselves.
OF_BLANKETS = frozenset({Rule.BLANKET, Rule.BLANKET_UNTESTED})
OF_MIDDLES = frozenset({Rule.MIDDLE, Rule.CHECKED, Rule.CHECKED_CUT})  # the middle is the first of `cond`
ASIDES = OF_BLANKETS | OF_MIDDLES

# Rule of an arrow, by the number of the kernels: 0 a v-structure, 1 to 4 Meek's rules, 5 both directions implied.
OF_ARROWS = (Rule.V_STRUCTURE, Rule.R1, Rule.R2, Rule.R3, Rule.R4, Rule.CONFLICT)
