"""Asks the agents of a zone with the official client of a2a-sdk 0.3, and prints what it got as JSON."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, TextPart


def message_of(text, task_id=None):
    parts = [Part(root=TextPart(text=text))]
    return Message(role=Role.user, message_id=str(uuid.uuid4()), parts=parts, task_id=task_id)


def text_of(task):
    return "".join(part.root.text for artifact in task.artifacts or [] for part in artifact.parts)


async def main(url):
    async with httpx.AsyncClient(timeout=60, headers={"authorization": "Bearer ci"}) as http:

        async def connect(agent, **config):
            card = await A2ACardResolver(http, f"{url}{agent}/").get_agent_card()
            return ClientFactory(ClientConfig(httpx_client=http, **config)).create(card)

        async def send(client, *args):
            return [event async for event in client.send_message(message_of(*args))][-1][0]

        echo = await connect("echo", streaming=False)
        asking = await connect("asking", streaming=False)
        asked = await send(asking, "go")
        return {
            "asked": asked.status.state.value,
            "answered": text_of(await send(asking, "it rains", asked.id)),
            "streamed": text_of(await send(await connect("echo"), "stream")),
            "held": text_of(await send(echo, "hold")),
        }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
