import { isRunId, type AgentResult } from "@crosszone/contracts";
import { callId, type CallEnding, type EndingJob, type ExecutionColumn, type JobStore } from "@crosszone/jobs";
import { isTransient, retryTransient } from "@crosszone/sql";
import type { HandOverCall } from "../store/call-statements.ts";
import type { RetryAdvance } from "./retry-advance.ts";
import type { AdvanceRun } from "./advance.ts";
import type { Workflows } from "./workflows.ts";

export interface EndCallsDeps {
  readonly jobs: Pick<JobStore<ExecutionColumn>, "end">;
  readonly handOver: HandOverCall;
  readonly advance: AdvanceRun;
  readonly retryAdvance: RetryAdvance;
  /** Results wait in this database. */
  readonly onHandedOver: () => void;
}

/** How long a change is retried while the database is unreachable, milliseconds. */
const retryBudget = { budgetMs: 1_000 };

/** Returns the functions that apply results of calls to their runs. */
export function createEndCalls(
  deps: EndCallsDeps,
): Pick<Workflows, "endCall" | "handOver" | "takeResult"> & { readonly endLeased: EndLeased } {
  const { jobs, handOver, advance, retryAdvance, onHandedOver } = deps;

  async function endLeased(
    result: AgentResult,
    ending: EndingJob<ExecutionColumn>,
    isRetry: boolean,
  ): Promise<boolean> {
    const { leaseId, end } = ending;
    const happening = { type: "result_received", result, call: { ...leaseId, end } } as const;
    const advanced = await (isRetry ? retryAdvance : advance)(result.run_id, happening);
    if (advanced?.hasChanged === true) return true;
    // Late, repeated or lost: nothing waits for it.
    const [isEnded] = await jobs.end([ending]);
    return isEnded ?? false;
  }

  return {
    endCall: async ({ result, ending }) => {
      try {
        if (ending.leaseId.attempt === 1)
          return await retryTransient(() => endLeased(result, ending, false), retryBudget);
      } catch (error) {
        if (isTransient(error)) throw error;
      }
      // The result may have crashed a process, or the run can't be advanced. It is stored first, so that the agent is not called
      // once more if this process crashes too.
      const isStored = await retryTransient(() => handOver(ending, { isRetry: true }), retryBudget);
      if (isStored) onHandedOver();
      return isStored;
    },

    handOver: ({ ending }: CallEnding) => retryTransient(() => handOver(ending, { isRetry: false }), retryBudget),

    endLeased,

    takeResult: async (result, attempt) => {
      const { run_id, task_id, status } = result;
      // Filter by the form of task ids, so that results of other senders cost no query.
      if (!isRunId(run_id) || !task_id.startsWith(`${run_id}.`)) return;
      const outcome = status === "SUCCESS" ? "succeeded" : "failed";
      const call = { id: callId(result), end: { outcome, output: null } };
      await (attempt > 1 ? retryAdvance : advance)(run_id, { type: "result_received", result, call });
    },
  };
}

/** Applies a result that waited in this database, and ends its call. `isRetry`: it may have crashed a process before. */
export type EndLeased = (result: AgentResult, ending: EndingJob<ExecutionColumn>, isRetry: boolean) => Promise<boolean>;
