import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request that an agent got, JSON-RPC. */
export interface AgentRequest {
  readonly id: string;
  readonly method: string;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpAgent {
  readonly url: string;
  readonly origin: string;
  readonly requests: readonly AgentRequest[];
}

/** An agent that speaks A2A over HTTP on a free port of loopback and answers what a function makes of the text. Ends with the test. */
export async function startHttpAgent(answer: (text: string) => string | Promise<string>): Promise<HttpAgent> {
  const requests: AgentRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
      id: string;
      method: string;
      params: { message: { parts: { text: string }[] } };
    };
    const text = params.message.parts[0]?.text ?? "";
    requests.push({ id, method, text, headers: request.headers });
    const parts = [{ kind: "text", text: await answer(text) }];
    const result = {
      kind: "task",
      id: "remote",
      contextId: "context",
      status: { state: "completed" },
      artifacts: [{ artifactId: "1", parts }],
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
