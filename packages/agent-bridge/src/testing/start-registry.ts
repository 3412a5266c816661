import { IncomingMessage, ServerResponse } from "node:http";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import express from "express";
import { onTestFinished } from "vitest";
import { AgentFailure } from "../agent-failure.ts";
import type { Database } from "@crosszone/sql";
import { createRegistryRoutes, type RegistryRoutesDeps } from "../registry/api/create-registry-routes.ts";
import type { RegistryRefusal } from "../registry/api/registry-exchange.ts";
import type { AgentTables } from "../registry/agent-table.ts";
import { createAgentStore, type AgentStore } from "../registry/agent-store.ts";
import { createAgentRegistry, type CachedAgentRegistry } from "../registry/cached-agents.ts";
import { openAgents } from "./agent-database.ts";
import { checkAgainstDocument } from "./registry-document.ts";

export const adminToken = "admin-token-of-at-least-32-characters";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed; undefined when there was none. */
  readonly body: Record<string, unknown> | undefined;
}

export interface StartedRegistry {
  readonly url: string;
  readonly store: AgentStore;
  readonly registry: CachedAgentRegistry;
  readonly database: Database<AgentTables>;
  readonly refusals: RegistryRefusal[];
  /** Asks with the admin's token unless a header says otherwise; the answer is checked against the OpenAPI document. */
  readonly ask: (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

/** Serves the registry's API as the zone does, on a real port and a real database. */
export async function startRegistry(
  deps: Partial<RegistryRoutesDeps> & { readonly databaseUrl?: string } = {},
): Promise<StartedRegistry> {
  const database = await openAgents(deps.databaseUrl ?? (await newSqliteDatabase()));
  const store = createAgentStore(database);
  const registry = createAgentRegistry({ store });
  const refusals: RegistryRefusal[] = [];
  const routes = createRegistryRoutes({
    store,
    registry,
    client: { fetchCard: () => Promise.reject(new AgentFailure("unreachable", "Nobody listens there.")) },
    checks: {
      protocol: ({ protocol }) => {
        if (!["jsonrpc-2.0", "simple-a2a"].includes(protocol))
          throw new AgentFailure("protocol_unsupported", `Unsupported protocol: ${protocol}.`);
      },
      url: (url) => {
        if (url.includes("169.254.")) throw new AgentFailure("address_refused", "is refused.");
      },
    },
    tokens: () => [adminToken],
    limit: { perMinute: 1_000_000, burst: 1_000_000 },
    onRefused: (refusal) => refusals.push(refusal),
    ...deps,
  });
  const app = express();
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  app.use("/api/v1", routes);
  const server = createHttpServer(app);
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const url = `http://127.0.0.1:${port}/api/v1`;

  const ask: StartedRegistry["ask"] = async (line, body, headers = {}) => {
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
    checkAgainstDocument({ method, path }, response, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  return { url, store, registry, database, refusals, ask };
}
