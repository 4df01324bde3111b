"""Guard: what stands before Streamlit. It refuses who is not meant, and sends each answer with headers of safety.

Streamlit itself looks at the host of a WebSocket alone, and asks a server on the internet for its own address before it
refuses one that a page of another site opened.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.requests import cookie_parser

# Where the address of a workspace stands: in the browser, and in the address bar.
COOKIE, QUERY = "edgewise_workspace", "w"
TAKE = "take"  # beside it in the query: let this browser keep that workspace
COOKIE_SECONDS = 400 * 86_400  # the most that browsers allow; how long a workspace is kept is said elsewhere
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

# Streamlit's page runs scripts of its own within the page, and draws with blob: and data: addresses.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; "
    "frame-src 'self' blob: data:; frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
)
REFUSED = 403


def keep_uploads_in_memory() -> None:
    """Let uploads stay off the disk, which may be full or be read by others; Streamlit holds all of one anyway."""
    MultiPartParser.spool_max_size = 0  # which stands for no bound


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or hand on with the headers added to what comes back."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif may_enter(scope):
            await self._app(scope, receive, _with_headers(send, new_cookie(scope)))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it was accepted: status 403
        else:
            await _with_headers(send)({"type": "http.response.start", "status": REFUSED, "headers": []})
            await send({"type": "http.response.body", "body": b"This host is not among server.allowedHosts."})


def may_enter(scope: Scope) -> bool:
    """Whether the host asked for is one of ours and, of a WebSocket, the page that opens it is of that host."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    host, origin = headers.get(b"host", ""), headers.get(b"origin")
    if not is_ours(host):
        return False
    if scope["type"] == "http" or origin is None:
        return True
    return urlsplit(origin).netloc == host or origin in st.get_option("server.corsAllowedOrigins")


def is_ours(host: str) -> bool:
    """Whether a name, with or without a port, is among `server.allowedHosts`; any is if the list is empty."""
    allowed = [pattern.lower() for pattern in st.get_option("server.allowedHosts")]
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return not allowed or any(
        pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])) for pattern in allowed
    )


def new_cookie(scope: Scope) -> tuple[tuple[bytes, bytes], ...]:
    """The header that gives a browser its workspace, with the page that it asks for first; none if it has one.

    The address of a workspace in the query becomes the browser's own if a page of ours asks for that (`TAKE`), never
    because somebody sent a link.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    asks_for_page = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in headers.get(b"accept", "")
    joins = "/join/" in scope.get("path", "")  # who answers in a class keeps nothing here
    # Others of this host may hold anything: read as Streamlit does, which loses none of ours for it.
    known = cookie_parser(headers.get(b"cookie", ""))
    keeps = os.environ.get("EDGEWISE_KEEP", "yes") == "yes"
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    asked = query.get(QUERY, [""])[0]
    takes = TAKE in query and is_address(asked) and _comes_from_us(headers)
    if not asks_for_page or joins or not keeps or (is_address(known.get(COOKIE, "")) and not takes):
        return ()
    secure = scope.get("scheme") == "https" or headers.get(b"x-forwarded-proto") == "https"
    told = (
        f"{COOKIE}={asked if takes else secrets.token_hex(16)}",
        f"Path=/{st.get_option('server.baseUrlPath').strip('/')}",
        f"Max-Age={COOKIE_SECONDS}",
        "HttpOnly",
        "SameSite=Lax",
        *(["Secure"] if secure else []),
    )
    return ((b"set-cookie", "; ".join(told).encode()),)


def _comes_from_us(headers: Mapping[bytes, str]) -> bool:
    """Whether a page of this host was left for the one asked for; the browser says so, and no other site can."""
    return bool(headers.get(b"host")) and urlsplit(headers.get(b"referer", "")).netloc == headers[b"host"]


def is_address(text: str) -> bool:
    """Whether a text can be the address of a workspace: 128 bits in hexadecimal digits."""
    return len(text) == 32 and set(text) <= set("0123456789abcdef")


def _with_headers(send: Send, more: tuple[tuple[bytes, bytes], ...] = ()) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in HEADERS}
            own = [pair for pair in message.get("headers", []) if pair[0].lower() not in known]
            message = {**message, "headers": [*own, *HEADERS, *more]}
        await send(message)

    return sending
