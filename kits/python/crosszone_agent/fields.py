"""Reads members of parameters. Absent, null and unset members are the same; every error names its field."""

from __future__ import annotations

import base64
from typing import Any

from .errors import invalid_params

Json = dict[str, Any]


def an_object(value: Any, field: str) -> Json:
    if not isinstance(value, dict):
        raise invalid_params(field, "must be an object")
    return value


def optional_object(holder: Json, name: str, path: str) -> Json:
    value = holder.get(name)
    return {} if value is None else an_object(value, path + name)


def text(holder: Json, name: str, path: str = "") -> str:
    value = optional_text(holder, name, path)
    if value is None:
        raise invalid_params(path + name, "is required")
    return value


def optional_text(holder: Json, name: str, path: str = "") -> str | None:
    value = holder.get(name)
    if value is not None and not isinstance(value, str):
        raise invalid_params(path + name, "must be a string")
    return value or None


def flag(holder: Json, name: str, path: str = "") -> bool | None:
    value = holder.get(name)
    if value is not None and not isinstance(value, bool):
        raise invalid_params(path + name, "must be true or false")
    return value


def count(holder: Json, name: str, path: str = "", least: int = 0, most: int = 2**31 - 1) -> int | None:
    value = holder.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise invalid_params(path + name, f"must be a whole number from {least} to {most}")
    return value


def a_list(holder: Json, name: str, path: str = "") -> list[Any]:
    value = holder.get(name)
    if not isinstance(value, list) or not value:
        raise invalid_params(path + name, "must be a list with at least one element")
    return value


def one_of(holder: Json, names: list[str], field: str) -> str:
    present = [name for name in names if holder.get(name) is not None or (name == "data" and name in holder)]
    if len(present) != 1:
        raise invalid_params(field, f"must have exactly one of {', '.join(names)}")
    return present[0]


def decode_base64(text: str) -> bytes:
    """Takes both alphabets, with or without padding. Raises ValueError for anything else."""
    plain = text.translate(str.maketrans("-_", "+/")).rstrip("=")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def check_base64(text: str, field: str) -> None:
    try:
        decode_base64(text)
    except ValueError:
        raise invalid_params(field, "must be base64") from None
