import type { IncomingMessage } from "node:http";
import type { AgentRecord } from "@crosszone/contracts";
import { answerJson, createTokenBuckets } from "@crosszone/service-kit";
import { Router, type RequestHandler } from "express";
import type { AgentClient } from "../../client/agent-client.ts";
import type { AgentStore, Author } from "../agent-store.ts";
import type { CachedAgentRegistry } from "../cached-agents.ts";
import { authenticateAdmin } from "./admin-tokens.ts";
import { createAgentChanges, type AgentChangesDeps, type AskedChange } from "./change-agents.ts";
import { checkHealth } from "./check-health.ts";
import { entityTag } from "./entity-tag.ts";
import { registryApi } from "../../generated/registry-api.ts";
import { listAgents } from "./list-agents.ts";
import { listAudit } from "./list-audit.ts";
import { readJsonBody } from "./read-json-body.ts";
import { readQuery } from "./read-query.ts";
import { refuse, toRoute, type OnRefused, type RegistryAnswer, type RegistryExchange } from "./registry-exchange.ts";
import { RegistryProblem } from "./registry-problem.ts";

/** What the API works with. It closes none of it. */
export interface RegistryRoutesDeps extends AgentChangesDeps {
  readonly store: AgentStore;
  readonly registry: Pick<CachedAgentRegistry, "invalidate">;
  readonly client: Pick<AgentClient, "fetchCard">;
  /** The tokens of admins, asked for at each request, since they may come from a file. With none the API is off. */
  readonly tokens: () => readonly string[];
  /** Requests of one token (default 120 a minute, 30 at once). */
  readonly limit?: { readonly perMinute: number; readonly burst: number };
  /** Largest body, bytes (default 64 KiB). */
  readonly maxBytes?: number;
  /** Told of each request that was refused. */
  readonly onRefused?: OnRefused;
}

/**
 * The registry's API, for `app.use("/api/v1", …)`: JSON in and out, every refusal as `application/problem+json`. What it serves is said
 * by the OpenAPI document at `/openapi.json`, which is the one path that needs no token.
 */
export function createRegistryRoutes(deps: RegistryRoutesDeps): RequestHandler {
  const { store, registry, client, tokens, maxBytes = 65_536, onRefused } = deps;
  const { perMinute, burst } = deps.limit ?? { perMinute: 120, burst: 30 };
  const buckets = createTokenBuckets({ capacity: burst, perMinute });
  const changes = createAgentChanges({
    ...deps,
    onChanged: (change) => {
      registry.invalidate();
      deps.onChanged?.(change);
    },
  });

  const authenticate = ({ headers }: IncomingMessage): string => {
    const actor = authenticateAdmin(headers.authorization, tokens());
    const waitMs = buckets.take(actor);
    if (waitMs === 0) return actor;
    const headersOfWait = { "retry-after": String(Math.ceil(waitMs / 1_000)) };
    throw new RegistryProblem("too_many", "Wait a little.", { headers: headersOfWait });
  };
  const route = (answerTo: (exchange: RegistryExchange) => RegistryAnswer | Promise<RegistryAnswer>) =>
    toRoute(authenticate, answerTo);
  const nameOf = ({ request }: RegistryExchange): string => request.params["name"] ?? "";
  const authorOf = ({ actor, correlationId }: RegistryExchange): Author => ({ actor, correlationId });
  const askedOf = (exchange: RegistryExchange): AskedChange => ({
    name: nameOf(exchange),
    ifMatch: exchange.request.headers["if-match"],
    by: authorOf(exchange),
  });
  const shown = (agent: AgentRecord): RegistryAnswer => ({
    status: 200,
    body: agent,
    headers: { etag: entityTag(agent) },
  });
  const patched = async (exchange: RegistryExchange, patch: unknown): Promise<RegistryAnswer> =>
    shown(await changes.patch(askedOf(exchange), patch));
  const only = (...methods: readonly string[]) =>
    route(() => {
      const allow = methods.join(", ");
      throw new RegistryProblem("method_not_allowed", `Use ${allow}.`, { headers: { allow } });
    });

  // Names of agents are told apart by case.
  const router = Router({ caseSensitive: true, strict: true });
  const openapi = JSON.stringify(registryApi);
  router
    .route("/openapi.json")
    .get((_request, response) => {
      if (tokens().length === 0) authenticateAdmin(undefined, []);
      answerJson(response, 200, openapi);
    })
    .all(only("GET"));
  router
    .route("/agents")
    .get(
      route(async ({ request }) => {
        const query = readQuery(request.url, ["limit", "offset", "protocol", "enabled", "q"]);
        return { status: 200, body: await listAgents(store, query) };
      }),
    )
    .post(
      route(async (exchange) => {
        const { request } = exchange;
        const types = ["application/json"];
        const body = await readJsonBody(request, { maxBytes, types, acceptHeader: "accept-post" });
        const agent = await changes.create(body, authorOf(exchange));
        const location = `${request.baseUrl}/agents/${encodeURIComponent(agent.name)}`;
        return { status: 201, body: agent, headers: { etag: entityTag(agent), location } };
      }),
    )
    .all(only("GET", "POST"));
  router
    .route("/agents/:name")
    .get(route(async (exchange) => shown(await changes.find(nameOf(exchange)))))
    .patch(
      route(async (exchange) => {
        const types = ["application/merge-patch+json", "application/json"];
        const rules = { maxBytes, types, acceptHeader: "accept-patch" } as const;
        return patched(exchange, await readJsonBody(exchange.request, rules));
      }),
    )
    .delete(
      route(async (exchange) => {
        await changes.remove(askedOf(exchange));
        return { status: 204 };
      }),
    )
    .all(only("GET", "PATCH", "DELETE"));
  for (const [path, enabled] of [
    ["/agents/:name/disable", false],
    ["/agents/:name/enable", true],
  ] as const)
    router
      .route(path)
      .post(route((exchange) => patched(exchange, { enabled })))
      .all(only("POST"));
  router
    .route("/agents/:name/health")
    .post(
      route(async (exchange) => {
        const agent = await changes.find(nameOf(exchange));
        return { status: 200, body: await checkHealth(client, agent, exchange.signal) };
      }),
    )
    .all(only("POST"));
  router
    .route("/agents/:name/audit")
    .get(
      route(async (exchange) => {
        const query = readQuery(exchange.request.url, ["limit", "offset"]);
        return { status: 200, body: await listAudit(store, nameOf(exchange), query) };
      }),
    )
    .all(only("GET"));
  router.use(
    route(() => {
      throw new RegistryProblem("not_found", "See openapi.json for what is served.");
    }),
  );
  return (request, response) =>
    router(request, response, (error: unknown) => refuse({ request, response }, error, onRefused));
}
