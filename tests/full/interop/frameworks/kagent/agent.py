"""A LangGraph graph behind kagent's own executor. It deletes files, each after an approval."""

import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from unittest.mock import MagicMock

# What kagent reports and stores in its cluster; its packages for that are not published.
CLUSTER = ("grpc", "kagent.api", "kagent.config", "kagent.runtime", "opentelemetry", "protovalidate")


class Absent(MetaPathFinder, Loader):
    def find_spec(self, name, path, target=None):
        return ModuleSpec(name, self, is_package=True) if name.startswith(CLUSTER) else None

    def create_module(self, spec):
        return MagicMock(name=spec.name, __spec__=spec, __path__=[])

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Absent())

import uvicorn
from a2a.server.request_handlers import DefaultRequestHandlerV2
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import AgentCapabilities, AgentCard, AgentInterface
from kagent.core.a2a import attach_hitl_agent_extension
from kagent.langgraph import LangGraphAgentExecutor
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import interrupt
from starlette.applications import Starlette

PORT = int(os.environ["PORT"])
runs = 0


def delete(state):
    global runs
    paths = state["messages"][-1].content.split()
    calls = [{"id": f"call-{path}", "name": "delete_file", "args": {"path": path}} for path in paths]
    decision = interrupt({"action_requests": calls})
    runs += 1
    said = [
        f"{path}: {'deleted' if one['approved'] else one.get('rejection_reason', 'kept')}"
        for path, one in zip(paths, decision["approvals"], strict=True)
    ]
    return {"messages": [AIMessage(f"{', '.join(said)}; run {runs}")]}


graph = StateGraph(MessagesState).add_node("delete", delete).add_edge(START, "delete")
card = AgentCard(
    name="deleter",
    description="Deletes files.",
    version="1.0.0",
    supported_interfaces=[
        AgentInterface(url=f"http://127.0.0.1:{PORT}/a2a", protocol_binding="JSONRPC", protocol_version="1.0")
    ],
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=["text/plain"],
    default_output_modes=["text/plain"],
)
executor = LangGraphAgentExecutor(graph=graph.compile(checkpointer=InMemorySaver()), app_name="deleter")
handler = DefaultRequestHandlerV2(executor, InMemoryTaskStore(), attach_hitl_agent_extension(card))
routes = [*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/a2a")]
uvicorn.run(Starlette(routes=routes), host="127.0.0.1", port=PORT, log_level="warning")
