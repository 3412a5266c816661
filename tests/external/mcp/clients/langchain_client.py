"""The client of langchain-mcp-adapters, with one session for all calls."""

import asyncio

from drive import TARGET, drive
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools


def text_of(content):
    return content if isinstance(content, str) else "\n".join(block["text"] for block in content)


async def main():
    transport = "http" if "url" in TARGET else "stdio"
    client = MultiServerMCPClient({"crosszone": {**TARGET, "transport": transport}})
    async with client.session("crosszone") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}

        async def call(name, arguments):
            asked = {"type": "tool_call", "id": "1", "name": name, "args": arguments}
            message = await tools[name].ainvoke(asked)
            return [message.status == "error", text_of(message.content)]

        async def lists():
            return list(tools)

        await drive("langchain-mcp-adapters", lists, call)


asyncio.run(main())
