"""Tests of TLS between a client, a Dask scheduler and its workers; each mistake has its own error message."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import dask
import pytest
from distributed.comm import listen
from distributed.security import Security

from learners import ParameterError, load_sample
from learners.common import dask_client
from learners.common.cluster import Cluster
from learners.common.dask_client import distribute_over
from learners.common.process_pool import ProcessPool
from learners.common.progress import Tick, silent
from learners.io.samples import SAMPLES
from learners.results.result import LearnResult
from learners.store.packing import pack
from learners.workers.remote import learn_in_worker
from tests.schedulers import ROOT, make_certificates, scheduler

pytestmark = pytest.mark.compiled  # most of the time is spent starting processes, not in kernels
PLAIN, ENCRYPTED = "tcp://127.0.0.1:8786", "tls://127.0.0.1:8786"
FILES = {"ca-file": "ca.pem", "client.cert": "client.pem", "client.key": "client.key"}  # file names by Dask's settings
ENDINGS = {"cert": "pem", "key": "key"}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory) -> Path:
    """Create a folder with a CA and its certificates."""
    return make_certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def others(tmp_path_factory) -> Path:
    """Create a folder with another CA and its certificates."""
    return make_certificates(tmp_path_factory.mktemp("others"))


def paths(folder: Path) -> dict[str, str]:
    """Return the TLS files of a client as keywords of `Security`."""
    return {"tls_" + re.sub("[-.]", "_", name): str(folder / file) for name, file in FILES.items()}


def settings(folder: Path) -> dict[str, str]:
    """Return the TLS files of a client as Dask's settings."""
    return {f"distributed.comm.tls.{name}": str(folder / file) for name, file in FILES.items()}


@pytest.mark.parametrize(
    ("address", "changed", "sentence"),
    [
        (ENCRYPTED, {"tls_ca_file": None, "tls_client_cert": None}, "needs TLS, but the client has no certificate"),
        (ENCRYPTED, {"tls_client_cert": None}, "needs TLS, but the client has no certificate"),
        (PLAIN, {}, "is not encrypted; write tls://"),
        ("127.0.0.1:8786", {}, "is not encrypted; write tls://"),
        (PLAIN, {"require_encryption": False}, "is not encrypted; write tls://"),
        (ENCRYPTED, {"tls_ca_file": "nowhere.pem"}, "^tls_ca_file of Dask cannot be read; correct its path$"),
        (ENCRYPTED, {"tls_client_cert": "nowhere.pem"}, "^tls_client_cert of Dask cannot be read; correct its path$"),
        (ENCRYPTED, {"tls_client_key": "nowhere.pem"}, "^tls_client_key of Dask cannot be read; correct its path$"),
        (ENCRYPTED, {"tls_client_key": "worker.key"}, "tls_client_key belongs to tls_client_cert"),
        (ENCRYPTED, {"tls_ca_file": "client.key"}, "check that they are PEM files"),
    ],
)
def test_settings_that_do_not_fit_are_refused_before_a_connection(
    certificates, monkeypatch, address, changed, sentence
):
    """Invalid settings are refused with the wrong file or address, before anything is sent."""
    monkeypatch.chdir(certificates)
    monkeypatch.setattr(dask_client, "_check_connection", None)
    security = Security(**{"require_encryption": True, **paths(certificates), **changed})
    with pytest.raises(ParameterError, match=sentence):
        Cluster(address, security=security).call(os.getpid, tick=silent)
    with pytest.raises(ParameterError, match=sentence), distribute_over(address, security):
        pass


def test_files_come_from_the_configuration_of_dask(certificates, monkeypatch):
    """The certificates are read from Dask's configuration; an unencrypted address is refused."""
    monkeypatch.setattr(dask_client, "_check_connection", None)
    with dask.config.set(settings(certificates)):
        with pytest.raises(ParameterError, match=f"^Dask is set to use TLS, but '{PLAIN}' is not encrypted"):
            dask_client.connect(PLAIN)
        with pytest.raises(TypeError):  # the settings pass all checks
            dask_client.connect(ENCRYPTED)


@pytest.mark.parametrize(
    ("has_tls", "speaks", "whose", "sentence"),
    [
        (
            True,
            "tcp",
            "none",
            "refuses a connection without TLS; write tls://, and set DASK_DISTRIBUTED__COMM__TLS__CA",
        ),
        (False, "tls", "own", "refuses the TLS connection; check that it uses TLS"),
        (
            True,
            "tls",
            "others",
            r"^the certificate of the scheduler at EDGEWISE is not valid \(.+\); correct tls_ca_file",
        ),
        (True, "tls", "mixed", "refuses the TLS connection; .* its tls_ca_file signed tls_client_cert"),
    ],
)
def test_a_refused_handshake_is_explained(certificates, others, has_tls, speaks, whose, sentence):
    """The error message names the side without TLS, or the owner of the invalid certificate."""
    given = {"none": {}, "own": paths(certificates), "others": paths(others)}
    given["mixed"] = given["others"] | {"tls_ca_file": str(certificates / "ca.pem")}
    scheduler = {f"tls_scheduler_{name}": str(certificates / f"scheduler.{end}") for name, end in ENDINGS.items()}
    scheduler["tls_ca_file"] = str(certificates / "ca.pem")

    async def refused() -> str:
        async with listen(
            "tls://127.0.0.1:0" if has_tls else "tcp://127.0.0.1:0",
            lambda comm: comm.read(),
            **Security(**scheduler if has_tls else {}).get_listen_args("scheduler"),
        ) as there:
            address = f"{speaks}://{there.contact_address.partition('://')[2]}"
            cluster = Cluster(address, asked="EDGEWISE", security=Security(**given[whose]))
            with pytest.raises(ParameterError) as caught:
                await asyncio.to_thread(cluster.call, os.getpid, tick=silent)
            return str(caught.value)

    assert re.search(sentence, asyncio.run(refused()))


def test_an_encrypted_address_without_a_port_is_refused(certificates):
    """An address without a port gives the same error message as any address without a scheduler."""
    with pytest.raises(ParameterError, match="no Dask scheduler answers at 'tls://127.0.0.1'; start one"):
        dask_client.connect("tls://127.0.0.1", security=Security(**paths(certificates)))


def test_a_failed_connection_leaves_nothing_behind(monkeypatch):
    """No thread of a failed Dask client remains, since it could block the next client forever."""
    monkeypatch.setattr(dask_client, "CONNECT_SECONDS", 0.2)
    before = set(threading.enumerate())
    with pytest.raises(ParameterError, match="no Dask scheduler answers"):
        dask_client.connect("tcp://127.0.0.1:1")
    assert set(threading.enumerate()) <= before


@pytest.mark.deep
def test_a_run_over_tls_gives_the_same_bytes_also_if_a_worker_is_killed(certificates, tmp_path):
    """A bootstrap runs on two workers, one of which is killed; the command line then uses the same scheduler."""
    data = load_sample("asia").dataset.take(range(300))
    given = {"base": "hc", "n_resamples": 400}
    with scheduler(tmp_path, certificates) as (address, worker):
        assert address.startswith("tls://")
        workers = [worker(), worker()]
        cluster = Cluster(address, security=Security(**paths(certificates)))
        there = learn_in_worker(cluster, "bootstrap", data, tick=killing(cluster, workers), **given)
        assert sum(one.poll() is not None for one in workers) == 1
        cluster.close()
        plain = Cluster(address.replace("tls", "tcp"), security=Security())
        with pytest.raises(ParameterError, match="refuses a connection without TLS"):
            plain.call(os.getpid, tick=silent)
        spread = command_line("--scheduler", address, certificates=certificates)
    local = ProcessPool(1)
    here = learn_in_worker(local, "bootstrap", data, tick=silent, **given)
    local.close()
    assert as_bytes(there) == as_bytes(here)
    assert spread == command_line()


def killing(cluster: Cluster, workers: list[subprocess.Popen]) -> Callable[..., bool]:
    """Return a tick that kills one worker once some resamples are done."""
    killed = []

    def tick(_phase: str, done: int, _total: int) -> bool:
        if done >= 5 and not killed:
            killed.append(cluster.call(whose, tick=silent))
            os.kill(killed[0], signal.SIGKILL)
            next(one for one in workers if one.pid == killed[0]).wait()
        return True

    return tick


def whose(*, tick: Tick) -> int:
    """Return the process ID of the worker."""
    tick("asked", 0, 0)
    return os.getpid()


def as_bytes(result: LearnResult) -> bytes:
    """Serialize a result without its duration."""
    return pack(replace(result, seconds=0.0))


def command_line(*words: str, certificates: Path | None = None) -> str:
    """Return the JSON output of the command line."""
    command = ("learn", str(SAMPLES["asia"].path), "--learner", "bootstrap", "--n-resamples", "4", "--quiet", *words)
    files = settings(certificates) if certificates else {}
    output = subprocess.run(
        [sys.executable, "-m", "learners", *command],
        cwd=ROOT,
        env=os.environ
        | {f"DASK_{re.sub('[.]', '__', name).replace('-', '_').upper()}": path for name, path in files.items()},
        capture_output=True,
        text=True,
    )
    assert output.returncode == 0, output.stderr
    return output.stdout
