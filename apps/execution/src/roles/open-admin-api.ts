import { createAdminApi } from "@crosszone/admin-api";
import { createReadAgentCalls, createRegistryRoutes } from "@crosszone/agent-bridge";
import { createWorkflowRoutes, type Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import { createMcpRoutes } from "../http/api/create-mcp-routes.ts";
import type { McpPinStore } from "../agents/assistant/sql-mcp-pins.ts";
import { createTaskRoutes } from "../http/api/create-task-routes.ts";
import { checkConformance } from "./agents-file.ts";
import { createSqlTaskReader } from "../tasks/sql/task-reader.ts";
import { createUsageRoutes } from "../http/api/create-usage-routes.ts";
import type { UsageReader } from "../usage/sql-usage-reader.ts";
import type { OpenAgents } from "./open-agent-registry.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/**
 * Opens the zone's API for callers with one of ADMIN_TOKENS or VIEW_TOKENS: agents, MCP servers, tasks,
 * usage, workflows and runs.
 */
export function openAdminApi(
  {
    config,
    database,
    logger,
    health,
    pins,
  }: Omit<ZoneBasis, "vault" | "metrics" | "emit"> & { readonly pins: McpPinStore },
  { store, registry, client, adapters, checks }: OpenAgents,
  { workflows, usage }: { readonly workflows: Workflows; readonly usage: UsageReader },
): RequestHandler {
  const { ADMIN_TOKENS: tokens = [], VIEW_TOKENS: viewTokens = [] } = config;
  const agents = createRegistryRoutes({
    store,
    registry,
    client,
    adapters,
    checks,
    checkConformance,
    agentsFile: config.AGENTS_FILE?.join(" or "),
    onChanged: ({ actor, correlationId, name, agent }) =>
      logger.info("agent_changed", {
        agent_name: name,
        by: actor,
        correlation_id: correlationId,
        ...(agent === undefined ? { deleted: true } : { revision: agent.revision, enabled: agent.enabled }),
      }),
  });
  const tasks = createTaskRoutes({
    tasks: createSqlTaskReader(database),
    readCalls: createReadAgentCalls(database),
    workflows,
  });
  const mcp = createMcpRoutes({
    pins,
    servers: config.MCP_SERVERS,
    onApproved: ({ actor, correlationId, ...approved }) =>
      logger.info("mcp_tools_approved", { ...approved, by: actor, correlation_id: correlationId }),
  });
  return createAdminApi({
    parts: [
      agents,
      mcp,
      tasks,
      createUsageRoutes({ usage, now: () => new Date() }),
      createWorkflowRoutes({ workflows, maxWatchers: config.MAX_RUN_WATCHERS }),
    ],
    tokens: () => tokens,
    viewTokens: () => viewTokens,
    stopping: health.stopping,
    onRefused: ({ kind, method, correlationId, cause }) => {
      const fields = { kind, method, correlation_id: correlationId };
      if (cause === undefined) logger.warn("api_refused", fields);
      else logger.error("api_failed", { ...fields, cause });
    },
  });
}
