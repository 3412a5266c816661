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

def handle(request):
    if request["method"] != "SendMessage":
        return {"error": {"code": -32601, "message": "Method not found"}}
    message = request["params"]["message"]
    artifact = {"artifactId": "answer", "parts": [{"text": answer(message["parts"][0]["text"])}]}
    return {"result": {"task": {"id": str(uuid.uuid4()), "contextId": message.get("contextId"),
                                "status": {"state": "TASK_STATE_COMPLETED"}, "artifacts": [artifact]}}}

class Agent(BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply(CARD) if self.path == "/.well-known/agent-card.json" else self.send_error(404)
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.reply({"jsonrpc": "2.0", "id": request["id"], **handle(request)})
    def reply(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

if __name__ == "__main__":
    print(f"Listening on http://127.0.0.1:{PORT}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Agent).serve_forever()
