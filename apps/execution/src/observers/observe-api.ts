import type { ApiObserver } from "../http/api/api-observer.ts";
import type { Telemetry } from "./telemetry.ts";

/** Turns events of the admin API into log lines. */
export function observeApi({ logger }: Pick<Telemetry, "logger">): ApiObserver {
  return {
    agentChanged: ({ actor, correlationId, name, agent }) =>
      logger.info("agent_changed", {
        agent_name: name,
        by: actor,
        correlation_id: correlationId,
        ...(agent === undefined ? { deleted: true } : { revision: agent.revision, enabled: agent.enabled }),
      }),
    toolsApproved: ({ actor, correlationId, ...approved }) =>
      logger.info("mcp_tools_approved", { ...approved, by: actor, correlation_id: correlationId }),
    refused: ({ kind, method, correlationId, cause }) => {
      const fields = { kind, method, correlation_id: correlationId };
      if (cause === undefined) logger.warn("api_refused", fields);
      else logger.error("api_failed", { ...fields, cause });
    },
  };
}
