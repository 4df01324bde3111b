"""ASGI middleware in front of Streamlit: checks Host and Origin and adds security headers.

Streamlit itself checks the host of WebSockets only, and on a public server it asks an external service for its own
address before it refuses a WebSocket of another site's page.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import AddressValueError, IPv6Address
from typing import Any
from urllib.parse import parse_qs

import streamlit as st
from starlette.requests import HTTPConnection

# Names of the cookie and of the query parameter that hold the address of a workspace.
COOKIE, QUERY = "edgewise_workspace", "w"
TAKE = "take"  # query parameter: store the workspace of the address in the cookie of the browser
COOKIE_SECONDS = 400 * 86_400  # maximum that browsers allow; the lifetime of a workspace is set elsewhere
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

# Streamlit's page runs inline scripts, and draws with blob: and data: addresses.
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
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
LAST_PORT = 65_535
HOST = re.compile(  # labels between dots, or an IPv6 address in brackets; then an optional port
    r"(?:(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)|\[(?P<v6>[0-9a-f:.]+)\])(?::(?P<port>[0-9]{0,5}))?",
    re.ASCII | re.IGNORECASE,
)


class Guard:
    """ASGI application that checks requests to another application and adds security headers to its responses."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on and add the headers to the response."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not (reason := refusal(scope)):
            await self._app(scope, receive, _with_headers(send, new_cookie(scope)))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # closing before accepting yields status 403
        else:
            await _with_headers(send)({"type": "http.response.start", "status": REFUSED, "headers": []})
            await send({"type": "http.response.body", "body": reason.encode()})


def refusal(scope: Scope) -> str:
    """Return the reason why a request is refused; empty if it is accepted.

    Its host must be one of ours. A WebSocket, and a request that changes something, must come from a page of that host.
    """
    hosts, origins = _values(scope, b"host"), _values(scope, b"origin")
    if len(hosts) != 1 or not is_ours(hosts[0]):
        return "This host is not among server.allowedHosts."
    reads = scope["type"] == "http" and scope["method"] in SAFE_METHODS
    if reads or not origins or (len(origins) == 1 and _may_ask(origins[0], scope, hosts[0])):
        return ""
    return "This page was opened by another site."


def is_ours(host: str) -> bool:
    """Return True if a Host header names one of `server.allowedHosts`, on any port, or if that list is empty."""
    name = host_name(host)
    allowed = [pattern.strip().lower().removesuffix(".") for pattern in st.get_option("server.allowedHosts")]
    return bool(name) and (
        not allowed
        or any(
            pattern in ("*", name) or (pattern.startswith("*.") and name.endswith(pattern[1:])) for pattern in allowed
        )
    )


def host_name(host: str) -> str:
    """Return the name in a Host header, in lower case and without port and final dot; empty if it is malformed.

    `urllib` would drop a user before `@`, a path, tabs and line ends, and read the rest.
    """
    found = HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > LAST_PORT:
        return ""
    try:
        return str(IPv6Address(found["v6"])) if found["v6"] else found["name"].lower().removesuffix(".")
    except AddressValueError:
        return ""


def is_https(scope: Scope) -> bool:
    """Return True if the browser uses TLS, according to the server or to a proxy in front of it."""
    proxy = next(iter(_values(scope, b"x-forwarded-proto")), "").partition(",")[0].strip().lower()
    return bool({scope.get("scheme"), proxy} & {"https", "wss"})


def _may_ask(origin: str, scope: Scope, host: str) -> bool:
    """Return True if pages of this origin may send changes: the host itself, or an allowed origin."""
    return _is_of_host(origin, scope, host) or origin in map(str.strip, st.get_option("server.corsAllowedOrigins"))


def _is_of_host(origin: str, scope: Scope, host: str) -> bool:
    """Return True if an origin is that of the requested host.

    Browsers write Origin and Host in the same form, so the texts are compared without parsing. If the host uses TLS, an
    origin without TLS is refused; the reverse is allowed, because some proxies do not report that they terminate TLS.
    """
    return origin in {f"https://{host}"} | (set() if is_https(scope) else {f"http://{host}"})


def _values(scope: Scope, name: bytes) -> list[str]:
    """Return all values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def new_cookie(scope: Scope) -> tuple[tuple[bytes, bytes], ...]:
    """Return the header that gives a browser its workspace on its first page request; empty if it has one.

    The address of a workspace in the query becomes the browser's own only if a page of this app asks for that (`TAKE`),
    never through a link from somebody else.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    asks_for_page = scope["type"] == "http" and scope["method"] == "GET" and "text/html" in headers.get(b"accept", "")
    joins = "/join/" in scope.get("path", "")  # students in a class have no workspace
    known = HTTPConnection(scope).cookies  # tolerates malformed cookies of other sites on this host
    keeps = os.environ.get("EDGEWISE_KEEP", "yes") == "yes"
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    asked = query.get(QUERY, [""])[-1]
    takes = TAKE in query and is_address(asked) and _comes_from_us(scope)
    if not asks_for_page or joins or not keeps or (is_address(known.get(COOKIE, "")) and not takes):
        return ()
    attributes = (
        f"{COOKIE}={asked if takes else secrets.token_hex(16)}",
        f"Path=/{st.get_option('server.baseUrlPath').strip('/')}",
        f"Max-Age={COOKIE_SECONDS}",
        "HttpOnly",
        "SameSite=Lax",
        *(["Secure"] if is_https(scope) else []),
    )
    return ((b"set-cookie", "; ".join(attributes).encode()),)


def _comes_from_us(scope: Scope) -> bool:
    """Return True if the Referer header names this host; only the browser sets it, so other sites cannot forge it."""
    hosts, referers = _values(scope, b"host"), _values(scope, b"referer")
    origins = ["/".join(referer.split("/", 3)[:3]) for referer in referers]  # scheme, nothing, host
    return len(hosts) == len(origins) == 1 and _is_of_host(origins[0], scope, hosts[0])


def is_address(text: str) -> bool:
    """Return True if a text can be the address of a workspace: 128 bits in hexadecimal digits."""
    return len(text) == 32 and set(text) <= set("0123456789abcdef")


def _with_headers(send: Send, more: tuple[tuple[bytes, bytes], ...] = ()) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            known = {name.lower() for name, _ in HEADERS}
            own = [pair for pair in message.get("headers", []) if pair[0].lower() not in known]
            message = {**message, "headers": [*own, *HEADERS, *more]}
        await send(message)

    return sending
