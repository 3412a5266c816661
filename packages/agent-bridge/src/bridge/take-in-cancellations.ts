import type { Delivery, MessageBus, Subscription } from "@crosszone/bus";
import { AgentFailure } from "../agent-failure.ts";
import type { BridgeObserver } from "../bridge-observer.ts";
import type { CallStore } from "../calls/call-store.ts";
import { callId } from "../calls/store/call-row.ts";
import { failureResult } from "./agent-results.ts";
import { taskIdsOf } from "./task-ids.ts";
import type { Workers } from "./workers.ts";

export interface TakeInCancellationsDeps {
  readonly bus: Pick<MessageBus, "subscribe">;
  readonly store: Pick<CallStore, "cancel">;
  readonly observer: BridgeObserver;
  readonly group: string;
  readonly concurrency: number;
  readonly workers: Pick<Workers, "cancel">;
}

/**
 * Consumes cancellations from the bus. One that arrives before its task is stored too; one after the end changes
 * nothing.
 */
export function takeInCancellations(deps: TakeInCancellationsDeps): Promise<Subscription> {
  const { bus, store, observer, group, concurrency, workers } = deps;

  async function handle({ value, headers }: Delivery<"agent_cancellations">): Promise<void> {
    const because = value.reason === undefined ? "" : ` ${value.reason}`;
    const failure = new AgentFailure("canceled", `The task was canceled.${because}`);
    const canceled = await store.cancel(value, { state: "canceled", result: failureResult(value, failure), headers });
    if (canceled === undefined) return;
    workers.cancel(callId(value), failure);
    const { agentName: agent_name, durationMs } = canceled;
    observer.taskEnded(taskIdsOf({ ...value, agent_name }, headers), { state: "canceled", durationMs, failure });
  }

  return bus.subscribe("agent_cancellations", {
    group,
    concurrency,
    handle,
    onDeadLetter: async ({ channel, reason }) => observer.messageRefused({ channel, reason }),
  });
}
