import type { AgentGate, AgentStore } from "@crosszone/agent-bridge";
import type { Telemetry } from "../observers/log-events.ts";

export interface MovedAgents {
  readonly store: Pick<AgentStore, "get">;
  readonly gate: Pick<AgentGate, "failedChecks">;
  readonly logger: Pick<Telemetry["logger"], "warn">;
  /** Ends the checks. */
  readonly signal: AbortSignal;
}

/** Checks agents that a file has moved to another protocol. The file decides, so a failed check is only logged. Never rejects. */
export async function reportMovedAgents(names: readonly string[], deps: MovedAgents): Promise<void> {
  const { store, gate, logger, signal } = deps;
  for (const name of names) {
    try {
      const agent = await store.get(name);
      if (agent === undefined || !("id" in agent) || agent.protocol === "auto") continue;
      const failed = await gate.failedChecks(agent, signal);
      const ids = failed.map(({ id }) => id);
      const because = `fails checks of ${agent.protocol}: ${ids.join(", ")}`;
      if (ids.length > 0) logger.warn("agent_not_compliant", { agent_name: name, because });
    } catch (cause) {
      if (signal.aborted) return;
      logger.warn("agent_not_compliant", { agent_name: name, because: "it could not be checked", cause });
    }
  }
}
