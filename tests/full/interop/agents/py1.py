"""A scenario agent on a2a-sdk 1.x; with INTEROP_COMPAT=1 it serves A2A 0.3 as well."""

import os

from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part, Role, TaskState
from google.protobuf import struct_pb2
from google.protobuf.json_format import ParseDict
from play_scenario import serve_agent
from scenario_executor import ScenarioExecutor
from starlette.applications import Starlette

COMPAT = os.environ.get("INTEROP_COMPAT") == "1"


class Executor(ScenarioExecutor):
    role = Role.ROLE_AGENT

    def out_part(self, part: dict) -> Part:
        if "data" in part:
            return Part(data=ParseDict(part["data"], struct_pb2.Value()))
        if "file" in part:
            file = part["file"]
            return Part(raw=file["text"].encode(), filename=file["name"], media_type=file["type"])
        return Part(text=part["text"])

    def text_of(self, message) -> str:
        return next((p.text for p in message.parts if p.WhichOneof("content") == "text"), "")

    def files_of(self, message) -> list:
        return [(p.filename, p.media_type, p.raw) for p in message.parts if p.WhichOneof("content") == "raw"]

    def state_of(self, state: str) -> int:
        return TaskState.Value("TASK_STATE_" + state.upper().replace("-", "_"))


def make_app(url: str):
    versions = ["1.0", "0.3"] if COMPAT else ["1.0"]
    card = AgentCard(
        name="py1",
        description="Plays scenarios on a2a-sdk 1.x.",
        version="1.0.0",
        supported_interfaces=[
            AgentInterface(url=f"{url}/a2a", protocol_binding="JSONRPC", protocol_version=version)
            for version in versions
        ],
        capabilities=AgentCapabilities(streaming=True),
        default_input_modes=["text/plain", "text/csv"],
        default_output_modes=["text/plain", "application/json", "text/csv"],
        skills=[AgentSkill(id="play", name="Play", description="Plays a scenario.", tags=["test"])],
    )
    handler = DefaultRequestHandler(Executor(), InMemoryTaskStore(), card)
    return Starlette(
        routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/a2a", enable_v0_3_compat=COMPAT)]
    )


serve_agent(make_app)
