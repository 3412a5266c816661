"""Runs the handler for each task, on a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
import threading
import time
import traceback
from typing import Any, Callable, NamedTuple

from .errors import TaskCanceled, UserError, busy
from .message import Message, read_message
from .record import TaskRecord
from .task import AsyncTask, Task

#: What a person reads when a handler raises anything but a UserError.
FAILED = "The agent could not finish this task. Reference: {}"


class Limits(NamedTuple):
    """Seconds are those between two questions, and those that a question stays open."""

    running: int
    task_seconds: float
    question_seconds: float


class Runner:
    """Starts handlers, at most `limits.running` at a time; those that wait for a person don't count."""

    def __init__(self, handler: Callable[..., Any], limits: Limits) -> None:
        self._handler = handler
        self._limits = limits
        self._lock = threading.Condition()
        self._running: dict[str, TaskRecord] = {}
        self._stopping = False
        called = handler if inspect.isroutine(handler) else type(handler).__call__
        self._is_async = inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)

    def check(self) -> None:
        """Raises the error for a caller whose new task can't be run now."""
        with self._lock:
            if self._stopping:
                raise busy("The agent is shutting down. Try again later.")
            if sum(each.state == "working" for each in self._running.values()) >= self._limits.running:
                raise busy("The agent is working on too many tasks. Try again later.")

    def start(self, record: TaskRecord, message: dict[str, Any]) -> None:
        asked = read_message(message, record.id, record.context_id)
        with self._lock:
            if not self._running:
                threading.Thread(target=self._watch, name="timeouts", daemon=True).start()
            self._running[record.id] = record
        threading.Thread(target=self._run, args=(record, asked), name=f"task-{record.id}", daemon=True).start()

    def stop(self, grace: float) -> None:
        """Takes no new tasks, waits `grace` seconds for the running ones and fails the rest."""
        with self._lock:
            self._stopping = True
            for record in self._running.values():
                if record.state == "input-required":
                    record.abandon("The agent was stopped.")
            self._lock.wait_for(lambda: not self._running, grace)
            for record in self._running.values():
                record.abandon("The agent was stopped.")

    def _watch(self) -> None:
        """Ends what takes too long, until nothing runs."""
        with self._lock:
            while not self._lock.wait_for(lambda: not self._running, 1):
                records = list(self._running.values())
                for record in records:
                    seconds = time.monotonic() - record.since
                    if record.state == "working" and seconds > self._limits.task_seconds:
                        record.abandon("The agent took too long.")
                    elif record.state == "input-required" and seconds > self._limits.question_seconds:
                        record.abandon("The question was not answered in time.")

    def _run(self, record: TaskRecord, message: Message) -> None:
        try:
            record.finish("completed", answer=_text(self._answer(record, message)))
        except UserError as error:
            record.finish("failed", text=str(error))
        except (TaskCanceled, asyncio.CancelledError):
            record.finish("canceled")
        except BaseException:  # SystemExit too: a handler must not take its thread away without an end.
            print(f"Task {record.id} failed:", file=sys.stderr)
            traceback.print_exc()
            record.finish("failed", text=FAILED.format(record.id))
        finally:
            with self._lock:
                self._running.pop(record.id, None)
                self._lock.notify_all()

    def _answer(self, record: TaskRecord, message: Message) -> Any:
        if self._is_async:
            return asyncio.run(self._answer_async(record, message))
        task = Task(record)
        result = self._handler(message, task)
        if not inspect.isgenerator(result):
            return result
        with contextlib.closing(result):
            for piece in result:
                task.write(_piece(piece))
        return None

    async def _answer_async(self, record: TaskRecord, message: Message) -> Any:
        loop, current = asyncio.get_running_loop(), asyncio.current_task()
        task = AsyncTask(record)
        if current is not None:
            record.on_cancel = lambda: _call_soon(loop, current.cancel)
        if record.canceled.is_set():
            raise TaskCanceled()
        result = self._handler(message, task)
        if not inspect.isasyncgen(result):
            return await result
        try:
            async for piece in result:
                task.write(_piece(piece))
        finally:
            await result.aclose()
        return None


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[], Any]) -> None:
    with contextlib.suppress(RuntimeError):  # The loop has just closed: the handler is done.
        loop.call_soon_threadsafe(callback)


def _piece(piece: Any) -> str:
    if not isinstance(piece, str):
        raise TypeError(f"A handler yields text, got {type(piece).__name__}.")
    return piece


def _text(answer: Any) -> str | None:
    if answer is None or isinstance(answer, str):
        return answer
    raise TypeError(f"A handler returns text or None, got {type(answer).__name__}. Use task.data(…) for values.")
