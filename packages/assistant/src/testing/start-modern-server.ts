import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type CallToolResult,
  createMcpHandler,
  type InputRequiredResult,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { serve } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";

/** A call as received by the server, with the answers to what it asked for. */
export interface ModernCall {
  readonly name: string;
  readonly input: unknown;
  readonly responses: Record<string, unknown> | undefined;
  readonly requestState: unknown;
}

export interface ModernRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Starts a server of the official v2 SDK on loopback, for 2026-07-28. `intercept` answers in its place when it returns true. Ends with the test. */
export async function startModernServer({
  tools,
  call,
  intercept,
}: {
  readonly tools: Tool[];
  readonly call?: (call: ModernCall) => CallToolResult | InputRequiredResult;
  readonly intercept?: (request: ModernRequest, response: ServerResponse) => boolean;
}) {
  const calls: ModernCall[] = [];
  const requests: ModernRequest[] = [];
  const handler = createMcpHandler(
    () => {
      const mcp = new Server({ name: "modern", version: "1" }, { capabilities: { tools: {} } });
      mcp.setRequestHandler("tools/list", () => ({ tools }));
      mcp.setRequestHandler("tools/call", ({ params: { name, arguments: input } }, { mcpReq }) => {
        const made = { name, input, responses: mcpReq.inputResponses, requestState: mcpReq.requestState() };
        calls.push(made);
        return call?.(made) ?? { content: [{ type: "text", text: "ok" }] };
      });
      return mcp;
    },
    { legacy: "reject" },
  );
  const url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method = "GET", headers, url: path = "" } = request;
    const received = { path, headers, text: body };
    requests.push(received);
    if (intercept?.(received, response) === true) return;
    const sent = { method, headers: headers as Record<string, string>, ...(body !== "" && { body }) };
    const answered = await handler.fetch(new Request(`http://${headers.host}${path}`, sent));
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
  });
  onTestFinished(() => handler.close());
  return { url: `${url}/mcp`, calls, requests };
}
