"""Guard: which browsers are given the address of a workspace, and how."""

from __future__ import annotations

import re

import pytest

from pages.guard import COOKIE, new_cookie

OWN = "a" * 32


def asked(query: str = "", *, method: str = "GET", scheme: str = "http", **headers: str) -> dict:
    """A request of a browser for a page."""
    told = {"accept": "text/html", **headers}
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in told.items()]
    return {"type": "http", "method": method, "scheme": scheme, "query_string": query.encode(), "headers": pairs}


def test_new_browser_is_given_an_address_of_its_own_that_no_script_reads():
    (one,), (other,) = new_cookie(asked()), new_cookie(asked())
    assert one != other
    told = one[1].decode()
    assert re.fullmatch(rf"{COOKIE}=[0-9a-f]{{32}}; Path=/; Max-Age=[0-9]+; HttpOnly; SameSite=Lax", told)
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
    for query, told in (
        (f"w={OWN}", from_us),
        (f"w={OWN}&take=1", {"host": "here:1"}),
        (f"w={OWN}&take=1", from_us | {"referer": "http://elsewhere/"}),
        (f"w={OWN}&take=1", {}),
    ):
        assert OWN.encode() not in new_cookie(asked(query, **told))[0][1]
        assert new_cookie(asked(query, cookie=f"{COOKIE}={'b' * 32}", **told)) == ()
    for odd in ("w=x", "w=%0d%0aSet-Cookie:x", f"w={OWN}%3B%20Domain=x", "w=" + "A" * 32):
        assert re.match(rf"{COOKIE}=[0-9a-f]{{32}};", new_cookie(asked(f"{odd}&take=1", **from_us))[0][1].decode())


def test_server_that_keeps_nothing_gives_none(monkeypatch):
    monkeypatch.setenv("EDGEWISE_KEEP", "no")
    assert new_cookie(asked()) == ()
