"""Prints the agent card of a host as the official Python SDK reads it, and what the SDK says when a program wants to call that agent."""

import asyncio
import json
import sys

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import AgentCard
from google.protobuf.json_format import MessageToDict, ParseDict


async def main(url: str) -> None:
    async with httpx.AsyncClient() as http:
        card = await A2ACardResolver(http, url).get_agent_card()
        served = (await http.get(f"{url}/.well-known/agent-card.json")).json()
        # The resolver ignores unknown members; this raises an error for each.
        ParseDict(served, AgentCard(), ignore_unknown_fields=False)
        try:
            ClientFactory(ClientConfig(httpx_client=http)).create(card)
            refusal = ""
        except ValueError as error:
            refusal = str(error)
    options = {"always_print_fields_with_no_presence": False}
    print(json.dumps({"card": MessageToDict(card, **options), "refusal": refusal}))


asyncio.run(main(sys.argv[1]))
