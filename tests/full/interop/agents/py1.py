"""A scenario agent on a2a-sdk 1.x; with INTEROP_COMPAT=1 it serves A2A 0.3 as well."""

import os
import uuid

from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types.a2a_pb2 import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Message,
    Part,
    Role,
    Task,
    TaskState,
    TaskStatus,
)
from google.protobuf import struct_pb2
from google.protobuf.json_format import ParseDict
from play_scenario import cancel_scenario, play_scenario, serve_agent
from starlette.applications import Starlette

COMPAT = os.environ.get("INTEROP_COMPAT") == "1"


def out_part(part: dict) -> Part:
    if "data" in part:
        return Part(data=ParseDict(part["data"], struct_pb2.Value()))
    if "file" in part:
        file = part["file"]
        return Part(raw=file["text"].encode(), filename=file["name"], media_type=file["type"])
    return Part(text=part["text"])


class Stage:
    def __init__(self, context, queue):
        self.context, self.queue = context, queue
        self.updater = TaskUpdater(queue, context.task_id, context.context_id)

    async def message(self, text):
        message_id = str(uuid.uuid4())
        parts = [out_part({"text": text})]
        message = Message(role=Role.ROLE_AGENT, message_id=message_id, context_id=self.context.context_id, parts=parts)
        await self.queue.enqueue_event(message)

    async def begin(self):
        await self.queue.enqueue_event(
            Task(
                id=self.context.task_id,
                context_id=self.context.context_id,
                status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
                history=[self.context.message],
            )
        )

    async def status(self, state, says):
        message = self.updater.new_agent_message([out_part({"text": says})]) if says else None
        await self.updater.update_status(TaskState.Value("TASK_STATE_" + state.upper().replace("-", "_")), message)

    async def artifact(self, chunk):
        await self.updater.add_artifact(
            [out_part(part) for part in chunk["parts"]],
            artifact_id=chunk["id"],
            name=chunk.get("name"),
            append=chunk.get("append", False),
            last_chunk=chunk.get("last"),
        )


class Executor(AgentExecutor):
    async def execute(self, context, event_queue):
        parts = context.message.parts
        turn = {
            "text": next((p.text for p in parts if p.WhichOneof("content") == "text"), ""),
            "taskId": context.task_id,
            "contextId": context.context_id,
            "continued": context.current_task is not None,
            "files": [(p.filename, p.media_type, p.raw) for p in parts if p.WhichOneof("content") == "raw"],
        }
        await play_scenario(turn, Stage(context, event_queue))

    async def cancel(self, context, event_queue):
        cancel_scenario(context.task_id)
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def make_app(url: str):
    versions = ["1.0", "0.3"] if COMPAT else ["1.0"]
    card = AgentCard(
        name="py1",
        description="Plays scenarios on a2a-sdk 1.x.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=f"{url}/a2a", protocol_binding="JSONRPC", protocol_version=version)
            for version in versions
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain", "text/csv"],
        default_output_modes=["text/plain", "application/json", "text/csv"],
        skills=[AgentSkill(id="play", name="Play", description="Plays a scenario.", tags=["test"])],
    )
    handler = DefaultRequestHandler(Executor(), InMemoryTaskStore(), card)
    return Starlette(
        routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/a2a", enable_v0_3_compat=COMPAT)]
    )


serve_agent(make_app)
