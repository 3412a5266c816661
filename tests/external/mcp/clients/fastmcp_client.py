"""The client of fastmcp."""

import asyncio

from drive import TARGET, drive, text_of
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport


async def main():
    if "url" in TARGET:
        transport = StreamableHttpTransport(TARGET["url"], headers=TARGET["headers"])
    else:
        transport = StdioTransport(TARGET["command"], TARGET["args"], env=TARGET["env"])
    async with Client(transport) as client:

        async def call(name, arguments):
            result = await client.call_tool(name, arguments, raise_on_error=False)
            return [result.is_error, text_of(result.content)]

        async def lists():
            return [tool.name for tool in await client.list_tools()]

        await drive("fastmcp", lists, call)


asyncio.run(main())
