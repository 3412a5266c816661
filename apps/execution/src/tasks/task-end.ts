import { AssistantError } from "@crosszone/assistant";
import { ZoneError, type ErrorKind } from "@crosszone/contracts";
import { retryUntilStored } from "@crosszone/jobs";
import type { KeptConversation } from "../agents/conversations.ts";
import type { TaskObserver } from "./task-observer.ts";
import { LeaseLostError, type TaskStore } from "./task-store.ts";
import { isFinal, type FinalState, type LeasedTask, type Task, type TaskOutcome, type TaskSuccess } from "./task.ts";

/** How a task ends: its final state, the outcome for callers, and details for the log only. */
export interface TaskEnd {
  readonly state: FinalState;
  readonly outcome: TaskOutcome;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

const finalStates: Partial<Record<ErrorKind, FinalState>> = { timeout: "timed_out", canceled: "canceled" };

export const successOf = (outcome: TaskSuccess): TaskEnd => ({ state: "success", outcome });

/** Returns how a task ends after an error. An unexpected error becomes `internal` without details. */
export function failureOf({ task_id, correlation_id }: Task, cause: unknown): TaskEnd {
  const { kind, data, cause: inner } = cause instanceof ZoneError ? cause : new ZoneError("internal");
  const detail = inner instanceof AssistantError ? inner.detail : undefined;
  const error = { kind, data: { ...data, correlation_id, task_id }, detail };
  const outcome = { error };
  return { state: finalStates[kind] ?? "error", outcome, kind, cause };
}

export interface EndDeps {
  readonly store: Pick<TaskStore, "end">;
  readonly observer: TaskObserver;
  /** Called with the task when its run is over, if its state is known. */
  readonly notify: (task: Task) => void;
}

/** An end to store, and its run. */
export interface EndingRun {
  readonly lease: LeasedTask;
  readonly end: TaskEnd;
  readonly conversation?: KeptConversation;
  /** `performance.now()` of the run's start. */
  readonly startedAt: number;
  /** Aborted when the process stops. The last attempt's result counts. */
  readonly signal: AbortSignal;
}

/**
 * Stores how a task ends, with retries until the store accepts it, the lease is lost or the signal aborts. Returns
 * which of these it was.
 */
export async function storeEnd(deps: EndDeps, run: EndingRun): Promise<"stored" | "lease_lost" | "not_stored"> {
  const { store, observer, notify } = deps;
  const { lease, conversation, startedAt, signal } = run;
  const { state, outcome, kind, cause } = run.end;
  let failure: unknown;
  const ended = await retryUntilStored({
    store: () => store.end({ ...lease, conversation }, state, outcome),
    onFailure: (error) => {
      failure = error;
      if (error instanceof LeaseLostError) return true;
      if (!signal.aborted) observer.storeFailed("end", error);
      return false;
    },
    signal,
  });
  if (ended !== undefined) {
    notify(ended);
    observer.ended(ended, { durationMs: performance.now() - startedAt, ...(kind !== undefined && { kind, cause }) });
    return "stored";
  }
  if (failure instanceof LeaseLostError) {
    reportLoss(deps, lease.task, failure.task);
    return "lease_lost";
  }
  observer.endLost(lease.task, failure);
  return "not_stored";
}

/** Reports that a task no longer belongs to this process. `found` is the task as it is stored, if it could be read. */
export function reportLoss(
  { observer, notify }: Pick<EndDeps, "observer" | "notify">,
  task: Task,
  found: Task | undefined,
): void {
  observer.leaseLost(task, found?.state === "canceled" ? "canceled" : "taken_over");
  if (found && isFinal(found.state)) notify(found);
}
