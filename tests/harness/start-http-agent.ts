import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request that an agent got, JSON-RPC. */
export interface AgentRequest {
  readonly id: string;
  readonly method: string;
  /** Of the first part of its message; empty for what has none. */
  readonly text: string;
  /** Undefined for what asks after a task. */
  readonly messageId: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Whether its asker left before it was answered. */
  readonly left: boolean;
}

export interface HttpAgent {
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly AgentRequest[];
}

/** What an agent makes of the text of a request; nothing while its task goes on. `method` is `message/send` or what asks after the task. */
export type AgentWork = (text: string, method: string) => string | undefined | Promise<string | undefined>;

/** An agent that speaks A2A over HTTP on a free port of loopback and answers what a function makes of the text. Ends with the test. */
export async function startHttpAgent(answer: AgentWork): Promise<HttpAgent> {
  const requests: (AgentRequest & { left: boolean })[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      id: string;
      method: string;
      params: { message?: { messageId: string; parts: { text: string }[] } };
    };
    const { messageId, parts } = params.message ?? {};
    const text = parts?.[0]?.text ?? "";
    const asked = { id, method, text, messageId, headers: request.headers, left: false };
    requests.push(asked);
    response.once("close", () => (asked.left = !response.writableFinished));
    const said = await answer(text, method);
    const task = { kind: "task", id: "remote", contextId: "context" };
    const result =
      said === undefined
        ? { ...task, status: { state: "working" } }
        : {
            ...task,
            status: { state: "completed" },
            artifacts: [{ artifactId: "1", parts: [{ kind: "text", text: said }] }],
          };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, url: `${origin}/a2a`, requests };
}
