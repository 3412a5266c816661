import { retryTransient } from "@crosszone/sql";
import type { Workflows } from "@crosszone/workflow";

/** Starts and watches runs for tasks. Retries while the database is unreachable. */
export interface RunExchange {
  /**
   * Retries idempotent work until it succeeds. Rejects with the signal's reason, or with an error that a retry can't
   * fix.
   */
  readonly insist: <T>(operation: "start" | "watch", signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  /** Cancels an unwanted run. Never throws: if it fails, the run ends at its deadline, which is that of its task. */
  readonly cancel: (runId: string) => void;
  /** Waits for the pending cancellations. */
  readonly stop: () => Promise<void>;
}

export const runOperations = ["start", "watch", "cancel"] as const;

/** Receives failures that are retried or that a deadline makes up for. */
export type OnRunFailure = (operation: (typeof runOperations)[number], cause: unknown) => void;

export function createRunExchange(workflows: Pick<Workflows, "cancel">, onFailure: OnRunFailure): RunExchange {
  const canceling = new Set<Promise<unknown>>();
  return {
    insist: async (operation, signal, work) => {
      try {
        const onRetry = ({ error }: { readonly error: unknown }): void => onFailure(operation, error);
        return await retryTransient(work, { budgetMs: Infinity, signal, onRetry });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },

    cancel: (runId) => {
      const canceled = retryTransient(() => workflows.cancel(runId))
        .catch((cause: unknown) => onFailure("cancel", cause))
        .finally(() => canceling.delete(canceled));
      canceling.add(canceled);
    },

    stop: async () => {
      await Promise.all(canceling);
    },
  };
}
