"""The page on which a student answers: plain HTML, which loads fast on any phone. All text is escaped."""

from __future__ import annotations

from html import escape

from learners.classroom.classroom import MAX_NAME_LETTERS, ClassStage, StudentView
from learners.common.wording import count

# Stricter than the policy of the server; browsers enforce the stricter of two policies.
POLICY = "default-src 'none'; img-src data:; " + "; ".join(
    f"{what} 'self'" for what in ("script-src", "style-src", "connect-src", "form-action")
)
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
    '<link rel="stylesheet" href="join.css">'
)


def page(card: str, *, title: str = "Class", live: str = "") -> str:
    """Return the HTML page around a card; if `live`, the address of updates, is given, the page follows the class."""
    follows = f' data-live="{escape(live)}"' if live else ""
    script = '<script src="join.js" defer></script>' if live else ""
    body = f'<main id="card" aria-live="polite"{follows}>{card}</main>'
    return f"{HEAD}<title>{escape(title)} · Edgewise</title>{script}</head><body>{body}</body></html>"


def code_card(error: str = "") -> str:
    """Return the form for a class code; `error` says why the previous code was rejected."""
    return (
        f'<h1>Join a class</h1>{_alert(error)}<form method="get" action="./"><label for="code">Class code</label>'
        '<input id="code" name="code" required maxlength="12" autocomplete="off" autocapitalize="none" '
        'spellcheck="false"><button>Continue</button></form>'
    )


def join_card(title: str) -> str:
    """Return the form with which a student joins, with an optional nickname."""
    return (
        f'<h1>{escape(title)}</h1><form method="post"><label for="name">Nickname (optional)</label>'
        f'<input id="name" name="name" maxlength="{MAX_NAME_LETTERS}" autocomplete="off">'
        "<button>Join class</button></form><p class='quiet'>No account needed. Your answers are deleted after the "
        "class, unless your lecturer downloads the results.</p>"
    )


def student_card(view: StudentView, error: str = "") -> str:
    """Return the current card of a student, with an error if the last answer was rejected."""
    body = {
        ClassStage.LOBBY: _lobby,
        ClassStage.ASKING: _asking,
        ClassStage.REVEALED: _revealed,
        ClassStage.OVER: _over,
    }[view.stage](view)
    name = f'<p class="name">{escape(view.name)}</p>' if view.name else ""
    return name + _alert(error) + body


def _alert(sentence: str) -> str:
    return f'<p class="no" role="alert">{escape(sentence)}</p>' if sentence else ""


def _lobby(_view: StudentView) -> str:
    return "<h1>You joined the class</h1><p>Keep this page open. Questions appear here.</p>"


def _head(view: StudentView) -> str:
    return f'<p class="quiet">Question {view.at + 1} of {view.n}</p><h1>{escape(view.exercise.question)}</h1>'


def _asking(view: StudentView) -> str:
    """Return one large button a choice; the chosen one is pressed."""
    pressed = ["true" if k == view.given else "false" for k in range(len(view.exercise.choices))]
    buttons = "".join(
        f'<button name="choice" value="{k}" aria-pressed="{pressed[k]}">{escape(label)}</button>'
        for k, label in enumerate(view.exercise.choices)
    )
    status = (
        "Choose one answer." if view.given is None else "Answer saved. You can change it until the solution is shown."
    )
    return (
        f'{_head(view)}<form method="post" class="choices"><input type="hidden" name="at" value="{view.at}">'
        f'{buttons}</form><p class="quiet">{status}</p>'
    )


def _revealed(view: StudentView) -> str:
    exercise, is_right = view.exercise, view.given == view.exercise.answer
    verdict = f"{'Correct' if is_right else 'Correct answer'}: {exercise.choices[exercise.answer]}."
    mark, given = "yes" if is_right else "quiet", ""
    if view.given is not None and not is_right:
        mark, given = "no", f"<p>Your answer: {escape(exercise.choices[view.given])}.</p>"
    return f'{_head(view)}<p class="{mark}">{escape(verdict)}</p>{given}<p>{escape(exercise.why)}</p>{_score(view)}'


def _score(view: StudentView) -> str:
    return f'<p class="quiet">{view.right} of {view.told} correct so far.</p>'


def _over(view: StudentView) -> str:
    return (
        f"<h1 data-over>The class has ended</h1><p>You answered {view.right} of {count(view.told, 'question')} "
        "correctly. You can close this page.</p>"
    )
