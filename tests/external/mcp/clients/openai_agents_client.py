"""The client of the OpenAI Agents SDK. Its default limit of 5 seconds is shorter than an agent's work can be."""

import asyncio

from agents.mcp import MCPServerStdio, MCPServerStreamableHttp
from drive import TARGET, drive, text_of


async def main():
    server = MCPServerStreamableHttp if "url" in TARGET else MCPServerStdio
    async with server(params=TARGET, client_session_timeout_seconds=60) as client:

        async def call(name, arguments):
            result = await client.call_tool(name, arguments)
            return [result.is_error, text_of(result.content)]

        async def lists():
            return [tool.name for tool in await client.list_tools()]

        await drive("openai-agents", lists, call)


asyncio.run(main())
