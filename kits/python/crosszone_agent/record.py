"""A task as it is kept."""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any, Callable

from .errors import TaskCanceled, UserError, task_not_cancelable, unsupported_operation
from .event_log import EventLog, wire_state

Json = dict[str, Any]

#: Bytes of the largest answer with its progress.
MAX_ANSWER = 32 * 1024 * 1024
ENDED = ("completed", "failed", "canceled")
#: Counts changes of any task: the order of tasks that changed in the same millisecond.
_changes = itertools.count(1)
#: Held while a change gets its number and its time, so that both have the same order.
_numbering = threading.Lock()


class TaskRecord:
    """One task. Every method may be called from any thread; what happens after the end has no effect."""

    def __init__(self, message: Json, size: int, owner: str) -> None:
        self.id = str(uuid.uuid4())
        self.context_id: str = message.get("contextId") or str(uuid.uuid4())
        self.owner = owner
        self.state = "working"
        #: When it came into this state, for timeouts.
        self.since = time.monotonic()
        self.metadata: Json = {}
        self.size = size
        self.canceled = threading.Event()
        self.on_cancel: Callable[[], None] | None = None
        self._produced = 0
        self._ids = {"taskId": self.id, "contextId": self.context_id}
        self._history = [{**message, **self._ids}]
        self._answer: Json | None = None
        self._log = EventLog(self._ids)
        self._changed = self._log.changed
        self.status = self._status_of(None)

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    # What the handler does

    def progress(self, text: str) -> None:
        with self._changed:
            self._count(len(text) + 300)
            self._enter("working", text)

    def write(self, text: str) -> None:
        with self._changed:
            self._count(len(text))
            self._log.write(text)

    def add_artifact(self, artifact: Json, size: int) -> None:
        with self._changed:
            self._count(size)
            self._log.add_artifact(artifact)

    def ask(self, question: str) -> Json:
        """Waits for the person's next message and returns it."""
        with self._changed:
            self._count(len(question) + 300)
            if self.state == "input-required":
                raise RuntimeError("The task is already waiting for an answer.")
            self._answer = None
            self._enter("input-required", question)
            self._history.append(self.status["message"])
            self._changed.wait_for(lambda: self._answer is not None or self.ended)
            if self._answer is None:
                raise TaskCanceled()
            return self._answer

    def finish(self, state: str, text: str | None = None, answer: str | None = None) -> None:
        """Ends the task. `answer` is added to the pieces that were written."""
        with self._changed:
            if self.ended:
                return
            if answer:
                self.write(answer)
                self._log.flush(last=True)
            self._enter(state, text)
            self._answer = None
            self._log.close()

    # What callers do

    def answer(self, message: Json, size: int) -> None:
        """Takes the answer to a question. Raises the error for a task that asks none."""
        with self._changed:
            if self.ended:
                raise unsupported_operation(f"The task is {self.state}: it takes no more messages. Start a new task.")
            if self.state != "input-required":
                raise unsupported_operation("The task is working: it takes a message when it asks a question.")
            self._answer = {**message, **self._ids}
            self.size += size
            self._history.append(self._answer)
            self._enter("working", None)

    def cancel(self) -> None:
        with self._changed:
            if self.ended:
                raise task_not_cancelable(self.state)
            self.finish("canceled")
        self._stop_handler()

    def abandon(self, text: str) -> None:
        """Fails the task and tells its handler to stop."""
        self.finish("failed", text)
        self._stop_handler()

    def wait(self) -> None:
        """Waits until the task has ended or asks a question."""
        with self._changed:
            self._changed.wait_for(lambda: self.state != "working")

    def follow(self, ends: Callable[[str], bool]) -> tuple[Json, Iterator[Json | None]]:
        """Returns the task and its events from now on, until `ends(state)`. None is a sign of life."""
        with self._changed:
            task = self.to_json()
            return task, iter(()) if ends(self.status["state"]) else self._log.follow(ends)

    def to_json(self, history: int | None = None, artifacts: bool = True) -> Json:
        """Returns the task as A2A 1.0 has it, with at most the newest `history` messages (default: all)."""
        with self._changed:
            made = self._log.artifacts()
            task: Json = {"id": self.id, "contextId": self.context_id, "status": self.status}
            if artifacts and made:
                task["artifacts"] = made
            messages = self._history[-history:] if history else self._history
            if history != 0:
                task["history"] = list(messages)
            return {**task, "metadata": self.metadata} if self.metadata else task

    def listed(self, history: int, artifacts: bool) -> tuple[int, Json]:
        """Returns the number of the latest change, and the task as of then."""
        with self._changed:
            return self.order, self.to_json(history, artifacts)

    def _stop_handler(self) -> None:
        self.canceled.set()
        if self.on_cancel is not None:
            self.on_cancel()

    def _count(self, size: int) -> None:
        """Counts what the handler produces."""
        if self.ended:
            raise TaskCanceled()
        self._produced += size
        self.size += size
        if self._produced > MAX_ANSWER:
            raise UserError(f"The answer is larger than {MAX_ANSWER} bytes.")

    def _enter(self, state: str, text: str | None) -> None:
        if self.state != state:
            self.since = time.monotonic()
        self.state = state
        self.status = self._status_of(text)
        metadata = {"metadata": self.metadata} if self.metadata else {}
        self._log.send_status({"status": self.status, **metadata})

    def _status_of(self, text: str | None) -> Json:
        with _numbering:
            self.order = next(_changes)
            now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        status: Json = {"state": wire_state(self.state), "timestamp": now}
        if text is None:
            return status
        message = {"messageId": str(uuid.uuid4()), "role": "ROLE_AGENT", "parts": [{"text": text}]}
        return {**status, "message": {**message, **self._ids}}
