import { agentCallJob, callId, type CallIntake, type ExecutionColumn, shareOfAgent } from "@crosszone/agent-calls";
import type { JobStore, JobWorker, LeasedJob } from "@crosszone/jobs";
import { createRecordCodec, type RecordCodec, type Vault } from "@crosszone/service-kit";
import { AgentFailure } from "../protocol/agent-failure.ts";
import type { BridgeEmit } from "../events/agent-events.ts";
import { type LeasedCall, recordOf, taskIdsOf } from "./leased-call.ts";
import type { AgentCallKind } from "./agent-call-kind.ts";
import { callEnding, failureResult } from "./call-ending.ts";

type CanceledCall = Parameters<CallIntake["cancel"]>[0];

export interface CallIntakeDeps {
  readonly store: JobStore<ExecutionColumn>;
  /** Seals inputs and results of agents. */
  readonly vault?: Pick<Vault, "seal" | "open">;
}

/** Creates the intake of a process without a bridge: another process that has one runs the calls. */
export function createCallIntake({ store, vault }: CallIntakeDeps): CallIntake {
  const codec = createRecordCodec(vault);
  return {
    enter: async (call) => ({ job: agentCallJob(call, "ready", codec), settle: () => undefined }),
    cancel: async (call, reason) => void (await endCanceled({ store, codec }, call, reason)),
  };
}

export interface BridgeIntakeDeps {
  readonly store: JobStore<ExecutionColumn>;
  readonly codec: RecordCodec;
  readonly kind: AgentCallKind;
  readonly worker: Pick<JobWorker<LeasedCall>, "enter" | "cancel">;
  readonly emit: BridgeEmit;
}

/** Creates the intake of a bridge: a call begins here at once if its agent has room and no older call waits for it. */
export function createBridgeIntake(deps: BridgeIntakeDeps): CallIntake {
  const { codec, kind, worker, emit } = deps;

  const enter: CallIntake["enter"] = async (call) => {
    const { task, headers, parent, deadlineMs: remainingMs } = call;
    const share = shareOfAgent(task.agent_name);
    await kind.prepare([share]);
    const fresh = { attempt: 1, isReadable: true, remote: undefined, remainingMs, waitedMs: 0 };
    const { as, settle } = worker.enter(share, () => ({ id: callId(task), ...fresh, task, headers, parent }));
    return {
      job: agentCallJob(call, as, codec),
      settle: (isStored) => {
        if (isStored) emit("bridge_call_stored", { ...taskIdsOf(task, headers), is_new: true });
        settle(isStored);
      },
    };
  };

  const cancel: CallIntake["cancel"] = async (call, reason) => {
    const ended = await endCanceled(deps, call, reason);
    // The change that made it superfluous may have ended it already.
    worker.cancel(callId(call));
    if (ended === undefined) return;
    const { task, headers } = recordOf(ended);
    const end = { state: "canceled", duration_ms: ended.waited_ms, kind: "canceled" };
    emit("bridge_call_ended", { ...taskIdsOf(task, headers), ...end });
  };

  return { enter, cancel };
}

const canceledFor = (reason: string): AgentFailure =>
  new AgentFailure("canceled", `The task was canceled. ${reason}`.trimEnd());

/** Ends a call, whichever process has leased it. Returns its job as it was; undefined when it had ended or does not exist. */
function endCanceled(
  { store, codec }: Pick<BridgeIntakeDeps, "store" | "codec">,
  call: CanceledCall,
  reason: string,
): Promise<LeasedJob<ExecutionColumn> | undefined> {
  const leaseId = { id: callId(call), attempt: 0 };
  const result = failureResult(call, canceledFor(reason));
  const { ending } = callEnding(leaseId, { outcome: "canceled", result }, codec);
  return store.endOpen(leaseId.id, ending.end);
}
