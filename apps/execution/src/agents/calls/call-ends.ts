import type { AgentResult } from "@crosszone/contracts";
import type { CallEnding, CallEnds, ExecutionColumn, EndingCall } from "@crosszone/agent-calls";
import type { JobStore } from "@crosszone/jobs";
import type { KafkaGateway } from "@crosszone/kafka-gateway";
import type { Workflows } from "@crosszone/workflow";
import { repliesToTask } from "./task-calls.ts";

/** The value of the header `reply-to` of calls of workflow steps. */
const repliesToRun = "workflow";

export interface CallEndsDeps {
  readonly store: JobStore<ExecutionColumn>;
  /** Gives a result to the task that waits for it in this process. Returns whether one does. */
  readonly deliverToTask: (result: AgentResult) => boolean;
  /** Receives the ends of steps' calls. */
  readonly runs: Pick<Workflows, "endCall" | "handOver">;
  readonly advancesRuns: boolean;
  /** Publishes results; absent without Kafka. */
  readonly gateway?: Pick<KafkaGateway, "publishResult">;
}

/** Creates the zone's ends of agent calls: their results go to tasks, to runs, or to Kafka. */
export function createCallEnds(deps: CallEndsDeps): CallEnds {
  const { store, deliverToTask, runs, advancesRuns, gateway } = deps;

  async function endForTask({ task, parent }: EndingCall, { result, ending }: CallEnding): Promise<boolean> {
    // The task goes on before the end of its call is durable: after a power loss, both run again.
    const waitsHere = deliverToTask(result);
    // The end of the task itself follows; the task of a tool's call goes on.
    if (waitsHere && parent === task.task_id) return store.endChild(parent, ending);
    return first(await store.end([{ ...ending, notifies: !waitsHere }]));
  }

  return {
    end: async (call, end) => {
      const { "reply-to": receiver } = call.headers;
      if (gateway !== undefined) {
        const isEnded = await gateway.publishResult(end.ending, end.result, call.headers);
        // It needs not wait for the message.
        if (isEnded && receiver === repliesToTask) deliverToTask(end.result);
        return isEnded;
      }
      if (receiver === repliesToTask) return endForTask(call, end);
      if (receiver === repliesToRun) return advancesRuns ? runs.endCall(end) : runs.handOver(end);
      return first(await store.end([end.ending]));
    },
  };
}

const first = ([isEnded = false]: readonly boolean[]): boolean => isEnded;
