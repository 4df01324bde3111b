"""The record of an explanation: a claim with its evidence and caveats, as sentences with typed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..common.sentences import ENGLISH, Catalog, Sentence
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
