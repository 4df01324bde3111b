"""A Dask scheduler and its workers in separate processes, which a test may kill."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.polling import wait_until

ROOT = Path(__file__).parents[1]


@contextmanager
def scheduler(folder: Path, certificates: Path | None = None) -> Iterator[tuple[str, Callable[[], subprocess.Popen]]]:
    """Start a scheduler; yield its address and a function that starts one more worker.

    A worker is never restarted. With a folder of `certificates`, all processes use TLS.
    """
    path = folder / "scheduler.json"
    with ExitStack() as stack:
        where = ("--scheduler-file", str(path))
        files = _tls_options(certificates, "scheduler")
        _begin(stack, "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", *where, *files)
        wait_until(lambda: path.exists() and path.read_text())
        once = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
        files = _tls_options(certificates, "worker")
        yield (
            json.loads(path.read_text())["address"],
            lambda: _begin(stack, "distributed.cli.dask_worker", *where, *once, *files),
        )


def make_certificates(folder: Path) -> Path:
    """Create a CA and the certificates of all roles in a folder, by the commands of docs/deploy.md."""
    commands = re.search("```sh\n(openssl .*?)```", (ROOT / "docs" / "deploy.md").read_text("utf-8"), re.DOTALL)
    subprocess.run(["sh", "-euc", commands[1]], cwd=folder, check=True, capture_output=True)
    return folder


def _tls_options(certificates: Path | None, role: str) -> list[str]:
    if certificates is None:
        return []
    files = {"ca-file": "ca.pem", "cert": f"{role}.pem", "key": f"{role}.key"}
    return [word for name, file in files.items() for word in (f"--tls-{name}", str(certificates / file))]


def _begin(stack: ExitStack, *words: str) -> subprocess.Popen:
    """Start a program of Dask in a separate process that ends with the stack."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, **quiet)
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process
