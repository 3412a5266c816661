"""Asks an agent that asks back, with the client of fastmcp, whose person answers, and prints what it got as JSON."""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport

ASKED = []


async def answer(message, response_type, params, context):
    ASKED.append(message)
    return {"value": "Oslo"}


async def main(url):
    transport = StreamableHttpTransport(url, headers={"authorization": "Bearer ci"})
    async with Client(transport, elicitation_handler=answer) as client:
        result = (await client.call_tool("ask_book", {"message": "book"})).structured_content
        return {"asked": ASKED, "state": result["state"], "text": result["text"]}


print(json.dumps(asyncio.run(main(sys.argv[1]))))
