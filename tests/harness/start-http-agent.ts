import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { SimpleA2ARequest, SimpleA2AResponse } from "@crosszone/contracts";
import { serve } from "@crosszone/testkit/temporary";

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
  readonly headers: IncomingHttpHeaders;
  /** Whether the client disconnected before the answer. */
  readonly left: boolean;
}

export type HttpAgent = Awaited<ReturnType<typeof startHttpAgent>>;

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

interface AgentBody {
  readonly id: string;
  readonly method: string;
  readonly params: {
    readonly message?: { readonly messageId: string; readonly parts: readonly { text: string; file?: SentFile }[] };
  };
}

/**
 * Starts an agent on a free port of loopback. It answers with the result of a function, in the protocol of the request: A2A over JSON-RPC, or the
 * older one. Ends with the test.
 */
export async function startHttpAgent(answer: AgentWork) {
  const requests: (AgentRequest & { left: boolean })[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as AgentBody | SimpleA2ARequest;
    const { id, method, text, messageId, files } = readRequest(body);
    const asked = { id, method, text, messageId, headers: request.headers, left: false };
    requests.push(asked);
    response.once("close", () => (asked.left = !response.writableFinished));
    const said = await Promise.try(answer, text, method, files).catch((error: unknown) => error as Error);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify("task_id" in body ? olderAnswer(id, said) : a2aAnswer(id, said)));
  };
  const origin = await serve((request, response) => {
    // The agent has no card.
    if (request.method === "GET") response.writeHead(404).end();
    else void handle(request, response);
  });
  return { origin, url: `${origin}/a2a`, requests: requests as readonly AgentRequest[] };
}

function readRequest(
  body: AgentBody | SimpleA2ARequest,
): Pick<AgentRequest, "id" | "method" | "text" | "messageId"> & { readonly files: readonly SentFile[] } {
  if ("task_id" in body) {
    const { text } = body.input as { readonly text?: string };
    return { id: body.task_id, method: "", text: text ?? JSON.stringify(body.input), messageId: undefined, files: [] };
  }
  const { messageId, parts = [] } = body.params.message ?? {};
  const files = parts.flatMap(({ file }) => file ?? []);
  return { id: body.id, method: body.method, text: parts[0]?.text ?? "", messageId, files };
}

function a2aAnswer(id: string, said: string | Error | undefined): object {
  if (said instanceof Error) return { jsonrpc: "2.0", id, error: { code: -32000, message: said.message } };
  const task = { kind: "task", id: "remote", contextId: "context" };
  const result =
    said === undefined
      ? { ...task, status: { state: "working" } }
      : {
          ...task,
          status: { state: "completed" },
          artifacts: [{ artifactId: "1", parts: [{ kind: "text", text: said }] }],
        };
  return { jsonrpc: "2.0", id, result };
}

const olderAnswer = (task_id: string, said: string | Error | undefined): SimpleA2AResponse =>
  typeof said === "string"
    ? { task_id, status: "success", output: { text: said }, error: null }
    : { task_id, status: "error", output: null, error: said?.message ?? "It has no tasks to follow." };
