"""Tests that only the 128-bit address or a verified login opens a workspace, and no other input."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select
from streamlit import user_info
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from learners.store import project_file, projects, runs, schema, share_links, workspaces
from learners.store.background_writer import BackgroundWriter
from learners.store.packing import pack
from learners.store.settings import StoreSettings
from learners.store.store import Store
from learners.store.workspaces import Account
from learners.teaching.classroom.class_registry import ClassRegistry
from learners.teaching.classroom.classroom import Classroom
from learners.teaching.lessons.lesson import Exercise
from pages.session import shared_link, storage, workspace
from pages.session.guard import COOKIE, QUERY, TAKE, new_cookie
from tests.pages.driving import errors, learn_now, open_app, press, small_table, sound, upload

ADA, EVE = (Account("https://login.example.org", name) for name in ("ada", "eve"))
OWN = "a" * 32


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return a store for one test."""
    made, writer = Store(StoreSettings(f"sqlite:///{tmp_path / 'x.sqlite'}", tmp_path)), BackgroundWriter()
    monkeypatch.setattr(storage, "store", lambda: made)
    monkeypatch.setattr(storage, "writer", lambda: writer)
    for name in ("held", "unkept"):
        monkeypatch.setattr(storage, name, {})
    return made


@pytest.fixture
def arrive(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:  # noqa: ARG001
    """Return ``arrive(user, cookie, headers)``: it sets login, cookie and headers of the next session."""

    def one(user: Account | None = None, cookie: str = "", headers: Mapping[str, str] | None = None) -> None:
        storage.writer().wait()
        claims = {"is_logged_in": True, "iss": user.issuer, "sub": user.subject} if user else {}
        monkeypatch.setattr(user_info, "_get_user_info", lambda: claims)
        monkeypatch.setattr(ContextProxy, "cookies", {COOKIE: cookie} if cookie else {})
        monkeypatch.setattr(ContextProxy, "headers", headers or {})

    return one


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return a set that collects the ids of the workspaces that are found or made."""
    ids: set[str] = set()

    def spied(find: Callable) -> Callable:
        def spy(*given: object, **named: object) -> Any:
            found = find(*given, **named)
            ids.update({found.id} if found else ())
            return found

        return spy

    for name in ("find", "make"):
        monkeypatch.setattr(workspaces, name, spied(getattr(workspaces, name)))
    return ids


def kept(store: Store, key: workspaces.Key) -> str:
    """Make a workspace with a table, a run and a link, and return its id."""
    workspace = workspaces.make(store, key).id
    project = projects.create(store, workspace, "secret")
    table = store.put(workspace, b"table of " + workspace.encode())
    runs.add(store, workspace, project, workspace, "run", pack({"key": "pc"}), [table], b"result", "2 edges")
    share_links.create(store, workspace, "shared", [workspace], "inspect", 1)
    return workspace


def rows_of(store: Store, workspace: str) -> dict[str, list]:
    """Return all rows of a workspace in the database."""
    found = {}
    with store.reading() as connection:
        for table in schema.schema.sorted_tables:
            own = table.c.id if table is schema.workspaces else table.c.workspace
            found[table.name] = connection.execute(select(table).where(own == workspace)).all()
    return found


def guesses(account: Account, rows: Mapping[str, list]) -> list[str]:
    """Return texts that could name an account's workspace: its claims, and everything the database stores about it."""
    claims = list(astuple(account))
    words = [
        " ".join(claims),
        f"account {' '.join(claims)}",
        json.dumps(claims),
        repr(account),
        "".join(claims),
        *claims,
    ]
    words += [account.hash, *(hashlib.sha256(one.encode()).hexdigest() for one in words)]
    held = [cell for table in rows.values() for row in table for cell in row if isinstance(cell, str) and cell]
    words += [*held, *(one[:32] for one in (*words, *held) if len(one) > 32)]
    return list(dict.fromkeys([*words, "", "*", "%", "../..", f"{OWN}\n", OWN.upper(), f"{OWN}'--"]))


def visit() -> None:  # AppTest runs this function in a module of its own
    """Enter as each page does, and show the content of the workspace."""
    import streamlit as st

    from pages.session import shared_link, workspace

    shared_link.look()
    st.session_state.found = workspace.found()
    st.button("own", key="own", on_click=workspace.use_own)


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("entry", ["cookie", "address", "both", "link", "header"])
@pytest.mark.parametrize("user", [None, EVE], ids=["nobody", "eve"])
def test_no_text_of_a_visitor_reaches_the_workspace_of_an_account(store, arrive, reached, entry, user):
    """Cookie, address, *Use my own instead*, shared link and headers neither open nor change an account's workspace."""
    victim = kept(store, ADA)
    before = rows_of(store, victim)
    reached.clear()
    for guess in guesses(ADA, before):
        headers = dict.fromkeys(("Cookie", "Authorization", "X-Forwarded-User", "X-Streamlit-User"), guess)
        arrive(user, guess if entry in ("cookie", "both") else "", headers if entry == "header" else None)
        at = AppTest.from_function(visit)
        for name in {"address": (QUERY,), "both": (QUERY, TAKE), "link": (shared_link.QUERY,)}.get(entry, ()):
            at.query_params[name] = guess
        sound(at.run())
        for _ in range(2):
            secret = at.session_state[workspace.PLACE].secret
            assert secret in ("", user) or workspaces.is_address(secret)
            assert at.session_state["found"] is None
            sound(at.button(key="own").click().run())
    assert victim not in reached
    assert rows_of(store, victim) == before


def test_no_text_of_a_visitor_leads_a_class_of_an_account_or_sets_the_cookie(store):
    """Class codes, names in forms, and the link that keeps a workspace in a browser have no effect on an account."""
    before, room = rows_of(store, kept(store, ADA)), Classroom([Exercise("q", ("a", "b"), 0, "why")])
    for guess in guesses(ADA, before):
        classes = ClassRegistry(lambda _session: True)
        entry = classes.open(room, (), "", ADA, "session of ada")
        assert classes.find(guess, "network") is None
        assert classes.of_owner(guess, guess) is None
        assert entry.code not in guess
        query = f"{QUERY}={quote(guess)}&{TAKE}=1".encode()
        ours = [(b"host", b"here"), (b"referer", b"http://here/projects"), (b"accept", b"text/html")]
        scope = {"type": "http", "method": "GET", "scheme": "http", "query_string": query, "headers": ours}
        ((_, cookie),) = new_cookie(scope)
        assert workspaces.is_address(cookie.decode().partition("=")[2].partition(";")[0])


@pytest.mark.parametrize("user", [None, EVE], ids=["nobody", "eve"])
def test_a_project_file_names_nothing_of_another_workspace(store, arrive, user):
    """A malicious file that names the tables, runs and files of an account shows none of them."""
    victim, own = kept(store, ADA), kept(store, user or OWN)
    before = rows_of(store, victim)
    (table,) = (row.hash for row in before["parts"] if store.part(victim, row.hash).startswith(b"table"))
    names = [table, f"../{victim}/{table}", str(store.settings.folder / "parts" / victim / table), victim, ""]
    for name in names:
        body = pack({"source": {"table": name, "origin": None, "plan": None, "base": None}, "step": 1})
        listed = {"version": "1", "name": "p", "tables": [table], "runs": []}
        with io.BytesIO() as raw, zipfile.ZipFile(raw, "w") as file:
            file.writestr(project_file.INDEX, project_file.PROJECT.written(listed))
            file.writestr(project_file.BODY, body)
            file.close()
            project = project_file.import_project(store, own, raw.getvalue())
        projects.use(store, own, project)
        arrive(user, OWN)
        at = sound(open_app())
        assert at.session_state[workspace.PLACE].project in ("", project)
        assert "table cannot be shown" in at.session_state[workspace.PROBLEM]
        assert not at.session_state["source"].title.startswith("table of")
    assert rows_of(store, victim) == before


def test_an_address_and_a_login_reach_their_workspaces(store, arrive):
    """A workspace opens by cookie and by address; a login always opens the workspace of its account."""
    own, other, of_ada = kept(store, OWN), kept(store, "b" * 32), kept(store, ADA)
    for user, cookie, asked, want in (
        (None, OWN, "", own), (None, OWN, "b" * 32, other), (None, "", OWN, own), (None, "x", OWN, own),
        (ADA, "", "", of_ada), (ADA, OWN, "b" * 32, of_ada), (EVE, OWN, "b" * 32, None),
    ):  # fmt: skip
        arrive(user, cookie)
        at = AppTest.from_function(visit)
        if asked:
            at.query_params[QUERY] = asked
        found = sound(at.run()).session_state["found"]
        assert (found and found.id) == want
        assert at.session_state[workspace.PLACE].by_address == (user is None and asked not in ("", cookie))


def test_an_account_is_not_taken_over_by_its_name(store, arrive):
    """A cookie or an address that spells an account's name does not open its workspace."""
    arrive(ADA)
    learn_now(upload(open_app("data"), small_table(), "mine.csv"))
    storage.writer().wait()
    before = rows_of(store, workspaces.find(store, ADA).id)
    arrive(EVE, f"account {ADA.issuer} {ADA.subject}")
    at = sound(open_app("projects", w=f"account {EVE.issuer} {EVE.subject}"))
    assert not {"whose_own"} & {button.key for button in at.button}
    assert "mine.csv" not in [run.source.title for run in at.session_state["runs"]]
    assert at.session_state[workspace.PLACE].secret == EVE
    press(at, "projects_forget")
    storage.writer().wait()
    assert rows_of(store, workspaces.find(store, ADA).id) == before
    arrive(ADA)
    assert "mine.csv" in [run.source.title for run in sound(open_app()).session_state["runs"]]


@pytest.mark.parametrize("claims", [{}, {"iss": ADA.issuer}, {"sub": "ada"}, {"iss": "", "sub": "ada"}])
def test_a_login_that_names_nobody_ends_in_a_sentence(monkeypatch, claims):
    """Logins without a subject are refused, because they would share one workspace."""
    monkeypatch.setattr(user_info, "_get_user_info", lambda: {"is_logged_in": True, **claims})
    at = sound(open_app())
    assert errors(at) == ["The login lacks an issuer or a subject; ask the administrator of this server."]
    assert "source" not in at.session_state
    assert "logout" in {button.key for button in at.sidebar.button}
