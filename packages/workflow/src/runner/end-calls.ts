import { isRunId, type AgentResult } from "@crosszone/contracts";
import { callId, type CallEnding, type EndingJob, type ExecutionColumn, type JobStore } from "@crosszone/jobs";
import { isTransient, retryTransient } from "@crosszone/sql";
import type { HandOverCall } from "../store/hand-over-call.ts";
import type { AdvanceAgain } from "./advance-again.ts";
import type { AdvanceRun } from "./advance.ts";
import type { Workflows } from "./workflows.ts";

export interface EndCallsDeps {
  readonly jobs: Pick<JobStore<ExecutionColumn>, "end">;
  readonly handOver: HandOverCall;
  readonly advance: AdvanceRun;
  readonly advanceAgain: AdvanceAgain;
  /** Results wait in this database. */
  readonly onHandedOver: () => void;
}

/** How long a change is retried while the database is unreachable, milliseconds. */
const patience = { budgetMs: 1_000 };

/** Returns the functions that apply results of calls to their runs. */
export function createEndCalls(
  deps: EndCallsDeps,
): Pick<Workflows, "endCall" | "handOver" | "takeResult"> & { readonly endTaken: EndTaken } {
  const { jobs, handOver, advance, advanceAgain, onHandedOver } = deps;

  async function endHeld(result: AgentResult, ending: EndingJob<ExecutionColumn>, isAgain: boolean): Promise<boolean> {
    const { held, end } = ending;
    const happening = { type: "result_received", result, call: { ...held, end } } as const;
    const advanced = await (isAgain ? advanceAgain : advance)(result.run_id, happening);
    if (advanced?.hasChanged === true) return true;
    // Late, repeated or lost: nothing waits for it.
    const [isEnded] = await jobs.end([ending]);
    return isEnded ?? false;
  }

  return {
    endCall: async ({ result, ending }) => {
      try {
        if (ending.held.attempt === 1) return await retryTransient(() => endHeld(result, ending, false), patience);
      } catch (error) {
        if (isTransient(error)) throw error;
      }
      // A process may have died of it, or the run can't be advanced. It is stored first, so that the agent is not called once
      // more if this process dies too.
      const isStored = await retryTransient(() => handOver(ending, { isAgain: true }), patience);
      if (isStored) onHandedOver();
      return isStored;
    },

    handOver: ({ ending }: CallEnding) => retryTransient(() => handOver(ending, { isAgain: false }), patience),

    endTaken: endHeld,

    takeResult: async (result, attempt) => {
      const { run_id, task_id, status } = result;
      // Filter by the form of task ids, so that results of other senders cost no query.
      if (!isRunId(run_id) || !task_id.startsWith(`${run_id}.`)) return;
      const outcome = status === "SUCCESS" ? "succeeded" : "failed";
      const call = { id: callId(result), end: { outcome, output: null } };
      await (attempt > 1 ? advanceAgain : advance)(run_id, { type: "result_received", result, call });
    },
  };
}

/** Applies a result that waited in this database, and ends its call. `isAgain`: it may have ended a process before. */
export type EndTaken = (result: AgentResult, ending: EndingJob<ExecutionColumn>, isAgain: boolean) => Promise<boolean>;
