import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { McpServer, McpTool } from "@crosszone/contracts";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { ApiClient } from "../api/api-client.ts";
import { readJson } from "../api/send.ts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { checkUrl } from "../program/options.ts";
import { exitCodes, UsageError, type Session } from "../program/session.ts";
import { findNamed } from "../program/unknown-names.ts";
import { harmlessJson, harmlessLine } from "../text/terminal-text.ts";

export const listMcp: Command = defineCommand({
  name: "mcp list",
  summary: "Lists the MCP servers, their tools, which tools await approval, and which can't be offered.",
  options: { json: jsonOption },
  examples: [["crosszone mcp", "short form of the same"]],
  run: async (_, { api }) => {
    const list = await api().mcp.list();
    const rows = list.servers.flatMap(({ name, origin = "not configured here", tools, left_out = [] }) => {
      const seen = tools.map((tool) => [name, tool.name, tool.state, origin]);
      const odd = left_out.map((tool) => [name, tool.name, `left out: ${tool.because}`, origin]);
      return seen.length + odd.length === 0 ? [[name, "", "not seen yet", origin]] : [...seen, ...odd];
    });
    const none = "No MCP servers. Configure them with the section mcp of EXECUTION_FILE.";
    return { json: list, text: { head: ["SERVER", "TOOL", "STATE", "ORIGIN"], rows, none } };
  },
});

export const showMcp: Command = defineCommand({
  name: "mcp show",
  summary: "Shows a tool's current definition, and the pinned one if they differ.",
  operands: ["<server>", "<tool>"],
  options: { json: jsonOption },
  examples: [["crosszone mcp show wiki find", "before you approve it"]],
  run: async ({ operands: [name = "", wanted = ""] }, { api }) => {
    const tool = toolIn(await serverOf(api().mcp, name), wanted);
    return { json: tool, text: definitionText(tool) };
  },
});

export const approveMcp: Command = defineCommand({
  name: "mcp approve",
  summary: "Approves the current definitions of an MCP server's tools: one tool, or all changed and new ones.",
  operands: ["<server>", "[tool]"],
  options: {
    fingerprint: {
      flags: "--fingerprint <hex>",
      help: "fingerprint of one tool, as printed by mcp show; refused if the tool has changed since",
    },
    json: jsonOption,
  },
  examples: [
    ["crosszone mcp approve wiki", "approve everything that is changed or new"],
    ["crosszone mcp approve wiki find --fingerprint 9f86d0…", "approve one tool exactly as shown"],
  ],
  run: async ({ values: { fingerprint }, operands: [name = "", wanted] }, { api }) => {
    if (fingerprint !== undefined && wanted === undefined) throw new UsageError("--fingerprint requires a tool.");
    const { mcp } = api();
    const server = await serverOf(mcp, name);
    const meant = wanted === undefined ? server.tools : [toolIn(server, wanted)];
    const waiting = meant.filter(({ state }) => state === "changed" || state === "new");
    const prints = Object.fromEntries(waiting.map((tool) => [tool.name, fingerprint ?? tool.fingerprint]));
    const approved = waiting.length === 0 ? server : await mcp.approve(name, prints);
    const result = waiting.length === 0 ? "No tools await approval." : `Approved: ${Object.keys(prints).join(", ")}.`;
    return { json: approved, text: `${harmlessLine(result)}\n` };
  },
});

async function serverOf(mcp: ApiClient["mcp"], name: string): Promise<McpServer> {
  const { servers } = await mcp.list();
  return findNamed(servers, name, { problem: `No MCP server is called "${harmlessLine(name)}".`, command: "mcp" });
}

function toolIn({ name: server, tools }: McpServer, name: string): McpTool {
  return findNamed(tools, name, { problem: `${server} has no tool "${harmlessLine(name)}".` });
}

function definitionText({ state, fingerprint, definition, pinned_definition }: McpTool): string {
  const pinned = pinned_definition === undefined ? "" : `Pinned:\n${harmlessJson(pinned_definition)}\n\n`;
  return `State: ${state}\nFingerprint: ${fingerprint}\n\n${pinned}Now:\n${harmlessJson(definition)}\n`;
}

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
