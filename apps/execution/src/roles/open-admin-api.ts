import { type ApiTokens, createAdminApi } from "@crosszone/admin-api";
import { createReadAgentCalls, createRegistryRoutes } from "@crosszone/agent-bridge";
import { createWorkflowRoutes, type Workflows } from "@crosszone/workflow";
import type { Emit, Health } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RequestHandler } from "express";
import { createInputRoutes } from "../http/api/create-input-routes.ts";
import { createMcpRoutes } from "../http/api/create-mcp-routes.ts";
import type { McpPinStore } from "../agents/assistant/sql-mcp-pins.ts";
import { createTaskRoutes } from "../http/api/create-task-routes.ts";
import { checkConformance } from "./agents-file.ts";
import { createSqlTaskReader } from "../tasks/sql/task-reader.ts";
import { createTokenRoutes } from "../http/api/create-token-routes.ts";
import type { TokenStore } from "../tokens/token-store.ts";
import { createUsageRoutes } from "../http/api/create-usage-routes.ts";
import type { UsageReader } from "../usage/sql-usage-reader.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";
import type { OpenAgents } from "./open-agent-registry.ts";

export interface AdminApiOptions {
  readonly config: ExecutionConfig;
  readonly database: ExecutionDatabase;
  readonly health: Health;
  readonly emit: Emit<ExecutionEvent>;
  readonly agents: OpenAgents;
  readonly workflows: Workflows;
  readonly usage: UsageReader;
  readonly pins: McpPinStore;
  readonly inputs: InputRequests;
  readonly tokens: ApiTokens & { readonly stored: TokenStore };
}

/** Opens the zone's API: agents, MCP servers, tasks, input requests, usage, workflows, runs and API tokens. */
export function openAdminApi(options: AdminApiOptions): RequestHandler {
  const { config, database, health, emit, agents, workflows, usage, pins, inputs, tokens } = options;
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
  return createAdminApi({
    parts: [
      agentRoutes,
      createMcpRoutes({ pins, servers: config.MCP_SERVERS, emit }),
      taskRoutes,
      createInputRoutes(inputs),
      createUsageRoutes({ usage, now: () => new Date() }),
      createWorkflowRoutes({ workflows, maxWatchers: config.MAX_RUN_WATCHERS }),
      createTokenRoutes({ store: tokens.stored, emit }),
    ],
    ...tokens,
    stopping: health.stopping,
    onRefused: ({ kind, method, cause, act: { actor: by, scope, correlationId } }) => {
      const fields = { kind, method, by, scope, correlation_id: correlationId };
      if (cause === undefined) emit("api_refused", fields);
      else emit("api_failed", { ...fields, cause });
    },
  });
}
