"""The page that a student answers on: plain HTML, so that it is there at once on any phone. All text is escaped."""

from __future__ import annotations

from html import escape

from learners.classroom.classroom import LONGEST_NAME, Stage, View
from learners.common.words import count

# What this page needs is less than the server allows elsewhere; of two policies the stricter holds.
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
    """A whole page around a card; with `live`, the address of what is new, it follows the class."""
    follows = f' data-live="{escape(live)}"' if live else ""
    script = '<script src="join.js" defer></script>' if live else ""
    body = f'<main id="card" aria-live="polite"{follows}>{card}</main>'
    return f"{HEAD}<title>{escape(title)} · Edgewise</title>{script}</head><body>{body}</body></html>"


def code_card(told: str = "") -> str:
    """Where a code is typed; `told` says why the last one did not do. Asked in this folder, whatever came last."""
    return (
        f'<h1>Join a class</h1>{_alert(told)}<form method="get" action="./"><label for="code">Code</label>'
        '<input id="code" name="code" required maxlength="12" autocomplete="off" autocapitalize="none" '
        'spellcheck="false"><button>Go on</button></form>'
    )


def join_card(title: str) -> str:
    """Where a student joins, with a nickname if one is wanted."""
    return (
        f'<h1>{escape(title)}</h1><form method="post"><label for="name">Nickname, if you like</label>'
        f'<input id="name" name="name" maxlength="{LONGEST_NAME}" autocomplete="off">'
        "<button>Join</button></form><p class='quiet'>No account. What you answer is gone when the class ends, unless "
        "your lecturer keeps the results.</p>"
    )


def student_card(view: View, refused: str = "") -> str:
    """Return what a student sees of the class now, below the reason why the last answer was refused, if it was."""
    body = {Stage.LOBBY: _lobby, Stage.ASKING: _asking, Stage.TOLD: _told, Stage.OVER: _over}[view.stage](view)
    name = f'<p class="name">{escape(view.name)}</p>' if view.name else ""
    return name + _alert(refused) + body


def _alert(sentence: str) -> str:
    return f'<p class="no" role="alert">{escape(sentence)}</p>' if sentence else ""


def _lobby(_view: View) -> str:
    return "<h1>You are in</h1><p>The first question comes when your lecturer asks it. Keep this page open.</p>"


def _head(view: View) -> str:
    return f'<p class="quiet">Question {view.at + 1} of {view.n}</p><h1>{escape(view.exercise.question)}</h1>'


def _asking(view: View) -> str:
    """One big button a choice; the one that was chosen is pressed."""
    pressed = ["true" if k == view.given else "false" for k in range(len(view.exercise.choices))]
    buttons = "".join(
        f'<button name="choice" value="{k}" aria-pressed="{pressed[k]}">{escape(label)}</button>'
        for k, label in enumerate(view.exercise.choices)
    )
    said = "Choose one." if view.given is None else "Taken. Until the answer is told you can change it."
    return (
        f'{_head(view)}<form method="post" class="choices"><input type="hidden" name="at" value="{view.at}">'
        f'{buttons}</form><p class="quiet">{said}</p>'
    )


def _told(view: View) -> str:
    one, is_right = view.exercise, view.given == view.exercise.answer
    verdict = f"{'Right' if is_right else 'The answer is'}: {one.choices[one.answer]}."
    mark, given = "yes" if is_right else "quiet", ""
    if view.given is not None and not is_right:
        mark, given = "no", f"<p>You said: {escape(one.choices[view.given])}.</p>"
    return f'{_head(view)}<p class="{mark}">{escape(verdict)}</p>{given}<p>{escape(one.why)}</p>{_score(view)}'


def _score(view: View) -> str:
    return f'<p class="quiet">{view.right} of {view.told} right so far.</p>'


def _over(view: View) -> str:
    return (
        f"<h1 data-over>The class has ended</h1><p>You had {view.right} of {count(view.told, 'question')} right. "
        "You can close this page.</p>"
    )
