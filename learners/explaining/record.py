"""The record of an explanation: a claim with its evidence and caveats, as sentences with typed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..common.sentences import ENGLISH as ENGLISH
from ..common.sentences import NOTHING as NOTHING
from ..common.sentences import THOUSANDS as THOUSANDS
from ..common.sentences import Capitalized as Capitalized
from ..common.sentences import Catalog as Catalog
from ..common.sentences import Caveat as Caveat
from ..common.sentences import Count as Count
from ..common.sentences import Edge as Edge
from ..common.sentences import Listed as Listed
from ..common.sentences import Node as Node
from ..common.sentences import Nodes as Nodes
from ..common.sentences import Number as Number
from ..common.sentences import Sentence as Sentence
from ..common.sentences import Unit as Unit
from ..common.sentences import Value as Value
from ..common.sentences import caveat as caveat
from ..common.sentences import mbit as mbit
from ..common.sentences import only_if as only_if
from ..common.sentences import p_of as p_of
from ..common.sentences import percent as percent
from ..common.sentences import probability as probability
from ..common.sentences import say as say
from ..common.sentences import setting as setting
from ..graphs.rules import Rule
from ..results.events import Event


@dataclass(frozen=True, eq=False)
class Explanation:
    """Explanation of a fact about a run.

    Attributes
    ----------
    names : tuple of str
        Variables of the run.
    claim : Sentence
        The conclusion: "smoke — bronc is in the graph."
    evidence : tuple of Sentence
        Reasons, in reading order.
    caveats : tuple of Sentence
        Limits of the evidence.
    rule : Rule or None
        Rule of the decisive event.
    numbers : mapping of str to float
        Numbers of the decisive event and of the pair, by name; numbers that do not apply are left out.
    decisive : Event or None
        The test that decided.
    tests : tuple of Event
        Events that summarize tests, the largest p first.
    """

    names: tuple[str, ...]
    claim: Sentence
    evidence: tuple[Sentence, ...] = ()
    caveats: tuple[Sentence, ...] = ()
    rule: Rule | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    decisive: Event | None = None
    tests: tuple[Event, ...] = ()

    @property
    def headline(self) -> str:
        """The claim in English, as plain text."""
        return self.claim.text(self.names)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Evidence and caveats in English, as plain text."""
        return self.written()[1:]

    def written(self, catalog: Catalog = ENGLISH) -> tuple[str, ...]:
        """Return claim, evidence and caveats in the language of a catalog, as plain text."""
        return texts((self.claim, *self.evidence, *self.caveats), self.names, catalog)


def texts(sentences: Iterable[Sentence], names: Sequence[str], catalog: Catalog = ENGLISH) -> tuple[str, ...]:
    """Write several sentences."""
    return tuple(one.text(names, catalog) for one in sentences)
