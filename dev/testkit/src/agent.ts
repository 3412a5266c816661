import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { SimpleA2ARequest, SimpleA2AResponse } from "@crosszone/contracts";
import { serve } from "./servers/temporary.ts";

/** A request to an agent. */
export interface AgentRequest {
  /** The `task_id` in the older protocol. */
  readonly id: string;
  /** Empty in the older protocol, which has no methods. */
  readonly method: string;
  /** Text of the first part of the message. Empty without a message. */
  readonly text: string;
  /** Undefined for a poll. */
  readonly messageId: string | undefined;
  readonly files: readonly SentFile[];
  readonly headers: IncomingHttpHeaders;
  /** Whether the client disconnected before the answer. */
  readonly left: boolean;
}

/** A file part of A2A 0.3. */
export interface SentFile {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes?: string;
  readonly uri?: string;
}

/**
 * Returns the agent's answer to a text, or undefined while its task is running, which only the newer protocol has. `method` is `message/send` or the
 * method of the poll. An error that it throws becomes the failure of the protocol.
 */
export type AgentWork = (
  text: string,
  method: string,
  files: readonly SentFile[],
) => string | undefined | Promise<string | undefined>;

/** The body of a request, in A2A or simple-a2a. */
export interface AgentCall {
  readonly id: string;
  readonly method: string;
  readonly task_id?: string;
  readonly params: {
    readonly message?: {
      readonly messageId: string;
      readonly contextId?: string;
      readonly parts: readonly { text: string; file?: SentFile }[];
    };
  };
}

/** Writes each response by itself, for example a wrong one. */
export interface AgentReplies {
  /** Returns the card for the agent's URL. Without it, the card is a 404. */
  readonly card?: (url: string) => object;
  readonly answer: (call: AgentCall, response: ServerResponse) => unknown;
}

export type TestAgent = Awaited<ReturnType<typeof startAgent>>;

/**
 * Starts an agent on a free port of loopback. With a function, it answers with its result, in the protocol of the request: A2A over JSON-RPC, or
 * the older one. Ends with the test.
 */
export async function startAgent(behaves: AgentWork | AgentReplies) {
  const requests: (AgentRequest & { left: boolean })[] = [];
  const calls: AgentCall[] = [];
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("content-type", "application/json");
    if (request.method === "GET") {
      const card = typeof behaves === "function" ? undefined : behaves.card?.(url);
      response.writeHead(card === undefined ? 404 : 200).end(JSON.stringify(card));
      return;
    }
    const body = (await json(request)) as AgentCall | SimpleA2ARequest;
    calls.push(body as AgentCall);
    if (typeof behaves !== "function") return void behaves.answer(body as AgentCall, response);
    const asked = { ...readRequest(body), headers: request.headers, left: false };
    requests.push(asked);
    response.once("close", () => (asked.left = !response.writableFinished));
    const { id, text, method, files } = asked;
    const said = await Promise.try(behaves, text, method, files).catch((error: unknown) => error as Error);
    response.end(JSON.stringify(isOlder(body) ? olderAnswer(id, said) : a2aAnswer(id, said)));
  }
  const origin = await serve(handle);
  const url = `${origin}/a2a`;
  return { origin, url, requests: requests as readonly AgentRequest[], calls: calls as readonly AgentCall[] };
}

const isOlder = (body: AgentCall | SimpleA2ARequest): body is SimpleA2ARequest => "task_id" in body;

function readRequest(body: AgentCall | SimpleA2ARequest): Omit<AgentRequest, "headers" | "left"> {
  if (isOlder(body)) {
    const { text } = body.input as { readonly text?: string };
    return { id: body.task_id, method: "", text: text ?? JSON.stringify(body.input), messageId: undefined, files: [] };
  }
  const { messageId, parts = [] } = body.params.message ?? {};
  const files = parts.flatMap(({ file }) => file ?? []);
  return { id: body.id, method: body.method, text: parts[0]?.text ?? "", messageId, files };
}

function a2aAnswer(id: string, said: string | Error | undefined): object {
  if (said instanceof Error) return { jsonrpc: "2.0", id, error: { code: -32000, message: said.message } };
  const parts = [{ kind: "text", text: said }];
  const ended = { status: { state: "completed" }, artifacts: [{ artifactId: "1", parts }] };
  const result = said === undefined ? { status: { state: "working" } } : ended;
  return { jsonrpc: "2.0", id, result: { kind: "task", id: "remote", contextId: "context", ...result } };
}

const olderAnswer = (task_id: string, said: string | Error | undefined): SimpleA2AResponse =>
  typeof said === "string"
    ? { task_id, status: "success", output: { text: said }, error: null }
    : { task_id, status: "error", output: null, error: said?.message ?? "It has no tasks to follow." };
