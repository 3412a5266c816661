import { agentCallKind, agentOfShare, type ExecutionColumn, shareOfAgent } from "@crosszone/agent-calls";
import type { AgentRecord } from "@crosszone/contracts";
import type { JobKind, ProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { type BridgeEmit, reportStoreFailed } from "../protocol/agent-events.ts";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import { type CallRunDeps, lostCall, runCall } from "./call-run.ts";
import { type LeasedCall, leasedCallOf } from "./leased-call.ts";

interface Bounded {
  readonly name: string;
  readonly max_concurrency: number;
}

/** Limits the concurrent tasks of each agent in this process, so that a slow agent doesn't block others. */
export class AgentSlots {
  readonly #most: number;
  readonly #byAgent = new Map<string, number>();
  #taken = 0;

  /** `most` is the limit of concurrent tasks of all agents in this process. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a slot. Returns a function that frees it (further calls do nothing), or undefined when none is free. */
  take(agent: Bounded): (() => void) | undefined {
    if (this.free(agent) === 0) return undefined;
    const { name } = agent;
    this.#add(name, 1);
    let isFreed = false;
    return () => {
      if (isFreed) return;
      isFreed = true;
      this.#add(name, -1);
    };
  }

  /** Returns the free slots for this agent, within the limit of the process. */
  free({ name, max_concurrency }: Bounded): number {
    return Math.max(0, Math.min(this.#most - this.#taken, max_concurrency - (this.#byAgent.get(name) ?? 0)));
  }

  /** Returns the taken slots by agent name, without agents that have none. */
  readings(): ReadonlyMap<string, number> {
    return new Map(this.#byAgent);
  }

  #add(name: string, change: 1 | -1): void {
    this.#taken += change;
    const left = (this.#byAgent.get(name) ?? 0) + change;
    if (left === 0) this.#byAgent.delete(name);
    else this.#byAgent.set(name, left);
  }
}

/** Its free slots are those of the process. */
const anyAgent = { name: "", max_concurrency: Infinity };

/** How calls to registered agents run in this process. */
function createAgentCallKind(
  deps: CallRunDeps & { readonly registry: AgentRegistry; readonly slots: AgentSlots },
): JobKind<ExecutionColumn, LeasedCall> {
  const { registry, slots, codec } = deps;
  /** Registered agents, by the share of their calls. */
  const agents = new Map<string, AgentRecord>();

  /** An unknown or disabled agent needs no slot: its calls fail at once. */
  const bounded = (share: string): AgentRecord | undefined => {
    const agent = agents.get(share);
    return agent?.enabled === true ? agent : undefined;
  };

  return {
    kind: agentCallKind,
    room: () => slots.free(anyAgent),
    prepare: async (shares) => {
      for (const share of shares) {
        const agent = await registry.find(agentOfShare(share));
        if (agent === undefined) agents.delete(share);
        else agents.set(share, agent);
      }
    },
    free: (share) => {
      const agent = bounded(share);
      return agent === undefined ? Infinity : slots.free(agent);
    },
    reserve: (share) => {
      const agent = bounded(share);
      return agent === undefined ? () => undefined : slots.take(agent);
    },
    read: (row) => leasedCallOf(row, codec),
    run: (call, context) => runCall(deps, call, { ...context, agent: agents.get(shareOfAgent(call.task.agent_name)) }),
    lost: (call, why) => lostCall(deps, call, why),
  };
}

/** Dependencies of a bridge. It closes none of them. */
export interface BridgeDeps {
  readonly caller: CallRunDeps["caller"];
  readonly emit: BridgeEmit;
  readonly ends: CallRunDeps["ends"];
  readonly count?: CallRunDeps["count"];
  readonly onArtifacts?: CallRunDeps["onArtifacts"];
  readonly onProgress?: CallRunDeps["onProgress"];
  /** The jobs of this process, on a lease that has begun. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  readonly registry: AgentRegistry;
  /** Limits the concurrent calls of this process, per agent and in total. */
  readonly slots: AgentSlots;
  readonly limits: {
    /** How long an ended call is kept, milliseconds. A task that arrives again within this time is not repeated. */
    readonly retentionMs: number;
    /** Maximum number of runs of a call when processes crash. */
    readonly mostAttempts: number;
  };
  /** Seals inputs and results of agents. */
  readonly vault?: Vault;
}

/** Runs calls to registered agents in this process: each ends exactly once, even if a process crashes. */
export type AgentBridge = ReturnType<typeof createBridge>;

/** Creates a bridge, which takes no calls before `start`. Many processes can have one each on the same database. */
export function createBridge(deps: BridgeDeps) {
  const { emit, limits } = deps;
  const { store, lease, workOn } = deps.jobs;
  const codec = createRecordCodec(deps.vault);
  const { mostAttempts, retentionMs } = limits;
  const kind = createAgentCallKind({ ...deps, codec, mostAttempts, rerunAfterMs: lease.leaseMs });
  const worker = workOn(kind, reportStoreFailed(emit));

  return {
    start: worker.start,
    check: worker.check,
    /** Stops the work on a call that ended elsewhere, by its `callId`. Returns false when it doesn't run here. */
    drop: worker.cancel,
    /** Takes no more calls, lets running calls end within `graceMs` milliseconds, and releases the others. */
    stop: worker.stop,
    /** Returns the backlog of all bridges of the database, and the activity of this one. Rejects when the database is unreachable. */
    readings: async () => {
      const { open, waiting, oldestWaitingMs } = await store.readings(agentCallKind);
      return { open, waiting, oldestWaitingMs, running: worker.running() };
    },
    /** Deletes calls that ended long ago. */
    purge: { table: "job", purge: (most: number) => store.forget(agentCallKind, retentionMs, most) },
  };
}
