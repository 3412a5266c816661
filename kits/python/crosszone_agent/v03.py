"""A2A 0.3 in terms of 1.0: its parameters on the way in, its results on the way out."""

from __future__ import annotations

from typing import Any

from . import fields
from .errors import invalid_params

Json = dict[str, Any]

#: The methods of 0.3 and their names in 1.0.
METHODS = {
    "message/send": "SendMessage",
    "message/stream": "SendStreamingMessage",
    "tasks/get": "GetTask",
    "tasks/cancel": "CancelTask",
    "tasks/resubscribe": "SubscribeToTask",
    "tasks/pushNotificationConfig/set": "CreateTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/get": "GetTaskPushNotificationConfig",
    "tasks/pushNotificationConfig/list": "ListTaskPushNotificationConfigs",
    "tasks/pushNotificationConfig/delete": "DeleteTaskPushNotificationConfig",
    "agent/getAuthenticatedExtendedCard": "GetExtendedAgentCard",
}


def params_to_v1(method: str, params: Json) -> Json:
    if not method.startswith("message/"):
        return params
    message = dict(fields.an_object(params.get("message"), "message"))
    if message.get("kind", "message") != "message":
        raise invalid_params("message.kind", 'must be "message"')
    if message.get("role") != "user":
        raise invalid_params("message.role", 'must be "user"')
    parts = fields.a_list(message, "parts", "message.")
    message.update(role="ROLE_USER", parts=[_part_to_v1(part, f"message.parts[{at}]") for at, part in enumerate(parts)])
    given = fields.optional_object(params, "configuration", "")
    configuration: Json = {
        "returnImmediately": fields.flag(given, "blocking", "configuration.") is False,
        "historyLength": given.get("historyLength"),
        "taskPushNotificationConfig": given.get("pushNotificationConfig"),
    }
    return {"message": message, "configuration": configuration}


def _part_to_v1(value: Any, field: str) -> Json:
    part = fields.an_object(value, field)
    kind = part.get("kind")
    metadata = {"metadata": part.get("metadata")}
    if kind == "text":
        if not isinstance(part.get("text"), str):
            raise invalid_params(f"{field}.text", "must be a string")
        return {"text": part["text"], **metadata}
    if kind == "data":
        return {"data": fields.an_object(part.get("data"), f"{field}.data"), **metadata}
    if kind != "file":
        raise invalid_params(f"{field}.kind", "must be text, file or data")
    file = fields.an_object(part.get("file"), f"{field}.file")
    content = fields.one_of(file, ["bytes", "uri"], f"{field}.file")
    name = "raw" if content == "bytes" else "url"
    return {name: file[content], "mediaType": file.get("mimeType"), "filename": file.get("name"), **metadata}


def result_from_v1(result: Json) -> Json:
    """Returns a task, or an event of a stream, as 0.3 has it."""
    if "statusUpdate" in result:
        update = result["statusUpdate"]
        status = _status_from_v1(update["status"])
        final = status["state"] not in ("submitted", "working")
        return {**update, "kind": "status-update", "status": status, "final": final}
    if "artifactUpdate" in result:
        update = result["artifactUpdate"]
        return {**update, "kind": "artifact-update", "artifact": _artifact_from_v1(update["artifact"])}
    task = result.get("task", result)
    converted = {**task, "kind": "task", "status": _status_from_v1(task["status"])}
    for name, convert in (("artifacts", _artifact_from_v1), ("history", _message_from_v1)):
        if name in task:
            converted[name] = [convert(each) for each in task[name]]
    return converted


def _status_from_v1(status: Json) -> Json:
    state = status["state"][len("TASK_STATE_") :].lower().replace("_", "-")
    message = {"message": _message_from_v1(status["message"])} if "message" in status else {}
    return {**status, "state": state, **message}


def _message_from_v1(message: Json) -> Json:
    role = "user" if message["role"] == "ROLE_USER" else "agent"
    return {**message, "kind": "message", "role": role, "parts": _parts_from_v1(message["parts"])}


def _artifact_from_v1(artifact: Json) -> Json:
    return {**artifact, "parts": _parts_from_v1(artifact["parts"])}


def _parts_from_v1(parts: list[Json]) -> list[Json]:
    return [_part_from_v1(part) for part in parts]


def _part_from_v1(part: Json) -> Json:
    metadata = {"metadata": part["metadata"]} if "metadata" in part else {}
    if "text" in part:
        return {"kind": "text", "text": part["text"], **metadata}
    if "data" in part:
        value = part["data"]
        return {"kind": "data", "data": value if isinstance(value, dict) else {"value": value}, **metadata}
    file = {"bytes": part["raw"]} if "raw" in part else {"uri": part["url"]}
    labels = {"mimeType": part.get("mediaType"), "name": part.get("filename")}
    return {"kind": "file", "file": {**file, **{key: value for key, value in labels.items() if value}}, **metadata}
