import {
  agentCallJob,
  agentCallKind,
  agentOfShare,
  callId,
  type CallIntake,
  callRecordOf,
  type ExecutionColumn,
  shareOfAgent,
} from "@crosszone/agent-calls";
import type { AgentRecord } from "@crosszone/contracts";
import type { JobKind, ProcessJobs } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import type { AgentSlots } from "../calls/agent-limits.ts";
import { type BridgeEmit, reportStoreFailed } from "../protocol/agent-events.ts";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import { type CallRunDeps, lostCall, runCall } from "./call-run.ts";
import { callEnding, failureResult, type LeasedCall, leasedCallOf, taskIdsOf } from "./leased-call.ts";

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

/** Creates the intake of a process. A call begins here at once if this process has a bridge, and its agent has room. */
export function createCallIntake({
  jobs,
  vault,
  emit,
}: {
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Seals inputs and results of agents. */
  readonly vault?: Vault;
  /** Reports calls; only a process with a bridge does. */
  readonly emit?: BridgeEmit;
}): CallIntake {
  const codec = createRecordCodec(vault);
  return {
    enter: async (call) => {
      const { task, headers, parent, deadlineMs: remainingMs } = call;
      const fresh = { attempt: 1, isReadable: true, remote: undefined, remainingMs, waitedMs: 0 };
      const leased: LeasedCall = { id: callId(task), ...fresh, task, headers, parent };
      const { as, settle } = await jobs.enter(agentCallKind, shareOfAgent(task.agent_name), () => leased);
      return {
        job: agentCallJob(call, as, codec),
        settle: (isStored) => {
          if (isStored) emit?.("bridge_call_stored", { ...taskIdsOf(task, headers), is_new: true });
          settle(isStored);
        },
      };
    },

    cancel: async (call, reason) => {
      const leaseId = { id: callId(call), attempt: 0 };
      const failure = new AgentFailure("canceled", `The task was canceled. ${reason}`.trimEnd());
      const { ending } = callEnding(leaseId, { outcome: "canceled", result: failureResult(call, failure) }, codec);
      const ended = await jobs.store.endOpen(leaseId.id, ending.end);
      // The change that made it superfluous may have ended it already.
      jobs.cancel(agentCallKind, leaseId.id);
      if (ended === undefined) return;
      const { task, headers } = callRecordOf(ended);
      const end = { state: "canceled", duration_ms: ended.waited_ms, kind: "canceled" };
      emit?.("bridge_call_ended", { ...taskIdsOf(task, headers), ...end });
    },
  };
}

/** Time limits and attempts of a bridge. It has no defaults. */
export interface BridgeLimits {
  /** How long an ended call is kept, milliseconds. A task that arrives again within this time is not repeated. */
  readonly retentionMs: number;
  /** Maximum number of runs of a call when processes crash. */
  readonly mostAttempts: number;
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
  readonly limits: BridgeLimits;
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
  const { start, check } = worker;

  return {
    start,
    check,
    /** Stops the work on a call that ended elsewhere, by its `callId`. Returns false when it doesn't run here. */
    drop: worker.cancel,
    /** Takes no more calls, lets running calls end within `graceMs` milliseconds, and releases the others. */
    stop: (graceMs: number) => worker.stop(graceMs),
    /** Returns the backlog of all bridges of the database, and the activity of this one. Rejects when the database is unreachable. */
    readings: async () => {
      const { open, waiting, oldestWaitingMs } = await store.readings(agentCallKind);
      return { open, waiting, oldestWaitingMs, running: worker.running() };
    },
    /** Deletes calls that ended long ago. */
    purge: { table: "job", purge: (most: number) => store.forget(agentCallKind, retentionMs, most) },
  };
}
