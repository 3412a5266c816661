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

// What needs stored tasks or streams, which this agent doesn't have.
const codes = { GetTask: -32001, CancelTask: -32001, SendStreamingMessage: -32004, GetExtendedAgentCard: -32004 };
const reasons = { "-32001": "TASK_NOT_FOUND", "-32004": "UNSUPPORTED_OPERATION", "-32009": "VERSION_NOT_SUPPORTED" };

/** Returns the result of a call; throws the code of an error. */
function handle({ jsonrpc, method, params }, version = "0.3") {
  if (jsonrpc !== "2.0" || typeof method !== "string") throw -32600;
  if (!/^1\.0(\.|$)/.test(version)) throw -32009;
  if (method === "ListTasks") return { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
  if (method !== "SendMessage") throw codes[method] ?? -32601;
  const { messageId, contextId = randomUUID(), taskId, role, parts } = params?.message ?? {};
  if (!messageId || role !== "ROLE_USER" || !parts?.length) throw -32602;
  if (taskId) throw -32001;
  const said = [{ text: answer(parts[0].text ?? "") }];
  return { message: { messageId: randomUUID(), contextId, role: "ROLE_AGENT", parts: said } };
}

/** Returns the JSON-RPC response to a body. */
function respond(body, version) {
  let id = null;
  try {
    const call = JSON.parse(body);
    id = call.id ?? null;
    return { jsonrpc: "2.0", id, result: handle(call, version) };
  } catch (thrown) {
    const code = typeof thrown === "number" ? thrown : -32700;
    const reason = reasons[code] ?? "INVALID_REQUEST";
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
    return { jsonrpc: "2.0", id, error: { code, message: reason, data: [info] } };
  }
}

createServer(async (request, response) => {
  const isCard = request.method === "GET" && request.url === "/.well-known/agent-card.json";
  const body = isCard ? card : respond(await text(request), request.headers["a2a-version"]);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}).listen(port, "127.0.0.1", () => console.log(`Listening on http://127.0.0.1:${port}`));
