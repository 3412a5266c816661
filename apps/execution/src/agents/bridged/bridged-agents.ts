import type { AgentRegistry } from "@crosszone/agent-bridge";
import type { AgentRecord } from "@crosszone/contracts";
import { retryableOnOutage, type RegisteredAgents } from "../agent-directory.ts";
import { type BridgedAgentDeps, createBridgedAgent } from "./bridged-agent.ts";

/** Provides the registry's enabled agents as agents of this zone. */
export function createBridgedAgents(registry: AgentRegistry, deps: BridgedAgentDeps): RegisteredAgents {
  const agentOf = (record: AgentRecord) => createBridgedAgent(record, deps);
  return {
    find: async (name) => {
      const record = await retryableOnOutage(() => registry.find(name));
      return record?.enabled === true ? agentOf(record) : undefined;
    },
    list: async () => (await retryableOnOutage(() => registry.listEnabled())).map(agentOf),
  };
}
