import { startAdminApi } from "@crosszone/admin-api/testing";
import { auditStep } from "@crosszone/audit";
import type { ConformanceReport } from "@crosszone/contracts";
import { type Database, openDatabase, sqlStep } from "@crosszone/sql";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { onTestFinished } from "vitest";
import { createAdapters } from "../adapters/adapters.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { createAgentStore } from "../registry/agent-store.ts";
import { AgentCallCounts, agentCountsStep, type AgentCountTables } from "../registry/agent-counts.ts";
import { agentsStep, type AgentTables } from "../registry/agent-table.ts";
import { createRegistryRoutes, type RegistryRoutesDeps } from "../registry-api/create-registry-routes.ts";
import { createAgentRegistry } from "../registry/cached-agents.ts";
import { createSecretRules } from "../client/secret-source.ts";

/** A report in which these checks of level `must` failed. */
export function reportOf(url: string, failed: readonly string[] = []): ConformanceReport {
  const rule = { rule: "The id is echoed.", source: "https://www.jsonrpc.org/specification" };
  const shared = { protocol: "a2a-1.0", level: "must", ...rule } as const;
  const passed = { ...shared, id: "answers", title: "The agent answers.", status: "passed" } as const;
  const checks = failed.map((id) => {
    const words = { problem: "The response has the id null.", fix: "Copy the id of the request." };
    return { ...shared, id, title: "The response has the request's id.", status: "failed", ...words } as const;
  });
  return {
    url,
    protocols: ["a2a-1.0"],
    compliant: failed.length === 0,
    started_at: "2026-11-21T06:00:00Z",
    duration_ms: 3,
    summary: { passed: 1, failed: failed.length, warned: 0, skipped: 0 },
    checks: [passed, ...checks],
  };
}

/** The tables of runs, as far as failed calls are read with the steps that made them. */
export interface RunTables {
  readonly workflow_run: { readonly run_id: string; readonly workflow_id: string };
  readonly workflow_step: { readonly run_id: string; readonly task_id: string; readonly path: string };
}

export const runsStep = sqlStep(`
  create table workflow_run (run_id text primary key, workflow_id text not null);
  create table workflow_step (run_id text not null, task_id text not null, path text not null)`);

/** Opens the registry's tables. Closes them with the test. */
export async function openAgents(url: string): Promise<Database<AgentTables & AgentCountTables>> {
  const migrations = {
    "0001_agents": agentsStep,
    "0002_audit": auditStep,
    "0003_counts": agentCountsStep,
    "0004_runs": runsStep,
  };
  const database = await openDatabase<AgentTables & AgentCountTables>({ url, schema: "execution", migrations });
  onTestFinished(() => database.close());
  return database;
}

const unreachable = (): Promise<never> => Promise.reject(new AgentFailure("unreachable", "Nothing listens there."));

/** Serves the registry's API as the zone does, on a real port and a real database. */
export async function startRegistry({
  databaseUrl,
  ...others
}: Partial<RegistryRoutesDeps> & { readonly databaseUrl?: string } = {}) {
  const database = await openAgents(databaseUrl ?? (await newSqliteDatabase()));
  const store = createAgentStore(database);
  const registry = createAgentRegistry({ store });
  const counts = new AgentCallCounts(database, () => undefined);
  const part = createRegistryRoutes({
    counts,
    store,
    registry,
    client: { send: unreachable, fetchCard: unreachable, fetchAs: () => unreachable, close: async () => undefined },
    checkConformance: async ({ url }) => reportOf(url),
    adapters: createAdapters(),
    checks: {
      protocol: ({ protocol }) => {
        if (!["auto", "jsonrpc-2.0", "simple-a2a"].includes(protocol))
          throw new AgentFailure("protocol_unsupported", `Unsupported protocol: ${protocol}.`);
      },
      url: (url) => {
        if (url.includes("169.254.")) throw new AgentFailure("address_refused", "is refused.");
      },
      secrets: createSecretRules({ bindings: [] }).check,
    },
    ...others,
  });
  const started = await startAdminApi({ parts: [part] });
  return { ...started, store, registry, database, counts };
}
