import type { AgentRegistry } from "@crosszone/agent-bridge";
import { ZoneError, type AgentRecord } from "@crosszone/contracts";
import { isTransient } from "@crosszone/sql";
import type { RegisteredAgents } from "../agent-directory.ts";
import { createBridgedAgent } from "./bridged-agent.ts";
import type { TaskExchange } from "./task-exchange.ts";

/** The agents of the registry that are not disabled, each as an agent of this zone. */
export function createBridgedAgents(
  registry: AgentRegistry,
  exchange: Pick<TaskExchange, "ask" | "cancel">,
): RegisteredAgents {
  const agentOf = (record: AgentRecord) => createBridgedAgent(record, exchange);
  return {
    find: async (name) => {
      const record = await reached(() => registry.find(name));
      return record?.enabled === true ? agentOf(record) : undefined;
    },
    list: async () => (await reached(() => registry.listEnabled())).map(agentOf),
  };
}

/** A registry whose database is away is asked again later, by whoever asks the zone. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (isTransient(cause)) throw new ZoneError("agent_unavailable", { retry_after_ms: 1_000 }, { cause });
    throw cause;
  }
}
