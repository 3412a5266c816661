"""What can go wrong: errors that a handler raises, and errors of the protocol."""

from __future__ import annotations

from typing import Any


class UserError(Exception):
    """Fails the task with a text that the person may read. Every other exception fails it with a fixed text."""


class TaskCanceled(Exception):
    """Raised by the methods of a task that was canceled. A handler may let it pass."""


class RpcError(Exception):
    """A JSON-RPC error of A2A. `reason` names it for A2A 1.0; `field` is the path of an invalid parameter."""

    def __init__(self, code: int, message: str, *, reason: str = "", field: str = "", status: int = 200) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.field = field
        self.status = status

    def to_json(self, version: str) -> dict[str, Any]:
        """Returns the member `error` of a response. Only A2A 1.0 has typed details."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        details = self._details() if version == "1.0" else None
        if details is not None:
            error["data"] = [details]
        return error

    def _details(self) -> dict[str, Any] | None:
        google = "type.googleapis.com/google.rpc."
        if self.field:
            violation = {"field": self.field, "description": self.message}
            return {"@type": google + "BadRequest", "fieldViolations": [violation]}
        if self.reason:
            return {"@type": google + "ErrorInfo", "reason": self.reason, "domain": "a2a-protocol.org", "metadata": {}}
        return None


def invalid_params(field: str, problem: str) -> RpcError:
    return RpcError(-32602, f"Invalid parameters: {field} {problem}", field=field)


def invalid_request(problem: str, status: int = 200) -> RpcError:
    return RpcError(-32600, f"Invalid request: {problem}", status=status)


def method_not_found(method: str, hint: str = "") -> RpcError:
    return RpcError(-32601, f"Method not found: {method}.{hint}")


def task_not_found(task_id: str) -> RpcError:
    return RpcError(-32001, f"Task not found: {task_id}.", reason="TASK_NOT_FOUND")


def task_not_cancelable(state: str) -> RpcError:
    return RpcError(-32002, f"The task can't be canceled: it is {state}.", reason="TASK_NOT_CANCELABLE")


def push_not_supported() -> RpcError:
    message = "This agent sends no push notifications. Poll the task or subscribe to it."
    return RpcError(-32003, message, reason="PUSH_NOTIFICATION_NOT_SUPPORTED")


def unsupported_operation(message: str) -> RpcError:
    return RpcError(-32004, message, reason="UNSUPPORTED_OPERATION")


def content_type_not_supported(media_type: str) -> RpcError:
    message = f"This agent doesn't accept {media_type}. Its card lists what it accepts."
    return RpcError(-32005, message, reason="CONTENT_TYPE_NOT_SUPPORTED")


def no_extended_card(version: str) -> RpcError:
    if version == "1.0":
        return unsupported_operation("This agent has no extended card.")
    return RpcError(-32007, "This agent has no extended card.")


def version_not_supported(version: str) -> RpcError:
    message = f"A2A {version} is not supported. Supported versions: 1.0, 0.3."
    return RpcError(-32009, message, reason="VERSION_NOT_SUPPORTED")


def busy(message: str) -> RpcError:
    """HTTP 503: the caller may send the same request again later."""
    return RpcError(-32000, message, status=503)
