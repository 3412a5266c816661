import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  type ElicitRequest,
  type ElicitResult,
  ElicitResultSchema,
  ListToolsRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { answering, serve } from "@crosszone/testkit/temporary";
import { fingerprintOf, type McpDefinition, type McpPins, type McpToolState } from "../mcp/read-tools.ts";

/** A call as received by the server. `closed` aborts when the client aborts the request. */
interface McpServerCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly closed: AbortSignal;
  /** Asks the person something during the call. */
  readonly ask: (params: ElicitRequest["params"]) => Promise<ElicitResult>;
}

export type TestMcpServer = Awaited<ReturnType<typeof startMcpServer>>;

export interface McpServerBehavior {
  readonly tools: Tool[];
  /** The required token. */
  readonly token?: string;
  readonly call?: (call: McpServerCall) => Promise<CallToolResult>;
  /** Answers in place of the server when it returns true. */
  readonly intercept?: (method: string, response: ServerResponse, id: unknown) => boolean;
}

/** A tool whose input is a text. */
export function mcpTool(name: string, members: Partial<Tool> = {}): Tool {
  const inputSchema = { type: "object" as const, properties: { text: { type: "string" } } };
  return { name, description: `Does ${name}.`, inputSchema, ...members };
}

/** Starts a server of the official SDK on loopback, over Streamable HTTP with sessions. Ends with the test. */
export async function startMcpServer(behavior: McpServerBehavior) {
  const { tools, token, intercept, call = async () => ({ content: [{ type: "text", text: "ok" }] }) } = behavior;
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const sessions = new Set<string>();
  const http = createServer(answering(answer));
  const server = {
    url: `${await serve(http)}/mcp`,
    /** The listed tools; may be changed. */
    tools,
    calls: [] as McpServerCall[],
    /** Each request, as `POST initialize`, and its headers. */
    requests: [] as { readonly line: string; readonly headers: IncomingMessage["headers"] }[],
    /** Open sessions. */
    sessions: sessions as ReadonlySet<string>,
    /** Ends it before the end of the test. */
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
    },
  };

  let closing = new AbortController();
  async function open(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        sessions.add(id);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const mcp = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
    mcp.setRequestHandler(ListToolsRequestSchema, () => ({ tools: server.tools }));
    mcp.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: input = {} } }, { sendRequest }) => {
      const ask: McpServerCall["ask"] = (params) =>
        sendRequest({ method: "elicitation/create", params }, ElicitResultSchema);
      const made = { name, input, closed: closing.signal, ask };
      server.calls.push(made);
      return call(made);
    });
    await mcp.connect(transport);
    return transport;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = (text === "" ? {} : JSON.parse(text)) as { readonly method?: string; readonly id?: unknown };
    if (body.method === "tools/call") {
      const cut = (closing = new AbortController());
      response.once("close", () => cut.abort());
    }
    server.requests.push({ line: `${request.method} ${body.method ?? ""}`.trim(), headers: request.headers });
    if (intercept?.(body.method ?? "", response, body.id) === true) return;
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      return void response.writeHead(401).end(`no such token: ${request.headers.authorization ?? ""}`);
    const known = transports.get(String(request.headers["mcp-session-id"]));
    await (known ?? (await open())).handleRequest(request, response, body);
  }

  return server;
}

/** Pins in memory, which behave like those in the zone's database. */
export function memoryPins(): McpPins & { readonly approve: (server: string) => void } {
  const pinned = new Map<string, Map<string, string>>();
  const lists = new Map<string, Map<string, string>>();
  const printsOf = (listed: readonly McpDefinition[]) => new Map(listed.map((one) => [one.name, fingerprintOf(one)]));
  return {
    approve: (server) => void pinned.set(server, lists.get(server) ?? new Map()),
    observe: async (server, { tools: listed }) => {
      lists.set(server, printsOf(listed));
      const pins = pinned.get(server) ?? printsOf(listed);
      pinned.set(server, pins);
      const stateOf = ({ name }: McpDefinition): McpToolState => (pins.has(name) ? "changed" : "new");
      return new Map(
        listed.map((one) => [one.name, pins.get(one.name) === fingerprintOf(one) ? "pinned" : stateOf(one)]),
      );
    },
  };
}
