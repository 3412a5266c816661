"""Agents that speak A2A 1.0 and 0.3, without dependencies."""

from __future__ import annotations

from typing import Any, Callable

from .agent import Agent
from .errors import TaskCanceled, UserError
from .message import File, Message
from .task import AsyncTask, Task

__all__ = ["Agent", "AsyncTask", "File", "Message", "Task", "TaskCanceled", "UserError", "serve"]


def serve(
    handler: Callable[..., Any],
    *,
    name: str,
    description: str,
    host: str | None = None,
    port: int | None = None,
    **options: Any,
) -> None:
    """Serves an agent with the options of `Agent` until SIGTERM or Ctrl+C, at HOST or 127.0.0.1, at PORT or 8090."""
    Agent(handler, name=name, description=description, **options).serve(host, port)
