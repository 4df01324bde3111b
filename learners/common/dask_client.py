"""Connection to a Dask scheduler, and distribution of `parallel.ordered_map` over its workers."""

from __future__ import annotations

import asyncio
import ssl
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING

from .errors import ParameterError
from .parallel import REMOTE_EXECUTOR
from .wording import shown_value

if TYPE_CHECKING:
    from distributed import Client
    from distributed.security import Security

CONNECT_SECONDS = 10  # seconds to wait for the scheduler's answer
TLS_FILES = ("tls_ca_file", "tls_client_cert", "tls_client_key")  # attributes of `distributed.security.Security`
TLS_SETTINGS = "DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and …__CLIENT__KEY"
UNENCRYPTED_PROTOCOLS = ("tcp", "ws")  # protocols of addresses without encryption


def check_dask_installed(asked: str) -> None:
    """Raise ParameterError if Dask is not installed; `asked` is the option that named the scheduler."""
    if find_spec("distributed") is None:
        raise ParameterError(f'a scheduler needs Dask; `pip install "edgewise[cluster]"`, or leave {asked} out')


def connect(address: str, asked: str = "--scheduler", *, called: str = "", security: Security | None = None) -> Client:
    """Return a client of a scheduler.

    Parameters
    ----------
    address : str
        Address of the scheduler, such as "tcp://10.0.0.1:8786", or "tls://10.0.0.1:8786" with certificates.
    asked : str
        Option that named the scheduler.
    called : str, optional
        Text that errors show instead of the address.
    security : Security, optional
        TLS files of the client. Default: Dask's configuration.

    Raises
    ------
    ParameterError
        If Dask is not installed, the TLS files do not fit, or no scheduler answers.
    """
    check_dask_installed(asked)
    from distributed import Client
    from distributed.security import Security

    security = security or Security()
    at = called or shown_value(address)
    _check_tls(address, at, security)
    # A Dask client that fails to connect leaves a thread behind, which may block the next client.
    # So a bare connection is tried first, in its own event loop, because the caller's may be running.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, _check_connection(address, at, security)).result()
    # Each submitted task carries its table, so that another worker can repeat it.
    warnings.filterwarnings("ignore", "Sending large graph")
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
    except (OSError, ValueError) as error:  # the scheduler has just ended
        raise _unreachable(at) from error


def _unreachable(at: str) -> ParameterError:
    return ParameterError(f"no Dask scheduler answers at {at}; start one or correct it")


def _check_tls(address: str, at: str, security: Security) -> None:
    """Raise ParameterError if the TLS files cannot be read, or do not fit the address."""
    for name in TLS_FILES:
        path = getattr(security, name)
        if path and "\n" not in path:  # otherwise it is the certificate itself
            try:
                open(path, "rb").close()
            except OSError as error:
                raise ParameterError(f"{name} of Dask cannot be read; correct its path") from error
    try:
        has_files = security.get_connection_args("client")["ssl_context"] is not None
    except OSError as error:  # errors of `ssl` are OSErrors
        raise ParameterError(
            "the TLS files of Dask are not usable; check that they are PEM files, and that tls_client_key belongs to "
            "tls_client_cert"
        ) from error
    plain = "://" not in address or address.partition("://")[0] in UNENCRYPTED_PROTOCOLS
    if plain and (has_files or security.require_encryption):
        raise ParameterError(
            f"Dask is set to use TLS, but {at} is not encrypted; write tls://, or leave out {TLS_SETTINGS}"
        )
    if not plain and not has_files:
        raise ParameterError(f"{at} needs TLS, but the client has no certificate; set {TLS_SETTINGS}")


async def _check_connection(address: str, at: str, security: Security) -> None:
    """Raise ParameterError unless a scheduler accepts a connection."""
    from distributed.comm import CommClosedError, connect, get_address_host_port

    encrypted = address.startswith("tls://")
    try:
        if encrypted:
            get_address_host_port(address)
    except ValueError as error:  # for example, an address without a port
        raise _unreachable(at) from error
    try:
        comm = await connect(address, timeout=CONNECT_SECONDS, **security.get_connection_args("client"))
        await comm.close()
    except (OSError, ValueError) as error:
        cause = error.__cause__
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise ParameterError(
                f"the certificate of the scheduler at {at} is not valid ({cause.verify_message}); correct tls_ca_file "
                "or the certificate"
            ) from error
        # If a handshake fails early, tornado raises ValueError because the stream is closed.
        if encrypted and (isinstance(error, CommClosedError | ValueError) or isinstance(cause, ssl.SSLError)):
            raise ParameterError(
                f"the scheduler at {at} refuses the TLS connection; check that it uses TLS, and that its tls_ca_file "
                "signed tls_client_cert"
            ) from error
        if isinstance(error, CommClosedError):
            raise ParameterError(
                f"the scheduler at {at} refuses a connection without TLS; write tls://, and set {TLS_SETTINGS}"
            ) from error
        raise _unreachable(at) from error


@contextmanager
def distribute_over(address: str, security: Security | None = None) -> Iterator[None]:
    """Run the items of `parallel.ordered_map` on the workers of a scheduler, which must have this library.

    Parameters
    ----------
    address, security
        See `connect`.

    Raises
    ------
    ParameterError
        If Dask is not installed, the TLS files do not fit, or no scheduler answers.
    """
    with (
        connect(address, security=security) as client,
        _with_executor(lambda: nullcontext(client.get_executor(pure=False))),
    ):
        yield


def distribute_from_worker() -> AbstractContextManager[None]:
    """Distribute the items of a task that runs on a worker over all workers of its scheduler.

    While it waits, the worker's own slot is free for other tasks.
    """
    return _with_executor(_worker_executor)


@contextmanager
def _worker_executor() -> Iterator[Executor]:
    from distributed import worker_client

    with worker_client() as client:
        yield client.get_executor(pure=False)


@contextmanager
def _with_executor(others: Callable[[], AbstractContextManager[Executor]]) -> Iterator[None]:
    token = REMOTE_EXECUTOR.set(others)
    try:
        yield
    finally:
        REMOTE_EXECUTOR.reset(token)
