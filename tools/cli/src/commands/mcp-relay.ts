import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { readJson } from "../api/send.ts";
import { type Command, defineCommand } from "../program/command.ts";
import { checkUrl } from "../program/options.ts";
import { exitCodes, type Session, UsageError } from "../program/session.ts";
import { harmlessLine } from "../text/terminal-text.ts";

/** A message of JSON-RPC, as far as its transport needs to know it. */
interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly taskId?: string;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly result?: { readonly protocolVersion?: string };
}

/** Relays MCP from the standard streams to an HTTP endpoint: one JSON-RPC message a line, in both directions. Ends with its input. */
async function relayMcp(url: string, token: string, { stdin, stdout, stderr }: Session): Promise<void> {
  const open = new Map<string | number | undefined, AbortController>();
  // By it the zone knows which client's call a cancellation means, in every version.
  const session = randomUUID();
  let version: string | undefined;

  const write = (message: Message): void => {
    version = message.result?.protocolVersion ?? version;
    stdout.write(`${JSON.stringify(message)}\n`);
  };
  const fail = (id: Message["id"], problem: string): void => {
    stderr.write(`${problem}\n`);
    if (id !== undefined)
      stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_603, message: problem } })}\n`);
  };

  async function forward(message: Message): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    if (id !== undefined) open.set(id, controller);
    const { signal } = controller;
    try {
      const headers = { authorization: `Bearer ${token}`, "mcp-session-id": session, ...headersOf(message, version) };
      // A redirect must not carry the token to another address.
      const response = await fetch(url, {
        method: "POST",
        headers,
        body: JSON.stringify(message),
        redirect: "manual",
        signal,
      });
      let isAnswered = id === undefined && response.ok;
      for await (const received of messagesIn(response)) {
        isAnswered ||= received.id === id;
        if (received.id === id || received.method !== undefined) write(received);
      }
      if (!isAnswered) fail(id, problemOf(url, response));
    } catch (error) {
      if (!signal.aborted) fail(id, `Cannot reach ${url}: ${String((error as Error).cause ?? error)}.`);
    } finally {
      if (open.get(id) === controller) open.delete(id);
    }
  }

  for await (const line of createInterface({ input: Readable.from(stdin) })) {
    const read = readJson(line);
    if ("changed" in read && read.changed !== undefined) {
      const { id } = { ...(read.changed as Message) };
      fail(id, `Expected other values: ${read.problem}.`);
      continue;
    }
    const message = "value" in read ? (read.value as Message | null) : null;
    if (typeof message !== "object" || message === null)
      fail(undefined, `Expected a JSON-RPC message on one line, got "${line.slice(0, 80)}".`);
    else {
      if (message.method === "notifications/cancelled") open.get(message.params?.requestId)?.abort();
      void forward(message);
    }
  }
  for (const controller of open.values()) controller.abort();
}

/** Returns the headers of a message. Since version 2026-07-28 some repeat parts of the body. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports */
function headersOf({ method, params }: Message, negotiated: string | undefined): Record<string, string> {
  const { _meta, name, uri, taskId } = params ?? {};
  const own = _meta?.["io.modelcontextprotocol/protocolVersion"];
  const version = typeof own === "string" ? own : negotiated;
  const named = name ?? uri ?? taskId;
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(version !== undefined && { "mcp-protocol-version": version }),
    ...(own !== undefined && method !== undefined && { "mcp-method": headerText(method) }),
    ...(own !== undefined && named !== undefined && { "mcp-name": headerText(named) }),
  };
}

/** A value that a header can't carry is sent in base64. */
const headerText = (value: string): string =>
  /^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith("=?base64?")
    ? value
    : `=?base64?${Buffer.from(value).toString("base64")}?=`;

/** Yields the messages of a response: a stream of events, or one JSON document. */
async function* messagesIn({ headers, body }: Response): AsyncGenerator<Message> {
  const type = headers.get("content-type") ?? "";
  if (body === null || !/^(text\/event-stream|application\/json)\b/.test(type)) return;
  const text = body.pipeThrough(new TextDecoderStream());
  if (type.startsWith("application/json")) {
    yield* readMessage((await Array.fromAsync(text)).join(""));
    return;
  }
  for await (const { data } of text.pipeThrough(new EventSourceParserStream())) yield* readMessage(data);
}

function readMessage(text: string): Message[] {
  const read = readJson(text);
  return "value" in read && typeof read.value === "object" && read.value !== null ? [read.value] : [];
}

function problemOf(url: string, { status, ok }: Response): string {
  if (status === 401) return `${url} rejects the token. Use a token with the scope ask.`;
  if (ok) return `${url} ended the response too early. The task goes on: call the tool again with the same request_id.`;
  return `${url} responded with HTTP ${status}. Is it the MCP endpoint of an execution zone?`;
}

export const programsMcpCommand: Command = defineCommand({
  name: "programs mcp",
  summary: "Connects a program that speaks MCP over its standard streams to the zone's agents and workflows.",
  options: {
    url: { flags: "--url <url>", help: "the zone's MCP endpoint: ASK_URL of the execution zone, and /mcp" },
    tokenEnv: {
      flags: "--token-env <name>",
      help: "variable with a token of the scope ask (default: CROSSZONE_TOKEN)",
    },
  },
  examples: [
    ["crosszone programs mcp --url https://ask.example.com/mcp", "the command to configure in the program"],
    [
      "crosszone programs mcp --url http://127.0.0.1:4100/mcp --token-env ASK_TOKEN",
      "with the token of another variable",
    ],
  ],
  run: async ({ values: { url = "", tokenEnv = "CROSSZONE_TOKEN" } }, session) => {
    checkUrl("--url", url);
    const token = session.env[tokenEnv]?.trim() ?? "";
    if (!/^[!-~]+$/.test(token))
      throw new UsageError(`${harmlessLine(tokenEnv)} must be set to a token of the scope ask.`);
    await relayMcp(url, token, session);
    return exitCodes.done;
  },
});
