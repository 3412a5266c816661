import { retryUntilStored, type CallEnding, type CallEnds, type ExecutionColumn, type JobStore } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { isOutOfRoom, isTransient } from "@crosszone/sql";
import type { CallEnd } from "../calls/agent-caller.ts";
import type { AgentTaskIds, BridgeObserver } from "../observer/bridge-observer.ts";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { callEnding, failureResult, successResult } from "./call-ending.ts";
import type { LeasedCall } from "./leased-call.ts";

export interface StoreCallEndDeps {
  readonly store: Pick<JobStore<ExecutionColumn>, "lost" | "release">;
  readonly ends: CallEnds;
  readonly codec: RecordCodec;
  readonly observer: Pick<BridgeObserver, "storeFailed" | "resultRefused" | "taskDropped" | "taskEnded">;
  /** Pause before a call whose end the store rejects runs once more, milliseconds. */
  readonly rerunAfterMs: number;
}

/** A call as it runs in this process. */
export interface CallInRun {
  readonly call: LeasedCall;
  readonly ids: AgentTaskIds;
  /** Since the call was stored, milliseconds. */
  readonly durationMs: () => number;
  /** Once aborted, the current attempt to store the end is the last one. */
  readonly abandoned: AbortSignal;
}

/** The end of the work on a call, at the agent or before. */
export type WorkEnd = Pick<CallEnd, "output" | "failure" | "filesLeftOut"> & { readonly attempts?: number };

/** The cause of a result that the store rejects. */
const unstorable = new Error("the store rejects the result");

/** Stores the end of a call as soon as the store accepts it. Releases the call when the store rejects even a failure. */
export async function storeCallEnd(deps: StoreCallEndDeps, inRun: CallInRun, end: WorkEnd): Promise<void> {
  const { store, ends, codec, observer } = deps;
  const { call, ids, durationMs, abandoned } = inRun;
  const { id, attempt, task, headers, parent } = call;
  const { output, failure, attempts, filesLeftOut } = end;
  const leaseId = { id, attempt };
  const effort = {
    duration_ms: durationMs(),
    ...(attempts !== undefined && { attempts }),
    ...(filesLeftOut !== undefined && { files_left_out: [...filesLeftOut] }),
  };
  let why = failure;
  const ending = (): CallEnding =>
    why === undefined
      ? callEnding(leaseId, { outcome: "succeeded", result: successResult(task, output, effort) }, codec)
      : callEnding(leaseId, { outcome: "failed", result: failureResult(task, why, effort) }, codec);

  /** Replaces a result that the store rejects by a failure; returns true when it rejects that, too. */
  const onFailure = (cause: unknown): boolean => {
    observer.storeFailed("end", cause);
    if (isTransient(cause) || isOutOfRoom(cause)) return false;
    if (why?.cause === unstorable) return true;
    why = new AgentFailure("internal", "The agent's result could not be stored.", { cause: unstorable });
    observer.resultRefused(ids, { attempts, durationMs: durationMs(), failure: why });
    return false;
  };
  const isStored = await retryUntilStored({
    store: async () => ends.end({ leaseId, task, headers, parent }, ending()),
    onFailure,
    signal: abandoned,
  });
  if (isStored === false) {
    const [lost] = await store.lost([leaseId]);
    return observer.taskDropped(ids, lost?.outcome === "canceled" ? "canceled" : "taken_over");
  }
  if (isStored === undefined) {
    // Lets the call run again. The lease of a stopping process ends by itself.
    if (!abandoned.aborted) await store.release([leaseId], { counted: true, afterMs: deps.rerunAfterMs });
    return;
  }
  const state = why === undefined ? "succeeded" : "failed";
  observer.taskEnded(ids, { state, durationMs: durationMs(), failure: why });
}
