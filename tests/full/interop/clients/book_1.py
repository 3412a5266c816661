"""Asks an agent that asks back, with the official client of a2a-sdk 1.x, and prints what it got as JSON."""

import asyncio
import json
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from ask_1 import request_of, state_of, text_of, words


async def main(url):
    async with httpx.AsyncClient(timeout=60, headers={"authorization": "Bearer ci"}) as http:
        client = await ClientFactory(ClientConfig(httpx_client=http)).create_from_url(url)

        async def send(*args):
            task_id, said, state = "", "", None
            async for event in client.send_message(request_of(*args)):
                if event.HasField("task"):
                    task_id = event.task.id
                elif event.HasField("artifact_update"):
                    said += words(event.artifact_update.artifact.parts)
                else:
                    state = event.status_update
            return {"id": task_id, "state": state_of(state), "asks": words(state.status.message.parts), "said": said}

        asked = await send("book")
        ended = await send("Oslo", asked["id"])
        return {
            "asked": asked["state"],
            "question": asked["asks"],
            "ended": ended["state"],
            "said": ended["said"],
            "same": ended["id"] == asked["id"],
        }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
