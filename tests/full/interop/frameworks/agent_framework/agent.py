"""A Microsoft agent-framework agent behind its A2AExecutor with the default settings."""

import os

import uvicorn
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface
from agent_framework.openai import OpenAIChatClient
from agent_framework_a2a import A2AExecutor
from starlette.applications import Starlette
from look_up import look_up

PORT = int(os.environ["PORT"])
agent = OpenAIChatClient(model="gpt-4o-mini").as_agent(name="Answer", instructions="Answer.", tools=[look_up])
card = AgentCard(
    name="Answer",
    description="Answers.",
    version="1.0.0",
    default_input_modes=["text"],
    default_output_modes=["text"],
    capabilities=AgentCapabilities(streaming=True),
    supported_interfaces=[AgentInterface(url=f"http://127.0.0.1:{PORT}/", protocol_binding="JSONRPC")],
    skills=[],
)
handler = DefaultRequestHandler(agent_executor=A2AExecutor(agent), task_store=InMemoryTaskStore(), agent_card=card)
app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])
uvicorn.run(app, port=PORT, log_level="warning")
