"""A CrewAI agent with A2AServerConfig, served by the official SDK."""

import os

import uvicorn
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from crewai import LLM, Agent
from crewai.a2a import A2AServerConfig
from crewai.a2a.utils.task import cancel, execute
from crewai.tools import tool
from look_up import look_up

PORT = int(os.environ["PORT"])
URL = f"http://127.0.0.1:{PORT}"
agent = Agent(
    role="Answer",
    goal="Answer",
    backstory="Answers.",
    tools=[tool("look_up")(look_up)],
    llm=LLM(model="openai/gpt-4o-mini"),
    a2a=A2AServerConfig(url=URL),
)


class Executor(AgentExecutor):
    async def execute(self, context, event_queue):
        await execute(agent, context, event_queue)

    async def cancel(self, context, event_queue):
        await cancel(context, event_queue)


card = agent.to_agent_card(URL)
handler = DefaultRequestHandler(agent_executor=Executor(), task_store=InMemoryTaskStore())
uvicorn.run(A2AStarletteApplication(agent_card=card, http_handler=handler).build(), port=PORT, log_level="warning")
