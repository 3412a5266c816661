"""A simple-a2a agent: it counts the words of a text."""
import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(os.environ.get("PORT", "8090"))


def answer(text):
    words = re.findall(r"[^\W\d_]+", text)
    if not words:
        raise ValueError("This text has no words.")
    return f"{len(words)} words, {len(text)} characters"


def run(input):
    try:
        return {"status": "success", "output": {"text": answer(input["text"])}, "error": None}
    except ValueError as error:
        return {"status": "error", "output": None, "error": str(error)}


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        task = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"task_id": task["task_id"], **run(task["input"])}).encode())


if __name__ == "__main__":
    print(f"Listening on http://127.0.0.1:{PORT}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Agent).serve_forever()
