import { IncomingMessage, ServerResponse } from "node:http";
import { close, createHttpServer, type HttpLimits, listen } from "@crosszone/service-kit";
import express from "express";
import { onTestFinished } from "vitest";
import { type AdminApiDeps, createAdminApi } from "../create-admin-api.ts";
import { openApi } from "@crosszone/contracts/openapi";
import { mergeDocuments } from "../merge-documents.ts";
import type { ApiRefusal } from "../serve-exchange.ts";
import type { StoredTokens } from "../token-holder.ts";
import { digestOf } from "../token-text.ts";
import { createDocumentCheck } from "./document-check.ts";

export const viewToken = "view-token-of-at-least-32-characters";
export const adminToken = "admin-token-of-at-least-32-characters";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined for an empty body. */
  readonly body: Record<string, unknown> | undefined;
}

export interface StartedApi {
  readonly url: string;
  readonly refusals: readonly ApiRefusal[];
  readonly answered: ReadonlySet<string>;
  /** Sends a request with the admin's token unless a header replaces it. Checks the response against the API's own document. */
  readonly ask: (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

export interface StartOptions extends Partial<Omit<AdminApiDeps, "limit">> {
  /** `default` for the API's own limit. */
  readonly limit?: AdminApiDeps["limit"] | "default";
  readonly parts: AdminApiDeps["parts"];
  readonly httpLimits?: HttpLimits;
}

/** A store with one token, which can view everything but content. */
const viewTokenOnly: StoredTokens = {
  find: async (digest) =>
    digest === digestOf(viewToken) ? { actor: "token:viewer", scopes: ["runs:read", "audit:read"] } : undefined,
  findEnded: async () => undefined,
  hasLive: async (scope) => scope !== "tokens:write",
};

const unlimited = { perMinute: 1_000_000, burst: 1_000_000 };

/** Serves the API as the zone does, on a real port. Has no rate limit unless one is given. */
export async function startAdminApi({ httpLimits, limit = unlimited, ...deps }: StartOptions): Promise<StartedApi> {
  const refusals: ApiRefusal[] = [];
  const routes = createAdminApi({
    tokens: () => [adminToken],
    stored: viewTokenOnly,
    ...(limit !== "default" && { limit }),
    ...deps,
    onRefused: (refusal) => {
      refusals.push(refusal);
      return deps.onRefused?.(refusal);
    },
  });
  const app = express();
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  app.use("/api/v1", routes);
  const server = createHttpServer(app, httpLimits);
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const url = `http://127.0.0.1:${port}/api/v1`;
  const documents = deps.parts.map(({ document }) => document);
  const { answered, check } = createDocumentCheck(mergeDocuments(openApi("frame"), documents));

  const ask: StartedApi["ask"] = async (line, body, headers = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const kind = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body !== undefined && { "content-type": kind }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>);
    check({ method, path }, response, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  return { url, refusals, answered, ask };
}

/** A block of a stream: its fields by name, a comment under the empty name. */
export type EventBlock = Readonly<Record<string, string>>;

export interface WatchedEvents {
  readonly status: number;
  readonly headers: Headers;
  /** Yields the blocks until the stream ends. */
  readonly blocks: AsyncGenerator<EventBlock, void>;
  /** Disconnects. */
  readonly leave: () => void;
}

/** Opens a stream of server-sent events, as a browser does. It is closed with the test at the latest. */
export async function watchEvents(url: string, headers: Record<string, string> = {}): Promise<WatchedEvents> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${adminToken}`, accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  const { status, body } = response;
  return { status, headers: response.headers, blocks: blocksOf(body), leave: () => leaving.abort() };
}

async function* blocksOf(body: Response["body"]): AsyncGenerator<EventBlock, void> {
  let text = "";
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s, 2)));
  }
}
