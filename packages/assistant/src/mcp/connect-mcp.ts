import { createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import type { McpAnswer, McpDefinition, McpLimits, McpServer } from "./mcp-server.ts";
import { boundedFetch, McpFailure, mcpFailureOf } from "./mcp-transport.ts";

/** Maximum number of tools read from a server. */
const mostTools = 200;

/** The longest error text passed to the model, characters. */
const longestRefusal = 500;

/** An open session with a server. Each method rejects with the signal's reason or an `McpFailure`. */
export interface McpConnection {
  readonly list: (signal: AbortSignal) => Promise<McpDefinition[]>;
  readonly call: (tool: McpDefinition, input: unknown, signal: AbortSignal) => Promise<McpAnswer>;
  /** Ends the session and aborts pending requests. Never rejects. */
  readonly close: () => Promise<void>;
}

export interface McpWay {
  /** Allows or refuses each address. */
  readonly fetch: typeof globalThis.fetch;
  readonly limits: McpLimits;
}

/** Connects to a server. Rejects with the signal's reason or an `McpFailure`. */
export async function connectMcp(
  { url, readToken }: McpServer,
  { fetch, limits }: McpWay,
  signal: AbortSignal,
): Promise<McpConnection> {
  let token: string | undefined;
  const client = await inTime({ ms: limits.connectMs, signal }, async (late) => {
    token = await readToken();
    return createMCPClient({
      transport: {
        type: "http",
        url,
        redirect: "error",
        fetch: boundedFetch(fetch, limits.mostBytes),
        headers: token === undefined ? undefined : { authorization: `Bearer ${token}` },
      },
      clientName: "crosszone",
      initializationOptions: { signal: late },
      // Ignores everything that a server sends besides its answers. The client's default does too, but undocumented.
      onUncaughtError: () => undefined,
    });
  });
  return {
    list: async (during) =>
      withoutToken(await inTime({ ms: limits.connectMs, signal: during }, (late) => listAll(client, late)), token),
    call: async (tool, input, during) => {
      const called = inTime({ ms: limits.callMs, signal: during }, (late): Promise<McpAnswer> => {
        // A server of 2026-07-28 marks in the schema which arguments it also wants as headers.
        client.toolsFromDefinitions({ tools: [{ ...tool, inputSchema: { ...tool.inputSchema } }] });
        const options = { signal: late };
        return client.callTool({ name: tool.name, arguments: input as Record<string, unknown>, options });
      });
      return withoutToken(await called.catch(refusalOf), token);
    },
    close: () => client.close().catch(() => undefined),
  };
}

/** A refused call is an answer, too: the model can correct its arguments. */
function refusalOf(error: unknown): McpAnswer {
  if (!(error instanceof McpFailure) || error.said === undefined) throw error;
  const text = `The server refused the call: ${error.said.slice(0, longestRefusal).toWellFormed()}`;
  return { content: [{ type: "text", text }], isError: true };
}

/** Returns a server's data without the token. Many servers repeat the token in errors. */
function withoutToken<T>(given: T, token: string | undefined): T {
  if (token === undefined) return given;
  return JSON.parse(JSON.stringify(given).replaceAll(JSON.stringify(token).slice(1, -1), "[redacted]")) as T;
}

interface Bound {
  readonly ms: number;
  readonly signal: AbortSignal;
}

async function inTime<T>({ ms, signal }: Bound, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const timeout = AbortSignal.timeout(ms);
  try {
    return await work(AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new McpFailure(`no answer within ${ms} ms`);
    throw error instanceof McpFailure ? error : mcpFailureOf(error);
  }
}

async function listAll(client: MCPClient, signal: AbortSignal): Promise<McpDefinition[]> {
  const found: McpDefinition[] = [];
  let cursor: string | undefined;
  do {
    const { tools, nextCursor } = await client.listTools({
      ...(cursor !== undefined && { params: { cursor } }),
      options: { signal },
    });
    for (const { name, description = "", inputSchema, annotations = {} } of tools)
      found.push({ name, description, inputSchema, annotations });
    cursor = nextCursor;
  } while (cursor !== undefined && found.length < mostTools);
  return found.slice(0, mostTools);
}
