"""Plays the scenarios of scenarios.json, whatever the version of the SDK."""

import asyncio
import hashlib
import json
import pathlib
import socket

import uvicorn
from starlette.responses import JSONResponse
from starlette.routing import Route

SCENARIOS = json.loads((pathlib.Path(__file__).parent / "scenarios.json").read_text())
JOURNAL: list[dict] = []


def cancel_scenario(task_id: str) -> None:
    """Records a cancellation; the SDK ends the coroutine that plays."""
    JOURNAL.append({"taskId": task_id, "canceled": True})


async def play_scenario(turn: dict, stage) -> None:
    """Plays the scenario that the message names. `turn`: text, taskId, contextId, continued, files (name, type, bytes)."""
    JOURNAL.append({key: turn[key] for key in ("text", "taskId", "contextId", "continued")})
    unknown = [{"message": f"Unknown scenario: {turn['text']}"}]
    steps = SCENARIOS.get(turn["text"]) or (SCENARIOS["continued"] if turn["continued"] else unknown)
    if not turn["continued"] and not {"message", "throws"} & steps[0].keys():
        await stage.begin()
    for step in steps:
        if "wait" in step:
            await asyncio.sleep(step["wait"])
        if "message" in step:
            await stage.message(filled(step["message"], turn))
        if "status" in step:
            await stage.status(step["status"], step.get("says"))
        if "artifact" in step:
            chunk = step["artifact"]
            parts = [{"text": filled(p["text"], turn)} if "text" in p else p for p in chunk["parts"]]
            await stage.artifact({**chunk, "parts": parts})
        if "throws" in step:
            raise RuntimeError(step["throws"])


def filled(template: str, turn: dict) -> str:
    files = "; ".join(f"{n} {t} {len(b)} {hashlib.sha256(b).hexdigest()}" for n, t, b in turn["files"])
    return template.replace("{text}", turn["text"]).replace("{files}", files)


def serve_agent(make_app) -> None:
    """Serves `make_app(url)` on a free port of loopback and prints the URL as a line of JSON."""
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app = make_app(url)
    app.router.routes.append(Route("/journal", lambda _request: JSONResponse(JOURNAL)))
    print(json.dumps({"url": url}), flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
