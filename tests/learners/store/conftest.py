"""Fixtures: a store on SQLite with files, and one on a real PostgreSQL server."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from learners.store.settings import StoreSettings
from learners.store.store import Store

NOBODY = 65534  # user ID for the server, since PostgreSQL refuses to run as root


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a temporary PostgreSQL server on its own socket and yield its address; fail if it is not installed."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        pytest.fail("these tests need PostgreSQL; install it with: apt-get install postgresql")
    home = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())  # pytest's folders are private
    as_root = os.geteuid() == 0
    user = {"user": NOBODY, "group": NOBODY} if as_root else {}
    if as_root:
        os.chown(home, NOBODY, NOBODY)
    data = home / "data"
    subprocess.run([programs[-1], "-D", data, "-U", "edgewise", "-A", "trust", "-N"], check=True, cwd=home,
                   stdout=subprocess.DEVNULL, **user)  # fmt: skip
    with (home / "log").open("w") as log:
        server = subprocess.Popen(
            [programs[-1].with_name("postgres"), "-D", data, "-k", home, "-c", "listen_addresses=", "-c", "fsync=off"],
            stdout=log, stderr=log, cwd=home, **user,
        )  # fmt: skip
    try:
        while subprocess.run([programs[-1].with_name("pg_isready"), "-q", "-h", home], check=False).returncode:
            assert server.poll() is None, (home / "log").read_text()
        yield f"postgresql+psycopg://edgewise@/postgres?host={home}"
    finally:
        server.send_signal(signal.SIGINT)  # also closes open connections
        server.wait(30)
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def given(request: pytest.FixtureRequest, tmp_path: Path) -> StoreSettings:
    """Return the settings of an empty store."""
    if request.param == "sqlite":
        return StoreSettings(f"sqlite:///{tmp_path / 'edgewise.sqlite'}", tmp_path)
    url = request.getfixturevalue("postgres")
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
    return StoreSettings(url, None)


@pytest.fixture
def store(given: StoreSettings) -> Iterator[Store]:
    """Yield an empty store."""
    made = Store(given)
    yield made
    made.engine.dispose()
