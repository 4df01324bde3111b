"""The page on which a student answers: plain HTML, which loads fast on any phone. All text is escaped."""

from __future__ import annotations

from html import escape

from learners.explaining.record import Count
from learners.teaching.classroom.classroom import MAX_NAME_LETTERS, ClassStage, StudentView

from ..translation.sentences import Translator, translator

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


def student_card(view: StudentView, error: str = "", language: str = "en") -> str:
    """Return the current card of a student, with an error if the last answer was rejected."""
    body = {
        ClassStage.LOBBY: _lobby,
        ClassStage.ASKING: _asking,
        ClassStage.REVEALED: _revealed,
        ClassStage.OVER: _over,
    }[view.stage](view, translator(language))
    name = f'<p class="name">{escape(view.name)}</p>' if view.name else ""
    return name + _alert(error) + body


def _alert(sentence: str) -> str:
    return f'<p class="no" role="alert">{escape(sentence)}</p>' if sentence else ""


def _lobby(_view: StudentView, t: Translator) -> str:
    return f"<h1>{t('You joined the class')}</h1><p>{t('Keep this page open. Questions appear here.')}</p>"


def _head(view: StudentView, t: Translator) -> str:
    number = t("Question {k} of {n}", k=view.at + 1, n=view.n)
    return f'<p class="quiet">{number}</p><h1>{escape(view.exercise.question)}</h1>'


def _asking(view: StudentView, t: Translator) -> str:
    """Return one large button per choice; the chosen one is pressed."""
    pressed = ["true" if k == view.given else "false" for k in range(len(view.exercise.choices))]
    buttons = "".join(
        f'<button name="choice" value="{k}" aria-pressed="{pressed[k]}">{escape(label)}</button>'
        for k, label in enumerate(view.exercise.choices)
    )
    saved = view.given is not None
    status = t("Answer saved. You can change it until the solution is shown.") if saved else t("Choose one answer.")
    return (
        f'{_head(view, t)}<form method="post" class="choices"><input type="hidden" name="at" value="{view.at}">'
        f'{buttons}</form><p class="quiet">{status}</p>'
    )


def _revealed(view: StudentView, t: Translator) -> str:
    exercise, is_right = view.exercise, view.given == view.exercise.answer
    answer = exercise.choices[exercise.answer]
    verdict = t("Correct: {answer}.", answer=answer) if is_right else t("Correct answer: {answer}.", answer=answer)
    mark, given = "yes" if is_right else "quiet", ""
    if view.given is not None and not is_right:
        mark, given = "no", f"<p>{escape(t('Your answer: {answer}.', answer=exercise.choices[view.given]))}</p>"
    score = t("{right} of {n} correct so far.", right=view.right, n=view.revealed)
    return (
        f'{_head(view, t)}<p class="{mark}">{escape(verdict)}</p>{given}<p>{escape(exercise.why)}</p>'
        f'<p class="quiet">{score}</p>'
    )


def _over(view: StudentView, t: Translator) -> str:
    asked = Count(view.revealed, "question")
    score = t("You answered {right} of {asked} correctly. You can close this page.", right=view.right, asked=asked)
    return f"<h1 data-over>{t('The class has ended')}</h1><p>{score}</p>"
