"""JSON-RPC 2.0: from the bytes of a request to those of its response, in A2A 1.0 or 0.3."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from typing import Any, Union

from . import v03
from .errors import RpcError, invalid_params, invalid_request, method_not_found, version_not_supported
from .json_text import dump_json, load_json
from .service import Service, Stream
from .store import Caller

Json = dict[str, Any]

#: The HTTP status, and the body: none for a notification, which no method of A2A can be, and events for a stream.
Reply = tuple[int, Union[bytes, Iterator[bytes]]]


def version_of(asked: str) -> str:
    """Returns "1.0" or "0.3" for the value of A2A-Version. Patch numbers don't count; an empty value is 0.3."""
    match = re.fullmatch(r"(\d+\.\d+)(\.\d+)?", asked)
    version = match.group(1) if match else asked or "0.3"
    if version not in ("1.0", "0.3"):
        raise version_not_supported(asked)
    return version


def respond(service: Service, body: bytes, asked_version: str, owner: str) -> Reply:
    request_id, version = None, "1.0"
    try:
        request = load_json(body)
        request_id = _id_of(request)
        version = version_of(asked_version)
        method, params = _read(request)
        if "id" not in request:
            return 204, b""
        result = _call(service, method, params, Caller(owner, version, len(body)))
    except RpcError as error:
        return error.status, error_body(request_id, error, version)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return 200, error_body(request_id, RpcError(-32603, "Internal error"), version)
    if isinstance(result, Stream):
        return 200, _events(result, request_id, version)
    return 200, _result(result, request_id, version)


def error_body(request_id: Any, error: RpcError, version: str = "1.0") -> bytes:
    return dump_json({"jsonrpc": "2.0", "id": request_id, "error": error.to_json(version)})


def _id_of(request: Any) -> Any:
    """Returns the id that a response to the request echoes, even to an invalid one."""
    value = request.get("id") if isinstance(request, dict) else None
    return value if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None


def _read(request: Any) -> tuple[str, Json]:
    if isinstance(request, list):
        raise invalid_request("A2A has no batches. Send one request at a time.")
    if not isinstance(request, dict):
        raise invalid_request("it must be an object.")
    if request.get("jsonrpc") != "2.0":
        raise invalid_request('jsonrpc must be "2.0".')
    method, params = request.get("method"), request.get("params", {})
    if not isinstance(method, str) or not method:
        raise invalid_request("method must be a string.")
    if request.get("id") is not None and _id_of(request) is None:
        raise invalid_request("id must be a string or a number.")
    if not isinstance(params, dict):
        raise invalid_params("params", "must be an object")
    return method, params


def _call(service: Service, method: str, params: Json, caller: Caller) -> Any:
    if caller.version == "1.0":
        if method not in service.methods:
            raise method_not_found(method, " With A2A-Version 1.0 use its names." if method in v03.METHODS else "")
        return service.methods[method](params, caller)
    if method not in v03.METHODS:
        raise method_not_found(method, " Send the header A2A-Version: 1.0." if method in service.methods else "")
    return service.methods[v03.METHODS[method]](v03.params_to_v1(method, params), caller)


def _result(result: Json, request_id: Any, version: str) -> bytes:
    converted = result if version == "1.0" else v03.result_from_v1(result)
    return dump_json({"jsonrpc": "2.0", "id": request_id, "result": converted})


def _events(stream: Stream, request_id: Any, version: str) -> Iterator[bytes]:
    yield b"data: " + _result(stream.first, request_id, version) + b"\n\n"
    for event in stream.events:
        yield b": waiting\n\n" if event is None else b"data: " + _result(event, request_id, version) + b"\n\n"
