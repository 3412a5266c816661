"""Serves an agent as an ASGI application, for example mounted into FastAPI."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Iterator
from functools import partial
from typing import Any, Callable
from urllib.parse import parse_qsl

from .app import App, Request

Connection = tuple[Any, Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]]


async def handle(app: App, connection: Connection) -> None:
    scope, receive, send = connection
    if scope["type"] == "lifespan":
        return await _lifespan(app, connection)
    if scope["type"] != "http":
        return None
    request = _request_of(scope)
    response = app.refuse(request)
    if response is None:
        body = await _body(receive, app.max_body_bytes)
        response = app.too_large() if body is None else await _on_thread(partial(app.respond, request, body))
    headers = [(name.lower().encode(), value.encode()) for name, value in response.headers.items()]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    if isinstance(response.body, bytes):
        content = b"" if request.method == "HEAD" else response.body
        await send({"type": "http.response.body", "body": content})
    else:
        await _stream(response.body, connection)


def _request_of(scope: Any) -> Request:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    if scope.get("scheme") == "https":
        headers["x-forwarded-proto"] = "https"
    if not headers.get("content-length", "0").isdigit():
        del headers["content-length"]
    query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
    root, path = scope.get("root_path", ""), scope["path"]
    # Servers differ in whether the path has the root.
    return Request(scope["method"], path if path.startswith(root) else root + path, query, headers)


async def _body(receive: Callable[[], Awaitable[Any]], most: int) -> bytes | None:
    """Returns the body, or None when it is larger than `most` bytes."""
    body, more = bytearray(), True
    while more and len(body) <= most:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return None if len(body) > most else bytes(body)


async def _stream(pieces: Iterator[bytes], connection: Connection) -> None:
    _, receive, send = connection
    gone = asyncio.ensure_future(_until_gone(receive))
    try:
        while not gone.done():
            piece = await _on_thread(lambda: next(pieces, None))
            if piece is None:
                break
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()


async def _until_gone(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _on_thread(call: Callable[[], Any]) -> Any:
    """Calls on a thread of its own: the shared pool of the event loop is small, and a call may wait for an answer."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Any] = loop.create_future()

    def resolve(value: Any, error: BaseException | None) -> None:
        if not result.done():
            result.set_exception(error) if error is not None else result.set_result(value)

    def work() -> None:
        try:
            outcome: tuple[Any, BaseException | None] = call(), None
        except BaseException as error:
            outcome = None, error
        loop.call_soon_threadsafe(resolve, *outcome)

    threading.Thread(target=work, daemon=True).start()
    return await result


async def _lifespan(app: App, connection: Connection) -> None:
    _, receive, send = connection
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await _on_thread(lambda: app.runner.stop(10.0))
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return
