import { startAdminApi, type StartedApi, type StartOptions } from "@crosszone/admin-api/testing";
import type { Database } from "@crosszone/sql";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { createAdapters } from "../adapters/adapters.ts";
import { AgentFailure } from "../agent-failure.ts";
import { createAgentStore, type AgentStore } from "../registry/agent-store.ts";
import type { AgentTables } from "../registry/agent-table.ts";
import { createRegistryRoutes, type RegistryRoutesDeps } from "../registry/api/create-registry-routes.ts";
import { createAgentRegistry, type CachedAgentRegistry } from "../registry/cached-agents.ts";
import { createSecretRules } from "../secrets/create-secret-rules.ts";
import { openAgents } from "./agent-database.ts";
import { reportOf } from "./conformance-report.ts";

const unreachable = (): Promise<never> => Promise.reject(new AgentFailure("unreachable", "Nothing listens there."));

export interface StartedRegistry extends StartedApi {
  readonly store: AgentStore;
  readonly registry: CachedAgentRegistry;
  readonly database: Database<AgentTables>;
}

/** Serves the registry's API as the zone does, on a real port and a real database. */
export async function startRegistry(
  deps: Partial<RegistryRoutesDeps & Pick<StartOptions, "tokens">> & { readonly databaseUrl?: string } = {},
): Promise<StartedRegistry> {
  const { databaseUrl, tokens, ...others } = deps;
  const database = await openAgents(databaseUrl ?? (await newSqliteDatabase()));
  const store = createAgentStore(database);
  const registry = createAgentRegistry({ store });
  const part = createRegistryRoutes({
    store,
    registry,
    client: { post: unreachable, stream: unreachable, fetchCard: unreachable, fetchAs: () => unreachable },
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
  const started = await startAdminApi({ parts: [part], ...(tokens && { tokens, viewTokens: () => [] }) });
  return { ...started, store, registry, database };
}
