"""An Agno agent, served by AgentOS with its A2A interface."""

import os

import uvicorn
from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.os import AgentOS
from look_up import look_up

agent = Agent(id="answer", name="Answer", model=OpenAIChat(id="gpt-4o-mini"), tools=[look_up])
app = AgentOS(agents=[agent], a2a_interface=True).get_app()
uvicorn.run(app, port=int(os.environ["PORT"]), log_level="warning")
