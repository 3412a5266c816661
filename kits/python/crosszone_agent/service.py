"""The operations of A2A 1.0 on the tasks of an agent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Callable, NamedTuple, Union

from . import fields
from .errors import no_extended_card, push_not_supported, unsupported_operation
from .event_log import wire_state
from .listing import list_tasks
from .record import ENDED, TaskRecord
from .runner import Runner
from .send_params import SendParams, read_send_params
from .store import Caller, TaskStore

Json = dict[str, Any]

WORKING = wire_state("working")
ENDED_ON_WIRE = [wire_state(state) for state in ENDED]


class Stream(NamedTuple):
    """The task, then its events. None is a sign of life."""

    first: Json
    events: Iterator[Json | None]


class Accepted(NamedTuple):
    """A message's task. `start` runs the handler if the task is new."""

    sent: SendParams
    record: TaskRecord
    start: Callable[[], None]


Result = Union[Json, Stream]


class Service:
    def __init__(self, store: TaskStore, runner: Runner, input_modes: list[str]) -> None:
        self._store = store
        self._runner = runner
        self._input_modes = input_modes
        self.methods: dict[str, Callable[[Json, Caller], Result]] = {
            "SendMessage": self._send,
            "SendStreamingMessage": self._stream,
            "GetTask": self._get,
            "ListTasks": lambda params, caller: list_tasks(store, params, caller),
            "CancelTask": self._cancel,
            "SubscribeToTask": self._subscribe,
            "GetExtendedAgentCard": _extended_card,
        }
        for name in ("CreateTask{}Config", "GetTask{}Config", "ListTask{}Configs", "DeleteTask{}Config"):
            self.methods[name.format("PushNotification")] = _push

    def _send(self, params: Json, caller: Caller) -> Json:
        sent, record, start = self._accept(params, caller)
        start()
        if not sent.at_once:
            record.wait()
        return {"task": record.to_json(sent.history)}

    def _stream(self, params: Json, caller: Caller) -> Stream:
        _, record, start = self._accept(params, caller)
        task, events = record.follow(lambda state: state != WORKING)
        start()
        return Stream({"task": task}, events)

    def _accept(self, params: Json, caller: Caller) -> Accepted:
        sent = read_send_params(params, self._input_modes)
        record, is_new = self._store.accept(sent.message, caller, self._runner.check)
        start = partial(self._runner.start, record, sent.message) if is_new else _nothing
        return Accepted(sent, record, start)

    def _get(self, params: Json, caller: Caller) -> Json:
        history = fields.count(params, "historyLength")
        return self._store.get(fields.text(params, "id"), caller.owner).to_json(history)

    def _cancel(self, params: Json, caller: Caller) -> Json:
        record = self._store.get(fields.text(params, "id"), caller.owner)
        record.cancel()
        return record.to_json()

    def _subscribe(self, params: Json, caller: Caller) -> Stream:
        record = self._store.get(fields.text(params, "id"), caller.owner)
        if record.ended:
            raise unsupported_operation(f"The task is {record.state}: it has no more events. Get the task instead.")
        # A stream of 0.3 ends with its first final event, and a question is one.
        is_v03 = caller.version == "0.3"
        task, events = record.follow(lambda state: state in ENDED_ON_WIRE or (is_v03 and state != WORKING))
        return Stream({"task": task}, events)


def _nothing() -> None:
    """The task runs already."""


def _push(*_: Any) -> Json:
    raise push_not_supported()


def _extended_card(_: Json, caller: Caller) -> Json:
    raise no_extended_card(caller.version)
