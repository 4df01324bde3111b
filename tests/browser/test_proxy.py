"""The app behind a real nginx, configured as in docs/deploy.md: TLS, a path prefix, two processes."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ON_INSPECT, ROOT, TABLE_FILE, choose_learner, free_port, outside

pytestmark = [pytest.mark.browser, pytest.mark.deep]

# The nginx worker buffers data for slow browsers in the test's folder, which belongs to the user of the test.
# If that user is root, the worker must stay root; for other users nginx ignores the line.
CONFIGURATION = """
daemon off;
user root;
worker_processes 1;
pid nginx.pid;
events {}
http {
    log_format short "$cookie_edgewise $upstream_addr $status $request_uri";
    access_log access.log short;
    %s_temp_path temp;
    %s
}
"""
TEMPORARY = "_temp_path temp;\n    ".join(["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])


@dataclass(frozen=True)
class Proxy:
    """A running nginx: its address, and the folder with its logs."""

    host: str
    folder: Path

    @property
    def address(self) -> str:
        return f"https://{self.host}/edgewise/"

    def log(self) -> list[list[str]]:
        """Return visitor, process, status and address of each answered request."""
        return [line.split() for line in (self.folder / "access.log").read_text().splitlines()]


@pytest.fixture(scope="module")
def proxy(app_server, tmp_path_factory) -> Iterator[Proxy]:
    """Run nginx in front of two processes of the app; a missing nginx is a failure."""
    program = shutil.which("nginx") or shutil.which("nginx", path=f"{ROOT}/.venv/nginx/usr/sbin:/usr/sbin")
    if program is None:
        pytest.fail("these tests need nginx; .ci/setup tests unpacks it")
    flags = ("--server.baseUrlPath", "edgewise")
    apps = [app_server(ROOT / "app.py", *flags, "--server.maxMessageSize", size) for size in ("200", "201")]
    folder, host = tmp_path_factory.mktemp("nginx"), f"127.0.0.1:{free_port()}"
    certify(folder)
    (folder / "nginx.conf").write_text(CONFIGURATION % (TEMPORARY, documented(host, apps, folder)))
    with (folder / "error.log").open("w") as log:
        command = [program, "-p", folder, "-e", "error.log", "-c", folder / "nginx.conf"]
        process = subprocess.Popen(command, stderr=log)
    wait_for(host, process, folder / "error.log")
    yield Proxy(host, folder)
    process.terminate()
    process.wait(timeout=20)


def documented(host: str, apps: list[str], folder: Path) -> str:
    """Return the block of docs/deploy.md with this machine's addresses and files."""
    (block,) = re.findall(r"```nginx\n(.*?)```", (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8"), re.DOTALL)
    changes = {
        "listen 443": f"listen {host}",
        "server_name example.org": "server_name 127.0.0.1",
        "/etc/ssl/example.org": f"{folder}/example",
        "127.0.0.1:8501": apps[0].split("/")[2],
        "127.0.0.1:8502": apps[1].split("/")[2],
    }
    for documented_, here in changes.items():
        assert documented_ in block, documented_
        block = block.replace(documented_, here)
    return block


def certify(folder: Path) -> None:
    """Create a self-signed certificate."""
    new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", folder / "example.key", "-out", folder / "example.pem", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*new, *files], check=True, capture_output=True)


def wait_for(host: str, process: subprocess.Popen, log: Path) -> None:
    name, port = host.split(":")
    for _ in range(100):
        assert process.poll() is None, log.read_text()
        with socket.socket() as one:
            if one.connect_ex((name, int(port))) == 0:
                return
        time.sleep(0.1)
    pytest.fail("nginx does not answer")


def send(proxy: Proxy, path: str, headers: dict[str, str]) -> str:
    """Return the head of the answer to a request below the prefix."""
    name, port = proxy.host.split(":")
    context = ssl._create_unverified_context()
    with context.wrap_socket(socket.create_connection((name, int(port)), timeout=20)) as line:
        lines = [f"GET /edgewise/{path} HTTP/1.1", f"Host: {proxy.host}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        line.sendall("\r\n".join([*lines, "", ""]).encode())
        return line.recv(8192).decode().partition("\r\n\r\n")[0]


def ask(proxy: Proxy, cookie: str = "") -> str:
    """Return the head of the answer to a visitor with that cookie."""
    return send(proxy, "_stcore/health", {"Cookie": cookie} if cookie else {})


def shake_hands(proxy: Proxy, origin: str) -> str:
    """Return the head of the answer to a WebSocket handshake with this `origin`."""
    key = {"Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    return send(proxy, "_stcore/stream", {"Origin": origin, "Upgrade": "websocket", "Connection": "Upgrade"} | key)


def test_app_works_behind_the_proxy(proxy, open_page):
    """The first graph, an upload of over a megabyte and a run succeed, without a violation of the security policy."""
    page = open_page()
    page.goto(proxy.address.rstrip("/"))
    expect(page.locator(".graph-view[data-ready]")).to_be_visible(timeout=60_000)
    assert page.url == proxy.address
    page.get_by_role("link", name="Data", exact=True).first.click()
    table = "a,b,c\n" + "".join(f"{k % 2},{k // 2 % 2},{k % 3 % 2}\n" for k in range(250_000))
    page.locator(TABLE_FILE).set_input_files({"name": "large.csv", "mimeType": "text/csv", "buffer": table.encode()})
    expect(page.get_by_role("heading", name="large.csv")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Learn", exact=True).first.click()
    choose_learner(page, "pc")
    page.get_by_role("button", name="Run learner", exact=True).click()
    expect(page.locator(ON_INSPECT)).to_be_visible(timeout=60_000)
    page.get_by_role("radio", name="Spring layout").click()
    expect(page.frame_locator("iframe").first.locator("canvas")).to_be_visible(timeout=60_000)
    assert outside(page.request_urls, proxy.address.replace("https", "http")) == [
        url for url in page.request_urls if url.startswith((f"https://{proxy.host}/", f"wss://{proxy.host}/"))
    ]
    assert page.console_errors == []


def test_each_visitor_keeps_one_process(proxy):
    """A session lives in one process, which the cookie of the first answer names; both processes have visitors."""
    served = {}
    for _ in range(12):
        visitor = re.search("edgewise=(\\w+); Path=/edgewise;", ask(proxy)).group(1)
        for _ in range(3):
            ask(proxy, f"edgewise={visitor}")
        served[visitor] = {process for who, process, *_ in proxy.log() if who == visitor}
    assert {len(processes) for processes in served.values()} == {1}
    assert len(set.union(*served.values())) == 2


def test_another_sites_page_may_not_connect(proxy):
    """The app refuses the handshake before Streamlit checks the visitor; each security header arrives once."""
    assert " 101 " in shake_hands(proxy, f"https://{proxy.host}")
    assert " 403 " in shake_hands(proxy, "https://example.com")
    head = ask(proxy).lower()
    for name in ("content-security-policy", "x-frame-options", "x-content-type-options", "strict-transport-security"):
        assert head.count(f"\n{name}:") == 1


def test_the_upload_limit_is_the_apps():
    """The upload limit is the app's, not nginx's default of one megabyte."""
    (limit,) = re.findall(r"client_max_body_size (\d+)m;", (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8"))
    assert f"maxUploadSize = {limit}\n" in (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
