"""A BeeAI agent with a tool, served by the framework's A2A server."""

import os

from beeai_framework.adapters.a2a import A2AServer, A2AServerConfig
from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.backend import ChatModel
from beeai_framework.serve.utils import LRUMemoryManager
from beeai_framework.tools import tool


@tool
def read_clock(place: str) -> str:
    """Reads the clock of a place."""
    return f"It is noon in {place}."


model = ChatModel.from_name("openai:gpt-4o-mini")
agent = RequirementAgent(name="answer", description="Answers.", llm=model, tools=[read_clock])
config = A2AServerConfig(host="127.0.0.1", port=int(os.environ["PORT"]))
A2AServer(config=config, memory_manager=LRUMemoryManager(maxsize=100)).register(agent).serve()
