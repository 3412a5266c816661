import { createAdminApi } from "@crosszone/admin-api";
import { createRegistryRoutes } from "@crosszone/agent-bridge";
import { createWorkflowRoutes, type Workflows } from "@crosszone/workflow";
import type { RequestHandler } from "express";
import type { OpenAgents } from "./open-agents.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The API of the zone, for the holders of AGENT_ADMIN_TOKENS and AGENT_VIEW_TOKENS: the registry of agents, workflows and their runs. */
export function openAdminApi(
  { config, logger, health }: Pick<ZoneBasis, "config" | "logger" | "health">,
  { store, registry, client, adapters, checks }: OpenAgents,
  workflows: Workflows,
): RequestHandler {
  const { AGENT_ADMIN_TOKENS: tokens = [], AGENT_VIEW_TOKENS: viewTokens = [] } = config;
  const agents = createRegistryRoutes({
    store,
    registry,
    client,
    adapters,
    checks,
    agentsFile: config.AGENTS_FILE?.join(" or "),
    onChanged: ({ actor, correlationId, name, agent }) =>
      logger.info("agent_changed", {
        agent_name: name,
        by: actor,
        correlation_id: correlationId,
        ...(agent === undefined ? { deleted: true } : { revision: agent.revision, enabled: agent.enabled }),
      }),
  });
  return createAdminApi({
    parts: [agents, createWorkflowRoutes({ workflows, maxWatchers: config.MAX_RUN_WATCHERS })],
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
