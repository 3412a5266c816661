"""What a person sent: the message that a handler gets."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Any

from .fields import decode_base64


@dataclass(frozen=True)
class File:
    """A file of a message: its bytes, or a link to them."""

    name: str | None = None
    #: For example `image/png`.
    media_type: str | None = None
    bytes: builtins.bytes | None = None
    #: A link that the sender chose. Download it only if you trust the sender.
    url: str | None = None


@dataclass(frozen=True)
class Message:
    """A message of a person. All messages of one conversation have the same `context_id`."""

    #: What the person wrote; then content of others, such as a forwarded message, each under a label.
    text: str
    message_id: str
    context_id: str
    task_id: str
    #: Values of the data parts.
    data: list[Any] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    #: Other members of the input, such as those of a workflow step. `others` has the content of others, without labels;
    #: `thread` has the earlier messages if the agent's `send_thread` is set.
    metadata: dict[str, Any] = field(default_factory=dict)


def read_message(message: dict[str, Any], task_id: str, context_id: str) -> Message:
    """Reads a validated message of A2A 1.0."""
    texts: list[str] = []
    data: list[Any] = []
    files: list[File] = []
    for part in message["parts"]:
        if "text" in part:
            texts.append(part["text"])
        elif "data" in part:
            data.append(part["data"])
        else:
            files.append(_file_of(part))
    metadata = message.get("metadata") or {}
    return Message("\n".join(texts), message["messageId"], context_id, task_id, data, files, metadata)


def _file_of(part: dict[str, Any]) -> File:
    raw = part.get("raw")
    content = None if raw is None else decode_base64(raw)
    return File(part.get("filename"), part.get("mediaType"), content, part.get("url"))
