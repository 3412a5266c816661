import type { AgentRecord, AgentResult } from "@crosszone/contracts";
import { createJobEvents, createJobLease, createJobStore, executionJobs } from "@crosszone/jobs";
import type { CallEnds, CallHeaders, ExecutionColumn, JobLease, JobStore } from "@crosszone/jobs";
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
  readonly leaseMs?: number;
  readonly maxRunning?: number;
  readonly vault?: BridgeDeps["vault"];
  readonly onArtifacts?: BridgeDeps["onArtifacts"];
}

/** A result that this process gave to who waits for it. */
export interface GivenResult {
  readonly value: AgentResult;
  readonly headers: CallHeaders;
  readonly parent: string | undefined;
}

export interface OpenedBridge extends Pick<RecordingObserver, "told" | "toldOf"> {
  readonly bridge: AgentBridge;
  readonly jobs: JobStore<ExecutionColumn>;
  readonly lease: JobLease;
  readonly registry: AgentRegistry;
  readonly database: Awaited<ReturnType<typeof openBridgeDatabase>>;
  /** The results that were given here, each once its end was stored. */
  readonly given: readonly GivenResult[];
  readonly close: () => Promise<void>;
}

/** Opens a bridge as a separate process would, without starting it: with its own database connection and lease. */
export async function openBridge(url: string, options: OpenBridgeOptions): Promise<OpenedBridge> {
  const { agents, caller, limits, leaseMs = 30_000, maxRunning = 100, vault, onArtifacts } = options;
  const database = await openBridgeDatabase(url);
  const observer = recordingObserver();
  const lease = createJobLease({
    database,
    leaseMs,
    onLost: () => bridge.lose(),
    onReaped: () => bridge.wake(),
    onFailure: () => undefined,
  });
  const jobs = createJobStore({ database, lease, schema: executionJobs });
  const store = createAgentStore(database);
  const stored = createAgentRegistry({ store, maxAgeMs: 20 });
  const byName = new Map(agents?.map((agent) => [agent.name, agent]));
  const fixed = { find: async (name: string) => byName.get(name), listEnabled: async () => agents ?? [] };
  const registry = agents === undefined ? stored : fixed;
  const given: GivenResult[] = [];
  const bridge = createBridge({
    jobs,
    lease,
    database,
    registry,
    canaries: { store, invalidate: stored.invalidate },
    caller,
    slots: createAgentSlots({ most: maxRunning }),
    observer,
    ends: plainEnds(jobs, given),
    vault,
    onArtifacts,
    limits: { retentionMs: 60_000, mostAttempts: 3, ...limits },
  });
  const events = createJobEvents(database);
  events.onReady(bridge.wake);
  await lease.start();
  await events.start();
  const close = async (): Promise<void> => {
    await bridge.stop(0);
    await events.stop();
    await lease.stop();
    await database.close();
  };
  return { told: observer.told, toldOf: observer.toldOf, bridge, jobs, lease, registry, database, given, close };
}

/** Stores ends by themselves. */
function plainEnds(jobs: Pick<JobStore<ExecutionColumn>, "end">, given: GivenResult[]): CallEnds {
  return {
    end: async ({ headers, parent }, { result, ending }) => {
      const [isHeld = false] = await jobs.end([ending]);
      if (isHeld) given.push({ value: result, headers, parent });
      return isHeld;
    },
  };
}
