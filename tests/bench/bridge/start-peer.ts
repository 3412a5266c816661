import {
  createAddressRules,
  createAgentCaller,
  createAgentClient,
  createAgentRegistry,
  createAgentSlots,
  createAdapters,
  createBridge,
  createCircuitBreakers,
  createSecretSource,
  bridgeEvents,
  observeBridge,
} from "@crosszone/agent-bridge";
import type { AgentRecord } from "@crosszone/contracts";
import { createLogger, createMetrics } from "@crosszone/service-kit";
import { Agent } from "undici";
import { byHand } from "./dialects.ts";
import type { OpenedBus } from "./open-bus.ts";
import { concurrency, type PeerName } from "./peers.ts";

interface PeerDeps extends OpenedBus {
  readonly agents: readonly AgentRecord[];
  readonly origin: string;
}

/** Has the tasks of the bus done by agents from now on. */
export async function startPeer(name: PeerName, deps: PeerDeps): Promise<void> {
  if (name === "bridge") return startBridge(deps);
  return startLoop(deps, name === "serial" ? 1 : concurrency);
}

/** The bridge as the zone has it: with its log, its metrics, its rules of addresses, circuits and slots. */
async function startBridge({ bus, database, agents, origin }: PeerDeps): Promise<void> {
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

/**
 * What is left when everything is left out that is not needed on a good day: the message is on the bus until its result is, by the same
 * client, without a table, log, metrics, deadlines, retries, rules and circuits. A task that takes long keeps the bus's lease busy.
 */
async function startLoop({ bus, agents }: PeerDeps, atOnce: number): Promise<void> {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  await bus.subscribe("agent_tasks", {
    group: "agent-bridge",
    concurrency: atOnce,
    handle: async ({ value: task }) => {
      const agent = byName.get(task.agent_name);
      const dialect = byHand[agent?.protocol ?? ""];
      if (agent === undefined || dialect === undefined) throw new Error(`no agent ${task.agent_name}`);
      const { origin, pathname } = new URL(agent.url);
      const body = dialect.request(task);
      const headers = { "content-type": "application/json", accept: "application/json" };
      const answer = await dispatcher.request({ origin, path: pathname, method: "POST", headers, body });
      const text = dialect.textOf(await answer.body.json());
      const { run_id, task_id, correlation_id } = task;
      const ids = { run_id, task_id, correlation_id, timestamp: new Date().toISOString() };
      const value = { ...ids, status: "SUCCESS", output_data: { text }, error_message: null } as const;
      await bus.publish([{ channel: "agent_results", value }]);
    },
  });
}
