"""An agent, as its author creates and serves it."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from typing import Any, Callable

from . import asgi, http_server
from .app import App


class Agent(App):
    """An agent around a handler, which takes a message and a task. It is an ASGI application: FastAPI can mount it."""

    def serve(self, host: str | None = None, port: int | None = None) -> None:
        """Serves until SIGTERM or Ctrl+C. Defaults: HOST or 127.0.0.1, PORT or 8090."""
        host = host or os.environ.get("HOST") or "127.0.0.1"
        http_server.serve(self, host, int(os.environ.get("PORT", "8090")) if port is None else port)

    async def __call__(
        self, scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        await asgi.handle(self, (scope, receive, send))
