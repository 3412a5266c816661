import {
  createAdapters,
  createAddressRules,
  createAgentCaller,
  createAgentClient,
  createAgentRegistry,
  createAgentSlots,
  createBridge,
  createCircuitBreakers,
  createSecretRules,
  createSecretSource,
  bridgeEvents,
  observeBridge,
} from "@crosszone/agent-bridge";
import type { AgentRecord } from "@crosszone/contracts";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import type { OpenedBus } from "./open-bus.ts";

export interface BridgePlan extends OpenedBus {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
  /** How many tasks of all agents are done at once. */
  readonly concurrency: number;
}

/** The bridge as the zone has it: with its log, its metrics, its rules of addresses, circuits and slots. */
export async function startBridge({ bus, database, agents, origin, concurrency }: BridgePlan): Promise<void> {
  const adapters = createAdapters();
  const known = new Set(agents.map((agent) => agent.name));
  const observer = observeBridge({
    logger: createLogger({ zone: "execution", level: "info", events: bridgeEvents }),
    registry: createMetrics().registry,
    protocols: adapters.supported,
    channels: ["agent_tasks", "agent_cancellations"],
    isAgent: (agent) => known.has(agent),
  });
  const client = createAgentClient({
    rules: createAddressRules({ origins: [origin] }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: createSecretRules({ bindings: [] }),
  });
  const bridge = createBridge({
    bus,
    database,
    registry: createAgentRegistry({ store: { all: async () => agents } }),
    caller: createAgentCaller({ adapters, client, breakers: createCircuitBreakers(), observer }),
    slots: createAgentSlots({ most: concurrency }),
    observer,
    limits: { leaseMs: 30_000, retentionMs: 86_400_000, deadlineMs: 3_600_000, mostAttempts: 3 },
  });
  await bridge.start();
}
