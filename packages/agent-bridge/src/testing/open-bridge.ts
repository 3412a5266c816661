import { createEmbeddedBus, type MessageBus } from "@crosszone/bus";
import type { AgentRecord } from "@crosszone/contracts";
import { createBridge, type AgentBridge, type BridgeDeps, type BridgeLimits } from "../bridge/create-bridge.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import type { AgentRegistry } from "../registry/agent-registry.ts";
import { createAgentStore } from "../registry/agent-store.ts";
import { createAgentRegistry } from "../registry/cached-agents.ts";
import { createAgentSlots } from "../slots/create-agent-slots.ts";
import { openBridgeDatabase } from "./open-bridge-database.ts";
import { recordingObserver, type RecordingObserver } from "./recording-observer.ts";

export interface OpenBridgeOptions {
  /** The registered agents; those of the database when absent. */
  readonly agents?: readonly AgentRecord[];
  readonly caller: AgentCaller;
  readonly limits?: Partial<BridgeLimits>;
  readonly maxRunning?: number;
  readonly vault?: BridgeDeps["vault"];
  readonly onArtifacts?: BridgeDeps["onArtifacts"];
  /** Wraps the bridge's bus. */
  readonly busOf?: (bus: MessageBus) => BridgeDeps["bus"];
}

export interface OpenedBridge extends Pick<RecordingObserver, "told" | "toldOf"> {
  readonly bridge: AgentBridge;
  readonly bus: MessageBus;
  readonly registry: AgentRegistry;
  readonly database: Awaited<ReturnType<typeof openBridgeDatabase>>;
  readonly close: () => Promise<void>;
}

/** Opens a bridge as a separate process would, without starting it: with its own database connection and bus. */
export async function openBridge(url: string, options: OpenBridgeOptions): Promise<OpenedBridge> {
  const { agents, caller, limits, maxRunning = 100, vault, onArtifacts, busOf = (bus) => bus } = options;
  const database = await openBridgeDatabase(url);
  const bus = createEmbeddedBus({
    database,
    groups: { agent_tasks: ["agent-bridge"], agent_cancellations: ["agent-bridge"], agent_results: ["execution"] },
  });
  const observer = recordingObserver();
  const store = createAgentStore(database);
  const stored = createAgentRegistry({ store, maxAgeMs: 20 });
  const byName = new Map(agents?.map((agent) => [agent.name, agent]));
  const fixed = { find: async (name: string) => byName.get(name), listEnabled: async () => agents ?? [] };
  const registry = agents === undefined ? stored : fixed;
  const bridge = createBridge({
    bus: busOf(bus),
    database,
    registry,
    canaries: { store, invalidate: stored.invalidate },
    caller,
    slots: createAgentSlots({ most: maxRunning }),
    observer,
    vault,
    onArtifacts,
    limits: { leaseMs: 30_000, retentionMs: 60_000, deadlineMs: 60_000, mostAttempts: 3, ...limits },
  });
  const close = async (): Promise<void> => {
    await bridge.stop(0);
    await bus.close();
    await database.close();
  };
  return { told: observer.told, toldOf: observer.toldOf, bridge, bus, registry, database, close };
}
