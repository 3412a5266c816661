"""A scenario agent on a2a-sdk 0.3."""

import base64
import uuid

from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    Message,
    Part,
    Role,
    Task,
    TaskState,
    TaskStatus,
    TextPart,
)
from play_scenario import cancel_scenario, play_scenario, serve_agent


def out_part(part: dict) -> Part:
    if "data" in part:
        return Part(root=DataPart(data=part["data"]))
    if "file" in part:
        file = part["file"]
        encoded = base64.b64encode(file["text"].encode()).decode()
        return Part(root=FilePart(file=FileWithBytes(name=file["name"], mime_type=file["type"], bytes=encoded)))
    return Part(root=TextPart(text=part["text"]))


def files_of(message) -> list:
    roots = [part.root for part in message.parts]
    files = [root.file for root in roots if isinstance(root, FilePart)]
    return [(f.name or "", f.mime_type or "", base64.b64decode(getattr(f, "bytes", ""))) for f in files]


class Stage:
    def __init__(self, context, queue):
        self.context, self.queue = context, queue
        self.updater = TaskUpdater(queue, context.task_id, context.context_id)

    async def message(self, text):
        message_id = str(uuid.uuid4())
        parts = [out_part({"text": text})]
        message = Message(role=Role.agent, message_id=message_id, context_id=self.context.context_id, parts=parts)
        await self.queue.enqueue_event(message)

    async def begin(self):
        await self.queue.enqueue_event(
            Task(
                id=self.context.task_id,
                context_id=self.context.context_id,
                status=TaskStatus(state=TaskState.submitted),
                history=[self.context.message],
            )
        )

    async def status(self, state, says):
        message = self.updater.new_agent_message([out_part({"text": says})]) if says else None
        await self.updater.update_status(TaskState(state), message, final=state != "working")

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
        turn = {
            "text": next((p.root.text for p in context.message.parts if isinstance(p.root, TextPart)), ""),
            "taskId": context.task_id,
            "contextId": context.context_id,
            "continued": context.current_task is not None,
            "files": files_of(context.message),
        }
        await play_scenario(turn, Stage(context, event_queue))

    async def cancel(self, context, event_queue):
        cancel_scenario(context.task_id)
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def make_app(url: str):
    card = AgentCard(
        name="py03",
        description="Plays scenarios on a2a-sdk 0.3.",
        url=f"{url}/",
        version="1.0.0",
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain", "text/csv"],
        default_output_modes=["text/plain", "application/json", "text/csv"],
        skills=[AgentSkill(id="play", name="Play", description="Plays a scenario.", tags=["test"])],
    )
    return A2AStarletteApplication(card, DefaultRequestHandler(Executor(), InMemoryTaskStore())).build()


serve_agent(make_app)
