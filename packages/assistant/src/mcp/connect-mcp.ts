import { createPrivateKey, type KeyObject } from "node:crypto";
import { TimeLimitError, withTimeout } from "@crosszone/service-kit/timing";
import {
  Client,
  ClientCredentialsProvider,
  isInputRequiredResult,
  PrivateKeyJwtProvider,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { brokenOffCode, changeIn, McpFailure, mcpFailureOf, tooLargeText } from "./mcp-failure.ts";
import {
  hopsMeta,
  type McpAddress,
  type McpAnswer,
  type McpAnswers,
  type McpAsking,
  type McpDefinition,
  type McpLimits,
  type McpOAuth,
  type McpProgram,
  type McpServer,
} from "./mcp-server.ts";
import { createProgramTransport } from "./program-transport.ts";

type Fetch = typeof globalThis.fetch;

interface FetchBounds {
  readonly mostBytes: number;
  /** Time of a response, milliseconds. */
  readonly mostMs: number;
}

/** Timeout for ending a session, milliseconds. */
const goodbyeMs = 2_000;

/**
 * Returns the `fetch` of the MCP client. It cuts a response at `mostBytes` and `mostMs`. A message whose values would change
 * becomes an error. If a stream ends without its answer, the client would wait for its timeout, so it gets an error, too. The
 * stream of a server's own messages is never opened, because nothing here uses them.
 */
function boundedFetch(fetch: Fetch, { mostBytes, mostMs }: FetchBounds): Fetch {
  return async (url, init = {}) => {
    const { method, signal: during } = init;
    if (method === "GET" && new Headers(init.headers).get("accept") === "text/event-stream")
      return new Response(null, { status: 405 });
    const late = AbortSignal.timeout(method === "DELETE" ? goodbyeMs : mostMs);
    const signal = during ? AbortSignal.any([during, late]) : late;
    const { status, headers, body } = await fetch(url, { ...init, signal });
    if (body === null) return new Response(null, { status, headers });
    const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
    const pieces = readAtMost(body, mostBytes);
    const exact = isStream ? orError(exactEvents(pieces, init.body), init.body) : exactBody(pieces, init.body);
    return new Response(ReadableStream.from(exact), { status, headers });
  };
}

async function* readAtMost(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new Error(tooLargeText);
    yield piece;
  }
}

async function* exactBody(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  const body = Buffer.concat(await Array.fromAsync(pieces));
  const change = changeIn(body.toString());
  yield change === undefined ? body : Buffer.from(errorFor(request, change));
}

async function* exactEvents(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    for (const { id, event, data } of events.splice(0)) {
      const change = changeIn(data);
      const exact = change === undefined ? data : errorFor(request, change);
      const lines = [id && `id: ${id}`, event && `event: ${event}`, `data: ${exact.replaceAll("\n", "\ndata: ")}`];
      yield Buffer.from(`${lines.filter(Boolean).join("\n")}\n\n`);
    }
  }
}

/** Appends an error to the end of a stream. The client ignores it when it already has its answer. */
async function* orError(pieces: AsyncIterable<Uint8Array>, request: unknown): AsyncGenerator<Uint8Array> {
  let message = "the stream ended";
  try {
    yield* pieces;
  } catch (error) {
    ({ message } = error as Error);
  }
  yield Buffer.from(`\n\ndata: ${errorFor(request, message)}\n\n`);
}

function errorFor(request: unknown, message: string): string {
  const { id } = JSON.parse(String(request)) as { readonly id?: unknown };
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: brokenOffCode, message } });
}

/** A way to a server that carries one session. */
interface McpLink {
  readonly transport: Transport;
  /** Returns the token in use. Data of the server must not show it. */
  readonly readToken: () => Promise<string | undefined>;
  /** Whether a failed connect means that the program ended because it doesn't know `server/discover`. */
  readonly endsAtProbe: (error: unknown) => boolean;
  /** Ends the session and everything that belongs to it. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Opens a link. Rejects when credentials can't be read. */
async function openLink({ reach, callMs }: McpServer, { mostBytes, connectMs }: McpLimits): Promise<McpLink> {
  const bounds = { mostBytes, mostMs: Math.max(callMs, connectMs) };
  return "url" in reach ? openHttp(reach, bounds) : openProgram(reach, mostBytes);
}

async function openHttp({ url, fetch, readToken, oauth }: McpAddress, bounds: FetchBounds): Promise<McpLink> {
  const provider = oauth && (await oauthProvider(oauth));
  const token = await readToken?.();
  const authProvider = provider ?? (token === undefined ? undefined : { token: async () => token });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { redirect: "error" },
    fetch: boundedFetch(fetch, bounds),
    authProvider,
  });
  return {
    transport,
    readToken: async () => token ?? provider?.tokens()?.access_token,
    endsAtProbe: () => false,
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await transport.close().catch(() => undefined);
    },
  };
}

function openProgram(program: McpProgram, mostBytes: number): McpLink {
  const transport = createProgramTransport(program, mostBytes);
  return {
    transport,
    readToken: async () => undefined,
    endsAtProbe: (error) => error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed,
    close: () => transport.close(),
  };
}

type Provider = ClientCredentialsProvider | PrivateKeyJwtProvider;

/** By the settings of a server, so that its connections share a token until its credentials are replaced. */
const providers = new WeakMap<McpOAuth, { readonly from: string; readonly provider: Provider }>();

/**
 * Returns the provider that gets tokens for a server from its issuer alone, and keeps them in memory. Rejects when the
 * credentials can't be read.
 */
async function oauthProvider(settings: McpOAuth): Promise<Provider> {
  const { issuer, clientId, scopes, readCredentials } = settings;
  const credentials = await readCredentials();
  const from = JSON.stringify(credentials);
  const known = providers.get(settings);
  if (known?.from === from) return known.provider;
  const usual = { clientId, expectedIssuer: issuer, clientName: "crosszone", scope: scopes.join(" ") };
  const provider =
    "secret" in credentials
      ? new ClientCredentialsProvider({ ...usual, clientSecret: credentials.secret })
      : new PrivateKeyJwtProvider({ ...usual, ...signingWith(credentials.key) });
  providers.set(settings, { from, provider });
  return provider;
}

/** By the kind of a key, or its curve. */
const algorithms: ReadonlyMap<string | undefined, string> = new Map([
  ["rsa", "RS256"],
  ["ed25519", "EdDSA"],
  ["prime256v1", "ES256"],
  ["secp384r1", "ES384"],
  ["secp521r1", "ES512"],
]);

/** https://www.rfc-editor.org/rfc/rfc7518#section-3.1 */
function signingWith(pem: string): { readonly privateKey: string; readonly algorithm: string } {
  const key = readKey(pem);
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const algorithm = algorithms.get(type === "ec" ? details?.namedCurve : type);
  if (algorithm === undefined) throw new McpFailure("its private_key can't sign: use RSA, EC or Ed25519");
  return { privateKey: key.export({ type: "pkcs8", format: "pem" }), algorithm };
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new McpFailure("its private_key can't be read: write it as PEM");
  }
}

/** Maximum number of tools read from a server. */
const mostTools = 200;

/** The longest error text passed to the model, characters. */
const longestRefusal = 500;

/** An open session with a server. Each method rejects with the signal's reason or an `McpFailure`. */
export type McpConnection = Awaited<ReturnType<typeof connectMcp>>;

/** Connects to a server of either era. Rejects with the signal's reason or an `McpFailure`. */
export async function connectMcp(server: McpServer, limits: McpLimits, signal: AbortSignal) {
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
  await inTime(limits.connectMs, signal, async (late) => {
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
    list: async (during: AbortSignal): Promise<McpDefinition[]> =>
      hidden(await inTime(limits.connectMs, during, (late) => listAll(client, late))),
    /**
     * Calls a tool. `answers` is present when the server asked something in an earlier round of the call. `hops`: how often the question is
     * passed on with this call.
     */
    call: async (
      { name, inputSchema }: McpDefinition,
      input: unknown,
      about: { readonly signal: AbortSignal; readonly answers?: McpAnswers | undefined; readonly hops: number },
    ): Promise<McpAnswer | McpAsking> => {
      const { signal: during, answers, hops } = about;
      const before = asked;
      const called = inTime(server.callMs, during, async (late): Promise<McpAnswer | McpAsking> => {
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
    /** Ends the session and aborts pending requests. Never rejects. */
    close: async (): Promise<void> => link?.close(),
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

async function inTime<T>(ms: number, signal: AbortSignal, work: (late: AbortSignal) => Promise<T>): Promise<T> {
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
