"""Calls every operation of a zone's agents with the official client of a2a-sdk 1.x, and prints what it got as JSON."""

import asyncio
import json
import sys
import uuid

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as a2a
from a2a.utils.errors import PushNotificationNotSupportedError


def request_of(text, task_id=""):
    parts = [a2a.Part(text=text)]
    message = a2a.Message(role=a2a.Role.ROLE_USER, message_id=str(uuid.uuid4()), parts=parts, task_id=task_id)
    return a2a.SendMessageRequest(message=message)


def words(parts):
    return "".join(part.text for part in parts)


def text_of(task):
    return "".join(words(artifact.parts) for artifact in task.artifacts)


def state_of(task):
    return a2a.TaskState.Name(task.status.state).removeprefix("TASK_STATE_").lower().replace("_", "-")


async def refusal_of(call):
    try:
        await call
    except PushNotificationNotSupportedError:
        return -32003


async def main(url):
    async with httpx.AsyncClient(timeout=60, headers={"authorization": "Bearer ci"}) as http:

        async def connect(agent, **config):
            factory = ClientFactory(ClientConfig(httpx_client=http, **config))
            return await factory.create_from_url(f"{url}{agent}/")

        async def send(client, *args):
            return [event async for event in client.send_message(request_of(*args))][-1].task

        echo, streaming = await connect("echo", streaming=False), await connect("echo")
        asking = await connect("asking", streaming=False)
        asked = await send(asking, "go")
        streamed = ""
        async for event in streaming.send_message(request_of("stream")):
            if event.HasField("artifact_update"):
                update = event.artifact_update
                streamed = (streamed if update.append else "") + words(update.artifact.parts)
        waiting = (await send(await connect("echo", streaming=False, polling=True), "wait")).id
        stream = streaming.subscribe(a2a.SubscribeToTaskRequest(id=waiting))
        first = (await anext(stream)).task
        canceled = await echo.cancel_task(a2a.CancelTaskRequest(id=waiting))
        last = [event.status_update async for event in stream][-1]
        pushes = [
            echo.create_task_push_notification_config(
                a2a.TaskPushNotificationConfig(task_id=waiting, url="https://example.com")
            ),
            echo.get_task_push_notification_config(
                a2a.GetTaskPushNotificationConfigRequest(task_id=waiting, id="a")
            ),
            echo.list_task_push_notification_configs(a2a.ListTaskPushNotificationConfigsRequest(task_id=waiting)),
            echo.delete_task_push_notification_config(
                a2a.DeleteTaskPushNotificationConfigRequest(task_id=waiting, id="a")
            ),
        ]
        return {
            "asked": state_of(asked),
            "answered": text_of(await send(asking, "it rains", asked.id)),
            "got": state_of(await asking.get_task(a2a.GetTaskRequest(id=asked.id))),
            "listed": [task.id == asked.id for task in (await asking.list_tasks(a2a.ListTasksRequest())).tasks],
            "streamed": streamed,
            "subscribed": f"{state_of(first)} {state_of(last)}",
            "canceled": state_of(canceled),
            "card": (await echo.get_extended_agent_card(a2a.GetExtendedAgentCardRequest())).description,
            "push": sorted({await refusal_of(call) for call in pushes}),
            "held": text_of(await send(echo, "hold")),
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1]))))
