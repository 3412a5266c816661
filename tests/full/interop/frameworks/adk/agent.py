"""A Google ADK agent, served with to_a2a."""

import os

import uvicorn
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.models.lite_llm import LiteLlm
from look_up import look_up

PORT = int(os.environ["PORT"])
model = LiteLlm(model="openai/gpt-4o-mini")
agent = LlmAgent(name="answer", description="Answers.", model=model, tools=[look_up])
uvicorn.run(to_a2a(agent, host="127.0.0.1", port=PORT), port=PORT, log_level="warning")
