import { patiently } from "@crosszone/sql";
import type { Workflows } from "@crosszone/workflow";

/** Asks for runs on behalf of tasks, and insists while the database is away. */
export interface RunExchange {
  /** Does something that may be done again until it is done. Rejects with the signal's reason, or with what does not pass. */
  readonly insist: <T>(operation: "start" | "watch", signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  /** Ends a run that nobody wants any more. Never throws: at the worst it goes on to its deadline, which is that of its task. */
  readonly cancel: (runId: string) => void;
  /** Ends what it was asked to cancel. */
  readonly stop: () => Promise<void>;
}

export const runOperations = ["start", "watch", "cancel"] as const;

/** Told of what did not work and is tried again, or is made up for by a deadline. */
export type OnRunFailure = (operation: (typeof runOperations)[number], cause: unknown) => void;

export function createRunExchange(workflows: Pick<Workflows, "cancel">, onFailure: OnRunFailure): RunExchange {
  const canceling = new Set<Promise<unknown>>();
  return {
    insist: async (operation, signal, work) => {
      try {
        const onRepeat = ({ error }: { readonly error: unknown }): void => onFailure(operation, error);
        return await patiently(work, { budgetMs: Infinity, signal, onRepeat });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },

    cancel: (runId) => {
      const canceled = patiently(() => workflows.cancel(runId))
        .catch((cause: unknown) => onFailure("cancel", cause))
        .finally(() => canceling.delete(canceled));
      canceling.add(canceled);
    },

    stop: async () => {
      await Promise.all(canceling);
    },
  };
}
