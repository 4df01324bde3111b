"""Keep the address bar in step with the screen, so that Back, Forward and bookmarks work within a session.

``/inspect?sample=asia&learner=pc&alpha=0.05&step=12&view=Table&pair=lung&pair=smoke``; a missing part has its initial
value: the first sample, the run of the session, its result, the graph, no pair. A missing run is learned.
``/effects?sample=asia&learner=pc&pair=smoke&pair=dysp&view=Effect`` is a question about two variables of the run.
``/learn?learner=boss`` is a chosen learner, ``/lessons?lesson=03-pc-by-hand&language=de`` is a lesson, and
``&present=1&slide=3`` one of its slides in presenter view, ``/inspect?quiz=1`` a quiz on the run. A part that the page
does not read, and a value that does not exist, produce a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from learners.common.sentences import Quoted, phrase
from learners.io.samples import SAMPLES
from learners.registry import LEARNERS
from pages.blocks import addressed_run, presenter, slider
from pages.blocks.address_problems import unknown, unread
from pages.blocks.effects import roles
from pages.session import quizzes, shared_link, state
from pages.session.guard import QUERY, TAKE
from pages.session.state import DEFAULT_VIEW, LEARNER, VIEWS, Run
from pages.session.words import LANGUAGE, language, preferred, written
from viz.kinds import choice_step, last_step
from viz.snippet import of_sample
from viz.text import as_sentence, escape_markdown
from viz.translation.sentences import LANGUAGES

OF_A_RUN = ("", "inspect")  # pages that replay the run on screen
COMMON = ("data", "sample", "language")  # parts that every page reads
RUN = ("learner", "run")  # the parts that name a run, with the parameters of its learner
PARTS_OF = {  # by page, the further parts that it reads
    "": (*RUN, "step", "pair"),
    "inspect": (*RUN, "step", "view", "pair", "quiz", "present"),
    "effects": (*RUN, "pair", "view"),
    "learn": ("learner",),
    "lessons": ("lesson", "slide", "present"),
}
PARTS = {*COMMON, *(part for parts in PARTS_OF.values() for part in parts)}
READ = {*PARTS, *addressed_run.PARAMETERS}
WRITTEN = "address"  # session key of the page and the parts that were written to the address bar last
PROBLEMS = "address_problems"  # session key of the messages about values of the address that do not exist
UNREAD = "address_unread"  # session key of the messages about names in the address that no page reads
OTHERS = {QUERY, TAKE, shared_link.QUERY}  # names that the workspace and shared links read
FROM_ELSEWHERE = ("utm_", "fbclid", "gclid", "msclkid")  # beginnings of names that other programs add to links


def follow(page: str) -> None:
    """Show the state that the address names, after Back or Forward or from a bookmark.

    The menu names only a page, which then shows its last state.
    """
    asked, before = _asked(), st.session_state.get(WRITTEN, ("", {}))
    st.session_state[WRITTEN] = (page, asked)
    _look_for_unread_names(page)
    if asked == before[1] or (not asked and page != before[0]):
        return
    problems = unread([name for name in asked if not _reads(page, name)], _read_by(page), READ) + _use_sample(asked)
    if page == "learn":
        problems += _choose_learner(asked)
    if page == "lessons":
        st.session_state.lesson = next(iter(asked.get("lesson", ())), None)
    problems += _speak(asked) + _present(page, asked)
    if page in OF_A_RUN and state.current_run() is not None:
        problems += _show_run(asked)
        problems += _show_place(asked, state.current_run())
        if page == "inspect":
            problems += _unknown("quiz", asked, ("1",))
            quizzes.show_or_leave(state.current_run(), "1" in asked.get("quiz", ()))
    if page == "effects" and state.current_run() is not None:
        problems += _show_run(asked)
        problems += _show_question(asked, state.current_run())
    st.session_state[PROBLEMS] = (page, problems)


def _reads(page: str, name: str) -> bool:
    """Return True if a page reads a part of the address."""
    return name in _read_by(page) or ("run" in _read_by(page) and name in addressed_run.PARAMETERS)


def _read_by(page: str) -> tuple[str, ...]:
    return (*COMMON, *PARTS_OF.get(page, ()))


def speak() -> None:
    """Use the language of the address in a new session, else that of the browser, before the menu is written."""
    if LANGUAGE in st.session_state:
        return
    _speak(_asked())
    if LANGUAGE not in st.session_state and preferred() != "en":
        st.session_state[LANGUAGE] = preferred()


def say_problems(page: str) -> None:
    """Show which parts of the address do not exist, until the page or the address changes."""
    shown = [st.session_state.get(name, ("", []))[:2] for name in (UNREAD, PROBLEMS)]
    problems = [problem for of_page, of_one in shown if of_page == page for problem in of_one]
    if problems:
        _warn(problems)


def _warn(problems: Iterable[str]) -> None:
    st.warning(escape_markdown(" ".join(map(written, problems))), icon=":material/link_off:")


def _look_for_unread_names(page: str) -> None:
    """Look for names that no page reads; those that the address already had on another page stay without a message."""
    names = sorted(name for name in set(st.query_params) - READ - OTHERS if not name.startswith(FROM_ELSEWHERE))
    if names != st.session_state.get(UNREAD, ("", [], []))[2]:
        st.session_state[UNREAD] = (page, unread(names, _read_by(page), READ), names)


def check(page: str, name: str, known: Iterable[str]) -> None:
    """Show a message if the address set a part of the session, such as the lesson, to an unknown value."""
    value = st.session_state.get(name)
    if value is not None and (problems := _unknown(name, {name: [value]}, known)):
        of_page, known_problems = st.session_state.get(PROBLEMS, ("", []))
        st.session_state[PROBLEMS] = (page, [*(known_problems if of_page == page else ()), *problems])
        _warn(problems)


def _unknown(name: str, asked: Mapping[str, Any], known: Iterable[str]) -> list[str]:
    """Return a list with one sentence if a part of the address has only unknown values, else an empty list."""
    values = asked.get(name, ())
    if not values or any(value in known for value in values):
        return []
    return [unknown(name, values[0], known)]


def _choose_learner(asked: Mapping[str, Any]) -> list[str]:
    """Choose the learner that the address names on the Learn page."""
    st.session_state[LEARNER] = key = next((key for key in asked.get("learner", ()) if key in LEARNERS), None)
    here = state.source()
    refusal = LEARNERS[key].refusal(here.dataset) if key and here is not None and here.dataset is not None else None
    return _unknown("learner", asked, LEARNERS) + ([as_sentence(refusal)] if refusal else [])


def _speak(asked: Mapping[str, Any]) -> list[str]:
    """Use the language of the address."""
    if chosen := next((value for value in asked.get("language", ()) if value in LANGUAGES), None):
        st.session_state[LANGUAGE] = chosen
    return _unknown("language", asked, LANGUAGES)


def write(page: str) -> None:
    """Write the state on screen to the address bar."""
    key = _sample()
    now = {"sample": [key]} if key not in ("", state.FIRST_SAMPLE) else {}
    now |= _place(page) if page in OF_A_RUN and state.current_run() is not None else {}
    now |= _question() if page == "effects" and state.current_run() is not None else {}
    if page == "learn" and st.session_state.get(LEARNER):
        now["learner"] = [st.session_state[LEARNER]]
    if page == "lessons" and st.session_state.get("lesson"):
        now["lesson"] = [st.session_state.lesson]
    if {language(), preferred()} != {"en"}:  # a choice against the browser's language is kept, too
        now["language"] = [language()]
    if presenter.mode():
        now["present"] = [presenter.mode()]
        now |= {"slide": [str(presenter.slide() + 1)]} if page == "lessons" and presenter.slide() else {}
    st.session_state[WRITTEN] = (page, now)
    if now != _asked():
        others = {name: st.query_params.get_all(name) for name in st.query_params if name not in READ}
        st.query_params.from_dict(others | now)


def _present(page: str, asked: Mapping[str, Any]) -> list[str]:
    """Enter or leave the presenter view, and show its slide."""
    mode = next((value for value in asked.get("present", ()) if value in presenter.MODES), "")
    numbers = [value for value in asked.get("slide", ()) if value.isascii() and value.isdigit() and 0 < len(value) < 4]
    slides = [int(value) - 1 for value in numbers if int(value)]
    st.session_state[presenter.KEY] = mode
    st.session_state[presenter.SLIDE] = max(0, next(iter(slides), 0))
    problems = _unknown("present", asked, presenter.MODES)
    if page == "lessons" and "slide" in asked:
        if not slides:
            problems += [unknown("slide", asked["slide"][0]), phrase("Slides are numbered from 1.")]
        elif not mode:
            problems.append(phrase("A slide is shown in the presenter view only. Add present=1."))
    if page == "lessons" and mode and "practice" in asked.get("lesson", ()):
        problems.append(phrase("Practice has no presenter view."))
    return problems


def _asked() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params if name in READ}


def _sample() -> str:
    """Return the key of the sample in use; empty for another table."""
    here = state.source()
    return next((key for key in SAMPLES if here is not None and here.origin == of_sample(key)), "")


def _place(page: str) -> dict[str, list[str]]:
    """Return the parts of the address in which the run on screen differs from its initial state."""
    run, step, pair = state.current_run(), st.session_state.step, st.session_state.pair
    now = _number(run)
    if page == "inspect":
        now |= addressed_run.parts_of(run, _sample())
    if slider.replays(run) and step not in (None, choice_step(run.result)):
        now["step"] = [str(step)]
    view = st.session_state.get("inspect_view", DEFAULT_VIEW)
    if page == "inspect" and view != DEFAULT_VIEW:
        now["view"] = [view]
    if page == "inspect" and quizzes.current(run):
        now["quiz"] = ["1"]
    return now | ({"pair": list(pair)} if pair is not None and set(pair) <= set(run.result.names) else {})


def _number(run: Run) -> dict[str, list[str]]:
    """Return the number of a run, unless it is the first and only one."""
    return {} if len(st.session_state.runs) == 1 and run.number == 1 else {"run": [str(run.number)]}


def _question() -> dict[str, list[str]]:
    """Return the parts of the address of a question on Effects; empty for a drawn graph."""
    run = state.current_run()
    if st.session_state.get(roles.SOURCE) == roles.DRAWN:
        return {}
    now = _number(run) | addressed_run.parts_of(run, _sample())
    asked, names = roles.of_run(run), run.result.names
    view = st.session_state.get(roles.VIEW, roles.VIEWS[0])
    now |= {"view": [view]} if view != roles.VIEWS[0] else {}
    ends = [st.session_state.get(asked.key(role)) for role in ("cause", "effect")]
    known = None not in ends and ends[0] != ends[1] and max(ends) < len(names)
    return now | ({"pair": [names[k] for k in ends]} if known else {})


def _show_question(asked: Mapping[str, Any], run: Run) -> list[str]:
    """Ask the question of the address on Effects: its view and its two variables, of the run instead of a drawing."""
    if {"learner", "run", "pair", "view"} & set(asked):
        st.session_state[roles.SOURCE] = roles.LEARNED
    view = next((view for view in asked.get("view", ()) if view in roles.VIEWS), None)
    if view or st.session_state.get(roles.VIEW) is not None:
        st.session_state[roles.VIEW] = view or roles.VIEWS[0]
    pair, names = _pair(asked, run), run.result.names
    for role, name in zip(("cause", "effect"), pair or (), strict=False):
        st.session_state[roles.of_run(run).key(role)] = names.index(name)
    return _unknown("view", asked, roles.VIEWS) + _problems_of_pair(asked, run)


def _use_sample(asked: Mapping[str, Any]) -> list[str]:
    """Replace a sample by another sample; keep any other table, which Forward could not restore."""
    now, name = _sample(), "sample" if "sample" in asked else "data"
    problems = _unknown(name, asked, SAMPLES)
    key = next((key for key in asked.get(name, ()) if key in SAMPLES), now)
    if key == now:
        return problems
    if now and not state.source().steps:
        state.use_sample(key)
        return problems
    kept = "The current table stays in use. To use the sample {key} instead, open it on Start."
    return [*problems, phrase(kept, key=key)]


def _show_run(asked: Mapping[str, Any]) -> list[str]:
    """Show the run with the learner and parameters of the address, else the one with its number."""
    if "learner" in asked:
        if not _sample() and {"sample", "data"} & set(asked):
            return []  # that the table in use is kept has been said
        return addressed_run.show(asked, _sample())
    if addressed_run.PARAMETERS & set(asked):
        return [phrase("The address contains parameters but no learner. Add one, such as learner=pc.")]
    numbers = [str(run.number) for run in st.session_state.runs]
    for number in asked.get("run", ()):
        if number in numbers:
            st.session_state.current = numbers.index(number)
    return _unknown("run", asked, numbers)


def _show_place(asked: Mapping[str, Any], run: Run) -> list[str]:
    """Show step, view and pair, or initial values for those that the run lacks; close other slider modes."""
    slider.step_back()
    choice, last = choice_step(run.result), last_step(run.result)
    if slider.replays(run):
        steps = [int(text) for text in asked.get("step", ()) if text.isascii() and text.isdigit() and len(text) < 10]
        st.session_state.step = next((step for step in steps if step <= last), choice)
    else:  # the address does not contain steps of other modes
        st.session_state.step = None
    st.session_state.inspect_view = next((view for view in asked.get("view", ()) if view in VIEWS), DEFAULT_VIEW)
    st.session_state.pair = _pair(asked, run)
    st.session_state.visits = st.session_state.get("visits", 0) + 1
    problems = _unknown("view", asked, VIEWS)
    if "step" in asked and not slider.replays(run):
        problems.append(phrase("This run has no steps."))
    elif "step" in asked and all(step > last for step in steps):
        step = Quoted([asked["step"][0][:20]])
        problems.append(phrase("This run has no step {step}; its last step is {last}.", step=step, last=last))
    return problems + _problems_of_pair(asked, run)


def _pair(asked: Mapping[str, Any], run: Run) -> tuple[str, ...] | None:
    """Return the two variables that the address names; None if it names no two of the run."""
    pair = tuple(asked.get("pair", ()))
    return pair if len(set(pair)) == 2 == len(pair) and set(pair) <= set(run.result.names) else None


def _problems_of_pair(asked: Mapping[str, Any], run: Run) -> list[str]:
    """Return the message about an invalid pair: the unknown variable, or that two are needed."""
    if "pair" not in asked or _pair(asked, run):
        return []
    wrong = [name for name in asked["pair"] if name not in run.result.names]
    if wrong:
        return [unknown("pair", wrong[0], run.result.names)]
    a, b = (run.result.names * 2)[:2]
    return [phrase("The address must name two variables, such as {parts}.", parts=f"pair={a}&pair={b}")]
