import {
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  page,
  readJsonBody,
  readQuery,
  text,
} from "@crosszone/admin-api";
import { authorOf } from "@crosszone/audit";
import type { AgentRecord } from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { Adapters } from "../adapters/adapters.ts";
import type { AgentClient } from "../client/agent-client.ts";
import type { AgentCallCounts } from "../registry/agent-counts.ts";
import type { CachedAgentRegistry } from "../registry/cached-agents.ts";
import {
  type CheckConformance,
  createAgentGate,
  entityTag,
  hasChecks,
  invalidAgent,
  type RegistryProblem,
} from "./agent-gate.ts";
import {
  type AgentChange,
  AgentChanges,
  type AgentChangesDeps,
  type RequestedChange,
  type StoredAgentsDeps,
} from "./change-agents.ts";
import { listAgents, listAgentChanges, type ReadActivity } from "./list-agents.ts";
import { migrateAgents, rollBackMigration } from "./migrate-agents.ts";
import { checkHealth, testAgent, testedAgent } from "./test-agent.ts";

/** Dependencies of the registry's part of the API. It closes none of them. */
export interface RegistryRoutesDeps extends StoredAgentsDeps {
  readonly registry: CachedAgentRegistry;
  /** Used for probes and tests of agents. */
  readonly client: AgentClient;
  /** Checks agents before they are moved to another protocol. */
  readonly checkConformance: CheckConformance;
  readonly adapters: Adapters;
  /** Without it, agents are shown without their activity. */
  readonly readActivity?: ReadActivity;
  /** Counts tests, and lists failed calls. */
  readonly counts: AgentCallCounts;
  /** Largest body, bytes (default 64 KiB). */
  readonly maxBytes?: number;
}

/** Creates the part of the API that manages, probes and tests agents. */
export function createRegistryRoutes(deps: RegistryRoutesDeps): ApiPart {
  const { registry, maxBytes = 65_536 } = deps;
  const gate = createAgentGate(deps.client, deps.checkConformance);
  const onChanged = (change: AgentChange): void => {
    registry.invalidate();
    deps.onChanged?.(change);
  };
  const changing = { ...deps, gate, onChanged };
  const parts: RouteParts = { deps: changing, changes: new AgentChanges(changing), maxBytes };
  return {
    document: openApi("registry"),
    paths: { ...registryRoutes(parts), ...agentRoutes(parts), ...agentChecks(parts) },
  };
}

interface RouteParts {
  readonly deps: RegistryRoutesDeps & AgentChangesDeps;
  readonly changes: AgentChanges;
  readonly maxBytes: number;
}

const nameOf = ({ params }: ApiExchange): string => params["name"] ?? "";
const requestOf = (exchange: ApiExchange): RequestedChange => ({
  name: nameOf(exchange),
  ifMatch: exchange.request.headers["if-match"],
  by: authorOf(exchange),
  signal: exchange.signal,
});
const shown = (agent: AgentRecord): ApiContent => ({ status: 200, body: agent, headers: { etag: entityTag(agent) } });

/** Lists and adds agents, tests them, and migrates many at once. */
function registryRoutes({ deps, changes, maxBytes }: RouteParts): ApiPart["paths"] {
  const bodyOf = ({ request }: ApiExchange): Promise<unknown> => readJsonBody(request, { maxBytes });
  return {
    "/agents": {
      get: async (exchange) => ({ status: 200, body: await listAgents(deps, exchange) }),
      post: async (exchange) => {
        const agent = await changes.create(await bodyOf(exchange), authorOf(exchange));
        const location = `${exchange.baseUrl}/agents/${encodeURIComponent(agent.name)}`;
        return { status: 201, body: agent, headers: { etag: entityTag(agent), location } };
      },
    },
    "/agent-tests": {
      post: async (exchange) => {
        const tested = await testedAgent(changes, await bodyOf(exchange));
        return { status: 200, body: await testAgent(deps, tested, exchange) };
      },
    },
    "/agent-migrations": {
      post: async (exchange) => {
        const body = await bodyOf(exchange);
        return { status: 200, body: await migrateAgents(deps, body, requestOf(exchange)) };
      },
    },
    "/agent-migrations/rollback": {
      post: async (exchange) => ({ status: 200, body: await rollBackMigration(deps, requestOf(exchange)) }),
    },
  };
}

function agentRoutes({ deps, changes, maxBytes }: RouteParts): ApiPart["paths"] {
  const patched = async (exchange: ApiExchange, patch: unknown): Promise<ApiContent> =>
    shown(await changes.patch(requestOf(exchange), patch));
  return {
    "/agents/{name}": {
      get: async (exchange) => {
        const agent = await changes.find(nameOf(exchange));
        return shown({ ...agent, activity: (await deps.readActivity?.())?.(agent.name) });
      },
      patch: async (exchange) => {
        const types = ["application/merge-patch+json", "application/json"];
        const rules = { maxBytes, types, acceptHeader: "accept-patch" } as const;
        return patched(exchange, await readJsonBody(exchange.request, rules));
      },
      delete: async (exchange) => {
        await changes.remove(requestOf(exchange));
        return { status: 204 };
      },
    },
    "/agents/{name}/disable": { post: (exchange) => patched(exchange, { enabled: false }) },
    "/agents/{name}/enable": { post: (exchange) => patched(exchange, { enabled: true }) },
    "/agents/{name}/rollback": { post: async (exchange) => shown(await changes.rollBack(requestOf(exchange))) },
    "/agents/{name}/failed-calls": {
      get: async (exchange) => {
        const name = nameOf(exchange);
        const list = await deps.counts.failedCalls(name, readQuery(exchange.request.url, page));
        // Those of a removed agent are listed too.
        if (list.total === 0) await changes.find(name);
        return { status: 200, body: list };
      },
    },
    "/agents/{name}/audit": {
      get: async (exchange) => {
        const query = readQuery(exchange.request.url, page);
        return { status: 200, body: await listAgentChanges(deps.store, nameOf(exchange), query) };
      },
    },
  };
}

/** Probes an agent and checks whether it complies with its protocol. */
function agentChecks({ deps: { client, gate }, changes }: RouteParts): ApiPart["paths"] {
  return {
    "/agents/{name}/health": {
      post: async (exchange) => {
        const agent = await changes.find(nameOf(exchange));
        return { status: 200, body: await checkHealth(client, agent, exchange.signal) };
      },
    },
    "/agents/{name}/conformance": {
      post: async (exchange) => {
        const agent = await changes.find(nameOf(exchange));
        const { protocol = agent.protocol } = readQuery(exchange.request.url, { protocol: text });
        if (protocol !== "auto" && !hasChecks(protocol)) throw withoutChecks(protocol);
        return { status: 200, body: await gate.report({ ...agent, protocol }, exchange.signal) };
      },
    },
  };
}

function withoutChecks(protocol: string): RegistryProblem {
  const message = `is ${JSON.stringify(protocol)}, which has no checks: use a2a-1.0, jsonrpc-2.0, simple-a2a or auto`;
  return invalidAgent([{ pointer: "/protocol", message }]);
}
