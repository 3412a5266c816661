import { createAdminApi } from "@crosszone/admin-api";
import { createAuditRoutes } from "@crosszone/audit/api";
import { createReadAgentCalls, createRegistryRoutes } from "@crosszone/agent-bridge";
import { createWorkflowRoutes, type Workflows } from "@crosszone/workflow";
import type { Emit, Health } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RequestHandler } from "express";
import { createInputRoutes } from "../http/api/create-input-routes.ts";
import { recordReads } from "../http/api/record-reads.ts";
import { createMcpRoutes } from "../http/api/create-mcp-routes.ts";
import type { McpPinStore } from "../agents/assistant/sql-mcp-pins.ts";
import { createTaskRoutes } from "../http/api/create-task-routes.ts";
import { checkConformance } from "./agents-file.ts";
import { createSqlTaskReader } from "../tasks/sql/task-reader.ts";
import { createUsageRoutes } from "../http/api/create-usage-routes.ts";
import type { UsageReader } from "../usage/sql-usage-reader.ts";
import type { InputRequests } from "../inputs/input-requests.ts";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";
import type { ZoneAudit } from "./open-audit.ts";
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
  readonly audit: ZoneAudit;
}

/**
 * Opens the zone's API for callers with one of ADMIN_TOKENS or VIEW_TOKENS: agents, MCP servers, tasks,
 * input requests, usage, workflows and runs.
 */
export function openAdminApi(options: AdminApiOptions): RequestHandler {
  const { config, database, health, emit, agents, workflows, usage, pins, inputs, audit } = options;
  const { ADMIN_TOKENS: tokens = [], VIEW_TOKENS: viewTokens = [] } = config;
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
  const tasks = createTaskRoutes({
    tasks: createSqlTaskReader(database),
    readCalls: createReadAgentCalls(database),
    readRun: workflows.states,
  });
  const parts = [
    agentRoutes,
    createMcpRoutes({ pins, servers: config.MCP_SERVERS, emit }),
    tasks,
    createInputRoutes(inputs, audit.receiptOf),
    createAuditRoutes(audit.read),
    createUsageRoutes({ usage, now: () => new Date() }),
    createWorkflowRoutes({ workflows, maxWatchers: config.MAX_RUN_WATCHERS }),
  ];
  return createAdminApi({
    parts: parts.map((part) => recordReads(part, (act) => audit.append(database.db, [act]))),
    tokens: () => tokens,
    viewTokens: () => viewTokens,
    stopping: health.stopping,
    onRefused: ({ kind, method, correlationId, cause }) => {
      const fields = { kind, method, correlation_id: correlationId };
      if (cause === undefined) emit("api_refused", fields);
      else emit("api_failed", { ...fields, cause });
    },
  });
}
