import type { MessageBus, MessageHeaders } from "@crosszone/bus";
import type { AgentCancellation, AgentRecord, AgentResult, AgentTask } from "@crosszone/contracts";
import { expect, onTestFinished } from "vitest";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { agentOf } from "./agent-of.ts";
import { newAgentTask } from "./agent-record.ts";
import { openBridge, type OpenBridgeOptions, type OpenedBridge } from "./open-bridge.ts";
import { createRealCaller } from "./real-caller.ts";

/** Generous: the machine may be busy. */
export const soon = { timeout: 60_000, interval: 10 };

/** Opens and starts a bridge that ends with the test. */
export async function startBridge(url: string, options: OpenBridgeOptions): Promise<OpenedBridge> {
  const opened = await openBridge(url, options);
  onTestFinished(opened.close);
  await opened.bridge.start();
  return opened;
}

export interface Received {
  readonly all: readonly { readonly value: AgentResult; readonly headers: MessageHeaders }[];
  /** Returns the results of this task, in order of arrival. */
  readonly of: (taskId: string) => readonly AgentResult[];
  /** Waits until this many tasks have a result. */
  readonly until: (tasks: number) => Promise<void>;
}

/** Consumes results from a bus as the execution role does. */
export async function receiveResults(bus: MessageBus): Promise<Received> {
  const all: { readonly value: AgentResult; readonly headers: MessageHeaders }[] = [];
  await bus.subscribe("agent_results", {
    group: "execution",
    concurrency: 50,
    handle: async ({ value, headers }) => void all.push({ value, headers }),
  });
  return {
    all,
    of: (taskId) => all.flatMap(({ value }) => (value.task_id === taskId ? [value] : [])),
    until: async (tasks) => {
      await expect.poll(() => new Set(all.map(({ value }) => value.task_id)).size, soon).toBe(tasks);
    },
  };
}

/** Creates the app's agent caller. Closes its connections with the test. */
export function realCaller(origin: string): AgentCaller {
  const { caller, close } = createRealCaller([origin]);
  onTestFinished(close);
  return caller;
}

/** An agent of this name, for callers that ignore its address. */
export const agentNamed = (name: string, own: Partial<AgentRecord> = {}): AgentRecord =>
  agentOf({ name, url: "http://127.0.0.1:1/", ...own });

export const newTask = (task_id: string, changes: Partial<AgentTask> = {}): AgentTask =>
  newAgentTask({ task_id, input_data: { text: `hi ${task_id}` }, ...changes });

export function publishTasks(bus: MessageBus, tasks: readonly AgentTask[], headers?: MessageHeaders): Promise<void> {
  return bus.publish(tasks.map((value) => ({ channel: "agent_tasks", value, ...(headers && { headers }) }) as const));
}

export function publishCancellation(
  bus: MessageBus,
  value: Pick<AgentCancellation, "run_id" | "task_id" | "correlation_id" | "reason">,
): Promise<void> {
  const timestamp = new Date().toISOString();
  return bus.publish([{ channel: "agent_cancellations", value: { ...value, timestamp } }]);
}

/** Writes a message into a channel of the embedded bus that none of our programs would write. */
export async function putMessage(
  { db }: OpenedBridge["database"],
  channel: "agent_tasks" | "agent_cancellations",
  value: string,
): Promise<void> {
  const place = { channel, consumer_group: "agent-bridge", key: crypto.randomUUID() };
  const row = { ...place, value, headers: "{}", team: null, published_at: 0, attempt: 0, visible_at: 0 };
  await db.insertInto("bus_message").values(row).execute();
}
