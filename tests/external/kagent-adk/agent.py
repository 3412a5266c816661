"""An agent of ADK with a tool, served by kagent without its cluster."""

import os

import uvicorn
from a2a.types import AgentCapabilities, AgentCard
from google.adk.agents import LlmAgent
from kagent.adk import KAgentApp
from kagent.adk.models import OpenAI


def read_clock(place: str) -> str:
    """Reads the clock of a place."""
    return f"It is noon in {place}."


port = int(os.environ["PORT"])
model = OpenAI(type="openai", model="gpt-4o-mini", base_url=os.environ["OPENAI_API_BASE"], api_key="none")
agent = LlmAgent(name="answer", model=model, tools=[read_clock])
card = AgentCard(
    name="answer",
    description="Answers.",
    url=f"http://127.0.0.1:{port}",
    version="1.0.0",
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=["text"],
    default_output_modes=["text"],
    skills=[],
)
uvicorn.run(KAgentApp(lambda: agent, card, "", "test").build(local=True), port=port, log_level="warning")
