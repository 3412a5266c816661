"""The task that a handler works on."""

from __future__ import annotations

import asyncio
import base64
import threading
from collections.abc import Awaitable
from typing import Any

from .json_text import dump_json
from .message import Message, read_message
from .record import TaskRecord


class Task:
    """What a handler can do besides answering. Every method raises TaskCanceled once the task is canceled."""

    def __init__(self, record: TaskRecord) -> None:
        self._record = record
        self._artifacts = 0

    @property
    def id(self) -> str:
        return self._record.id

    @property
    def context_id(self) -> str:
        return self._record.context_id

    @property
    def canceled(self) -> threading.Event:
        """Set when the requester cancels the task: `if task.canceled.is_set(): …`, `task.canceled.wait(5)`."""
        return self._record.canceled

    def progress(self, text: str) -> None:
        """Shows what the agent is doing until the answer is there."""
        self._record.progress(text)

    def write(self, text: str) -> None:
        """Streams a piece of the answer."""
        if text:
            self._record.write(text)

    def file(self, name: str, media_type: str, content: bytes) -> None:
        """Adds a file to the answer."""
        raw = base64.b64encode(content).decode()
        self._add(f"file-{self._next()}", name, {"raw": raw, "mediaType": media_type, "filename": name}, len(raw))

    def data(self, value: Any) -> None:
        """Adds a JSON value to the answer. Raises TypeError or ValueError if it isn't one."""
        self._add(
            f"data-{self._next()}", "data", {"data": value, "mediaType": "application/json"}, len(dump_json(value))
        )

    def ask(self, question: str) -> Message:
        """Asks the person a question, waits for the next message and returns it."""
        return self._asked(question)

    def usage(
        self,
        *,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        cached_input_tokens: int | None = None,
        cost: float | None = None,
    ) -> None:
        """Reports what a language model used; several reports add up. `cost` is in US dollars."""
        given: dict[str, Any] = {
            "input_tokens": input_tokens,
            "output_tokens": output_tokens,
            "cached_input_tokens": cached_input_tokens,
            "cost": cost,
        }
        used = dict(self._record.metadata.get("usage", {}))
        for name, value in given.items():
            if value is not None:
                used[name] = used.get(name, 0) + value
        self._record.metadata = {"usage": used}

    def _asked(self, question: str) -> Message:
        answer = self._record.ask(question)
        return read_message(answer, self._record.id, self._record.context_id)

    def _next(self) -> int:
        self._artifacts += 1
        return self._artifacts

    def _add(self, artifact_id: str, name: str, part: dict[str, Any], size: int) -> None:
        self._record.add_artifact({"artifactId": artifact_id, "name": name, "parts": [part]}, size)


class AsyncTask(Task):
    """The task of an async handler: `await task.ask(…)`; the other methods don't wait."""

    def ask(self, question: str) -> Awaitable[Message]:  # type: ignore[override]
        return asyncio.get_running_loop().run_in_executor(None, self._asked, question)
