import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import {
  Client,
  isInputRequiredResult,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { McpFailure, mcpFailureOf } from "./mcp-failure.ts";
import {
  hopsMeta,
  type McpAnswer,
  type McpAnswers,
  type McpAsking,
  type McpLimits,
  type McpServer,
} from "./mcp-server.ts";
import { fingerprintOf, type McpDefinition, type McpLeftOut, type McpList } from "./read-tools.ts";
import { type McpLink, openLink } from "./open-link.ts";
import type { ReadResults } from "./read-message.ts";

/** Maximum number of tools read from a server, of pages in a row that bring none, and of tools that are named as left out. */
const most = { tools: 200, emptyPages: 3, leftOut: 50 };

/** The longest error text passed to the model, characters. */
const longestRefusal = 500;

/** An open session with a server. Each method rejects with the signal's reason or an `McpFailure`. */
export type McpConnection = Awaited<ReturnType<typeof connectMcp>>;

/** Connects to a server of either era. Rejects with the signal's reason or an `McpFailure`. */
export async function connectMcp(server: McpServer, limits: McpLimits, signal: AbortSignal) {
  let open = openSession(server, limits, signal);
  const links = [(await open).link];
  /** Works in the session, and once more in a new one when the server has ended it. */
  const inSession = async <T>(
    ms: number,
    during: AbortSignal,
    work: (session: Session, late: AbortSignal) => Promise<T>,
  ) => {
    const current = open;
    const session = await current;
    const run = (used: Session): Promise<T> =>
      inTime({ ms, signal: during, ended: used.link.ended }, (late) => work(used, late));
    try {
      return await run(session);
    } catch (error) {
      if (!(error instanceof McpFailure) || !error.endsSession || !session.link.hasSession()) throw error;
      if (open === current) open = openSession(server, limits, during);
      const renewed = await open;
      if (!links.includes(renewed.link)) links.push(renewed.link);
      return run(renewed);
    }
  };
  const hidden = async <T>(given: T): Promise<T> => withoutToken(given, await (await open).link.readToken());
  return {
    list: async (during: AbortSignal): Promise<McpList> =>
      hidden(await inSession(timeToConnect(server, limits), during, ({ client }, late) => listAll(client, late))),
    /**
     * Calls a tool. `answers` is present when the server asked something in an earlier round of the call. `hops`: how often the question is
     * passed on with this call.
     */
    call: async (
      definition: McpDefinition,
      input: unknown,
      about: { readonly signal: AbortSignal; readonly answers?: McpAnswers | undefined; readonly hops: number },
    ): Promise<McpAnswer | McpAsking> => {
      const { name } = definition;
      const { signal: during, answers, hops } = about;
      const again = answers && { inputResponses: answers.responses, requestState: answers.state };
      const given = (input ?? {}) as Record<string, unknown>;
      const params = { name, arguments: given, _meta: { [hopsMeta]: hops }, ...again };
      const called = inSession(server.callMs, during, (session, late) =>
        callTool(session, params, { definition, late }),
      );
      return hidden(await called.catch(refusalOf));
    },
    /** Ends the session and aborts pending requests. Never rejects. */
    close: async (): Promise<void> => void (await Promise.all(links.map((link) => link.close()))),
  };
}

interface Session {
  readonly client: Client;
  readonly link: McpLink;
  /** How often the server has asked for input, over a session of 2025. */
  readonly asked: () => number;
}

/** Replaces the client's own timeout, milliseconds: ours ends each request. */
const longest = 2 ** 31 - 1;

/** The servers that failed the question for their version but know `initialize`, and until when it is not asked again (`performance.now()`). */
const legacyServers = new WeakMap<McpServer, number>();
const legacyMs = 3_600_000;

const timeToConnect = ({ reach }: McpServer, { connectMs }: McpLimits): number =>
  "url" in reach ? connectMs : reach.startMs;

/**
 * Opens a session: of version 2026-07-28, or of 2025 when the server is silent to the question for its version, or answers it in a way that only
 * says that it doesn't know it.
 */
async function openSession(server: McpServer, limits: McpLimits, signal: AbortSignal): Promise<Session> {
  const connectMs = timeToConnect(server, limits);
  let link: McpLink | undefined;
  const connect = async (late: AbortSignal, isLegacy: boolean): Promise<Session> => {
    link = await openLink(server, limits);
    const { client, asked } = newClient("url" in server.reach ? connectMs / 2 : connectMs / 6);
    const prior = isLegacy && { prior: { kind: "legacy" as const } };
    await client.connect(link.transport, { signal: late, timeout: longest, ...prior });
    return { client, link, asked };
  };
  const work = async (late: AbortSignal): Promise<Session> => {
    const until = legacyServers.get(server) ?? 0;
    if (performance.now() < until) return connect(late, true);
    try {
      return await connect(late, false);
    } catch (error) {
      late.throwIfAborted();
      if (!mayBeLegacy(error)) throw error;
      await link?.close();
      const session = await connect(late, true);
      legacyServers.set(server, performance.now() + legacyMs);
      return session;
    }
  };
  try {
    return await inTime({ ms: connectMs, signal, ended: () => link?.ended() }, work);
  } catch (error) {
    if (!signal.aborted) legacyServers.delete(server);
    await link?.close();
    throw error;
  }
}

/** Whether a server that failed the question for its version may still know `initialize`. */
function mayBeLegacy(error: unknown): boolean {
  if (error instanceof SdkHttpError || error instanceof UnauthorizedError) return true;
  if (!(error instanceof SdkError)) return false;
  const { code, cause } = error;
  const isUnread =
    cause === undefined || cause instanceof SdkError || /^(Syntax|Zod)Error$/.test((cause as Error).name);
  return code === SdkErrorCode.RequestTimeout || (code === SdkErrorCode.EraNegotiationFailed && isUnread);
}

function newClient(probeMs: number) {
  const client = new Client(
    { name: "crosszone", version: "1" },
    {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeMs } },
      capabilities: { elicitation: { form: {} } },
    },
  );
  let asked = 0;
  // Only servers of 2025 ask this way, and wait on the connection. No process waits for people on a connection.
  client.setRequestHandler("elicitation/create", () => {
    asked += 1;
    return { action: "decline" as const };
  });
  return { client, asked: () => asked };
}

async function callTool(
  { client, asked }: Session,
  params: Parameters<Client["callTool"]>[0],
  { definition, late }: { readonly definition: McpDefinition; readonly late: AbortSignal },
): Promise<McpAnswer | McpAsking> {
  const { name, inputSchema } = definition;
  const before = asked();
  // A server of 2026-07-28 marks in the schema which arguments it also wants as headers.
  const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
  const result: unknown = await client.callTool(params, {
    signal: late,
    timeout: longest,
    toolDefinition,
    allowInputRequired: true,
  });
  if (!isInputRequiredResult(result))
    return { ...(result as Pick<ReadResults, "answer">).answer, hasAsked: asked() > before };
  return { requests: result.inputRequests ?? {}, state: result.requestState } as McpAsking;
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

/** Works for `ms` milliseconds at most, on a link whose program may have `ended`. Rejects with the signal's reason or an `McpFailure`. */
async function inTime<T>(
  { ms, signal, ended }: { readonly ms: number; readonly signal: AbortSignal } & Pick<McpLink, "ended">,
  work: (late: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(ms, work, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeLimitError) throw new McpFailure(`no answer within ${ms} ms`);
    const end = error instanceof SdkError ? ended() : undefined;
    throw end === undefined ? mcpFailureOf(error) : new McpFailure(end);
  }
}

/**
 * Reads page by page: the client's own way writes the server's words to the console. Ends at a cursor that was there before, and after several
 * pages that bring nothing new. Of tools with the same name the last one counts.
 */
async function listAll(client: Client, signal: AbortSignal): Promise<McpList> {
  const tools = new Map<string, McpDefinition>();
  const leftOut = new Map<string, McpLeftOut>();
  const cursors = new Set<string | undefined>();
  let cursor: string | undefined;
  let empty = 0;
  do {
    cursors.add(cursor);
    const params = cursor === undefined ? {} : { cursor };
    const result: unknown = await client.request({ method: "tools/list", params }, { signal, timeout: longest });
    const { listed: page } = result as Pick<ReadResults, "listed">;
    const before = tools.size;
    for (const one of page.leftOut) leftOut.set(`${one.name}\n${one.because}`, one);
    for (const tool of page.tools) {
      const { name } = tool;
      const other = tools.get(name);
      if (other !== undefined && fingerprintOf(other) !== fingerprintOf(tool))
        leftOut.set(name, { name, because: "another tool of the server has the same name" });
      tools.set(name, tool);
    }
    empty = tools.size > before ? 0 : empty + 1;
    cursor = page.next;
  } while (cursor !== undefined && !cursors.has(cursor) && empty < most.emptyPages && tools.size < most.tools);
  const all = [...tools.values()];
  const beyond = all.slice(most.tools).map(({ name }) => ({ name, because: `only ${most.tools} tools are read` }));
  const byName = ({ name: one }: McpDefinition, { name: other }: McpDefinition): number => (one < other ? -1 : 1);
  return {
    tools: all.slice(0, most.tools).toSorted(byName),
    leftOut: [...leftOut.values(), ...beyond].slice(0, most.leftOut),
  };
}
