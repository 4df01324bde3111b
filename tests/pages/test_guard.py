"""Tests of the guard: allowed hosts and origins, and which browsers receive the address of a workspace."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as hypotheses

from pages.session import guard
from pages.session.guard import COOKIE, Guard, new_cookie

OWN = "a" * 32
HERE = ["localhost", "127.0.0.1", "::1"]
WELL_FORMED = re.compile(r"[a-z0-9._-]+(:[0-9]*)?|\[[0-9a-f:.]+\](:[0-9]*)?", re.ASCII | re.IGNORECASE)


@pytest.fixture
def options(monkeypatch) -> Callable[..., None]:
    """Return ``options(hosts, origins)``, which sets `server.allowedHosts` and `server.corsAllowedOrigins`."""
    real = st.get_option

    def put(hosts: list[str], origins: list[str] | None = None) -> None:
        values = {"server.allowedHosts": hosts, "server.corsAllowedOrigins": origins or []}
        monkeypatch.setattr(st, "get_option", lambda name: values[name] if name in values else real(name))

    put(HERE)
    return put


def status_of(
    *headers: tuple[str, str], kind: str = "websocket", method: str = "GET", scheme: str = "ws", query: str = ""
) -> int:
    """Return the status that a request gets from a guard around an app that answers 200 to everything."""
    pairs = [(name.encode(), value.encode("utf-8")) for name, value in headers]
    scope = {"type": kind, "scheme": scheme, "headers": pairs, "query_string": query.encode()}
    scope |= {"method": method} if kind == "http" else {}
    sent: list[dict] = []

    async def app(_scope: object, _receive: object, send: Callable) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: dict) -> None:
        sent.append(message)

    with pytest.raises(StopIteration):
        Guard(app)(scope, None, send).send(None)  # the guard awaits nothing
    return 403 if sent[0]["type"] == "websocket.close" else sent[0]["status"]


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize(
    "host",
    [
        "localhost", "localhost:8501", "LOCALHOST:8501", "LocalHost", "localhost.", "localhost.:8501", "localhost:",
        "127.0.0.1", "127.0.0.1:80", "127.0.0.1:65535", "[::1]", "[::1]:8501", "[0:0:0:0:0:0:0:1]:8501",
    ],
)  # fmt: skip
def test_own_names_are_let_in_however_they_are_written(host):
    """Upper case, a final dot, any port, and both notations of an IPv6 address are accepted."""
    assert status_of(("host", host)) == 200
    assert status_of(("host", host), kind="http") == 200
    assert status_of(("host", host), ("origin", f"http://{host}")) == 200


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize(
    "host",
    [
        "", " ", "[", "]", "[]", "[::1", "::1", "::1]:80", "[::1]x", "[::1]:x", "[::1%25lo]", "[:::]", "[v1.x]",
        ":8501", ".", ".localhost", "localhost..", "localhost.example.org", "example.org", "notlocalhost",
        "localhost:65536",
        "localhost:-1", "localhost:+1", "localhost:80:80", "localhost:\u0661", "localhost:99999999999999999999",
        "evil@localhost", "evil:x@localhost:80", "localhost@evil", "localhost/x", "localhost?x", "localhost#x",
        "localhost\\x", "http://localhost", "//localhost", "local\thost", "localhost\n", "localhost\r\nx: y",
        " localhost", "localhost ", "localhost\0", "localho\u017ft", "\u212aocalhost", "localhost,example.org",
        "localhost;", "%6cocalhost", "127.1",
        "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "127.0.0.2", "[::ffff:127.0.0.1]", "[::2]",
    ],
)  # fmt: skip
def test_other_names_and_malformed_ones_are_refused(host):
    """Other names are refused, and so are malformed ones that a lenient parser would read as an allowed name."""
    want = 200 if host == "127.0.0.1." else 403  # a final dot is allowed after any name
    for kind in ("http", "websocket"):
        assert status_of(("host", host), kind=kind) == want
    assert status_of(("host", host), ("origin", f"http://{host}")) == want


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_request_has_one_host(kind):
    """A request with two Host headers is refused, because the app behind the guard may read the other one."""
    assert status_of(kind=kind) == 403
    for first, second in (("localhost", "example.org"), ("example.org", "localhost"), ("localhost", "localhost")):
        assert status_of(("host", first), ("host", second), kind=kind) == 403


@pytest.mark.parametrize(
    ("allowed", "inside", "outside"),
    [
        ([], ["any.example", "10.0.0.1:8501", "[::2]"], ["", "a b", "x@any.example", "["]),
        (["*"], ["any.example"], ["", "x@any.example"]),
        (["*.Example.org"], ["a.example.org", "a.b.EXAMPLE.org.:80"], ["example.org", ".example.org", "aexample.org"]),
        ([" Example.org. "], ["example.org", "example.org.:443"], ["a.example.org", "example.org.evil"]),
    ],
)
def test_names_are_allowed_by_patterns_and_must_be_well_formed(options, allowed, inside, outside):
    """Patterns work as in Streamlit's `server.allowedHosts`, and the names must be well formed."""
    options(allowed)
    assert [status_of(("host", host)) for host in inside] == [200] * len(inside)
    assert [status_of(("host", host)) for host in outside] == [403] * len(outside)


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize(
    "origin",
    [
        "http://[", "http://]", "http://[::1", "http://", "null", "", "file://", "file://localhost:8501",
        "ftp://localhost:8501", "ws://localhost:8501", "javascript://localhost:8501",
        "chrome-extension://localhost:8501", "//localhost:8501", "localhost:8501", "http:localhost:8501", "http://localhost",
        "http://localhost:8502",
        "http://example.org",
        "http://localhost:8501.example.org", "http://localhost:8501@example.org", "http://example.org@localhost:8501",
        "http://localhost:8501/", "http://localhost:8501/x", "http://localhost:8501?x", "http://localhost:8501#x",
        " http://localhost:8501", "http://localhost:8501 http://example.org",
        "http://localhost:8501, http://localhost:8501", "http://local\thost:8501", "http://localhost:8501\n",
        "http:\\\\localhost:8501", "http://localho\u017ft:8501",
    ],
)  # fmt: skip
def test_pages_of_others_open_no_websocket_and_change_nothing(origin):
    """Origins that differ from the host are refused; malformed origins raise no error."""
    here = ("host", "localhost:8501")
    assert status_of(here, ("origin", origin)) == 403
    for method in ("POST", "PUT", "PATCH", "DELETE", "ODD"):
        assert status_of(here, ("origin", origin), kind="http", method=method) == 403
        assert status_of(here, ("origin", "http://localhost:8501"), kind="http", method=method) == 200
    for method in guard.SAFE_METHODS:
        assert status_of(here, ("origin", origin), kind="http", method=method) == 200


@pytest.mark.usefixtures("options")
def test_a_request_has_at_most_one_origin():
    """A request without an origin, as programs send it, is accepted; one with two origins is refused."""
    here, own = ("host", "localhost:8501"), ("origin", "http://localhost:8501")
    assert status_of(here) == status_of(here, own) == 200
    assert status_of(here, own, own) == status_of(here, own, ("origin", "http://example.org")) == 403


@pytest.mark.usefixtures("options")
@pytest.mark.parametrize(
    ("scheme", "proxy", "plain", "tls"),
    [
        ("ws", (), 200, 200), ("wss", (), 403, 200), ("ws", ("https",), 403, 200), ("ws", ("wss",), 403, 200),
        ("ws", ("HTTPS, http",), 403, 200), ("ws", ("http",), 200, 200), ("ws", ("",), 200, 200),
    ],
)  # fmt: skip
def test_a_page_without_tls_is_not_of_a_host_with_tls(scheme, proxy, plain, tls):
    """A page that was loaded without TLS, and may have been rewritten on the network, cannot access a host with TLS."""
    headers = [("host", "localhost"), *(("x-forwarded-proto", one) for one in proxy)]
    assert status_of(*headers, ("origin", "http://localhost"), scheme=scheme) == plain
    assert status_of(*headers, ("origin", "https://localhost"), scheme=scheme) == tls


def test_origins_that_the_server_allows_are_let_in(options):
    """Exactly the origins in `server.corsAllowedOrigins` are accepted."""
    options(HERE, [" https://lab.example.org "])
    here = ("host", "localhost")
    assert status_of(here, ("origin", "https://lab.example.org")) == 200
    for other in ("http://lab.example.org", "https://lab.example.org:444", "https://x.lab.example.org", "null"):
        assert status_of(here, ("origin", other)) == 403


@given(hypotheses.text(max_size=30), hypotheses.text(max_size=30))
def test_no_header_ends_in_an_error_and_hosts_that_are_let_in_are_well_formed(host, odd):
    """Invalid headers raise no error; a malformed host is refused even if all hosts are allowed."""
    real = st.get_option
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "get_option", lambda name: [] if name == "server.allowedHosts" else real(name))
        for name in ("origin", "referer", "cookie", "x-forwarded-proto", "accept"):
            headers = [("host", host), ("accept", "text/html"), (name, odd)]
            for kind, method in (("http", "GET"), ("http", "POST"), ("websocket", "")):
                got = status_of(*headers, kind=kind, method=method, query=f"w={OWN}&take=1")
                assert got == 403 or WELL_FORMED.fullmatch(host)


def test_page_of_another_site_cannot_send_messages_to_the_app():
    """No other site may send messages; by default Streamlit lets the pages of its own cloud do so."""
    assert st.get_option("client.allowedOrigins") == []


def test_odd_referer_of_a_link_that_keeps_a_workspace_is_no_error():
    """A page without TLS, or an address that only begins like ours, gives a browser no other workspace."""
    query = f"w={OWN}&take=1"
    for referer in ("http://[", "http://", "file://here:1/", "http://here:1.evil/", "http://x@here:1/", "null"):
        assert OWN.encode() not in new_cookie(asked(query, host="here:1", referer=referer))[0][1]
    secure = {"host": "here", "x_forwarded_proto": "https"}
    assert OWN.encode() not in new_cookie(asked(query, referer="http://here/projects", **secure))[0][1]
    assert OWN.encode() in new_cookie(asked(query, referer="https://here/projects", **secure))[0][1]


def asked(query: str = "", *, method: str = "GET", scheme: str = "http", **headers: str) -> dict:
    """Return a browser's request for a page."""
    fields = {"accept": "text/html", **headers}
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in fields.items()]
    return {"type": "http", "method": method, "scheme": scheme, "query_string": query.encode(), "headers": pairs}


def test_new_browser_is_given_an_address_of_its_own_that_no_script_reads():
    (one,), (other,) = new_cookie(asked()), new_cookie(asked())
    assert one != other
    actual = one[1].decode()
    assert re.fullmatch(rf"{COOKIE}=[0-9a-f]{{32}}; Path=/; Max-Age=[0-9]+; HttpOnly; SameSite=Lax", actual)
    for scope in (asked(scheme="https"), asked(x_forwarded_proto="https")):
        assert new_cookie(scope)[0][1].endswith(b"; Secure")


@pytest.mark.parametrize(
    "scope",
    [asked(method="POST"), asked(accept="*/*"), asked(cookie=f"{COOKIE}={OWN}"), {"type": "websocket", "headers": []}],
)
def test_nobody_else_is(scope):
    assert new_cookie(scope) == ()


def test_odd_cookies_of_others_on_this_host_cost_nobody_the_workspace():
    for odd in ('theme={"a": "b c"}', "no name", "ä=ö", "a b=1"):
        assert new_cookie(asked(cookie=f"{odd}; {COOKIE}={OWN}")) == ()


def test_address_in_the_query_is_kept_only_if_a_page_of_ours_asks_for_that():
    from_us = {"host": "here:1", "referer": f"http://here:1/projects?w={OWN}"}
    for known in ({}, {"cookie": f"{COOKIE}={'b' * 32}"}):
        assert f"{COOKIE}={OWN};".encode() in new_cookie(asked(f"w={OWN}&take=1", **from_us, **known))[0][1]
    for query, expected in (
        (f"w={OWN}", from_us),
        (f"w={OWN}&take=1", {"host": "here:1"}),
        (f"w={OWN}&take=1", from_us | {"referer": "http://elsewhere/"}),
        (f"w={OWN}&take=1", {}),
    ):
        assert OWN.encode() not in new_cookie(asked(query, **expected))[0][1]
        assert new_cookie(asked(query, cookie=f"{COOKIE}={'b' * 32}", **expected)) == ()
    for odd in ("w=x", "w=%0d%0aSet-Cookie:x", f"w={OWN}%3B%20Domain=x", "w=" + "A" * 32):
        assert re.match(rf"{COOKIE}=[0-9a-f]{{32}};", new_cookie(asked(f"{odd}&take=1", **from_us))[0][1].decode())


def test_server_that_keeps_nothing_gives_none(monkeypatch):
    monkeypatch.setenv("EDGEWISE_KEEP", "no")
    assert new_cookie(asked()) == ()
