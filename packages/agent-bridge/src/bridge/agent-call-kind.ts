import {
  agentCallJob,
  agentCallKind,
  agentOfShare,
  callId,
  type CallIntake,
  type ExecutionColumn,
  shareOfAgent,
} from "@crosszone/agent-calls";
import type { AgentRecord } from "@crosszone/contracts";
import type { JobKind, JobStore, JobWorker } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import type { BridgeEmit } from "../events/agent-events.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { callEnding, failureResult } from "./call-ending.ts";
import type { AgentRegistry } from "../registry/cached-agents.ts";
import type { AgentSlots } from "../limits/agent-slots.ts";
import { type CallRunDeps, lostCall, runCall } from "./call-run.ts";
import { type LeasedCall, leasedCallOf, recordOf, taskIdsOf } from "./leased-call.ts";

/** How calls to registered agents run in this process. */
export interface AgentCallKind extends JobKind<ExecutionColumn, LeasedCall> {
  readonly prepare: (shares: readonly string[]) => Promise<void>;
}

/** Its free slots are those of the process. */
const anyAgent = { name: "", max_concurrency: Infinity };

export function createAgentCallKind(
  deps: CallRunDeps & { readonly registry: AgentRegistry; readonly slots: AgentSlots },
): AgentCallKind {
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
    run: (call, { signal, note }) =>
      runCall(deps, call, { agent: agents.get(shareOfAgent(call.task.agent_name)), signal, note }),
    lost: (call, why) => lostCall(deps, call, why),
  };
}

export interface CallIntakeDeps {
  readonly store: JobStore<ExecutionColumn>;
  /** Seals inputs and results of agents. */
  readonly vault?: Vault;
  /** The bridge of this process: a call begins there at once if its agent has room and no older call waits for it. */
  readonly bridge?: {
    readonly kind: AgentCallKind;
    readonly worker: JobWorker<LeasedCall>;
    readonly emit: BridgeEmit;
  };
}

/** Creates the intake of a process. Without a bridge, another process that has one runs the calls. */
export function createCallIntake({ store, vault, bridge }: CallIntakeDeps): CallIntake {
  const codec = createRecordCodec(vault);
  return {
    enter: async (call) => {
      if (bridge === undefined) return { job: agentCallJob(call, "ready", codec), settle: () => undefined };
      const { task, headers, parent, deadlineMs: remainingMs } = call;
      const share = shareOfAgent(task.agent_name);
      await bridge.kind.prepare([share]);
      const fresh = { attempt: 1, isReadable: true, remote: undefined, remainingMs, waitedMs: 0 };
      const leased = { id: callId(task), ...fresh, task, headers, parent };
      const { as, settle } = bridge.worker.enter(share, () => leased);
      return {
        job: agentCallJob(call, as, codec),
        settle: (isStored) => {
          if (isStored) bridge.emit("bridge_call_stored", { ...taskIdsOf(task, headers), is_new: true });
          settle(isStored);
        },
      };
    },

    cancel: async (call, reason) => {
      const leaseId = { id: callId(call), attempt: 0 };
      const failure = new AgentFailure("canceled", `The task was canceled. ${reason}`.trimEnd());
      const { ending } = callEnding(leaseId, { outcome: "canceled", result: failureResult(call, failure) }, codec);
      const ended = await store.endOpen(leaseId.id, ending.end);
      // The change that made it superfluous may have ended it already.
      bridge?.worker.cancel(leaseId.id);
      if (ended === undefined) return;
      const { task, headers } = recordOf(ended);
      const end = { state: "canceled", duration_ms: ended.waited_ms, kind: "canceled" };
      bridge?.emit("bridge_call_ended", { ...taskIdsOf(task, headers), ...end });
    },
  };
}
