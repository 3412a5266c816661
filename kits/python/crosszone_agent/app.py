"""The card and the tasks of an agent, and what it responds to each HTTP request."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Sequence
from email.utils import formatdate
from typing import Any, Callable, NamedTuple

from .card import Profile, card_of
from .errors import invalid_request
from .json_text import dump_json
from .rpc import error_body, respond
from .runner import Limits, Runner
from .service import Service
from .store import TaskStore

CARD_PATH = "/.well-known/agent-card.json"


class Request(NamedTuple):
    """An HTTP request without its body. Names of headers are in lower case."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes | Iterator[bytes]


class App:
    """What an agent responds to each HTTP request, whichever server received it."""

    def __init__(
        self,
        handler: Callable[..., Any],
        *,
        name: str,
        description: str,
        version: str = "1.0.0",
        skills: list[dict[str, Any]] | None = None,
        input_modes: Sequence[str] = ("text/plain", "application/json"),
        output_modes: Sequence[str] = ("text/plain",),
        url: str | None = None,
        token: str | Sequence[str] | None = None,
        max_body_bytes: int = 10 * 1024 * 1024,
        max_tasks: int = 1000,
        max_running: int = 100,
        task_timeout: float = 900.0,
        question_timeout: float = 86_400.0,
    ) -> None:
        """Timeouts are seconds. Callers with different tokens don't see each other's tasks."""
        self.name = name
        self.max_body_bytes = max_body_bytes
        tokens = [token] if isinstance(token, str) else list(token or [])
        if any(not each for each in tokens):
            raise ValueError("token is empty. Leave it out to let everybody in, or set it to a random text.")
        self._tokens = [hashlib.sha256(each.encode()).digest() for each in tokens]
        modes = list(input_modes), list(output_modes)
        self._profile = Profile(name, description, version, skills, *modes, has_token=bool(tokens))
        self._url = url
        self._started = formatdate(usegmt=True)
        self.runner = Runner(handler, Limits(max_running, task_timeout, question_timeout))
        accepted = modes[0] + [mode for skill in skills or [] for mode in skill.get("inputModes", [])]
        self._service = Service(TaskStore(max_tasks, 32 * max_body_bytes), self.runner, accepted)

    def refuse(self, request: Request) -> Response | None:
        """Returns the response to a request whose body need not be read, otherwise None."""
        if request.method in ("GET", "HEAD") and request.path.endswith(CARD_PATH):
            return self._card(request)
        if request.method in ("GET", "HEAD") and request.path.endswith("/healthz"):
            return _json(200, {"status": "ok"})
        if request.method != "POST":
            return _json(
                405, {"error": f"Send JSON-RPC with POST. The agent card is at {CARD_PATH}."}, {"Allow": "POST"}
            )
        if self._owner(request) is None:
            headers = {"WWW-Authenticate": "Bearer"}
            return _refused(401, "this agent needs the header Authorization: Bearer <token>.", headers)
        if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return _refused(415, "send the header Content-Type: application/json.")
        if int(request.headers.get("content-length", "0")) > self.max_body_bytes:
            return self.too_large()
        return None

    def respond(self, request: Request, body: bytes) -> Response:
        """Returns the response to a request that was not refused. A stream's body waits for the handler."""
        asked = request.headers.get("a2a-version") or request.query.get("A2A-Version", "")
        status, content = respond(self._service, body, asked.strip(), self._owner(request) or "")
        if isinstance(content, bytes):
            retry = {"Retry-After": "5"} if status == 503 else {}
            return Response(status, {"Content-Type": "application/json", **retry} if content else {}, content)
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return Response(status, headers, content)

    def too_large(self) -> Response:
        return _refused(413, f"the body is larger than {self.max_body_bytes} bytes.")

    def _owner(self, request: Request) -> str | None:
        """Returns who calls: empty when everybody may, None when the credentials are wrong."""
        if not self._tokens:
            return ""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        given = hashlib.sha256(token.strip().encode("utf-8", "replace")).digest()
        known = [each for each in self._tokens if hmac.compare_digest(each, given)]
        return known[0].hex() if known and scheme.lower() == "bearer" else None

    def _card(self, request: Request) -> Response:
        card = dump_json(card_of(self._profile, self._url or _url_of(request)))
        etag = f'"{hashlib.sha256(card).hexdigest()[:32]}"'
        headers = {"Content-Type": "application/json", "ETag": etag, "Last-Modified": self._started}
        # A card with the URL of its request is not the same for everybody.
        headers["Cache-Control"] = "public, max-age=300" if self._url else "private, max-age=60"
        if request.headers.get("if-none-match") == etag:
            return Response(304, headers, b"")
        return Response(200, headers, card)


def _url_of(request: Request) -> str:
    """Returns the URL at which the client reaches the agent: that of the card without its path."""
    host = request.headers.get("host", "")
    scheme = request.headers.get("x-forwarded-proto", "http")
    safe_host = host if re.fullmatch(r"[A-Za-z0-9.\-_\[\]:]{1,255}", host) else "127.0.0.1"
    return f"{'https' if scheme == 'https' else 'http'}://{safe_host}{request.path[: -len(CARD_PATH)]}/"


def _json(status: int, value: Any, headers: dict[str, str] | None = None) -> Response:
    return Response(status, {"Content-Type": "application/json", **(headers or {})}, dump_json(value))


def _refused(status: int, problem: str, headers: dict[str, str] | None = None) -> Response:
    body = error_body(None, invalid_request(problem))
    return Response(status, {"Content-Type": "application/json", **(headers or {})}, body)
