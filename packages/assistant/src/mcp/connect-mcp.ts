import { Client, isInputRequiredResult } from "@modelcontextprotocol/client";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import {
  hopsMeta,
  type McpAnswer,
  type McpAnswers,
  type McpAsking,
  type McpDefinition,
  type McpLimits,
  type McpServer,
} from "./mcp-server.ts";
import { McpFailure, mcpFailureOf } from "./mcp-failure.ts";
import { type McpLink, openLink } from "./open-link.ts";

/** Maximum number of tools read from a server. */
const mostTools = 200;

/** The longest error text passed to the model, characters. */
const longestRefusal = 500;

/** An open session with a server. Each method rejects with the signal's reason or an `McpFailure`. */
export interface McpConnection {
  readonly list: (signal: AbortSignal) => Promise<McpDefinition[]>;
  readonly call: (tool: McpDefinition, input: unknown, call: McpCall) => Promise<McpAnswer | McpAsking>;
  /** Ends the session and aborts pending requests. Never rejects. */
  readonly close: () => Promise<void>;
}

export interface McpCall {
  readonly signal: AbortSignal;
  /** Present when the server asked something in an earlier round of the call. */
  readonly answers?: McpAnswers | undefined;
  /** How often the question is passed on with this call. */
  readonly hops: number;
}

/** Connects to a server of either era. Rejects with the signal's reason or an `McpFailure`. */
export async function connectMcp(server: McpServer, limits: McpLimits, signal: AbortSignal): Promise<McpConnection> {
  // Silence of a program means that it doesn't know the question.
  const probe = { timeoutMs: "url" in server.reach ? longest : limits.connectMs / 2 };
  const client = new Client(
    { name: "crosszone", version: "1" },
    { versionNegotiation: { mode: "auto", probe }, capabilities: { elicitation: { form: {} } } },
  );
  let asked = 0;
  // Only servers of 2025 ask this way, and wait on the connection. No process waits for people on a connection.
  client.setRequestHandler("elicitation/create", () => {
    asked += 1;
    return { action: "decline" as const };
  });
  let link: McpLink | undefined;
  await inTime({ ms: limits.connectMs, signal }, async (late) => {
    link = await openLink(server, limits);
    try {
      await client.connect(link.transport, { signal: late, timeout: longest });
    } catch (error) {
      late.throwIfAborted();
      if (!link.endsAtProbe(error)) throw error;
      await link.close();
      link = await openLink(server, limits);
      await client.connect(link.transport, { signal: late, timeout: longest, prior: { kind: "legacy" } });
    }
  }).catch(async (error: unknown) => {
    await link?.close();
    throw error;
  });
  const hidden = async <T>(given: T): Promise<T> => withoutToken(given, await link?.readToken());
  return {
    list: async (during) =>
      hidden(await inTime({ ms: limits.connectMs, signal: during }, (late) => listAll(client, late))),
    call: async ({ name, inputSchema }, input, { signal: during, answers, hops }) => {
      const before = asked;
      const called = inTime({ ms: server.callMs, signal: during }, async (late): Promise<McpAnswer | McpAsking> => {
        const again = answers && { inputResponses: answers.responses, requestState: answers.state };
        const params = { name, arguments: input as Record<string, unknown>, _meta: { [hopsMeta]: hops }, ...again };
        // A server of 2026-07-28 marks in the schema which arguments it also wants as headers.
        const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
        const options = { signal: late, timeout: longest, toolDefinition, allowInputRequired: true };
        const result: unknown = await client.callTool(params, options);
        if (!isInputRequiredResult(result)) return { ...(result as McpAnswer), hasAsked: asked > before };
        return { requests: result.inputRequests ?? {}, state: result.requestState } as McpAsking;
      });
      return hidden(await called.catch(refusalOf));
    },
    close: async () => link?.close(),
  };
}

/** Replaces the client's own timeout, milliseconds: ours ends each request. */
const longest = 2 ** 31 - 1;

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
  try {
    return await withTimeout(ms, work, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TimeLimitError ? new McpFailure(`no answer within ${ms} ms`) : mcpFailureOf(error);
  }
}

/** Reads page by page: the client's own way writes the server's words to the console. */
async function listAll(client: Client, signal: AbortSignal): Promise<McpDefinition[]> {
  const found: McpDefinition[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const { tools, nextCursor } = await client.request({ method: "tools/list", params }, { signal, timeout: longest });
    for (const { name, description = "", inputSchema, annotations = {} } of tools)
      found.push({ name, description, inputSchema, annotations });
    cursor = nextCursor;
  } while (cursor !== undefined && found.length < mostTools);
  return found.slice(0, mostTools);
}
