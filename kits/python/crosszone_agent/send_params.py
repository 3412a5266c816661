"""Validates what `SendMessage` and `SendStreamingMessage` of A2A 1.0 are sent."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import fields
from .errors import content_type_not_supported, invalid_params, push_not_supported

Json = dict[str, Any]


class SendParams(NamedTuple):
    message: Json
    #: Respond at once instead of when the task has ended or asks a question.
    at_once: bool
    history: int | None


def read_send_params(params: Json, input_modes: list[str]) -> SendParams:
    message = fields.an_object(params.get("message"), "message")
    message_id = fields.text(message, "messageId", "message.")
    listed = fields.a_list(message, "parts", "message.")
    parts = [_part(part, f"message.parts[{at}]") for at, part in enumerate(listed)]
    if message.get("role") != "ROLE_USER":
        raise invalid_params("message.role", "must be ROLE_USER")
    known: Json = {"messageId": message_id, "role": "ROLE_USER", "parts": parts}
    for name in ("taskId", "contextId"):
        value = fields.optional_text(message, name, "message.")
        if value is not None:
            known[name] = value
    metadata = fields.optional_object(message, "metadata", "message.")
    configuration = fields.optional_object(params, "configuration", "")
    at_once = fields.flag(configuration, "returnImmediately", "configuration.") or False
    history = fields.count(configuration, "historyLength", "configuration.")
    if configuration.get("taskPushNotificationConfig") is not None:
        raise push_not_supported()
    for part in parts:
        _check_mode(part, input_modes)
    return SendParams({**known, **({"metadata": metadata} if metadata else {})}, at_once, history)


def _part(value: Any, field: str) -> Json:
    part = fields.an_object(value, field)
    kind = fields.one_of(part, ["text", "raw", "url", "data"], field)
    content = part[kind]
    if kind != "data" and not isinstance(content, str):
        raise invalid_params(f"{field}.{kind}", "must be a string")
    if kind == "raw":
        fields.check_base64(content, f"{field}.raw")
    known: Json = {kind: content}
    for name in ("mediaType", "filename"):
        label = fields.optional_text(part, name, f"{field}.")
        if label is not None:
            known[name] = label
    metadata = fields.optional_object(part, "metadata", f"{field}.")
    return {**known, "metadata": metadata} if metadata else known


def _check_mode(part: Json, modes: list[str]) -> None:
    """Text without a media type and data are always accepted: a person's words come as both."""
    if "data" in part or ("text" in part and "mediaType" not in part):
        return
    media_type = part.get("mediaType", "application/octet-stream").split(";")[0].strip().lower()
    for mode in modes:
        if mode in ("*/*", media_type) or (mode.endswith("/*") and media_type.startswith(mode[:-1])):
            return
    raise content_type_not_supported(media_type)
