import { createRegistryRoutes } from "@crosszone/agent-bridge";
import type { RequestHandler } from "express";
import type { OpenAgents } from "./open-agents.ts";
import type { ZoneBasis } from "./zone-basis.ts";

/** The API of the registry, for who has one of AGENT_ADMIN_TOKENS. */
export function openRegistryApi(
  { config, logger }: Pick<ZoneBasis, "config" | "logger">,
  { store, registry, client, checks }: OpenAgents,
): RequestHandler {
  const tokens = config.AGENT_ADMIN_TOKENS ?? [];
  return createRegistryRoutes({
    store,
    registry,
    client,
    checks,
    agentsFile: config.AGENTS_FILE,
    tokens: () => tokens,
    onChanged: ({ actor, correlationId, name, agent }) =>
      logger.info("agent_changed", {
        agent_name: name,
        by: actor,
        correlation_id: correlationId,
        ...(agent === undefined ? { deleted: true } : { revision: agent.revision, enabled: agent.enabled }),
      }),
    onRefused: ({ kind, method, correlationId, cause }) => {
      const fields = { kind, method, correlation_id: correlationId };
      if (cause === undefined) logger.warn("registry_refused", fields);
      else logger.error("registry_failed", { ...fields, cause });
    },
  });
}
