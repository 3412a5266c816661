import { createEmbeddedBus, type MessageBus } from "@crosszone/bus";
import type { AgentRecord } from "@crosszone/contracts";
import { createBridge, type AgentBridge, type BridgeDeps, type BridgeLimits } from "../bridge/create-bridge.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { createAgentSlots } from "../slots/create-agent-slots.ts";
import { openBridgeDatabase } from "./open-bridge-database.ts";
import { recordingObserver, type RecordingObserver } from "./recording-observer.ts";

export interface OpenBridgeOptions {
  readonly agents: readonly AgentRecord[];
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
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const bridge = createBridge({
    bus: busOf(bus),
    database,
    registry: { find: async (name) => byName.get(name) },
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
  return { told: observer.told, toldOf: observer.toldOf, bridge, bus, database, close };
}
