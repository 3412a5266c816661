import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { close, createHttpServer, listen, readBearer, refusal } from "@crosszone/service-kit";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createA2aRoutes } from "../doors/a2a/create-a2a-routes.ts";
import type { SignCard } from "../doors/a2a/create-cards.ts";
import type { AskRoutesDeps, RejectedAct } from "../doors/ask-routes-deps.ts";
import { createMcpRoutes } from "../doors/mcp/create-mcp-routes.ts";
import { createReportRefused } from "../doors/serve-route.ts";
import type { Asker } from "../tasks/ask/asker.ts";
import { startZone, type ZoneOptions } from "./start-zone.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
export type Json = any;

interface AskedZoneOptions extends ZoneOptions {
  /** What each program may ask; without a list, every program may ask every agent. */
  readonly programs?: Readonly<Record<string, Partial<Asker>>>;
  readonly signCard?: SignCard;
  readonly cardKey?: string;
  readonly pageKey?: string;
  /** How long a call of MCP is held, milliseconds. */
  readonly holdMs?: number;
}

interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type AskedZone = Awaited<ReturnType<typeof startAskedZone>>;

/** Starts a zone that programs ask over A2A and MCP. A token is the name of a program, and `wrong` is refused. Ends with the test. */
export async function startAskedZone(agents?: readonly Agent[], options: AskedZoneOptions = {}) {
  const { programs, signCard, cardKey, pageKey = "a key", holdMs = 25_000, ...more } = options;
  const zone = await startZone(agents, { taskDeadlineMs: 120_000, ...more });
  const rejected: (RejectedAct & { readonly actor: string })[] = [];
  let origin = "";
  const emit: AskRoutesDeps["emit"] = (name, ...[fields]) => void zone.log.push({ event: name, ...fields });
  const deps: AskRoutesDeps = {
    ask: zone.app.ask,
    door: () => ({
      auth: ({ request }) => {
        const name = readBearer(request.headers.authorization) ?? "wrong";
        const asker = programs === undefined ? {} : programs[name];
        if (name !== "wrong" && asker !== undefined)
          return { who: { actor: `token:${name}`, agents: ["*"], openTasks: 50, ...asker } };
        return refusal("unauthorized", { headers: { "www-authenticate": "Bearer" } });
      },
      onRefused: createReportRefused(emit),
    }),
    emit,
    publicUrl: () => origin,
    limits: { maxBytes: 100_000, maxDepth: 64, maxWaitMs: 25_000 },
    version: "1.2.3",
    pageKey: Buffer.from(pageKey),
    cardKey,
    rejected: ({ actor }, _surface, act) => rejected.push({ actor, ...act }),
  };
  const a2a = createA2aRoutes(deps, signCard);
  const mcp = createMcpRoutes({ ...deps, limits: { maxBytes: 1_000_000, maxDepth: 64, maxWaitMs: holdMs } });
  const serveAsked: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    const { url = "/" } = request;
    request.url = url.replace(/^\/a2a(?=\/)/, "");
    void (url.startsWith("/mcp") ? mcp : a2a)(request, response, () => response.writeHead(404).end("{}"));
  };
  const server = createHttpServer(serveAsked, { onBadRequest: zone.app.badRequest });
  origin = (await listen(server, { host: "127.0.0.1", port: 0 })).url;
  onTestFinished(async () => void (await close(server, { deadlineMs: 100 })));
  const url = `${origin}/mcp`;
  return {
    zone,
    /** The URL below which agents are asked over A2A. */
    a2a: `${origin}/a2a/`,
    mcp: url,
    /** Ends every connection, as a process that stops. */
    cut: () => close(server, { deadlineMs: 0 }),
    /** What the routes reported as not allowed. */
    rejected,
    /** Connects the official client of MCP as a program. */
    connect: async (program: string, clientOptions: ClientOptions = { versionNegotiation: { mode: "auto" } }) => {
      const client = new Client({ name: "test", version: "1" }, clientOptions);
      const requestInit = { headers: { authorization: `Bearer ${program}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      onTestFinished(() => client.close());
      return client;
    },
    /** Sends one message of MCP as a program, without a client. */
    post: (program: string, message: unknown, { headers = {}, signal }: PostOptions = {}) =>
      fetch(url, {
        method: "POST",
        signal: signal ?? null,
        body: typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message),
        headers: {
          authorization: `Bearer ${program}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
      }),
  };
}

/** A program that asks one agent, in A2A 1.0. */
export function programOf(
  url: string,
  agent: string,
  { token = "ci", ...more }: Readonly<Record<string, string>> = {},
) {
  const open = (body: unknown, headers: object = {}, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${agent}/`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        "a2a-version": "1.0",
        authorization: `Bearer ${token}`,
        ...more,
        ...headers,
      },
      ...init,
    });
  const call = async (method: string, params?: object, headers: object = {}): Promise<Json> =>
    await (await open({ jsonrpc: "2.0", id: 1, method, params }, headers)).json();
  const send = async (text: string, members: object = {}, params: object = {}): Promise<Json> => {
    const answered = await call("SendMessage", { message: messageOf(text, members), ...params });
    return answered.result?.task ?? answered;
  };
  const stream = async (method: string, params: object, headers: object = {}): Promise<readonly SseEvent[]> =>
    readEvents(await (await open({ jsonrpc: "2.0", id: 1, method, params }, headers)).text());
  return { open, call, send, stream };
}

export const messageOf = (text: string, members: object = {}): object => ({
  role: "ROLE_USER",
  messageId: randomUUID(),
  parts: [{ text }],
  ...members,
});

/** Starts a task without waiting for it. */
export const atOnce = { configuration: { returnImmediately: true } };

export interface SseEvent {
  readonly id: string;
  readonly result: Json;
}

/** Returns the events of a stream, in order. */
export const readEvents = (text: string): readonly SseEvent[] =>
  [...text.matchAll(/^id: (.*)\ndata: (.*)$/gm)].map(([, id = "", data = ""]) => ({ ...JSON.parse(data), id }));
