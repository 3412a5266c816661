"""An A2A 1.0 agent without a framework: it counts the words of a message."""
import json
import os
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(os.environ.get("PORT", "8090"))
CARD = {
    "name": "Word counter", "description": "Counts words.", "version": "1.0.0", "capabilities": {},
    "skills": [{"id": "count", "name": "Count words", "description": "Counts words.", "tags": ["text"]}],
    "supportedInterfaces": [{"url": f"http://127.0.0.1:{PORT}/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
    "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
}

def answer(text):
    return f"{len(text.split())} words, {len(text)} characters"

# What needs stored tasks or streams, which this agent doesn't have.
CODES = {"GetTask": -32001, "CancelTask": -32001, "SendStreamingMessage": -32004, "GetExtendedAgentCard": -32004}
REASONS = {-32001: "TASK_NOT_FOUND", -32004: "UNSUPPORTED_OPERATION", -32009: "VERSION_NOT_SUPPORTED"}

class Refused(Exception):
    """Its argument is the code of an error."""

def handle(call, version):
    """Returns the result of a call."""
    if not isinstance(call, dict) or call.get("jsonrpc") != "2.0" or not isinstance(call.get("method"), str):
        raise Refused(-32600)
    if version.split(".")[:2] != ["1", "0"]:
        raise Refused(-32009)
    if call["method"] == "ListTasks":
        return {"tasks": [], "nextPageToken": "", "pageSize": 50, "totalSize": 0}
    if call["method"] != "SendMessage":
        raise Refused(CODES.get(call["method"], -32601))
    params = call.get("params")
    message = params.get("message") if isinstance(params, dict) else None
    if not isinstance(message, dict) or not all(message.get(name) for name in ("messageId", "role", "parts")):
        raise Refused(-32602)
    if message["role"] != "ROLE_USER":
        raise Refused(-32602)
    if message.get("taskId"):
        raise Refused(-32001)
    return {"message": {"messageId": str(uuid.uuid4()), "contextId": message.get("contextId") or str(uuid.uuid4()),
                        "role": "ROLE_AGENT", "parts": [{"text": answer(message["parts"][0].get("text", ""))}]}}

def respond(body, version):
    """Returns the JSON-RPC response to a body."""
    call = None
    try:
        call = json.loads(body)
        content = {"result": handle(call, version)}
    except (Refused, ValueError, RecursionError) as error:
        code = error.args[0] if isinstance(error, Refused) else -32700
        reason = REASONS.get(code, "INVALID_REQUEST")
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "a2a-protocol.org"}
        content = {"error": {"code": code, "message": reason, "data": [info]}}
    return {"jsonrpc": "2.0", "id": call.get("id") if isinstance(call, dict) else None, **content}

class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply(CARD) if self.path == "/.well-known/agent-card.json" else self.send_error(404)
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.reply(respond(body, self.headers.get("A2A-Version", "0.3")))
    def reply(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

if __name__ == "__main__":
    print(f"Listening on http://127.0.0.1:{PORT}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Agent).serve_forever()
