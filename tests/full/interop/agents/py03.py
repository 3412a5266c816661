"""A scenario agent on a2a-sdk 0.3."""

import base64

from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    Part,
    Role,
    TaskState,
    TextPart,
)
from play_scenario import serve_agent
from scenario_executor import ScenarioExecutor


class Executor(ScenarioExecutor):
    role = Role.agent

    def out_part(self, part: dict) -> Part:
        if "data" in part:
            return Part(root=DataPart(data=part["data"]))
        if "file" in part:
            file = part["file"]
            encoded = base64.b64encode(file["text"].encode()).decode()
            return Part(root=FilePart(file=FileWithBytes(name=file["name"], mime_type=file["type"], bytes=encoded)))
        return Part(root=TextPart(text=part["text"]))

    def text_of(self, message) -> str:
        return next((p.root.text for p in message.parts if isinstance(p.root, TextPart)), "")

    def files_of(self, message) -> list:
        files = [part.root.file for part in message.parts if isinstance(part.root, FilePart)]
        return [(f.name or "", f.mime_type or "", base64.b64decode(getattr(f, "bytes", ""))) for f in files]

    def state_of(self, state: str) -> TaskState:
        return TaskState(state)

    def options_of(self, state: str) -> dict:
        return {"final": state != "working"}


def make_app(url: str):
    card = AgentCard(
        name="py03",
        description="Plays scenarios on a2a-sdk 0.3.",
        url=f"{url}/",
        version="1.0.0",
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain", "text/csv"],
        default_output_modes=["text/plain", "application/json", "text/csv"],
        skills=[AgentSkill(id="play", name="Play", description="Plays a scenario.", tags=["test"])],
    )
    return A2AStarletteApplication(card, DefaultRequestHandler(Executor(), InMemoryTaskStore())).build()


serve_agent(make_app)
