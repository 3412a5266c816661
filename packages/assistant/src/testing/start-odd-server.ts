import type { IncomingMessage, ServerResponse } from "node:http";
import { serve } from "@crosszone/testkit/temporary";

/** A request of the client: its method of JSON-RPC, or `GET`, and the id of the last event that it names. */
interface OddRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly session: string | undefined;
  readonly lastEvent: string | undefined;
}

/** A response in place of a result: an HTTP status with a body, the text of a stream, or nothing. */
export type OddAnswer =
  { readonly status: number; readonly body?: unknown } | { readonly stream: string } | "silence" | undefined;

export interface OddBehavior {
  /** The result of `tools/list`, for each cursor. */
  readonly list?: (cursor: unknown) => unknown;
  /** The result of `tools/call`. */
  readonly call?: (params: Readonly<Record<string, unknown>>) => unknown;
  /** The result of `initialize`. */
  readonly initialized?: unknown;
  /** The result of `server/discover`, of a server of 2026-07-28. Without it the server knows `initialize` only. */
  readonly discovered?: unknown;
  /** Answers in place of the server, unless it returns undefined. */
  readonly instead?: (request: OddRequest & { readonly id: unknown }) => OddAnswer;
}

const usual = {
  protocolVersion: "2025-06-18",
  capabilities: { tools: {} },
  serverInfo: { name: "odd", version: "1" },
};
const look = { name: "look", description: "Looks up.", inputSchema: { type: "object", properties: {} } };

/** Starts an MCP server that no SDK stands behind, so that it can say all that is legal, or nearly so. Ends with the test. */
export async function startOddServer(behavior: OddBehavior = {}) {
  const server = { ...behavior, url: "", requests: [] as OddRequest[] };
  let sessions = 0;
  const resultOf = ({ method, params }: OddRequest): unknown => {
    const { list = () => ({ tools: [look] }), call = () => ({ content: [{ type: "text", text: "ok" }] }) } = server;
    const { initialized = usual } = server;
    if (method === "initialize") return initialized;
    if (method === "server/discover") return server.discovered;
    return method === "tools/list" ? list(params["cursor"]) : call(params);
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {
      id,
      method = request.method ?? "",
      params = {},
    } = JSON.parse(Buffer.concat(chunks).toString() || "{}") as {
      readonly id?: unknown;
      readonly method?: string;
      readonly params?: Readonly<Record<string, unknown>>;
    };
    const headerOf = (name: string): string | undefined => request.headers[name]?.toString();
    const asked = { method, params, session: headerOf("mcp-session-id"), lastEvent: headerOf("last-event-id") };
    server.requests.push(asked);
    const send = (status: number, body?: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const instead = server.instead?.({ ...asked, id });
    if (instead === "silence") return;
    if (instead !== undefined && "stream" in instead)
      return void response.writeHead(200, { "content-type": "text/event-stream" }).end(instead.stream);
    if (instead !== undefined) return send(instead.status, instead.body);
    if (request.method !== "POST") return send(request.method === "DELETE" ? 200 : 405);
    if (id === undefined) return send(202);
    const result = resultOf(asked);
    const error = { code: -32_601, message: "Method not found" };
    if (result === undefined) return send(200, { jsonrpc: "2.0", id, error });
    send(
      200,
      { jsonrpc: "2.0", id, result },
      method === "initialize" ? { "mcp-session-id": `s${(sessions += 1)}` } : {},
    );
  }
  server.url = `${await serve((request, response) => void answer(request, response))}/mcp`;
  return server;
}
