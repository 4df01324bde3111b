"""Roles of variables, cause, effect or conditioning set, chosen in lists or by clicking the graph."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.session.state import Run
from pages.session.words import labels_of, t
from viz.graph_view import Stroke
from viz.text import distinct_labels

LISTS = {"cause": "Cause", "effect": "Outcome", "given": "Conditioned on", "latent": "Unmeasured"}
CLICKS = {"cause": "Set cause", "effect": "Set outcome", "given": "Condition", "latent": "Mark unmeasured"}
# d-separation is symmetric.
LISTS_OF_PAIR = LISTS | {"cause": "First variable", "effect": "Second variable"}
CLICKS_OF_PAIR = CLICKS | {"cause": "Set first", "effect": "Set second"}
SOURCE, LEARNED, DRAWN = "effects_source", "Run", "Drawing"  # session key of the graph in question, and its values
VIEW = "effects_view"  # session key of the question about a run
VIEWS = ("Paths", "Adjustment", "Effect", "Model fit")  # questions about a run
NARROW, WIDE = 165, 260  # widths of a list in pixels


@dataclass(frozen=True)
class Roles:
    """Roles of variables in the session.

    Attributes
    ----------
    page : str
        Prefix of the widget keys.
    of : str
        Suffix of the widget keys; separate subjects have separate roles.
    options : sequence
        Identifiers of the variables.
    names : sequence of str
        Names of the variables on screen.
    has_latent : bool
        True if variables can be marked as unmeasured.
    is_symmetric : bool
        True if only the separation of the two variables is asked, so that neither is called a cause. Only this
        question has a conditioning set; the other ones have adjustment sets, which the answer lists.
    """

    page: str
    of: str
    options: Sequence[Hashable]
    names: Sequence[str]
    has_latent: bool = False
    is_symmetric: bool = False

    def key(self, role: str) -> str:
        """Return the key of the widget of a role."""
        return f"{self.page}_{role}{self.of}"

    @property
    def key_of_click(self) -> str:
        """Return the key of the choice of the role that a click sets."""
        return f"{self.page}_click" if self.is_symmetric else f"{self.page}_click_role"

    @property
    def first_click(self) -> str:
        """Return the role that a click sets unless the user chooses another one."""
        return "given" if self.is_symmetric else "effect"

    def begin(self, cause: Hashable, effect: Hashable) -> None:
        """Fill missing roles with defaults, drop deleted variables, and apply clicks."""
        for role, default in (("cause", cause), ("effect", effect)):
            if st.session_state.get(self.key(role)) not in self.options:
                st.session_state[self.key(role)] = default
        held = st.session_state.get(self.key("given"), [])
        st.session_state[self.key("given")] = [one for one in held if one in self.options]
        if self.has_latent:
            unmeasured = st.session_state.get(self.key("latent"), [])
            st.session_state[self.key("latent")] = [one for one in unmeasured if one in self.options]
        for found in st.session_state.pop(f"{self.page}_clicked", ()):
            self._follow([one for one in found if one in self.options])

    def _follow(self, found: Sequence[Hashable]) -> None:
        """Give a clicked variable the chosen role; the ends of a clicked edge become cause and effect."""
        role = st.session_state.get(self.key_of_click, self.first_click)
        if len(found) == 2:
            st.session_state[self.key("cause")], st.session_state[self.key("effect")] = found
        elif found and role in ("given", "latent"):
            held = st.session_state.get(self.key(role), [])
            left = [one for one in held if one != found[0]]
            st.session_state[self.key(role)] = left if found[0] in held else [*held, *found]
            other = self.key("latent" if role == "given" else "given")
            if found[0] not in held and found[0] in st.session_state.get(other, []):  # nothing unmeasured is given
                st.session_state[other] = [one for one in st.session_state[other] if one != found[0]]
        elif found:
            st.session_state[self.key(role)] = found[0]

    def ask(self) -> None:
        """Show the list of variables for each role, and the choice of the role that a click sets."""
        label = dict(zip(self.options, distinct_labels(self.names), strict=True)).get
        lists, clicks = (LISTS_OF_PAIR, CLICKS_OF_PAIR) if self.is_symmetric else (LISTS, CLICKS)
        for role in ("cause", "effect"):
            st.selectbox(
                t(lists[role]),
                self.options,
                format_func=label,
                key=self.key(role),
                persist_state="session",
                width=NARROW,
            )
        if self.is_symmetric:
            st.multiselect(
                t(lists["given"]), self.options, format_func=label, key=self.key("given"), persist_state="session",
                placeholder=t("nothing"), width=WIDE,
            )  # fmt: skip
        if self.has_latent:
            st.multiselect(
                t(lists["latent"]), self.options, format_func=label, key=self.key("latent"), persist_state="session",
                placeholder=t("none"), width=WIDE,
                help=t("Latent variables; no set contains them."),
            )  # fmt: skip
        offered = {"cause": True, "effect": True, "given": self.is_symmetric, "latent": self.has_latent}
        st.segmented_control(
            t("On click"), [role for role in clicks if offered[role]], default=self.first_click,
            required=True, format_func=labels_of(clicks), key=self.key_of_click, persist_state="session",
        )  # fmt: skip

    def chosen(self) -> tuple[int, int, tuple[int, ...]]:
        """Return the positions of cause and effect, which differ, and of the conditioning set in ascending order."""
        x, y = (self.options.index(st.session_state[self.key(role)]) for role in ("cause", "effect"))
        if x == y:
            y = 1 if x == 0 else 0
            st.caption(
                t(
                    "The two variables must differ, so another second variable was chosen."
                    if self.is_symmetric
                    else "Cause and outcome must differ, so another outcome was chosen."
                )
            )
        given = st.session_state[self.key("given")] if self.is_symmetric else ()
        held = {self.options.index(one) for one in given}
        return x, y, tuple(sorted(held - {x, y} - set(self.latent())))

    def latent(self) -> tuple[int, ...]:
        """Return the positions of the unmeasured variables, in ascending order."""
        if not self.has_latent:
            return ()
        ends = {st.session_state[self.key(role)] for role in ("cause", "effect")}
        marked = set(st.session_state[self.key("latent")]) - ends
        return tuple(sorted(self.options.index(one) for one in marked))

    def hear(self, strokes: Sequence[Stroke]) -> bool:
        """Queue clicks, which `begin` applies in the next script run; return True if there are any."""
        clicks = [stroke["nodes"] for stroke in strokes if stroke["what"] == "click"]
        known = [[self.options[k] for k in nodes if k < len(self.options)] for nodes in clicks]
        st.session_state.setdefault(f"{self.page}_clicked", []).extend(known)
        return bool(clicks)


def of_run(run: Run) -> Roles:
    """Return the roles in the graph of a run, which are shared by all runs on the same table."""
    names = run.result.names
    return Roles("effects", f"_{run.dataset.fingerprint[:12]}", range(len(names)), names)
