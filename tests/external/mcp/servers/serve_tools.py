"""A server of tools: `serve_tools.py fastmcp|mcp [port]`, over the standard streams without a port."""

import sys
from typing import Any, Literal

which, port = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None

if which == "fastmcp":
    from fastmcp import FastMCP as Server
else:
    from mcp.server.mcpserver import MCPServer as Server

server = Server("tools")


@server.tool()
def total() -> dict[str, int]:
    return {"total": 36}


@server.tool()
def names() -> list[str]:
    return ["Ada", "Grace"]


@server.tool()
def nothing() -> None:
    return None


@server.tool()
def fails() -> str:
    raise ValueError("no such page")


@server.tool()
def find(tags: list[Any] | None = None, kind: Literal["page", "file"] | None = None, limit: int | str = 5) -> str:
    return f"{tags} {kind} {limit}"


if port is None:
    server.run("stdio")
else:
    server.run("streamable-http", host="127.0.0.1", port=port)
