"""Tokenizer of words, numbers, quoted names and signs for NET, DSC, DAGitty and equations."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple, NoReturn

from ..common.errors import DataError
from ..common.wording import quoted

_QUOTED = {True: r'"(?:[^"\\]|\\.)*+"', False: r'"[^"]*+"'}  # quoted texts, with escapes by backslashes or without
_NUMBER = r"[-+]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][-+]?+[0-9]++)?+(?![\w.])"
_WORD = r"[^\W\d][\w.]*+"
_HYPHENS = r"(?:-[\w.]++)*+"
END = ""


class Token(NamedTuple):
    """A token; `kind` is "quoted", "number", "word", "sign", "signs" (of several characters) or "end"."""

    kind: str
    text: str
    at: int


class Tokens:
    """The tokens of a text, with one token of lookahead in `next`.

    Parameters
    ----------
    text : str
    form : str
        Format of the text, for messages.
    comments : str
        Pattern of comments, which are skipped.
    signs : str
        Pattern of signs of several characters, which take precedence over single ones.
    escapes : bool
        True if a backslash in quotes escapes a quote or a backslash.
    hyphens : bool
        True if a hyphen between two letters or digits belongs to a word.
    """

    def __init__(
        self,
        text: str,
        form: str,
        comments: str,
        signs: str = r"(?!)",
        *,
        escapes: bool = True,
        hyphens: bool = False,
    ) -> None:
        self.text, self.form, self._escapes = text, form, escapes
        self._blank = re.compile(rf"(?:\s|{comments})*+", re.DOTALL)
        self._token = re.compile(
            rf"(?P<quoted>{_QUOTED[escapes]})|(?P<signs>{signs})|(?P<number>{_NUMBER})"
            rf"|(?P<word>{_WORD}{_HYPHENS if hyphens else ''})|(?P<sign>.)",
            re.DOTALL,
        )
        self._at = 0
        self.next = self._read()

    def take(self, wanted: str | None = None) -> Token:
        """Return the next token and advance; DataError if it is not `wanted`."""
        found = self.next
        if wanted is not None and (found.text != wanted or found.kind == "quoted"):
            self.fail(f"expected {wanted!r} here, found {self._shown(found)}", found)
        self.next = self._read()
        return found

    def takes(self, wanted: str) -> bool:
        """Advance if the next token is `wanted`; return True if so."""
        stands = self.next.kind != "quoted" and self.next.kind != "end" and self.next.text == wanted
        if stands:
            self.take()
        return stands

    def name(self, what: str) -> str:
        """Read a name: a word, or a text in quotes."""
        if self.next.kind not in ("word", "quoted"):
            self.fail(f"expected {what} here, found {self._shown(self.next)}", self.next)
        return self.take().text

    def number(self, what: str) -> float:
        """Read a number."""
        if self.next.kind != "number":
            self.fail(f"{what} must be numbers, found {self._shown(self.next)}", self.next)
        return float(self.take().text)

    def numbers(self, ends: Collection[str], between: Collection[str], what: str) -> list[float]:
        """Read numbers up to one of `ends`, which stays next; the signs `between` are skipped."""
        found = []
        while self.next.text not in ends or self.next.kind == "quoted":
            if self.next.text in between and self.next.kind == "sign":
                self.take()
            else:
                found.append(self.number(what))
        return found

    def skip_to(self, end: str) -> None:
        """Skip all tokens up to and including the sign `end`."""
        while not self.takes(end):
            if self.next.kind == "end":
                self.fail(f"expected {end!r} before the end", self.next)
            self.take()

    def fail(self, sentence: str, token: Token) -> NoReturn:
        """Raise DataError with the line number."""
        line = self.text.count("\n", 0, token.at) + 1
        raise DataError(f"in line {line} of the {self.form} network: {sentence}")

    def _read(self) -> Token:
        start = self._blank.match(self.text, self._at).end()
        found = self._token.match(self.text, start)
        if found is None:
            return Token("end", END, start)
        self._at = found.end()
        return Token(found.lastgroup, self._plain(found[0]) if found.lastgroup == "quoted" else found[0], start)

    def _plain(self, text: str) -> str:
        return re.sub(r'\\(["\\])', r"\1", text[1:-1]) if self._escapes else text[1:-1]

    @staticmethod
    def _shown(token: Token) -> str:
        return "the end" if token.kind == "end" else quoted([token.text])


def in_quotes(text: str) -> str:
    """Return the text in quotes, with quotes and backslashes escaped."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
