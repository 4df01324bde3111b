"""Messages about parts of an address that do not exist: each names the part, and what is possible."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

from learners.common.sentences import NOTHING, Phrase, Quoted, Sentence, paragraph, phrase, say

UNKNOWN_TEMPLATES = {  # by part of the address
    "sample": "There is no sample {value}.",
    "data": "There are no data {value}.",
    "view": "There is no view {value}.",
    "learner": "There is no learner {value}.",
    "lesson": "There is no lesson {value}.",
    "language": "There is no language {value}.",
    "present": "There is no presenter mode {value}.",
    "slide": "There is no slide {value}.",
    "quiz": "There is no quiz {value}.",
    "run": "There is no run {value} in this session.",
    "pair": "This run has no variable {value}.",
}
MAX_LISTED, MAX_LENGTH = 12, 40  # maximum number of possible values in a message, and of characters of a value
CLOSE = 0.75  # minimum similarity of a misspelt name to a known one


def unknown(part: str, value: str, known: Iterable[str] = ()) -> Phrase:
    """Return the message about a part with an unknown value: the closest known one, else the possible values."""
    known = [one for one in known if one]
    close = get_close_matches(value, known, 1)
    meant = say("Did you mean {close}?", close=close[0]) if close else _possible(known)
    return Phrase(paragraph(say(UNKNOWN_TEMPLATES[part], value=_quoted(value)), meant))


def unread(names: Iterable[str], read: Collection[str], known: Collection[str]) -> list[str]:
    """Return a message for each name in an address that the page does not read.

    Parameters
    ----------
    names : iterable of str
    read : collection of str
        Names that the page reads, in the order in which a message lists them.
    known : collection of str
        Names that any page reads, parameters of learners included. A name close to one of them is a misspelling.
    """
    found = []
    for name in names:
        close = [] if name in known else get_close_matches(name, sorted(known), 1, CLOSE)
        if close:
            found.append(
                phrase("The address contains {name}. Did you mean {close}?", name=_quoted(name), close=close[0])
            )
        else:
            ignored = say("The address contains {name}, which this page does not read.", name=_quoted(name))
            found.append(Phrase(paragraph(ignored, _possible(list(read), has_parameters="run" in read))))
    return found


def _possible(known: Sequence[str], *, has_parameters: bool = False) -> Sentence:
    """Return a sentence that lists possible values, the first ones if there are many."""
    if not known:
        return NOTHING
    if has_parameters:
        return say("Possible values: {values}, and parameters of the learner.", values=", ".join(known))
    if len(known) <= MAX_LISTED:
        return say("Possible values: {values}.", values=", ".join(known))
    return say(
        "Possible values: {values} and {n} more.", values=", ".join(known[:MAX_LISTED]), n=len(known) - MAX_LISTED
    )


def _quoted(value: str) -> Quoted:
    return Quoted([value[:MAX_LENGTH]])
