"""Where students join a class and answer, at /join/: plain pages beside Streamlit's, whose sessions would be too heavy.

Nothing of a student is kept but the nickname and the answers, in memory, until the class is forgotten. A student is
known by a cookie that no script reads and that belongs to the one class.
"""

from __future__ import annotations

import asyncio
import time
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from learners.classroom.classes import Entry
    from learners.classroom.throttle import Throttle

COOKIE = "edgewise_class"
COOKIE_SECONDS = 6 * 3600  # as long as a class lasts at most
LARGEST_BODY = 2048  # bytes; a nickname or a choice
# A server that is told to stop waits for those who ask.
WAIT_SECONDS, LOOK_SECONDS = 4.0, 0.4  # that a phone waits for news, and between two looks for them
POSTS, POST_SECONDS = 30, 10.0  # answers of one student in that time
JOINS, JOIN_SECONDS = 250, 60.0  # students from one address in that time: a hall shares one
FILES = {"join.css": "text/css", "join.js": "text/javascript"}
CARD = "text/x-card"  # what the page's script accepts: the card alone
REFUSED = {403: "This page was opened by another site.", 413: "That was too long.", 429: "Too often; wait a minute."}


def routes() -> list[Route]:
    """Those of the pages, also below a path prefix."""
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
    """Where a code is typed, for who has no camera."""
    from viz.classroom import phone

    code = request.query_params.get("code", "").strip().lower()
    return RedirectResponse(code, 303) if code.isalnum() and code.isascii() else _html(phone.page(phone.code_card()))


async def class_page(request: Request) -> Response:
    """The page of one class: to join it, and then to answer."""
    name = request.path_params["name"]
    if name in FILES:
        return Response(await run_in_threadpool(_file, name), media_type=FILES[name])
    if request.method == "POST":
        if not _is_own(request):
            return _refuse(403)
        body = await _body(request)
        return _refuse(413) if body is None else await run_in_threadpool(_post, request, body)
    return await run_in_threadpool(_get, request)


async def news(request: Request) -> Response:
    """The card as it is now: at once if it is other than the one the phone has seen, else when it changes."""
    entry = await run_in_threadpool(_entry, request)
    if isinstance(entry, Response):
        return entry
    if not entry.room.knows(_token(request)):
        return _refuse(403)
    end, seen = time.monotonic() + WAIT_SECONDS, request.query_params.get("seen", "")
    while str(entry.room.version) == seen and time.monotonic() < end:
        await asyncio.sleep(LOOK_SECONDS)
    return Response(status_code=204) if str(entry.room.version) == seen else _card(entry, _token(request))


def _get(request: Request) -> Response:
    from viz.classroom import phone

    entry = _entry(request)
    if isinstance(entry, Response):
        return entry
    token = _token(request)
    if not entry.room.knows(token):
        return _html(phone.page(phone.join_card(entry.title), title=entry.title))
    card = phone.student_card(entry.room.view(token))
    return _html(phone.page(card, title=entry.title, live=f"{entry.code}/now"))


def _post(request: Request, body: dict[str, list[str]]) -> Response:
    """Join, or answer."""
    from learners.common.errors import LearnersError

    entry, token = _entry(request), _token(request)
    if isinstance(entry, Response):
        return entry
    try:
        if not entry.room.knows(token):
            return _join(request, entry, body.get("name", [""])[0])
        at, choice = (int(body.get(name, ["-1"])[0]) for name in ("at", "choice"))
        if not _throttles()["answer"].note(token):
            return _refuse(429)
        entry.room.answer(token, at, choice)
    except (LearnersError, ValueError) as error:
        return _say(400, str(error) if isinstance(error, LearnersError) else "That is no answer.")
    if request.headers.get("accept") == CARD:
        return _card(entry, token)
    return RedirectResponse(entry.code, 303)


def _join(request: Request, entry: Entry, name: str) -> Response:
    if not _throttles()["join"].note(_address(request)):
        return _refuse(429)
    # Of this folder: a path that begins with // would lead to another host, and one in capitals to no cookie.
    answer = RedirectResponse(entry.code, 303)
    secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
    token, path = entry.room.join(name), f"{request.url.path.rpartition('/')[0]}/{entry.code}"
    answer.set_cookie(COOKIE, token, COOKIE_SECONDS, path=path, secure=secure, httponly=True, samesite="lax")
    return answer


def _entry(request: Request) -> Entry | Response:
    """The class that is asked for, or why there is none."""
    from learners.classroom.classes import TooManyTries
    from pages.session.classes import classes

    try:
        entry = classes().find(request.path_params["name"], _address(request), _token(request))
    except TooManyTries:
        return _refuse(429)
    return entry or _say(404, "There is no class with this code. It may have ended.")


def _say(status: int, told: str) -> Response:
    from viz.classroom import phone

    return _html(phone.page(phone.code_card(told)), status)


def _refuse(status: int) -> Response:
    return _say(status, REFUSED[status])


def _card(entry: Entry, token: str) -> Response:
    from viz.classroom import phone

    version = str(entry.room.version)  # before the view: what changes meanwhile is asked for again
    return _html(phone.student_card(entry.room.view(token)), version=version)


def _html(text: str, status: int = 200, version: str = "") -> Response:
    return HTMLResponse(text, status, {"cache-control": "no-store"} | ({"x-version": version} if version else {}))


def _is_own(request: Request) -> bool:
    """Whether a page of this host sends it: browsers say where a form comes from."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


async def _body(request: Request) -> dict[str, list[str]] | None:
    """The fields of a small form; None if it is none."""
    read = b""
    async for part in request.stream():
        read += part
        if len(read) > LARGEST_BODY:
            return None
    try:
        return parse_qs(read.decode(), max_num_fields=8)
    except ValueError:
        return None


def _token(request: Request) -> str:
    return request.cookies.get(COOKIE, "")


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


@cache
def _file(name: str) -> bytes:
    from viz.classroom import FOLDER

    return (FOLDER / name).read_bytes()


@cache
def _throttles() -> dict[str, Throttle]:
    from learners.classroom.throttle import Throttle

    return {"answer": Throttle(POSTS, POST_SECONDS), "join": Throttle(JOINS, JOIN_SECONDS)}
