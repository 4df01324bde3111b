"""An OpenID Connect provider on this machine: it logs in the user that the test names, without a password."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, KEY = "edgewise", "the-key"


class Provider(ThreadingHTTPServer):
    """Server for discovery, authorization, tokens and keys.

    Attributes
    ----------
    user : str
        Subject of the user who logs in next.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.user = ""
        self.key = RSAKey.generate_key(2048, {"kid": KEY, "use": "sig", "alg": "RS256"})
        self.nonces: dict[str, tuple[str, str]] = {}  # by code: the user, and the nonce that the token must repeat

    @property
    def address(self) -> str:
        """Return the issuer's address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def token(self, code: str) -> str:
        """Return the signed identity for a code, which is valid once."""
        user, nonce = self.nonces.pop(code)
        now = int(time.time())
        reported = {"iss": self.address, "aud": CLIENT, "sub": user, "name": user, "iat": now, "exp": now + 600}
        return jwt.encode({"alg": "RS256", "kid": KEY}, reported | {"nonce": nonce}, self.key)


class Answers(BaseHTTPRequestHandler):
    """Handler of one request."""

    server: Provider

    def do_GET(self) -> None:
        """Answer requests for discovery and keys, and log in without asking."""
        path, query = urlsplit(self.path).path, dict(parse_qsl(urlsplit(self.path).query))
        at = self.server.address
        if path == "/authorize":
            code = f"code{len(self.server.nonces)}{time.time_ns()}"
            self.server.nonces[code] = (self.server.user, query["nonce"])
            self.send_response(302)
            self.send_header(
                "location", f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
            )
            self.end_headers()
        elif path == "/keys":
            self._tell({"keys": [self.server.key.as_dict(private=False)]})
        else:
            ends = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
            self._tell(
                {"issuer": at, "response_types_supported": ["code"], "subject_types_supported": ["public"]}
                | {"id_token_signing_alg_values_supported": ["RS256"]}
                | {name: f"{at}/{end}" for name, end in ends.items()}
            )

    def do_POST(self) -> None:
        """Exchange a code for a token."""
        sent = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        token = self.server.token(sent["code"][0])
        self._tell({"access_token": "none", "token_type": "Bearer", "expires_in": 600, "id_token": token})

    def log_message(self, *_args: object) -> None:
        """Write no log."""

    def _tell(self, what: dict) -> None:
        raw = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


@contextmanager
def provider() -> Iterator[Provider]:
    """Run a provider for the duration of the context."""
    one = Provider()
    threading.Thread(target=one.serve_forever, daemon=True).start()
    yield one
    one.shutdown()
    one.server_close()
