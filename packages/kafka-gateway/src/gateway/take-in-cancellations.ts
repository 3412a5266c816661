import { AgentFailure, failureResult, taskIdsOf } from "@crosszone/agent-bridge";
import { callId } from "@crosszone/jobs";
import type { Delivery, Subscription } from "../bus/kafka-bus.ts";
import { concurrency, type TakeInTasksDeps } from "./take-in-tasks.ts";

/** Consumes cancellations. One that arrives before its task is stored too; one after the end changes nothing. */
export function takeInCancellations(
  deps: Pick<TakeInTasksDeps, "bus" | "endUnworked" | "bridge" | "onRefused">,
): Promise<Subscription> {
  const { bus, endUnworked, bridge, onRefused } = deps;
  const { observer } = bridge;

  async function handle({ value, headers }: Delivery<"agent_cancellations">): Promise<void> {
    const because = value.reason === undefined ? "" : ` ${value.reason}`;
    const failure = new AgentFailure("canceled", `The task was canceled.${because}`);
    const canceled = await endUnworked(value, failureResult(value, failure), headers);
    if (canceled === undefined) return;
    bridge.drop(callId(value));
    const { agentName: agent_name, durationMs } = canceled;
    observer.taskEnded(taskIdsOf({ ...value, agent_name }, headers), { state: "canceled", durationMs, failure });
  }

  return bus.subscribe("agent_cancellations", {
    group: "agent-bridge",
    concurrency,
    handle,
    onDeadLetter: async ({ channel, reason }) => onRefused?.({ channel, reason }),
  });
}
