import type { DeadLetter, Delivery, MessageBus, Subscription } from "@crosszone/bus";
import { isAgentTask } from "@crosszone/contracts";
import type { BridgeObserver } from "../bridge-observer.ts";
import { AgentFailure } from "../agent-failure.ts";
import type { CallStore } from "../calls/call-store.ts";
import { failureResult } from "./agent-results.ts";
import { deadlineMsOf } from "./deadline-of.ts";
import { readIds } from "./read-ids.ts";
import { taskIdsOf } from "./task-ids.ts";
import type { Workers } from "./workers.ts";

export interface TakeInTasksDeps {
  readonly bus: Pick<MessageBus, "subscribe">;
  readonly store: Pick<CallStore, "add" | "repeatResult" | "refuse">;
  readonly observer: BridgeObserver;
  readonly group: string;
  readonly concurrency: number;
  /** Timeout of a task without deadline, milliseconds. */
  readonly deadlineMs: number;
  readonly workers: Pick<Workers, "enter">;
}

/**
 * Consumes tasks from the bus and stores them. It starts a task at once when this process has room. A task that arrives
 * again is not repeated: if it has ended, its result is published again.
 */
export function takeInTasks(deps: TakeInTasksDeps): Promise<Subscription> {
  const { bus, store, observer, group, concurrency, deadlineMs, workers } = deps;

  async function handle({ value: task, headers }: Delivery<"agent_tasks">): Promise<void> {
    const entry = await workers.enter(task.agent_name);
    const { isHeld } = entry;
    const call = { task, headers, deadlineMs: deadlineMsOf(task, deadlineMs), isHeld, way: entry.wayOf(task) };
    let isNew = false;
    try {
      isNew = await store.add(call);
    } finally {
      if (!isNew) entry.notStored();
    }
    if (!isNew) await store.repeatResult(task);
    observer.taskStored(taskIdsOf(task, headers), { isNew });
    if (isNew) await entry.stored(call);
  }

  /** Publishes a failure for the waiting caller, if the message says which task it is. */
  async function onDeadLetter({ json, headers, reason, channel }: DeadLetter): Promise<void> {
    observer.messageRefused({ channel, reason });
    const ids = readIds(json);
    if (ids === undefined) return;
    const failure = isAgentTask(json)
      ? new AgentFailure("internal", `The task could not be stored: ${reason}`)
      : new AgentFailure("invalid_task", `The task can't be read: ${reason}`);
    const end = { state: "failed", result: failureResult(ids, failure), headers } as const;
    const refused = await store.refuse(ids, end);
    if (refused === undefined) return;
    const named = taskIdsOf({ ...ids, agent_name: refused.agentName }, headers);
    const { durationMs } = refused;
    observer.taskRefused(named, { failure, attempts: 0, durationMs });
    observer.taskEnded(named, { state: "failed", durationMs, failure });
  }

  return bus.subscribe("agent_tasks", { group, concurrency, handle, onDeadLetter });
}
