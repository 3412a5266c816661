import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentOptions, Handler, NodeListener } from "./agent-definition.ts";
import { type AnswerHttp, createAnswerHttp } from "./answer-http.ts";
import type { KitRequest } from "./http-request.ts";
import { createTaskService } from "./tasks/task-service.ts";

/** How long a client may take no bytes of a response, milliseconds. */
const stalledMs = 60_000;

/** A request of Express has more members. */
type NodeRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

function createNodeListener(answer: AnswerHttp): NodeListener {
  return (request, response) => {
    response.on("error", () => undefined);
    answerNode(request, response, answer).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(400, { connection: "close" }).end();
    });
  };
}

async function answerNode(request: NodeRequest, response: ServerResponse, answer: AnswerHttp): Promise<void> {
  const { status, headers, body } = await answer(asHttpRequest(request));
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null || request.method === "HEAD") return void response.end();
  response.flushHeaders();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  response.on("close", () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return void response.end();
    if (response.destroyed) return;
    if (!response.write(value)) await once(response, "drain", { signal: AbortSignal.timeout(stalledMs) });
  }
}

/** Throws a `TypeError` for a request without a valid host. */
function asHttpRequest(request: NodeRequest): KitRequest {
  const scheme = "encrypted" in request.socket ? "https" : "http";
  const path = request.originalUrl ?? request.url ?? "/";
  const url = new URL(`${scheme}://${request.headers.host}${path.startsWith("/") ? path : "/"}`).href;
  const get = (name: string): string | null => {
    const value = request.headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  const parsed = bodyParsedBefore(request);
  // The connection outlives a body that is refused: its client reads why.
  const body = parsed ?? request.iterator({ destroyOnReturn: false });
  return { method: request.method ?? "", url, headers: { get }, body };
}

/** Express may have read the body already: middleware such as `express.json()` leaves it as a value. */
function bodyParsedBefore({ body, readableEnded }: NodeRequest): AsyncIterable<Uint8Array> | undefined {
  if (!readableEnded || body === undefined) return undefined;
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return (async function* () {
    yield bytes;
  })();
}

/** An agent that your own server serves. */
export interface AgentServer {
  /** For servers with the Fetch API, such as Hono: pass it every request below the agent's path. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** For `http.createServer(agent.listener)` and, in Express, `app.use("/path", agent.listener)`. */
  readonly listener: NodeListener;
  /** Refuses new tasks, and resolves when no task works any more. */
  readonly drain: () => Promise<void>;
}

/** Creates an agent. Throws a `TypeError` for invalid options. */
export function createAgent(options: AgentOptions, handler: Handler): AgentServer {
  checkOptions(options, handler);
  const onError = options.onError ?? writeError;
  const service = createTaskService({
    handler,
    maxTasks: options.maxTasks ?? 1_000,
    taskTimeoutMs: options.taskTimeoutMs ?? 15 * 60_000,
    questionTimeoutMs: options.questionTimeoutMs ?? 24 * 60 * 60_000,
    onError,
  });
  const answer = createAnswerHttp(options, service, onError);
  return { fetch: answer, listener: createNodeListener(answer), drain: service.drain };
}

/** Timers of Node count to 2³¹ - 1, and fire at once beyond it. */
const largest = 2 ** 31 - 1;

function checkOptions(options: AgentOptions, handler: Handler): void {
  for (const name of ["name", "description"] as const)
    if (typeof options?.[name] !== "string" || options[name] === "")
      throw new TypeError(`Expected ${name} to be a string that is not empty, got ${JSON.stringify(options?.[name])}.`);
  for (const name of ["maxBodyBytes", "maxTasks", "taskTimeoutMs", "questionTimeoutMs"] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 1 && value <= largest))
      throw new TypeError(`Expected ${name} to be 1 to ${largest}, got ${value}.`);
  }
  if (options.url !== undefined && !/^https?:\/\//.test(options.url))
    throw new TypeError(`Expected a url that starts with http:// or https://, got ${JSON.stringify(options.url)}.`);
  if (typeof handler !== "function")
    throw new TypeError(`Expected the handler to be a function, got ${typeof handler}.`);
}

function writeError(error: unknown, taskId: string): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${taskId === "" ? "A request" : `Task ${taskId}`} failed: ${stack}\n`);
}

export interface ServeOptions extends AgentOptions {
  /** Default: the variable PORT, otherwise 8090. 0 is any free port. */
  readonly port?: number;
  /** Default: the variable HOST, otherwise 127.0.0.1. Use 0.0.0.0 in a container. */
  readonly host?: string;
  /** How long tasks may take to end after SIGTERM, milliseconds (default 25 seconds). */
  readonly stopTimeoutMs?: number;
}

/** An agent that listens. */
export interface RunningAgent {
  readonly url: string;
  /** Refuses new tasks, waits until tasks have ended, at most `stopTimeoutMs`, and closes. */
  readonly stop: () => Promise<void>;
}

/**
 * Serves an agent and prints its URL. SIGTERM and SIGINT stop it: tasks that work may end, then the process exits. A
 * second signal exits at once. Rejects when the port is in use, and with a `TypeError` for invalid options.
 */
export async function serve(options: ServeOptions, handler: Handler): Promise<RunningAgent> {
  const agent = createAgent(options, handler);
  const host = options.host ?? (process.env["HOST"] || "127.0.0.1");
  const port = options.port ?? portOf(process.env["PORT"]);
  const server = createServer({ requestTimeout: 60_000 }, agent.listener);
  server.listen(port, host);
  await once(server, "listening").catch((error: unknown) => {
    throw isInUse(error) ? new Error(`Port ${port} is in use. Set PORT to another one.`, { cause: error }) : error;
  });
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `http://${shown.includes(":") ? `[${shown}]` : shown}:${(server.address() as AddressInfo).port}`;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= close(server, agent, options.stopTimeoutMs ?? 25_000));
  const onSignal = (): void => {
    if (stopping) process.exit(1);
    void stop().then(() => process.exit(0));
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  server.on("close", () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
  });
  process.stdout.write(`Listening on ${url}\n`);
  return { url, stop };
}

/** Clients can still read tasks while the last ones end. */
async function close(server: Server, agent: AgentServer, timeoutMs: number): Promise<void> {
  await Promise.race([agent.drain(), new Promise((resolve) => void setTimeout(resolve, timeoutMs).unref())]);
  const closed = once(server, "close");
  server.close();
  setTimeout(() => server.closeAllConnections(), 1_000).unref();
  await closed;
}

function portOf(text: string | undefined): number {
  if (text === undefined || text === "") return 8090;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new TypeError(`Expected PORT to be a number of 0 to 65535, got ${JSON.stringify(text)}.`);
}

const isInUse = (error: unknown): boolean => (error as { code?: unknown }).code === "EADDRINUSE";
