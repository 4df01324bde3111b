"""Pages at /join/ where students join a class and answer: plain HTML, as Streamlit sessions would be too expensive.

Only nickname and answers of a student are kept, in memory, until the class is deleted. A student is identified by a
cookie that scripts cannot read and that belongs to one class.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from pages.session.guard import is_https

if TYPE_CHECKING:
    from learners.teaching.classroom.class_error import ClassError
    from learners.teaching.classroom.class_registry import OpenClass, RateLimiter

COOKIE = "edgewise_class"
MAX_FIELDS = 60  # maximum number of fields of a form; an entry has one for each chosen node or edge
COOKIE_SECONDS = 6 * 3600  # maximum duration of a class
LARGEST_BODY = 4096  # maximum size of a form in bytes; enough for a text of 200 letters
# Requests are short, because a stopping server waits for open ones.
WAIT_SECONDS, LOOK_SECONDS = 4.0, 0.4  # maximum duration of a long poll, and pause between two checks in it
POSTS, POST_SECONDS = 30, 10.0  # rate limit of the answers of one student
FILES = {"join.css": "text/css", "join.js": "text/javascript"}
CARD = "text/x-card"  # media type with which the script of the page requests only the card
NOT_IN_CLASS = "You have not joined this class. Reload the page."
NO_CLASS = "There is no class with this code. It may have ended."
TOO_LONG = "That was too long. Shorten it."
UNREADABLE = "The answer cannot be read. Reload the page."
TOO_OFTEN = "You changed your answer too often. Wait a few seconds."


def routes() -> list[Route]:
    """Return the routes of these pages, also below a path prefix."""
    return [
        route
        for prefix in ("", "/{prefix:path}")
        for route in (
            Route(f"{prefix}/join", lambda _request: RedirectResponse("join/")),
            Route(f"{prefix}/join/", code_page),
            Route(f"{prefix}/join/{{name}}", class_page, methods=["GET", "POST"]),
            Route(f"{prefix}/join/{{name}}/now", news),
        )
    ]


def code_page(request: Request) -> Response:
    """Return the page where a student without a camera types the code."""
    from viz.classroom import student_page

    code, language = request.query_params.get("code", "").strip().lower(), _language(request)
    return (
        RedirectResponse(code, 303)
        if code.isalnum() and code.isascii()
        else _html(student_page.page(student_page.code_card(language=language), language=language))
    )


async def class_page(request: Request) -> Response:
    """Return the page of a class, on which a student joins and answers."""
    name = request.path_params["name"]
    if name in FILES:
        return Response(await run_in_threadpool(_file, name), media_type=FILES[name])
    if request.method == "POST":
        body = await _body(request)
        return (
            _say(413, TOO_LONG, _language(request)) if body is None else await run_in_threadpool(_post, request, body)
        )
    return await run_in_threadpool(_get, request)


async def news(request: Request) -> Response:
    """Return the current card: at once if the phone shows an older one, else when it changes."""
    entry = await run_in_threadpool(_entry, request)
    if isinstance(entry, Response):
        return entry
    if not entry.room.knows(_token(request)):
        return _say(403, NOT_IN_CLASS, entry.language)
    end, seen = time.monotonic() + WAIT_SECONDS, request.query_params.get("seen", "")
    while entry.room.card_version == seen and time.monotonic() < end:
        await asyncio.sleep(LOOK_SECONDS)
    return Response(status_code=204) if entry.room.card_version == seen else _card(entry, _token(request))


def _get(request: Request) -> Response:
    from viz.classroom import student_page

    entry = _entry(request)
    if isinstance(entry, Response):
        return entry
    if not entry.room.knows(_token(request)):
        card = student_page.join_card(entry.title, entry.language)
        return _html(student_page.page(card, title=entry.title, language=entry.language))
    return _page(entry, _token(request))


def _post(request: Request, body: bytes) -> Response:
    """Join the class, or record an answer."""
    entry, token = _entry(request), _token(request)
    if isinstance(entry, Response):
        return entry
    try:
        fields = parse_qs(body.decode(), max_num_fields=MAX_FIELDS)
    except ValueError:
        return _say(400, UNREADABLE, entry.language)
    if not entry.room.knows(token):
        return _join(request, entry, fields.get("name", [""])[0])
    status, refused = _answer(entry, token, fields)
    if request.headers.get("accept") == CARD:
        return _card(entry, token, status, refused)
    return _page(entry, token, status, refused) if refused else RedirectResponse(entry.code, 303)


def _answer(entry: OpenClass, token: str, fields: Mapping[str, list[str]]) -> tuple[int, str]:
    """Record the answer of a form; return the status and, if it is refused, the reason.

    A form has a `choice`, or for an entry any number of `part`s, which a comma joins.
    """
    from learners.teaching.classroom.class_error import ClassError
    from viz.translation.sentences import translator

    t = translator(entry.language)
    try:
        at = int(fields["at"][0])
        choice = ",".join(fields.get("part", [])) if "entry" in fields else int(fields["choice"][0])
    except (KeyError, ValueError):
        return 400, t(UNREADABLE)
    if not _throttle().allow(token):
        return 429, t(TOO_OFTEN)
    try:
        entry.room.answer(token, at, choice)
    except ClassError as error:
        return 400, _sentence(error, entry.language)
    return 200, ""


def _join(request: Request, entry: OpenClass, name: str) -> Response:
    from learners.teaching.classroom.class_error import ClassError

    try:
        token = entry.room.join(name)
    except ClassError as error:
        return _html(_code_page(_sentence(error, entry.language), entry.language), 400)
    # Relative to this folder: a path with // would lead to another host, and a path in capitals would miss the cookie.
    answer = RedirectResponse(entry.code, 303)
    path = quote(f"{request.url.path.rpartition('/')[0]}/{entry.code}")  # quoted: a ; would begin an attribute
    secure = is_https(request.scope)
    answer.set_cookie(COOKIE, token, COOKIE_SECONDS, path=path, secure=secure, httponly=True, samesite="lax")
    return answer


def _entry(request: Request) -> OpenClass | Response:
    """Return the requested class, or the response that refuses it."""
    from learners.teaching.classroom.class_registry import TooManyTries
    from pages.session import classrooms

    try:
        entry = classrooms.find(request.path_params["name"], _address(request))
    except TooManyTries as error:
        return _html(_code_page(_sentence(error, _language(request)), _language(request)), 429)
    return entry or _say(404, NO_CLASS, _language(request))


def _language(request: Request) -> str:
    """Return the language of a student who has not joined a class yet: German or English."""
    return "de" if request.headers.get("accept-language", "").lower().startswith("de") else "en"


def _sentence(error: ClassError, language: str) -> str:
    from viz.translation.sentences import translator

    text = translator(language)(error.template, **error.values)
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."


def _say(status: int, message: str, language: str) -> Response:
    from viz.translation.sentences import translator

    return _html(_code_page(translator(language)(message), language), status)


def _code_page(error: str, language: str) -> str:
    from viz.classroom import student_page

    return student_page.page(student_page.code_card(error, language), language=language)


def _page(entry: OpenClass, token: str, status: int = 200, refused: str = "") -> Response:
    from viz.classroom import student_page

    card = _student_card(entry, token, refused)
    live = f"{entry.code}/now"
    return _html(student_page.page(card, title=entry.title, live=live, language=entry.language), status)


def _card(entry: OpenClass, token: str, status: int = 200, refused: str = "") -> Response:

    version = entry.room.card_version  # read before the view, so that the phone asks again after later changes
    return _html(_student_card(entry, token, refused), status, version)


def _student_card(entry: OpenClass, token: str, refused: str) -> str:
    from viz.classroom import student_page

    view = entry.room.view(token)
    slide = entry.slides[view.at] if view.at < len(entry.slides) else {}
    return student_page.student_card(view, refused, entry.language, slide)


def _html(text: str, status: int = 200, version: str = "") -> Response:
    return HTMLResponse(text, status, {"cache-control": "no-store"} | ({"x-version": version} if version else {}))


async def _body(request: Request) -> bytes | None:
    """Return the body of a form, or None if it is too long."""
    read = b""
    async for part in request.stream():
        read += part
        if len(read) > LARGEST_BODY:
            return None
    return read


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


@cache
def _file(name: str) -> bytes:
    from viz.classroom import FOLDER

    return (FOLDER / name).read_bytes()


@cache
def _throttle() -> RateLimiter:
    """Return the limit on the answers of each student."""
    from learners.teaching.classroom.class_registry import RateLimiter

    return RateLimiter(POSTS, POST_SECONDS)
