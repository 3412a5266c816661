import type { AgentRecord, AgentResult, AgentTask } from "@crosszone/contracts";
import { type CallHeaders, callId, callOutputContext, type NewAgentCall } from "@crosszone/agent-calls";
import { jobStates, storeArrival } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { expect, onTestFinished } from "vitest";
import { createAdapters } from "../adapters/adapters.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { createAgentCaller } from "../calls/create-agent-caller.ts";
import { CircuitBreakers } from "../limits/circuit-breakers.ts";
import { deadlineMsOf } from "../bridge/leased-call.ts";
import { agentOf, newAgentTask } from "./agent-record.ts";
import { openBridge, type OpenBridgeOptions, type OpenedBridge } from "./open-bridge.ts";
import { clientOf } from "./start-call.ts";
import { recordingEmit } from "./test-callers.ts";

/** Generous, because the machine may be busy. */
export const soon = { timeout: 60_000, interval: 10 };

/** Opens and starts a bridge that ends with the test. */
export async function startBridge(url: string, options: OpenBridgeOptions): Promise<OpenedBridge> {
  const opened = await openBridge(url, options);
  onTestFinished(opened.close);
  opened.bridge.start();
  return opened;
}

/** The part of a process in which calls arrive. */
export type Entrance = Pick<OpenedBridge, "jobs"> & { readonly bridge: Pick<OpenedBridge["bridge"], "intake"> };

/** Delivers a call to a process, as tasks and workflows do. Returns false when it exists. */
export async function enterCall({ bridge, jobs }: Entrance, call: NewAgentCall): Promise<boolean> {
  const arrival = await bridge.intake.enter(call);
  return storeArrival(arrival, () => jobs.add(arrival.job));
}

/** Delivers tasks to a process at the same time. Returns for each whether it is new. */
export function enterTasks(
  entrance: Entrance,
  tasks: readonly AgentTask[],
  headers: CallHeaders = {},
): Promise<boolean[]> {
  const enter = (task: AgentTask) => enterCall(entrance, { task, headers, deadlineMs: deadlineMsOf(task, 60_000) });
  return Promise.all(tasks.map(enter));
}

/** Waits until a call of the agent `A` would start on arrival. */
export async function untilIdle({ bridge }: Pick<Entrance, "bridge">): Promise<void> {
  const probe = async (): Promise<string> => {
    const { job, settle } = await bridge.intake.enter({ task: newTask("probe"), headers: {}, deadlineMs: 1 });
    settle(false);
    return job.as;
  };
  await expect.poll(probe, soon).toBe("leased");
}

export function storedResults({ database: { db } }: Pick<OpenedBridge, "database">, vault?: Vault) {
  const codec = createRecordCodec(vault);
  const all = async (tasks: readonly Pick<AgentTask, "run_id" | "task_id">[]) => {
    const ended = db.selectFrom("job").select(["id", "output"]).where("state", "=", jobStates.ended);
    const rows = await ended.where("id", "in", tasks.map(callId)).execute();
    return rows.flatMap(({ id, output }) =>
      output === null ? [] : [codec.fromColumn(output, callOutputContext(id)) as AgentResult],
    );
  };
  return {
    of: async (task_id: string, run_id = "r1") => (await all([{ run_id, task_id }]))[0],
    /** Waits until all these tasks have ended, and returns their results. */
    until: async (tasks: readonly AgentTask[]) => {
      await expect.poll(async () => (await all(tasks)).length, soon).toBe(tasks.length);
      return all(tasks);
    },
  };
}

/** Creates the app's agent caller. Closes its connections with the test. */
export function realCaller(origin: string): AgentCaller {
  const client = clientOf({ origins: [origin] });
  const { emit } = recordingEmit();
  return createAgentCaller({ adapters: createAdapters(), client, breakers: new CircuitBreakers(), emit });
}

/** An agent of this name, for callers that ignore its address. */
export const agentNamed = (name: string, own: Partial<AgentRecord> = {}): AgentRecord =>
  agentOf({ name, url: "http://127.0.0.1:1/", ...own });

export const newTask = (task_id: string, changes: Partial<AgentTask> = {}): AgentTask =>
  newAgentTask({ task_id, input_data: { text: `hi ${task_id}` }, ...changes });

/** Makes the jobs that other processes lease ready, as if those processes had crashed. */
export async function declareDead({ database }: Pick<OpenedBridge, "database">): Promise<void> {
  await database.db.deleteFrom("job_worker").execute();
}
