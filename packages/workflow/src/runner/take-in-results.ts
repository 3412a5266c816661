import type { MessageBus, Subscription } from "@crosszone/bus";
import { isRunId } from "@crosszone/contracts";
import type { AdvanceAgain } from "./advance-again.ts";
import type { AdvanceRun } from "./advance-runs.ts";
import type { WorkflowObserver } from "./workflow-observer.ts";

export interface TakeInResultsDeps {
  readonly bus: Pick<MessageBus, "subscribe">;
  readonly advance: AdvanceRun;
  readonly advanceAgain: AdvanceAgain;
  readonly observer: Pick<WorkflowObserver, "messageRefused">;
  readonly group: string;
  readonly concurrency: number;
}

/**
 * Consumes agents' results from the bus and applies them to their runs. Results of other senders, late ones and repeated ones change
 * nothing.
 */
export function takeInResults(deps: TakeInResultsDeps): Promise<Subscription> {
  const { bus, advance, advanceAgain, observer, group, concurrency } = deps;
  return bus.subscribe("agent_results", {
    group,
    concurrency,
    handle: async ({ value: result, attempt }) => {
      const { run_id, task_id } = result;
      // Filter by the form of task ids, so that results of other senders cost no query.
      if (isRunId(run_id) && task_id.startsWith(`${run_id}.`))
        await (attempt > 1 ? advanceAgain : advance)(run_id, { type: "result_received", result });
    },
    onDeadLetter: async ({ channel, reason }) => observer.messageRefused({ channel, reason }),
  });
}
