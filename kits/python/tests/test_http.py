"""The card, the limits and the credentials; the process; and the agent as an ASGI application."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from crosszone_agent import Agent

from .client import Client, client_of, params_of, text_of

JSON = {"Content-Type": "application/json"}
CARD = "/.well-known/agent-card.json"
ROOT = Path(__file__).parent.parent


class Http(unittest.TestCase):
    def test_the_card_has_the_url_of_its_request_and_is_cached(self):
        with client_of(lambda *_: "hi") as client:
            first = client.request("GET", "/mounted" + CARD, headers={"Host": "agents.example.com"})
            card = json.loads(first.read())
            again = client.request(
                "GET", "/mounted" + CARD, headers={"Host": "agents.example.com", "If-None-Match": first.headers["ETag"]}
            )
            self.assertEqual(304, again.status)
            head = client.request("HEAD", CARD)
            self.assertEqual((200, b""), (head.status, head.read()))
        self.assertEqual("http://agents.example.com/mounted/", card["url"])
        self.assertEqual(["1.0", "0.3"], [each["protocolVersion"] for each in card["supportedInterfaces"]])
        self.assertEqual([["agent"]], [skill["tags"] for skill in card["skills"]])

    def test_what_is_no_request_of_json_rpc_gets_a_status(self):
        with client_of(lambda *_: "hi", max_body_bytes=1000) as client:
            self.assertEqual(405, client.request("GET", "/").status)
            self.assertEqual(415, client.request("POST", "/", b"{}", {"Content-Type": "text/plain"}).status)
            large = client.request("POST", "/", b" " * 2_000_000, JSON)
            self.assertEqual((413, -32600), (large.status, json.loads(large.read())["error"]["code"]))
            kept = http.client.HTTPConnection("127.0.0.1", client.port, timeout=10)
            for method, path, status in (("POST", "/", 413), ("GET", "/healthz", 200)):
                kept.request(method, path, b"x" * 2_000_000 if status == 413 else None, JSON)
                response = kept.getresponse()
                self.assertEqual(status, response.status)
                response.read()
            chunked = client.request("POST", "/", b"0\r\n\r\n", {**JSON, "Transfer-Encoding": "chunked"})
            self.assertEqual(411, chunked.status)
            health = client.request("GET", "/healthz")
            self.assertEqual({"status": "ok"}, json.loads(health.read()))

    def test_callers_with_different_tokens_do_not_see_each_others_tasks(self):
        with client_of(lambda *_: "hi", token=["one", "other"]) as client:
            one = Client(client.port, {"Authorization": "Bearer one"})
            other = Client(client.port, {"Authorization": "Bearer other"})
            stranger = client.request("POST", "/", b"{}", {**JSON, "Authorization": "Bearer another"})
            self.assertEqual((401, "Bearer"), (stranger.status, stranger.headers["WWW-Authenticate"]))
            self.assertEqual(401, client.request("POST", "/", b"{}", {**JSON, "Authorization": "Basic one"}).status)
            task = one.send("go", {"messageId": "same"})
            self.assertNotEqual(task["id"], other.send("go", {"messageId": "same"})["id"])
            self.assertEqual(-32001, other.call("GetTask", {"id": task["id"]})["error"]["code"])
            self.assertEqual(1, other.call("ListTasks", {})["result"]["totalSize"])
            card = json.loads(client.request("GET", CARD).read())
        self.assertEqual([{"bearer": []}], card["security"])
        with self.assertRaises(ValueError):
            Agent(lambda *_: "hi", name="Tested", description="Is tested.", token="")

    def test_sigterm_lets_a_running_task_end(self):
        program = """if True:
            from crosszone_agent import serve
            def answer(message, task):
                task.progress("begun")
                task.canceled.wait(0.5)
                return "done"
            serve(answer, name="Slow", description="Is slow.", port=0)"""
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        with subprocess.Popen([sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, text=True) as process:
            line = process.stdout.readline().strip()
            self.assertRegex(line, r"^Listening on http://127\.0\.0\.1:\d+$")
            client = Client(int(line.rsplit(":", 1)[1]), {})
            events = client.events("SendStreamingMessage", params_of("go"))
            first = next(events)["task"]
            process.send_signal(signal.SIGTERM)
            *_, last = events
            self.assertEqual("TASK_STATE_COMPLETED", last["statusUpdate"]["status"]["state"], first)
            self.assertEqual(0, process.wait(10))

    def test_a_port_in_use_is_named(self):
        with client_of(lambda *_: "hi") as client:
            program = f"from crosszone_agent import serve; serve(print, name='A', description='B', port={client.port})"
            env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
            ended = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
        self.assertEqual(1, ended.returncode)
        self.assertIn(f"127.0.0.1:{client.port}", ended.stderr)
        self.assertNotIn("Traceback", ended.stderr)


class Asgi(unittest.TestCase):
    def test_a_mounted_agent_answers_and_streams(self):
        def answer(message, task):
            task.write("one ")
            return message.text

        agent = Agent(answer, name="Mounted", description="Is mounted.")
        card = json.loads(self.ask(agent, "GET", CARD)[1])
        self.assertEqual("http://agents.example.com/agent/", card["url"])
        request = {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": params_of("two")}
        _, body = self.ask(agent, "POST", "/", json.dumps(request).encode())
        self.assertEqual("one two", text_of(json.loads(body)["result"]["task"]))
        request = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": params_of("two")}
        _, body = self.ask(agent, "POST", "/", json.dumps(request).encode())
        self.assertEqual(b"TASK_STATE_COMPLETED", body[body.rindex(b"TASK_STATE_") :][:20])
        self.assertEqual(413, self.ask(agent, "POST", "/", b" " * 11_000_000)[0])

    def ask(self, agent: Agent, method: str, path: str, body: bytes = b""):
        headers = [(b"content-type", b"application/json"), (b"host", b"agents.example.com"), (b"a2a-version", b"1.0")]
        scope = {"type": "http", "method": method, "path": path, "root_path": "/agent", "headers": headers}
        sent = []

        async def run():
            bodies = iter([{"type": "http.request", "body": body}])

            async def receive():
                return next(bodies, None) or await asyncio.sleep(10, {"type": "http.disconnect"})

            async def send(message):
                sent.append(message)

            await agent(scope, receive, send)

        asyncio.run(run())
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


if __name__ == "__main__":
    unittest.main()
