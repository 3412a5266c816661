import { type ApiPart, ApiProblem, type AskedFor, ApiReply, serveApi } from "@crosszone/admin-api";
import type { AgentRecord } from "@crosszone/contracts";
import type { Adapters } from "../adapters/adapters.ts";
import type { AgentClient } from "../client/agent-client.ts";
import type { AgentCallCounts } from "../registry/agent-counts.ts";
import type { CachedAgentRegistry } from "../registry/cached-agents.ts";
import { type CheckConformance, createAgentGate, entityTag, hasChecks } from "./agent-gate.ts";
import {
  type AgentChange,
  AgentChanges,
  type RequestedChange,
  rollBackMigration,
  type StoredAgentsDeps,
} from "./change-agents.ts";
import { listAgentChanges, listAgents, type ReadActivity } from "./list-agents.ts";
import { migrateAgents } from "./migrate-agents.ts";
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
}

/** Creates the part of the API that manages, probes and tests agents. */
export function createRegistryRoutes(deps: RegistryRoutesDeps): ApiPart {
  const { registry, client, counts } = deps;
  const gate = createAgentGate(client, deps.checkConformance);
  const onChanged = (change: AgentChange): void => {
    registry.invalidate();
    deps.onChanged?.(change);
  };
  const changing = { ...deps, gate, onChanged };
  const changes = new AgentChanges(changing);
  const shown = (agent: AgentRecord): ApiReply =>
    new ApiReply({ status: 200, body: agent, headers: { etag: entityTag(agent) } });
  const patched = async (asked: OfOne, patch: unknown) => shown(await changes.patch(requestOf(asked), patch));
  return serveApi("registry", {
    createAgent: async ({ body, by, baseUrl }) => {
      const agent = await changes.create(body, by);
      const location = `${baseUrl}/agents/${encodeURIComponent(agent.name)}`;
      return new ApiReply({ status: 201, body: agent, headers: { etag: entityTag(agent), location } });
    },
    getAgent: async ({ params }) => {
      const agent = await changes.find(params.name);
      return shown({ ...agent, activity: (await deps.readActivity?.())?.(agent.name) });
    },
    changeAgent: (asked) => patched(asked, asked.body),
    deleteAgent: (asked) => changes.remove(requestOf(asked)),
    disableAgent: (asked) => patched(asked, { enabled: false }),
    enableAgent: (asked) => patched(asked, { enabled: true }),
    rollBackAgent: async (asked) => shown(await changes.rollBack(requestOf(asked))),
    listAgents: (asked) => listAgents(deps, asked),
    testAgent: async ({ body, by: { correlationId }, signal }) =>
      testAgent(deps, await testedAgent(changes, body), { correlationId, signal }),
    migrateAgents: ({ body, by, signal }) => migrateAgents(changing, body, { by, signal }),
    rollBackMigration: ({ by }) => rollBackMigration(changing, by),
    checkAgent: async ({ params, signal }) => checkHealth(client, await changes.find(params.name), signal),
    checkAgentConformance: async ({ params, query, signal }) => {
      const agent = await changes.find(params.name);
      const { protocol = agent.protocol } = query;
      if (protocol !== "auto" && !hasChecks(protocol)) throw withoutChecks(protocol);
      return gate.report({ ...agent, protocol }, signal);
    },
    listFailedCalls: async ({ params: { name }, query: { limit, cursor: after } }) => {
      const { calls, total, next } = await counts.failedCalls(name, { limit, after });
      // Those of a removed agent are listed too.
      if (total === 0) await changes.find(name);
      return { calls, total, next_cursor: next };
    },
    listAudit: (asked) => listAgentChanges(deps.store, asked),
  });
}

type OfOne = Pick<AskedFor<"deleteAgent">, "params" | "headers" | "by" | "signal">;

const requestOf = ({ params: { name }, headers, by, signal }: OfOne): RequestedChange => ({
  name,
  ifMatch: headers["if-match"],
  by,
  signal,
});

function withoutChecks(protocol: string): ApiProblem {
  const message = `is ${JSON.stringify(protocol)}, which has no checks: use a2a-1.0, jsonrpc-2.0, simple-a2a or auto`;
  return new ApiProblem("no_checks", undefined, { problems: [{ pointer: "/protocol", message }] });
}
