import { type ApiTokens, createAdminApi } from "@crosszone/admin-api";
import { createRecordRefusal, type ZoneAudit } from "@crosszone/audit";
import { createAuditRoutes } from "@crosszone/audit/api";
import { createReadAgentCalls, createRegistryRoutes } from "@crosszone/agent-bridge";
import { createWorkflowRoutes, type Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import { createInputRoutes } from "../http/api/create-input-routes.ts";
import { recordReads } from "../http/api/record-reads.ts";
import { createMcpRoutes, type McpRoutesDeps } from "../http/api/create-mcp-routes.ts";
import { createTaskRoutes } from "../http/api/create-task-routes.ts";
import { checkConformance } from "./agents-file.ts";
import { createSqlTaskReader } from "../tasks/sql/task-reader.ts";
import { createTokenRoutes } from "../http/api/create-token-routes.ts";
import type { TokenUses } from "../tokens/token-uses.ts";
import type { TokenStore } from "../tokens/token-store.ts";
import { createUsageRoutes } from "../http/api/create-usage-routes.ts";
import type { UsageReader } from "../usage/sql-usage-reader.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { RoleParts } from "./role-parts.ts";

interface AdminApiOptions extends Pick<RoleParts, "config" | "database" | "health" | "emit"> {
  readonly agents: OpenAgents;
  readonly workflows: Workflows;
  readonly usage: UsageReader;
  readonly shownServers: Pick<McpRoutesDeps, "pins" | "servers">;
  readonly inputs: InputRequests;
  readonly tokens: ApiTokens & { readonly stored: TokenStore };
  readonly audit: ZoneAudit;
  readonly uses: TokenUses;
}

/** Opens the zone's API: agents, MCP servers, tasks, input requests, usage, workflows, runs and API tokens. */
export function openAdminApi(options: AdminApiOptions): RequestHandler {
  const { config, database, health, emit, agents, workflows, usage, shownServers, inputs, tokens, audit, uses } =
    options;
  const { store, registry, client, adapters, checks } = agents;
  const agentRoutes = createRegistryRoutes({
    store,
    registry,
    client,
    adapters,
    checks,
    checkConformance,
    agentsFile: config.AGENTS_FILE?.join(" or "),
    onChanged: ({ actor, correlationId, name, agent }) =>
      emit("agent_changed", {
        agent_name: name,
        by: actor,
        correlation_id: correlationId,
        ...(agent === undefined ? { deleted: true } : { revision: agent.revision, enabled: agent.enabled }),
      }),
  });
  const taskRoutes = createTaskRoutes({
    tasks: createSqlTaskReader(database),
    readCalls: createReadAgentCalls(database),
    readRun: workflows.states,
  });
  const parts = [
    agentRoutes,
    createMcpRoutes({ ...shownServers, emit }),
    taskRoutes,
    createInputRoutes(inputs, audit.receiptOf),
    createAuditRoutes(audit.read),
    createUsageRoutes({ usage, now: () => new Date() }),
    createWorkflowRoutes({ workflows, maxWatchers: config.MAX_RUN_WATCHERS }),
    createTokenRoutes({ store: tokens.stored, uses, emit }),
  ];
  const recordRefusal = createRecordRefusal(audit.record);
  return createAdminApi({
    parts: parts.map((part) => recordReads(part, audit.record)),
    ...tokens,
    stopping: health.stopping,
    onRefused: async (refusal) => {
      const { kind, method, cause, act } = refusal;
      const fields = { kind, method, by: act.actor, scope: act.scope, correlation_id: act.correlationId, ...act.from };
      if (cause !== undefined) return emit("api_failed", { ...fields, cause });
      emit("api_refused", fields);
      await recordRefusal(refusal).catch((failure: unknown) => emit("api_failed", { ...fields, cause: failure }));
    },
  });
}
