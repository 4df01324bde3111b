"""Login at an OpenID Connect provider: no access without a login, and work belongs to the account."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from pages.session.guard import COOKIE
from tests.browser.conftest import ROOT, free_port, start_server
from tests.browser.oidc import CLIENT, Provider, provider
from tests.browser.test_lost_session import PATIENCE, upload

pytestmark = pytest.mark.browser
SECRETS = """
[auth]
redirect_uri = "{address}/oauth2callback"
cookie_secret = "{secret}"
client_id = "{client}"
client_secret = "none"
server_metadata_url = "{provider}/.well-known/openid-configuration"
"""


@pytest.fixture
def door(tmp_path: Path) -> Iterator[tuple[str, Provider]]:
    """Return the address of a server with a login, and its provider."""
    port, secrets = free_port(), tmp_path / "secrets.toml"
    with provider() as one:
        about = {"address": f"http://127.0.0.1:{port}", "secret": "s" * 64, "client": CLIENT, "provider": one.address}
        secrets.write_text(SECRETS.format(**about))
        keeping = {"EDGEWISE_KEEP": "yes", "EDGEWISE_DATA": str(tmp_path / "work"), "AUTHLIB_INSECURE_TRANSPORT": "1"}
        process, address = start_server(
            ROOT / "app.py", ("--secrets.files", str(secrets)), tmp_path / "log.txt", "streamlit", keeping, port
        )
        yield address, one
        process.kill()
        process.wait(timeout=30)


def come_in(open_page: Callable[..., Page], address: str, one: Provider, user: str) -> Page:
    """Open Data in a new browser after a login."""
    page, one.user = open_page(), user
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Data", exact=True).first.click()
    expect(page.get_by_role("heading", name="In use: ")).to_be_visible(timeout=PATIENCE)
    return page


def test_work_belongs_to_the_account_that_logs_in(open_page, door):
    first = come_in(open_page, *door, "ada")
    upload(first, "mine.csv")
    again = come_in(open_page, *door, "ada")
    expect(again.get_by_role("heading", name="In use: mine.csv")).to_be_visible(timeout=PATIENCE)
    other = come_in(open_page, *door, "bob")
    expect(other.get_by_role("heading", name="In use: ")).not_to_contain_text("mine.csv")
    other.get_by_role("button", name="Log out").click()
    expect(other.get_by_role("button", name="Log in")).to_be_visible(timeout=PATIENCE)
    expect(other.get_by_role("link", name="Data", exact=True)).to_have_count(0)


@pytest.mark.deep
def test_the_name_of_an_account_opens_it_to_nobody_else(open_page, door):
    """Bob cannot open Ada's work by setting her issuer and subject as his cookie and in the address."""
    address, one = door
    upload(come_in(open_page, *door, "ada"), "mine.csv")
    bob = come_in(open_page, *door, "bob")
    cookie = {"name": COOKIE, "value": f"account {one.address} ada", "domain": "127.0.0.1", "path": "/"}
    bob.context.add_cookies([cookie])
    for name in ("bob", "ada"):
        bob.goto(f"{address}/projects?{urlencode({'w': f'account {one.address} {name}'})}")
        expect(bob.get_by_text("Your workspace")).to_be_visible(timeout=PATIENCE)
        expect(bob.get_by_role("button", name="Use my workspace")).to_have_count(0)
        bob.context.add_cookies([cookie])  # again, in case the page has replaced it
        bob.goto(f"{address}/data")
        expect(bob.get_by_role("heading", name="In use: ")).not_to_contain_text("mine.csv", timeout=PATIENCE)
    bob.goto(f"{address}/projects")
    bob.get_by_text("Your workspace").click()
    bob.get_by_text("Delete workspace").click()
    bob.get_by_role("button", name="Delete everything", exact=True).click()
    again = come_in(open_page, *door, "ada")
    expect(again.get_by_role("heading", name="In use: mine.csv")).to_be_visible(timeout=PATIENCE)
