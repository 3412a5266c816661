"""JSON as the wire has it: strict UTF-8 in, no NaN, no lone surrogates out."""

from __future__ import annotations

import json
import math
from typing import Any

from .errors import RpcError, invalid_request

#: Levels of arrays and objects.
MAX_DEPTH = 64


def load_json(body: bytes) -> Any:
    """Raises the JSON-RPC parse error for anything that is not JSON in UTF-8."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        raise RpcError(-32700, "Parse error: the body is not JSON in UTF-8.") from None
    if _is_deeper(value, MAX_DEPTH):
        raise invalid_request(f"the body is nested deeper than {MAX_DEPTH} levels.")
    return value


def dump_json(value: Any) -> bytes:
    """Raises TypeError or ValueError for a value that JSON can't have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def _is_deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(each, levels - 1) for each in inner)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("too large a number")
    return number
