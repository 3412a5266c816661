/** An A2A 1.0 agent that asks an OpenAI-compatible model. The API key it has is in its own environment. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

// oxlint-disable-next-line node/no-process-env -- it is a program of its own
const { PORT, OPENAI_BASE_URL, OPENAI_API_KEY } = process.env;
const url = `http://127.0.0.1:${PORT}/`;
const prompt = "You are terse.";

const card = {
  name: "Model agent",
  description: "Asks a model.",
  version: "1.0.0",
  capabilities: {},
  skills: [{ id: "ask", name: "Ask", description: "Asks a model.", tags: ["text"] }],
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
};

async function askModel(text, id) {
  const stream = text.startsWith("stream");
  const messages = [
    { role: "system", content: prompt },
    { role: "user", content: text },
  ];
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` },
    // Differs in each conversation.
    body: JSON.stringify({ model: "demo", stream, messages, user: id }),
  });
  if (!response.ok) return `The model refused: ${(await response.json()).error.message}`;
  if (!stream) return (await response.json()).choices[0].message.content;
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "").join("");
}

createServer(async (request, response) => {
  response.setHeader("content-type", "application/json");
  if (request.method === "GET") return response.end(JSON.stringify(card));
  const { id, params } = await json(request);
  const { contextId, parts } = params.message;
  const artifacts = [{ artifactId: "answer", parts: [{ text: await askModel(parts[0].text, contextId) }] }];
  const task = { id, contextId, status: { state: "TASK_STATE_COMPLETED" }, artifacts };
  return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { task } }));
}).listen(Number(PORT), "127.0.0.1");
