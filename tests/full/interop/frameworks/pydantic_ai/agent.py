"""A Pydantic AI agent, served by fasta2a."""

import os

import uvicorn
from fasta2a.pydantic_ai import agent_to_a2a
from pydantic_ai import Agent
from look_up import look_up

PORT = int(os.environ["PORT"])
agent = Agent("openai-chat:gpt-4o-mini", name="answer", tools=[look_up])
uvicorn.run(agent_to_a2a(agent, url=f"http://127.0.0.1:{PORT}"), port=PORT, log_level="warning")
