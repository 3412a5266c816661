"""What a task has produced: its artifacts, and the events that streams send."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any, Callable

Json = dict[str, Any]

#: Seconds between two batches of a stream, and between two signs of life while nothing happens.
PACE, HEARTBEAT = 0.02, 15.0
#: Events that are kept for streams. One that falls further behind gets whole artifacts and the status.
MAX_EVENTS = 1000


def wire_state(state: str) -> str:
    return "TASK_STATE_" + state.upper().replace("-", "_")


class _Window:
    """The latest events of a task; `first` is the number of the oldest one."""

    def __init__(self) -> None:
        self.first = 0
        self.events: list[Json] = []

    @property
    def end(self) -> int:
        return self.first + len(self.events)

    def append(self, event: Json) -> None:
        self.events.append(event)
        if len(self.events) > MAX_EVENTS:
            del self.events[: MAX_EVENTS // 2]
            self.first += MAX_EVENTS // 2


class EventLog:
    """All streams of a task read the same events, so a slow one takes no memory. Callers hold the lock `changed`."""

    def __init__(self, ids: Json) -> None:
        self.changed = threading.Condition(threading.RLock())
        self._ids = ids
        self._artifacts: dict[str, Json] = {}
        self._pieces: list[str] = []
        self._unsent: list[str] = []
        self._window = _Window()
        self._status: Json = {}

    def write(self, text: str) -> None:
        self._unsent.append(text)
        self.changed.notify_all()

    def flush(self, last: bool = False) -> None:
        """Makes one event of the pieces that no stream has sent yet."""
        if not self._unsent:
            return
        text, append = "".join(self._unsent), bool(self._pieces)
        self._unsent = []
        self._pieces.append(text)
        self._artifacts.setdefault("answer", {"artifactId": "answer"})
        artifact = {"artifactId": "answer", "parts": [{"text": text}]}
        self._send_artifact(artifact, {"append": append, "lastChunk": last})

    def add_artifact(self, artifact: Json) -> None:
        self.flush()
        self._artifacts[artifact["artifactId"]] = artifact
        self._send_artifact(artifact, {"lastChunk": True})

    def send_status(self, update: Json) -> None:
        self.flush()
        self._status = {"statusUpdate": {**self._ids, **update}}
        self._send(self._status)

    def artifacts(self) -> list[Json]:
        self.flush()
        return [self._shown(each) for each in self._artifacts.values()]

    def close(self) -> None:
        """Forgets the events; streams that still read them keep them."""
        self._window = _Window()

    def follow(self, ends: Callable[[str], bool]) -> Iterator[Json | None]:
        """Returns the events from now on, until the state after which `ends` is true. None is a sign of life."""
        self.flush()
        return self._follow(self._window, ends)

    def _follow(self, window: _Window, ends: Callable[[str], bool]) -> Iterator[Json | None]:
        at = window.end

        def has_more() -> bool:
            return window.end > at or bool(self._unsent)

        def read() -> Iterator[Json | None]:
            nonlocal at
            while True:
                with self.changed:
                    self.changed.wait_for(has_more, HEARTBEAT)
                    self.flush()
                    fresh = window.events[at - window.first :] if at >= window.first else self._catch_up()
                    at = window.end
                if not fresh:
                    yield None
                for event in fresh:
                    yield event
                    if "statusUpdate" in event and ends(event["statusUpdate"]["status"]["state"]):
                        return
                time.sleep(PACE)

        return read()

    def _catch_up(self) -> list[Json]:
        whole = [{"artifactUpdate": {**self._ids, "artifact": each}} for each in self.artifacts()]
        return [*whole, self._status]

    def _send(self, event: Json) -> None:
        self._window.append(event)
        self.changed.notify_all()

    def _shown(self, artifact: Json) -> Json:
        return artifact if "parts" in artifact else {**artifact, "parts": [{"text": "".join(self._pieces)}]}

    def _send_artifact(self, artifact: Json, flags: dict[str, bool]) -> None:
        said = {name: True for name, is_on in flags.items() if is_on}
        self._send({"artifactUpdate": {**self._ids, "artifact": artifact, **said}})
