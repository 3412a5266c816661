import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { agentCard } from "../agents/dialects.ts";
import { listen, serveCommands } from "../kit/commands.ts";
import { orderOf, sharedNow, tokenOf, tokensPerSecond, type StreamOrder } from "./streams.ts";

/** The process that all tokens come from: an A2A agent, a model server and a bare stream of events, in one server. */
const firstTokens: Record<number, number> = {};
let url = "";
let tokens = 0;

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "";
  if (path.endsWith("/agent-card.json"))
    return json(response, { ...agentCard(`${url}/`), capabilities: { streaming: true } });
  if (path === "/v1/models") return json(response, { object: "list", data: [{ id: "tokens" }] });
  const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  const order = orderOf(path.startsWith("/events/") ? decodeURIComponent(path) : body);
  if (order === undefined) return void response.writeHead(404).end();
  const { id } = (body === "" ? {} : JSON.parse(body)) as { id?: unknown };
  stream(response, order, path.startsWith("/v1/") ? openAiDialect() : a2aDialect(id ?? order.n));
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** Sends each token as its own event when it is due; late tokens are sent at once. */
function stream(response: ServerResponse, order: StreamOrder, { begin, token, end }: Dialect): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(begin);
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(order.tokens, Math.floor(((performance.now() - startedAt) * tokensPerSecond) / 1_000));
    if (sent === 0 && due > 0) firstTokens[order.n] = sharedNow();
    tokens += due - sent;
    for (; sent < due; sent += 1) response.write(token(tokenOf(order, sent), sent));
    if (sent < order.tokens) return;
    clearInterval(timer);
    response.end(end);
  }, 1_000 / tokensPerSecond);
  response.once("close", () => clearInterval(timer));
}

/** How the source writes a stream: the beginning, each token, and the end. Each is the text of whole events. */
interface Dialect {
  readonly begin: string;
  readonly token: (text: string, index: number) => string;
  readonly end: string;
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** A task of an A2A 1.0 agent. https://a2a-protocol.org/v1.0.0/specification/ */
function a2aDialect(id: unknown): Dialect {
  const ids = { taskId: `remote-${String(id)}`, contextId: "c1" };
  const result = (value: object): string => event({ jsonrpc: "2.0", id, result: value });
  const status = (state: string) => ({ status: { state: `TASK_STATE_${state}` } });
  return {
    begin: result({ task: { id: ids.taskId, contextId: ids.contextId, ...status("WORKING") } }),
    token: (text, index) => {
      const artifact = { artifactId: "a1", parts: [{ text }] };
      return result({ artifactUpdate: { ...ids, artifact, append: index > 0 } });
    },
    end: result({ statusUpdate: { ...ids, ...status("COMPLETED") } }),
  };
}

/** A chat completion of a server with OpenAI's API. https://platform.openai.com/docs/api-reference/chat-streaming */
function openAiDialect(): Dialect {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "tokens" };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const choice = (delta: object, finish_reason: string | null = null) =>
    event({ ...chunk, choices: [{ index: 0, delta, finish_reason }] });
  return {
    begin: choice({ role: "assistant", content: "" }),
    token: (content) => choice({ content }),
    end: `${choice({}, "stop")}${event({ ...chunk, choices: [], usage })}data: [DONE]\n\n`,
  };
}

serveCommands({
  listen: async () => {
    url = await listen(server);
    return url;
  },
  /** When each stream had its first token, by the shared clock, milliseconds. */
  firstTokens: () => firstTokens,
  /** How many tokens all streams have sent. */
  tokens: () => tokens,
});
