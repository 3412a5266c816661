import { randomUUID } from "node:crypto";
import { close, createHttpServer, listen, readBearer } from "@crosszone/service-kit";
import { onTestFinished } from "vitest";
import type { Agent } from "../agents/agent.ts";
import type { Asker } from "../ask/asker.ts";
import { createA2aRoutes, type SignCard } from "../http/a2a/create-a2a-routes.ts";
import type { RejectedAct } from "../http/ask-routes-deps.ts";
import { startZone, type ZoneOptions } from "./start-zone.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
export type Json = any;

export interface A2aZoneOptions extends ZoneOptions {
  readonly signCard?: SignCard;
  readonly cardKey?: string;
  readonly pageKey?: string;
  /** What each program may ask; all agents when absent. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
}

/** Starts a zone that serves A2A to programs. A token is the name of a program. */
export async function startA2a(
  agents: readonly Agent[],
  { signCard, cardKey, pageKey = "a key", grants = {}, ...options }: A2aZoneOptions = {},
) {
  const zone = await startZone(agents, options);
  const rejected: (RejectedAct & { readonly actor: string })[] = [];
  let origin = "";
  const routes = createA2aRoutes(
    {
      ask: zone.app.ask,
      authenticate: async (request, response) => {
        const name = readBearer(request.headers.authorization);
        if (name === undefined || name === "wrong") response.writeHead(401, { "www-authenticate": "Bearer" }).end("{}");
        return name === undefined || name === "wrong" ? undefined : askerOf(name, grants[name]);
      },
      emit: (name, ...[fields]) => void zone.log.push({ event: name, ...fields }),
      publicUrl: () => origin,
      limits: { maxBytes: 100_000, maxDepth: 64, maxWaitMs: 1_000 },
      version: "9.9.9",
      pageKey: Buffer.from(pageKey),
      ...(cardKey !== undefined && { cardKey }),
      rejected: ({ actor }, _surface, act) => rejected.push({ actor, ...act }),
    },
    signCard,
  );
  const server = createHttpServer(
    (request, response) => {
      const isMounted = request.url?.startsWith("/a2a") === true;
      if (isMounted) request.url = request.url?.slice("/a2a".length) ?? "/";
      void routes(request, response, () => response.writeHead(404).end("{}"));
    },
    { onBadRequest: zone.app.badRequest },
  );
  origin = (await listen(server, { host: "127.0.0.1", port: 0 })).url;
  onTestFinished(async () => void (await close(server, { deadlineMs: 100 })));
  return { zone, url: `${origin}/a2a/`, rejected };
}

const askerOf = (name: string, agents: readonly string[] = ["*"]): Asker => ({
  actor: `token:${name}`,
  agents,
  openTasks: 20,
});

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

/** Returns the text of an answer that a client builds from the events. */
export function textOfEvents(events: readonly SseEvent[]): string {
  let text = "";
  for (const { result } of events) {
    const { artifact, append } = result.artifactUpdate ?? { artifact: result.task?.artifacts?.[0] };
    if (artifact?.artifactId === "answer") text = (append === true ? text : "") + artifact.parts[0].text;
  }
  return text;
}
