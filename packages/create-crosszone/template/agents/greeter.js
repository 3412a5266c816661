// An A2A agent without a framework. Edit `answer`: the agent restarts by itself.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const port = Number(process.env.GREETER_PORT ?? 8090);
const answer = (text) => `Hello! You wrote ${text.split(/\s+/).filter(Boolean).length} words: ${text}`;

const card = {
  name: "Greeter",
  description: "Greets, and counts the words of a message.",
  version: "1.0.0",
  capabilities: {},
  supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "greet", name: "Greet", description: "Greets and counts words.", tags: ["text"] }],
};

function handle({ method, params }) {
  if (method !== "SendMessage") return { error: { code: -32601, message: "Method not found" } };
  const { contextId = crypto.randomUUID(), parts } = params.message;
  const artifacts = [{ artifactId: "answer", parts: [{ text: answer(parts[0].text ?? "") }] }];
  const status = { state: "TASK_STATE_COMPLETED" };
  return { result: { task: { id: crypto.randomUUID(), contextId, status, artifacts } } };
}

createServer(async (request, response) => {
  const reply = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  try {
    if (request.method === "POST") {
      const call = await json(request);
      reply(200, { jsonrpc: "2.0", id: call.id, ...handle(call) });
    } else if (request.url === "/.well-known/agent-card.json") reply(200, card);
    else reply(404, {});
  } catch {
    reply(400, { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid request" } });
  }
}).listen(port, process.env.GREETER_HOST ?? "127.0.0.1");
