"""The agent card, readable by clients of A2A 1.0 and of 0.3."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

Json = dict[str, Any]


class Profile(NamedTuple):
    """What an agent says about itself."""

    name: str
    description: str
    version: str
    skills: list[Json] | None
    input_modes: list[str]
    output_modes: list[str]
    has_token: bool


def card_of(profile: Profile, url: str) -> Json:
    versions = ("1.0", "0.3")
    card: Json = {
        "name": profile.name,
        "description": profile.description,
        "version": profile.version,
        "url": url,
        "protocolVersion": "0.3.0",
        "preferredTransport": "JSONRPC",
        "supportedInterfaces": [
            {"url": url, "protocolBinding": "JSONRPC", "protocolVersion": each} for each in versions
        ],
        "capabilities": {"streaming": True},
        "defaultInputModes": profile.input_modes,
        "defaultOutputModes": profile.output_modes,
        "skills": profile.skills or [_skill_of(profile)],
    }
    return {**card, **_security()} if profile.has_token else card


def _skill_of(profile: Profile) -> Json:
    slug = re.sub(r"[^a-z0-9]+", "-", profile.name.lower()).strip("-") or "answer"
    return {"id": slug, "name": profile.name, "description": profile.description, "tags": ["agent"]}


def _security() -> Json:
    """One scheme in the terms of both versions."""
    scheme = {"type": "http", "scheme": "bearer", "httpAuthSecurityScheme": {"scheme": "bearer"}}
    return {
        "securitySchemes": {"bearer": scheme},
        "security": [{"bearer": []}],
        "securityRequirements": [{"schemes": {"bearer": {"list": []}}}],
    }
