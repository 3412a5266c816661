import type { Emit } from "@crosszone/service-kit";
import { retryTransient } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ReadRun, Workflows } from "@crosszone/workflow";

/**
 * Waits until a run has ended, in whichever process, and returns it; undefined when the run does not exist. Rejects
 * with the signal's reason.
 */
export async function followRun(
  { getRun, waitForRun }: Workflows,
  runId: string,
  signal: AbortSignal,
): Promise<ReadRun | undefined> {
  for (;;) {
    const standing = await waitForRun(runId, { signal });
    signal.throwIfAborted();
    const found = standing && (await getRun(runId));
    // A retry may have reopened it since.
    if (found === undefined || found.run.ended_at !== undefined) return found;
  }
}

/** Starts and watches runs for tasks. Retries while the database is unreachable. */
export interface TaskRuns {
  /**
   * Retries idempotent work until it succeeds. Rejects with the signal's reason, or with an error that a retry can't
   * fix.
   */
  readonly retry: <T>(operation: "start" | "watch", signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  /** Cancels an unwanted run. Never throws: if it fails, the run ends at its deadline, which is that of its task. */
  readonly cancel: (runId: string) => void;
  /** Waits for the pending cancellations. */
  readonly stop: () => Promise<void>;
}

export function createTaskRuns(workflows: Workflows, emit: Emit<ExecutionEvent>): TaskRuns {
  const canceling = new Set<Promise<unknown>>();
  return {
    retry: async (operation, signal, work) => {
      try {
        const onRetry = (cause: unknown): void => emit("task_run_unreachable", { operation, cause });
        return await retryTransient(work, { budgetMs: Infinity, signal, onRetry });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },

    cancel: (runId) => {
      const canceled = retryTransient(() => workflows.cancel(runId))
        .catch((cause: unknown) => emit("task_run_unreachable", { operation: "cancel", cause }))
        .finally(() => canceling.delete(canceled));
      canceling.add(canceled);
    },

    stop: async () => {
      await Promise.all(canceling);
    },
  };
}
