"""The tasks of an agent, in memory up to a bound: the oldest ended tasks are dropped first."""

from __future__ import annotations

import threading
from typing import Any, Callable, NamedTuple

from .errors import busy, invalid_params, task_not_found
from .record import TaskRecord

Json = dict[str, Any]


class Caller(NamedTuple):
    """Who sent a request: callers don't see each other's tasks."""

    owner: str
    #: "1.0" or "0.3".
    version: str
    #: Bytes of the request.
    size: int


class TaskStore:
    """Keeps at most `max_tasks` tasks of together at most `max_bytes`."""

    def __init__(self, max_tasks: int, max_bytes: int) -> None:
        self._max_tasks = max_tasks
        self._max_bytes = max_bytes
        self._lock = threading.RLock()
        self._tasks: dict[str, TaskRecord] = {}
        self._of_message: dict[tuple[str, str], TaskRecord] = {}

    def accept(self, message: Json, caller: Caller, check: Callable[[], None]) -> tuple[TaskRecord, bool]:
        """Returns a message's task, and whether it is new. A repeated message changes nothing. `check` may refuse."""
        key, task_id = (caller.owner, message["messageId"]), message.get("taskId")
        with self._lock:
            known = self._of_message.get(key)
            if known is not None and task_id in (None, known.id):
                return known, False
            if task_id is not None:
                record = self._continued(task_id, message, caller)
            else:
                check()
                self._make_room(caller.size)
                record = TaskRecord(message, caller.size, caller.owner)
                self._tasks[record.id] = record
            self._of_message[key] = record
            return record, task_id is None

    def get(self, task_id: str, owner: str) -> TaskRecord:
        with self._lock:
            record = self._tasks.get(task_id)
        if record is None or record.owner != owner:
            raise task_not_found(task_id)
        return record

    def all(self, owner: str) -> list[TaskRecord]:
        with self._lock:
            return [each for each in self._tasks.values() if each.owner == owner]

    def _continued(self, task_id: str, message: Json, caller: Caller) -> TaskRecord:
        record = self.get(task_id, caller.owner)
        if message.get("contextId") not in (None, record.context_id):
            raise invalid_params("message.contextId", "is not the context of the task")
        record.answer(message, caller.size)
        return record

    def _make_room(self, size: int) -> None:
        while self._is_full(size):
            oldest = self._oldest("completed", "failed", "canceled") or self._oldest("input-required")
            if oldest is None:
                raise busy("The agent is busy with other tasks. Try again later.")
            oldest.abandon("The agent has no more room for open questions.")
            del self._tasks[oldest.id]
            self._of_message = {key: each for key, each in self._of_message.items() if each is not oldest}

    def _oldest(self, *states: str) -> TaskRecord | None:
        return next((each for each in self._tasks.values() if each.state in states), None)

    def _is_full(self, size: int) -> bool:
        if len(self._tasks) >= self._max_tasks:
            return True
        return bool(self._tasks) and size + sum(each.size for each in self._tasks.values()) > self._max_bytes
