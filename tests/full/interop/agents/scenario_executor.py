"""Plays scenarios as an executor of a2a-sdk, 0.3 or 1.x. A subclass has what the versions write differently."""

import uuid

from a2a.server.agent_execution import AgentExecutor
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Task, TaskStatus
from play_scenario import cancel_scenario, play_scenario


class Stage:
    def __init__(self, wire, context, queue):
        self.wire, self.context, self.queue = wire, context, queue
        self.updater = TaskUpdater(queue, context.task_id, context.context_id)

    async def message(self, text):
        parts = [self.wire.out_part({"text": text})]
        ids = {"message_id": str(uuid.uuid4()), "context_id": self.context.context_id}
        await self.queue.enqueue_event(Message(role=self.wire.role, parts=parts, **ids))

    async def begin(self):
        ids = {"id": self.context.task_id, "context_id": self.context.context_id}
        status = TaskStatus(state=self.wire.state_of("submitted"))
        await self.queue.enqueue_event(Task(status=status, history=[self.context.message], **ids))

    async def status(self, state, says):
        message = self.updater.new_agent_message([self.wire.out_part({"text": says})]) if says else None
        await self.updater.update_status(self.wire.state_of(state), message, **self.wire.options_of(state))

    async def artifact(self, chunk):
        await self.updater.add_artifact(
            [self.wire.out_part(part) for part in chunk["parts"]],
            artifact_id=chunk["id"],
            name=chunk.get("name"),
            append=chunk.get("append", False),
            last_chunk=chunk.get("last"),
        )


class ScenarioExecutor(AgentExecutor):
    def options_of(self, state: str) -> dict:
        """Returns further arguments of a status update."""
        return {}

    async def execute(self, context, event_queue):
        turn = {
            "text": self.text_of(context.message),
            "taskId": context.task_id,
            "contextId": context.context_id,
            "continued": context.current_task is not None,
            "files": self.files_of(context.message),
        }
        await play_scenario(turn, Stage(self, context, event_queue))

    async def cancel(self, context, event_queue):
        cancel_scenario(context.task_id)
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
