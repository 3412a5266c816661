import { agentCallKind, type CallIntake, type ExecutionColumn } from "@crosszone/agent-calls";
import type { JobReadings, JobWorker, ProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, type Purge, type Vault } from "@crosszone/service-kit";
import { reportStoreFailed } from "../events/agent-events.ts";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import type { AgentSlots } from "../limits/agent-slots.ts";
import { createAgentCallKind, createCallIntake } from "./agent-call-kind.ts";
import type { CallRunDeps } from "./call-run.ts";

/** Time limits and attempts of a bridge. It has no defaults. */
export interface BridgeLimits {
  /** How long an ended call is kept, milliseconds. A task that arrives again within this time is not repeated. */
  readonly retentionMs: number;
  /** Maximum number of runs of a call when processes crash. */
  readonly mostAttempts: number;
}

/** Dependencies of a bridge. It closes none of them. */
export interface BridgeDeps extends Pick<CallRunDeps, "caller" | "emit" | "ends" | "onArtifacts" | "onProgress"> {
  /** The jobs of this process, on a lease that has begun. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  readonly registry: AgentRegistry;
  /** Limits the concurrent calls of this process, per agent and in total. */
  readonly slots: AgentSlots;
  readonly limits: BridgeLimits;
  /** Seals inputs and results of agents. */
  readonly vault?: Vault;
}

/** The backlog of a database's bridges, and the activity of this one. */
export interface BridgeReadings extends Pick<JobReadings, "open" | "waiting" | "oldestWaitingMs"> {
  /** Calls running in this process. */
  readonly running: number;
}

/** Runs calls to registered agents in this process: each ends exactly once, even if a process crashes. */
export interface AgentBridge extends Pick<JobWorker, "start" | "check"> {
  readonly intake: CallIntake;
  /** Stops the work on a call that ended elsewhere, by its `callId`. Returns false when it doesn't run here. */
  readonly drop: (id: string) => boolean;
  /** Takes no more calls, lets running calls end within `graceMs` milliseconds, and releases the others. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** Rejects when the database is unreachable. */
  readonly readings: () => Promise<BridgeReadings>;
  /** Deletes calls that ended long ago. */
  readonly purge: Purge;
}

/** Creates a bridge, which takes no calls before `start`. Many processes can have one each on the same database. */
export function createBridge(deps: BridgeDeps): AgentBridge {
  const { emit, limits } = deps;
  const { store, lease, workOn } = deps.jobs;
  const codec = createRecordCodec(deps.vault);
  const { mostAttempts, retentionMs } = limits;
  const kind = createAgentCallKind({ ...deps, codec, mostAttempts, rerunAfterMs: lease.leaseMs });
  const worker = workOn(kind, reportStoreFailed(emit));
  const { start, check } = worker;

  return {
    start,
    check,
    intake: createCallIntake({ store, vault: deps.vault, bridge: { kind, worker, emit } }),
    drop: worker.cancel,
    stop: worker.stop,
    readings: async () => {
      const { open, waiting, oldestWaitingMs } = await store.readings(agentCallKind);
      return { open, waiting, oldestWaitingMs, running: worker.running() };
    },
    purge: { table: "job", purge: (most) => store.forget(agentCallKind, retentionMs, most) },
  };
}
