"""Calls every operation of a zone's agents with the official client of a2a-sdk 0.3, and prints what it got as JSON."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientJSONRPCError
from a2a.types import GetTaskPushNotificationConfigParams, Message, Part, PushNotificationConfig, Role
from a2a.types import TaskIdParams, TaskPushNotificationConfig, TaskQueryParams, TextPart


def message_of(text, task_id=None):
    parts = [Part(root=TextPart(text=text))]
    return Message(role=Role.user, message_id=str(uuid.uuid4()), parts=parts, task_id=task_id)


def text_of(task):
    return "".join(part.root.text for artifact in task.artifacts or [] for part in artifact.parts)


async def refusal_of(call):
    try:
        await call
    except A2AClientJSONRPCError as error:
        return error.error.code


async def main(url):
    async with httpx.AsyncClient(timeout=60, headers={"authorization": "Bearer ci"}) as http:

        async def connect(agent, **config):
            card = await A2ACardResolver(http, f"{url}{agent}/").get_agent_card()
            return ClientFactory(ClientConfig(httpx_client=http, **config)).create(card)

        async def send(client, *args):
            return [event async for event in client.send_message(message_of(*args))][-1][0]

        echo, streaming = await connect("echo", streaming=False), await connect("echo")
        asking = await connect("asking", streaming=False)
        asked = await send(asking, "go")
        waiting = (await send(await connect("echo", streaming=False, polling=True), "wait")).id
        stream = streaming.resubscribe(TaskIdParams(id=waiting))
        first = (await anext(stream))[0].status.state.value
        canceled = await echo.cancel_task(TaskIdParams(id=waiting))
        last = [task.status.state.value async for task, _ in stream][-1]
        config = PushNotificationConfig(url="https://example.com")
        pushes = [
            echo.set_task_callback(TaskPushNotificationConfig(task_id=waiting, push_notification_config=config)),
            echo.get_task_callback(GetTaskPushNotificationConfigParams(id=waiting)),
        ]
        return {
            "asked": asked.status.state.value,
            "answered": text_of(await send(asking, "it rains", asked.id)),
            "got": (await asking.get_task(TaskQueryParams(id=asked.id))).status.state.value,
            "streamed": text_of(await send(streaming, "stream")),
            "subscribed": f"{first} {last}",
            "canceled": canceled.status.state.value,
            "card": (await echo.get_card()).description,
            "push": sorted({await refusal_of(call) for call in pushes}),
            "held": text_of(await send(echo, "hold")),
        }


print(json.dumps(asyncio.run(main(sys.argv[1]))))
