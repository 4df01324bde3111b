"""The page on which a student answers: plain HTML, which loads fast on any phone. All text is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from learners.common.sentences import Count
from learners.teaching.classroom.classroom import MAX_NAME_LETTERS, ClassStage, StudentView
from learners.teaching.lessons.answer_texts import TEXTS
from learners.teaching.lessons.lesson import Entry
from learners.teaching.lessons.picture_answers import MARKS, edge_text
from learners.teaching.lessons.typed_answers import MAX_TEXT_LETTERS

from ..translation.sentences import Translator, translator
from .student_graph import student_graph, tables_html

TAPPED = ("nodes", "edges", "marks")  # kinds of entries that are given in the graph
# Stricter than the policy of the server; browsers enforce the stricter of two policies.
POLICY = "default-src 'none'; img-src data:; " + "; ".join(
    f"{what} 'self'" for what in ("script-src", "style-src", "connect-src", "form-action")
)
HEAD = (
    '<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
    '<link rel="stylesheet" href="join.css">'
)


def page(card: str, *, title: str = "", live: str = "", language: str = "en") -> str:
    """Return the HTML page around a card; if `live`, the address of updates, is given, the page follows the class."""
    t = translator(language)
    follows = f' data-live="{escape(live)}" data-unsent="{escape(t("Not sent. Try again."))}"' if live else ""
    script = '<script src="join.js" defer></script>' if live else ""
    body = f'<main id="card" aria-live="polite"{follows}>{card}</main>'
    head = f"{HEAD.replace('{language}', language)}<title>{escape(title or t('Class'))} · Edgewise</title>"
    return f"{head}{script}</head><body>{body}</body></html>"


def code_card(error: str = "", language: str = "en") -> str:
    """Return the form for a class code; `error` is the reason why the previous code was rejected."""
    t = translator(language)
    return (
        f'<h1>{t("Join a class")}</h1>{_alert(error)}<form method="get" action="./"><label for="code">'
        f'{t("Class code")}</label><input id="code" name="code" required maxlength="12" autocomplete="off" '
        f'autocapitalize="none" spellcheck="false"><button>{t("Continue")}</button></form>'
    )


def join_card(title: str, language: str = "en") -> str:
    """Return the form with which a student joins, with an optional nickname."""
    t = translator(language)
    quiet = t(
        "No account needed. Your answers are deleted after the class, unless your lecturer downloads the results."
    )
    return (
        f'<h1>{escape(title)}</h1><form method="post"><label for="name">{t("Nickname (optional)")}</label>'
        f'<input id="name" name="name" maxlength="{MAX_NAME_LETTERS}" autocomplete="off">'
        f"<button>{t('Join class')}</button></form><p class='quiet'>{quiet}</p>"
    )


Slide = Mapping[str, Any]  # what is shown beside a question: `pictures`, the picture of the `answer`, and `tables`


def student_card(view: StudentView, error: str = "", language: str = "en", slide: Slide | None = None) -> str:
    """Return the current card of a student, with an error if the last answer was rejected.

    Parameters
    ----------
    view : StudentView
    error : str
    language : str
    slide : mapping, optional
        The graph and the tables of the question, as on the lecturer's screen.
    """
    body = {
        ClassStage.LOBBY: _lobby,
        ClassStage.ASKING: _asking,
        ClassStage.REVEALED: _revealed,
        ClassStage.OVER: _over,
    }[view.stage](view, translator(language), language, slide or {})
    name = f'<p class="name">{escape(view.name)}</p>' if view.name else ""
    return name + _alert(error) + body


def _alert(sentence: str) -> str:
    return f'<p class="no" role="alert">{escape(sentence)}</p>' if sentence else ""


def _lobby(_view: StudentView, t: Translator, _language: str, _slide: Slide) -> str:
    return f"<h1>{t('You joined the class')}</h1><p>{t('Keep this page open. Questions appear here.')}</p>"


def _head(view: StudentView, t: Translator) -> str:
    number = t("Question {k} of {n}", k=view.at + 1, n=view.n)
    return f'<p class="quiet">{number}</p><h1>{escape(view.exercise.question)}</h1>'


def _timer(view: StudentView, t: Translator) -> str:
    """Return the remaining time, which the script of the page counts down."""
    if view.seconds_left is None:
        return ""
    over = escape(t("Time is up."))
    text = t("{n} s left", n=view.seconds_left) if view.seconds_left else over
    pattern = escape(t("{n} s left", n="{n}"))
    return f'<p class="timer" data-seconds="{view.seconds_left}" data-left="{pattern}" data-end="{over}">{text}</p>'


def _graph(slide: Slide, t: Translator, parts: str = "") -> str:
    """Return the graph and the tables beside a question; a run with several values is only on the lecturer's screen."""
    pictures = list(slide.get("pictures", {}).values())
    drawn = student_graph(pictures[0], parts, t("Graph")) if len(pictures) == 1 else ""
    return drawn + tables_html(slide.get("tables", ()))


def _asking(view: StudentView, t: Translator, language: str, slide: Slide) -> str:
    """Return one large button per choice, the chosen one pressed, or the form of an entry."""
    entry = view.exercise.entry
    if view.seconds_left == 0:
        wait = t("Wait for the solution.")
        return (
            f'{_head(view, t)}{_timer(view, t)}{_given(view, t, language)}{_graph(slide, t)}<p class="quiet">{wait}</p>'
        )
    if view.exercise.choices:
        pressed = ["true" if k == view.given else "false" for k in range(len(view.exercise.choices))]
        controls = "".join(
            f'<button name="choice" value="{k}" aria-pressed="{pressed[k]}">{escape(label)}</button>'
            for k, label in enumerate(view.exercise.choices)
        )
        kind, todo = "choices", t("Choose one answer.")
    else:
        given = str(view.given).split(",") if view.given is not None else None
        controls = f'<input type="hidden" name="entry" value="{entry.kind}">{_controls(entry, given, t, language)}'
        controls += f"<button>{t('Send answer')}</button>"
        kind = "entry"
        todo = (
            t("Tap in the graph, or choose below. Then send.") if entry.kind in TAPPED else t("Then send your answer.")
        )
    saved = view.given is not None
    status = t("Answer saved. You can change it until the solution is shown.") if saved else todo
    parts = entry.kind if kind == "entry" and entry.kind in TAPPED else ""
    return (
        f'{_head(view, t)}{_timer(view, t)}{_graph(slide, t, parts)}<form method="post" class="{kind}">'
        f'<input type="hidden" name="at" value="{view.at}">{controls}</form><p class="quiet">{status}</p>'
    )


def _given(view: StudentView, t: Translator, language: str, mark: str = "") -> str:
    """Return the answer of the student, or "" if there is none."""
    if view.given is None:
        return ""
    own = t("Your answer: {answer}.", answer=view.exercise.given_text(view.given, TEXTS[language]))
    return f'<p class="{mark}">{escape(own)}</p>' if mark else f"<p>{escape(own)}</p>"


def _controls(entry: Entry, given: list[str] | None, t: Translator, language: str) -> str:
    """Return the fields of an entry, which also work without a script; `given` are the parts of the saved answer."""
    if entry.kind == "text":
        value = escape(",".join(given or ()))
        return (
            f'<label for="part">{t("Your answer")}</label><input id="part" name="part" required '
            f'maxlength="{MAX_TEXT_LETTERS}" autocomplete="off" value="{value}">'
        )
    if entry.kind == "number":
        value = escape(",".join(given or ()))
        unit = f" ({entry.unit})" if entry.unit else ""
        return (
            f'<label for="part">{t("Number")}{unit}</label><input id="part" name="part" inputmode="decimal" required '
            f'maxlength="20" autocomplete="off" value="{value}">'
        )
    if entry.kind == "marks":
        return "".join(_mark(entry, k, given) for k in range(len(entry.edges)))
    if entry.kind == "order":
        return "".join(_position(entry, k, given, t) for k in range(len(entry.steps)))
    kind = "radio" if entry.kind == "slider" else "checkbox"
    return "".join(
        f'<label class="pick"><input type="{kind}" name="part" value="{value}"{_checked(value in (given or ()))}> '
        f"{escape(text)}</label>"
        for value, text in _options(entry, language)
    )


def _options(entry: Entry, language: str) -> list[tuple[str, str]]:
    """Return value and text of each option of a list."""
    say = TEXTS[language]
    if entry.kind == "slider":
        return [(str(k), entry.label(k, say)) for k in entry.options]
    if entry.kind == "edges":
        return [(f"{a}-{b}", entry.edge_text((a, b))) for a, b in entry.options]
    return [(str(k), entry.names[k]) for k in entry.options]


def _checked(is_chosen: object) -> str:
    return " checked" if is_chosen else ""


def _mark(entry: Entry, k: int, given: list[str] | None) -> str:
    edge, now = entry.edges[k], (given or entry.start)[k]
    if edge not in entry.options:
        return f'<input type="hidden" name="part" value="{entry.start[k]}">'
    texts = [(mark, escape(edge_text(edge, mark, entry.names))) for mark in MARKS]
    options = "".join(
        f'<option value="{mark}"{" selected" if mark == now else ""}>{text}</option>' for mark, text in texts
    )
    name = escape(edge_text(edge, MARKS[0], entry.names))
    return f'<select name="part" data-edge="{edge[0]}-{edge[1]}" aria-label="{name}">{options}</select>'


def _position(entry: Entry, k: int, given: list[str] | None, t: Translator) -> str:
    """Return the list from which the step at a position is chosen."""
    options = "".join(
        f'<option value="{step}"{" selected" if given and given[k] == str(step) else ""}>{escape(text)}</option>'
        for step, text in enumerate(entry.steps)
    )
    label = t("Step {k}", k=k + 1)
    return f'<select name="part" required aria-label="{label}"><option value="">{label}</option>{options}</select>'


def _revealed(view: StudentView, t: Translator, language: str, slide: Slide) -> str:
    exercise, say = view.exercise, TEXTS[language]
    if not exercise.has_answer:
        shown = t("The answers of the class are on the lecturer's screen.")
        return f'{_head(view, t)}{_given(view, t, language)}{_graph(slide, t)}<p class="quiet">{shown}</p>'
    answer = exercise.right_text(say)
    verdict = t("Correct: {answer}.", answer=answer) if view.is_right else t("Correct answer: {answer}.", answer=answer)
    given = "" if view.is_right else _given(view, t, language, "no")
    score = t("{right} of {n} correct so far.", right=view.right, n=view.revealed)
    mark = "yes" if view.is_right else "answer" if given else "quiet"
    lit = student_graph(slide.get("answer"), "", t("Graph")) or _graph(slide, t)
    why = exercise.why
    if view.is_right and exercise.entry is not None and not exercise.choices:  # another right answer than the solution
        why = exercise.entry.reason(exercise.entry.parse(view.given), say)[0]
        verdict = t("Correct: {answer}.", answer=exercise.given_text(view.given, say))
    return (
        f'{_head(view, t)}{given}<p class="{mark}">{escape(verdict)}</p>{lit}<p>{escape(why)}</p>'
        f'<p class="quiet">{score}</p>'
    )


def _over(view: StudentView, t: Translator, _language: str, _slide: Slide) -> str:
    asked = Count(view.revealed, "question")
    score = t("You answered {right} of {asked} correctly. You can close this page.", right=view.right, asked=asked)
    return f"<h1 data-over>{t('The class has ended')}</h1><p>{score}</p>"
