"""Serves an agent on a free port, and sends it requests as a client without a library does."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable

from crosszone_agent import Agent
from crosszone_agent.http_server import Server

Json = dict[str, Any]
_ids = itertools.count(1)


class Client:
    def __init__(self, port: int, headers: Json) -> None:
        self.port = port
        self.headers = headers

    def request(
        self, method: str, path: str, body: bytes = b"", headers: Json | None = None
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request(method, path, body, {"Connection": "close", **self.headers, **(headers or {})})
        return connection.getresponse()

    def post(self, value: Any, version: str = "1.0") -> tuple[int, Any]:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        headers = {"Content-Type": "application/json", "A2A-Version": version}
        response = self.request("POST", "/", body, headers)
        text = response.read()
        return response.status, json.loads(text) if text else None

    def call(self, method: str, params: Json, version: str = "1.0") -> Json:
        answer: Json = self.post({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, version)[1]
        return answer

    def send(self, text: str, message: Json | None = None, **configuration: Any) -> Json:
        task: Json = self.call("SendMessage", params_of(text, message, configuration))["result"]["task"]
        return task

    def stream(self, text: str) -> list[Json]:
        return list(self.events("SendStreamingMessage", params_of(text)))

    def events(self, method: str, params: Json, version: str = "1.0") -> Iterator[Json]:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        headers = {"Content-Type": "application/json", "A2A-Version": version}
        for line in self.request("POST", "/", body, headers):
            if line.startswith(b"data: "):
                yield json.loads(line[6:])["result"]

    def wait(self, task_id: str, state: str) -> Json:
        while True:
            task = self.call("GetTask", {"id": task_id})["result"]
            if task["status"]["state"] == f"TASK_STATE_{state}":
                return task


def params_of(text: str, message: Json | None = None, configuration: Json | None = None) -> Json:
    given = {"messageId": f"m{next(_ids)}", "role": "ROLE_USER", "parts": [{"text": text}], **(message or {})}
    return {"message": given, "configuration": configuration or {}}


def text_of(task: Json) -> str:
    text: str = task["artifacts"][0]["parts"][0]["text"]
    return text


@contextmanager
def client_of(handler: Callable[..., Any], headers: Json | None = None, **options: Any) -> Iterator[Client]:
    agent = Agent(handler, name="Tested", description="Is tested.", **options)
    server = Server(agent, "127.0.0.1", 0)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield Client(server.server_address[1], headers or {})
    finally:
        agent.runner.stop(0)
        server.shutdown()
        server.server_close()
