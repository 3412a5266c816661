"""`ListTasks`: the tasks by the time of their status, newest first, a page at a time."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime, timezone
from typing import Any

from . import fields
from .errors import invalid_params
from .store import Caller, TaskStore

Json = dict[str, Any]

STATES = ["submitted", "working", "completed", "failed", "canceled", "input_required", "rejected", "auth_required"]


def list_tasks(store: TaskStore, params: Json, caller: Caller) -> Json:
    context_id, status = fields.optional_text(params, "contextId"), _status(params)
    after = _time(fields.optional_text(params, "statusTimestampAfter"))
    page_size = fields.count(params, "pageSize", least=1, most=100) or 50
    history = fields.count(params, "historyLength")
    artifacts = fields.flag(params, "includeArtifacts") or False
    token = fields.optional_text(params, "pageToken")
    found = [
        (record.order, record)
        for record in store.all(caller.owner)
        if (context_id in (None, record.context_id))
        and (status in (None, record.status["state"]))
        and (after is None or _time(record.status["timestamp"]) >= after)
    ]
    found.sort(key=lambda each: each[0], reverse=True)
    last = None if token is None else _order_of(token)
    rest = [each for each in found if last is None or each[0] < last]
    page = rest[:page_size]
    # A task may have changed since: its place is that of the status that is shown.
    listed = (record.listed(history or 0, artifacts) for _, record in page)
    shown = sorted(listed, key=lambda each: each[0], reverse=True)
    return {
        "tasks": [task for _, task in shown],
        "nextPageToken": _token(page[-1][0]) if len(rest) > page_size else "",
        "pageSize": page_size,
        "totalSize": len(found),
    }


def _status(params: Json) -> str | None:
    status = fields.optional_text(params, "status")
    if status is None or status == "TASK_STATE_UNSPECIFIED":
        return None
    if status not in [f"TASK_STATE_{state.upper()}" for state in STATES]:
        raise invalid_params("status", "must be a task state such as TASK_STATE_WORKING")
    return status


def _time(text: str | None) -> Any:
    if text is None:
        return None
    match = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)", text)
    try:
        if match is None:
            raise ValueError
        seconds, fraction, zone = match.groups()
        zone = "+00:00" if zone == "Z" else zone
        return datetime.fromisoformat(f"{seconds}.{(fraction or '')[:6].ljust(6, '0')}{zone}").astimezone(timezone.utc)
    except (ValueError, OverflowError):
        raise invalid_params("statusTimestampAfter", "must be a time such as 2026-01-31T12:00:00Z") from None


def _token(order: int) -> str:
    return base64.urlsafe_b64encode(str(order).encode()).decode()


def _order_of(token: str) -> int:
    try:
        return int(base64.b64decode(token, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError):
        raise invalid_params("pageToken", "is not a token that this agent gave") from None
