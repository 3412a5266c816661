"""An A2A agent on the official Python SDK: it counts the words of a message, and says what it is doing."""
import os

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types.a2a_pb2 import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Part,
    Task,
    TaskState,
    TaskStatus,
)
from starlette.applications import Starlette

PORT = int(os.environ.get("PORT", "8093"))


class WordCounter(AgentExecutor):
    async def execute(self, context, event_queue):
        status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
        await event_queue.enqueue_event(Task(id=context.task_id, context_id=context.context_id, status=status))
        task = TaskUpdater(event_queue, context.task_id, context.context_id)
        await task.update_status(TaskState.TASK_STATE_WORKING, task.new_agent_message([Part(text="Counting…")]))
        text = context.message.parts[0].text
        await task.add_artifact([Part(text=f"{len(text.split())} words, {len(text)} characters")])
        await task.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


url = f"http://127.0.0.1:{PORT}"
card = AgentCard(
    name="Word counter", description="Counts words.", version="1.0.0", capabilities=AgentCapabilities(streaming=True),
    supported_interfaces=[AgentInterface(url=f"{url}/", protocol_binding="JSONRPC", protocol_version="1.0")],
    default_input_modes=["text/plain"], default_output_modes=["text/plain"],
    skills=[AgentSkill(id="count", name="Count words", description="Counts words.", tags=["text"])],
)
handler = DefaultRequestHandler(WordCounter(), InMemoryTaskStore(), card)
app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])
print(f"Listening on {url}", flush=True)
uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
