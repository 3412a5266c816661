"""A Strands agent behind its A2AServer. With A2A_STREAMING=1 the server streams artifacts, as A2A says."""

import os

from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.multiagent.a2a import A2AServer
from look_up import look_up


def agent(context_id: str) -> Agent:
    model = OpenAIModel(model_id="gpt-4o-mini")
    return Agent(name="Answer", description="Answers.", model=model, tools=[tool(look_up)], callback_handler=None)


compliant = os.environ.get("A2A_STREAMING") == "1"
A2AServer(agent_factory=agent, port=int(os.environ["PORT"]), enable_a2a_compliant_streaming=compliant).serve()
