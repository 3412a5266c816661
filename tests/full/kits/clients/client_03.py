"""Asks the sample agent everything with the official client of a2a-sdk 0.3, and prints what it got as JSON."""

import asyncio
import base64
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, TaskIdParams, TaskQueryParams, TextPart


def message_of(text, task_id=None):
    parts = [Part(root=TextPart(text=text))]
    return Message(role=Role.user, message_id=str(uuid.uuid4()), parts=parts, task_id=task_id)


def words(parts):
    return "".join(part.root.text for part in parts if part.root.kind == "text")


def summary(task):
    parts = [part for artifact in task.artifacts or [] for part in artifact.parts]
    files = [part.root.file for part in parts if part.root.kind == "file"]
    said = task.status.message
    return {
        "state": task.status.state.value,
        "says": words(said.parts) if said else "",
        "text": words(parts),
        "files": [[file.name, file.mime_type, base64.b64decode(file.bytes).decode()] for file in files],
    }


async def main(url):
    async with httpx.AsyncClient(timeout=30) as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        plain = ClientFactory(ClientConfig(streaming=False, httpx_client=http)).create(card)
        polling = ClientFactory(ClientConfig(streaming=False, polling=True, httpx_client=http)).create(card)
        streaming = ClientFactory(ClientConfig(httpx_client=http)).create(card)

        async def send(client, *args):
            return [event async for event in client.send_message(message_of(*args))][-1][0]

        asked = await send(plain, "ask")
        running = await send(polling, "slow")
        canceled = await plain.cancel_task(TaskIdParams(id=running.id))
        progress, pieces = [], []
        async for task, update in streaming.send_message(message_of("slow")):
            # The client changes the events later on: it appends to their artifacts.
            if update and update.kind == "artifact-update":
                pieces.append(words(update.artifact.parts))
            elif update:
                progress.append(words(update.status.message.parts) if update.status.message else "")
        streamed = await plain.get_task(TaskQueryParams(id=task.id))
        return {
            "hello": summary(await send(plain, "Hello")),
            "file": summary(await send(plain, "file")),
            "fail": summary(await send(plain, "fail")),
            "ask": summary(asked),
            "answered": summary(await send(plain, "blue", asked.id)),
            "canceled": summary(canceled),
            "slow": summary(streamed),
            "progress": progress,
            "pieces": pieces,
        }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
