"""Asks the sample agent everything with the official client of a2a-sdk 1.x, and prints what it got as JSON."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    TaskState,
)


def request_of(text, task_id="", at_once=False):
    message = Message(role=Role.ROLE_USER, message_id=str(uuid.uuid4()), parts=[Part(text=text)], task_id=task_id)
    return SendMessageRequest(message=message, configuration=SendMessageConfiguration(return_immediately=at_once))


def words(parts):
    return "".join(part.text for part in parts)


def summary(task):
    parts = [part for artifact in task.artifacts for part in artifact.parts]
    return {
        "state": TaskState.Name(task.status.state).removeprefix("TASK_STATE_").lower().replace("_", "-"),
        "says": words(task.status.message.parts),
        "text": words(parts),
        "files": [[part.filename, part.media_type, part.raw.decode()] for part in parts if part.raw],
    }


async def main(url):
    async with httpx.AsyncClient(timeout=30) as http:
        plain = await ClientFactory(ClientConfig(streaming=False, httpx_client=http)).create_from_url(url)
        streaming = await ClientFactory(ClientConfig(httpx_client=http)).create_from_url(url)

        async def send(*args, **options):
            return [event async for event in plain.send_message(request_of(*args, **options))][-1].task

        asked = await send("ask")
        running = await send("slow", at_once=True)
        canceled = await plain.cancel_task(CancelTaskRequest(id=running.id))
        events = [event async for event in streaming.send_message(request_of("slow"))]
        streamed = await plain.get_task(GetTaskRequest(id=events[0].task.id))
        statuses = [event.status_update.status for event in events if event.HasField("status_update")]
        pieces = [words(event.artifact_update.artifact.parts) for event in events if event.HasField("artifact_update")]
        return {
            "hello": summary(await send("Hello")),
            "file": summary(await send("file")),
            "fail": summary(await send("fail")),
            "ask": summary(asked),
            "answered": summary(await send("blue", asked.id)),
            "canceled": summary(canceled),
            "slow": summary(streamed),
            "progress": [words(status.message.parts) for status in statuses],
            "pieces": pieces,
        }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
