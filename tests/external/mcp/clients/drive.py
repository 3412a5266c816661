"""What each client is made to do: it lists the tools, calls some of them, cancels a call, and prints what it got as JSON."""

import asyncio
import json
import sys
from importlib.metadata import version

TARGET = json.loads(sys.argv[1])


async def drive(package, lists, call):
    """`lists` returns the names of tools. `call` returns whether the result is an error, and its text."""
    shown = {"version": version(package), "tools": await lists()}
    for name in ("echo", "failing", "slow"):
        shown[name] = await call(f"ask_{name}", {"message": "hi"})
    endless = asyncio.create_task(call("ask_endless", {"message": "go"}))
    await asyncio.sleep(1.5)
    endless.cancel()
    await asyncio.wait([endless])
    # The client stays connected, so that nothing but its cancellation can stop the agent.
    await asyncio.sleep(2)
    shown["again"] = await call("ask_echo", {"message": "again"})
    print(json.dumps(shown))


def text_of(content):
    return "\n".join(block.text for block in content if block.type == "text")
