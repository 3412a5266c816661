"""Serves an agent with the HTTP server of the standard library, a thread a connection."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from .app import App, Request, Response

MAX_CONNECTIONS = 512
#: Seconds that running tasks may take after SIGTERM.
GRACE = 25.0


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, app: App, host: str, port: int) -> None:
        self.app = app
        self._free = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self.busy = threading.Condition()
        self.requests = 0
        super().__init__((host, port), Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error, and the agent has no others here."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def count(self, change: int) -> None:
        with self.busy:
            self.requests += change
            self.busy.notify_all()


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "crosszone-agent", ""
    #: Seconds that a client may take to send or to read anything.
    timeout = 30

    def _handle(self) -> None:
        self.server.count(+1)
        try:
            self._send(self._response())
        except OSError:
            self.close_connection = True
        finally:
            self.server.count(-1)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _handle

    def _response(self) -> Response:
        app, url = self.server.app, urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not (length.isascii() and length.isdigit() and len(length) < 16):
            self.close_connection = True
            return Response(411, {}, b"Send a body with a Content-Length.")
        request = Request(self.command, unquote(url.path), dict(parse_qsl(url.query)), headers)
        refused = app.refuse(request)
        if refused is not None:
            self._discard(int(length))
            return refused
        return app.respond(request, self.rfile.read(int(length)))

    def _discard(self, length: int) -> None:
        """Reads what the client is still sending, so that it gets the response; gives up on too much."""
        left = min(length, 64 * 1024 * 1024)
        self.close_connection = self.close_connection or length > left
        while left > 0:
            piece = self.rfile.read(min(left, 65536))
            left -= len(piece) or left

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if isinstance(response.body, bytes):
            if response.status not in (204, 304):
                self.send_header("Content-Length", str(len(response.body)))
            self.end_headers()
            if self.command != "HEAD" and response.status not in (204, 304):
                self.wfile.write(response.body)
        else:
            self._stream(response.body)

    def _stream(self, pieces: Iterator[bytes]) -> None:
        is_chunked = self.request_version == "HTTP/1.1"
        self.send_header(*(("Transfer-Encoding", "chunked") if is_chunked else ("Connection", "close")))
        self.end_headers()
        for piece in pieces:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece)
        if is_chunked:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: Any) -> None:
        """The agent's own output is the author's."""


def serve(app: App, host: str, port: int) -> None:
    try:
        server = Server(app, host, port)
    except OSError as error:
        raise SystemExit(f"Can't listen on {host}:{port}: {error.strerror}. Set PORT to another port.") from None
    stop = threading.Event()

    def on_signal(*_: Any) -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, on_signal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shown = "127.0.0.1" if host == "0.0.0.0" else host
    print(f"Listening on http://{shown}:{server.server_address[1]}", flush=True)
    stop.wait()
    app.runner.stop(GRACE)
    server.shutdown()
    with server.busy:
        server.busy.wait_for(lambda: server.requests == 0, 2)
    server.server_close()
