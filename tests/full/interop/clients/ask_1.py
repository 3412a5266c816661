"""Asks the agents of a zone with the official client of a2a-sdk 1.x, and prints what it got as JSON."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import Message, Part, Role, SendMessageRequest, TaskState


def request_of(text, task_id=""):
    message = Message(role=Role.ROLE_USER, message_id=str(uuid.uuid4()), parts=[Part(text=text)], task_id=task_id)
    return SendMessageRequest(message=message)


def words(parts):
    return "".join(part.text for part in parts)


def text_of(task):
    return "".join(words(artifact.parts) for artifact in task.artifacts)


async def main(url):
    async with httpx.AsyncClient(timeout=60, headers={"authorization": "Bearer ci"}) as http:

        async def connect(agent, **config):
            factory = ClientFactory(ClientConfig(httpx_client=http, **config))
            return await factory.create_from_url(f"{url}{agent}/")

        async def send(client, *args):
            return [event async for event in client.send_message(request_of(*args))][-1].task

        echo = await connect("echo", streaming=False)
        asking = await connect("asking", streaming=False)
        asked = await send(asking, "go")
        streamed = ""
        async for event in (await connect("echo")).send_message(request_of("stream")):
            if event.HasField("artifact_update"):
                update = event.artifact_update
                streamed = (streamed if update.append else "") + words(update.artifact.parts)
        return {
            "asked": TaskState.Name(asked.status.state).removeprefix("TASK_STATE_").lower().replace("_", "-"),
            "answered": text_of(await send(asking, "it rains", asked.id)),
            "streamed": streamed,
            "held": text_of(await send(echo, "hold")),
        }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
