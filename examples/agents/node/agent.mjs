// An A2A 1.0 agent without a framework: it counts the words of a message.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const port = Number(process.env.PORT ?? 8091);
const card = {
  name: "Word counter",
  description: "Counts words.",
  version: "1.0.0",
  capabilities: {},
  supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "count", name: "Count words", description: "Counts words.", tags: ["text"] }],
};

const answer = (question) => `${question.split(/\s+/).filter(Boolean).length} words, ${question.length} characters`;

function handle({ method, params }) {
  if (method !== "SendMessage") return { error: { code: -32601, message: "Method not found" } };
  const { contextId = randomUUID(), parts } = params.message;
  const artifacts = [{ artifactId: "answer", parts: [{ text: answer(parts[0].text ?? "") }] }];
  return { result: { task: { id: randomUUID(), contextId, status: { state: "TASK_STATE_COMPLETED" }, artifacts } } };
}

createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    if (request.method === "POST") {
      const call = JSON.parse(await text(request));
      reply(200, { jsonrpc: "2.0", id: call.id, ...handle(call) });
    } else if (request.url === "/.well-known/agent-card.json") reply(200, card);
    else reply(404, {});
  } catch {
    reply(400, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } });
  }
}).listen(port, "127.0.0.1", () => console.log(`Listening on http://127.0.0.1:${port}`));
