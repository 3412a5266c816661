import {
  type CallHeaders,
  executionJobs,
  latestJobsStep,
  type ExecutionJobTables,
  callId,
  callOutputContext,
  type NewAgentCall,
} from "@crosszone/agent-calls";
import { auditStep } from "@crosszone/audit";
import type { AgentRecord, AgentResult, AgentTask } from "@crosszone/contracts";
import { openProcessJobs, jobStates, storeArrival } from "@crosszone/jobs";
import { createRecordCodec, type Vault } from "@crosszone/service-kit";
import { type Database, openDatabase } from "@crosszone/sql";
import { expect, onTestFinished } from "vitest";
import { AgentSlots, type BridgeDeps, createBridge } from "../bridge/create-bridge.ts";
import { createCallIntake, deadlineMsOf } from "../bridge/leased-call.ts";
import type { AgentCaller } from "../calls/open-call.ts";
import { AgentCallCounts, agentCountsStep, type AgentCountTables } from "../registry/agent-counts.ts";
import { agentsStep, type AgentTables } from "../registry/agent-table.ts";
import { agentOf, newAgentTask } from "./agent-record.ts";
import { recordingEmit } from "./start-call.ts";
import { runsStep, type RunTables } from "./start-registry.ts";

type BridgeTables = ExecutionJobTables & AgentTables & AgentCountTables & RunTables;

/** Opens a database with only the tables of a bridge and its agents. */
export function openBridgeDatabase(url: string): Promise<Database<BridgeTables>> {
  const migrations = {
    "0001_agents": agentsStep,
    "0002_jobs": latestJobsStep,
    "0003_audit": auditStep,
    "0004_counts": agentCountsStep,
    "0005_runs": runsStep,
  };
  return openDatabase<BridgeTables>({ url, schema: "bridge", migrations });
}

interface OpenBridgeOptions {
  /** The registered agents. Default: one of the name A. */
  readonly agents?: readonly AgentRecord[];
  readonly caller: AgentCaller;
  readonly leaseMs?: number;
  readonly maxRunning?: number;
  readonly vault?: BridgeDeps["vault"];
}

export type OpenedBridge = Awaited<ReturnType<typeof openBridge>>;

/** Opens a bridge as a separate process would, without starting it: with its own database connection and lease. */
async function openBridge(url: string, options: OpenBridgeOptions) {
  const { agents = [agentNamed("A")], caller, leaseMs = 30_000, maxRunning = 100, vault } = options;
  const database = await openBridgeDatabase(url);
  const { emit, eventsOf } = recordingEmit();
  const jobs = openProcessJobs({ database, schema: executionJobs, leaseMs });
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  /** The results that were passed to the task or run that waits, each once its end was stored. */
  const given: { readonly value: AgentResult; readonly headers: CallHeaders; readonly parent: string | undefined }[] =
    [];
  const counts = new AgentCallCounts(database, () => undefined);
  const bridge = createBridge({
    count: counts.count,
    jobs,
    registry: { find: async (name) => byName.get(name), listEnabled: async () => agents },
    caller,
    slots: new AgentSlots(maxRunning),
    emit,
    ends: {
      end: async ({ headers, parent }, { result, ending }) => {
        const [isHeld = false] = await jobs.store.end([ending]);
        if (isHeld) given.push({ value: result, headers, parent });
        return isHeld;
      },
    },
    vault,
    limits: { retentionMs: 60_000, mostAttempts: 3 },
  });
  await jobs.start();
  const close = async (): Promise<void> => {
    await bridge.stop(0);
    await jobs.stop();
    await counts.close();
    await database.close();
  };
  return {
    eventsOf,
    bridge,
    intake: createCallIntake({ jobs, vault, emit }),
    jobs: jobs.store,
    lease: jobs.lease,
    database,
    given,
    counts,
    close,
  };
}

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
type Entrance = Pick<OpenedBridge, "jobs" | "intake">;

/** Delivers a call to a process, as tasks and workflows do. Returns false when it exists. */
export async function enterCall({ intake, jobs }: Entrance, call: NewAgentCall): Promise<boolean> {
  const arrival = await intake.enter(call);
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
export async function untilIdle({ intake }: Entrance): Promise<void> {
  const probe = async (): Promise<string> => {
    const { job, settle } = await intake.enter({ task: newTask("probe"), headers: {}, deadlineMs: 1 });
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

/** An agent of this name, for callers that ignore its address. */
export const agentNamed = (name: string, own: Partial<AgentRecord> = {}): AgentRecord =>
  agentOf({ name, url: "http://127.0.0.1:1/", ...own });

export const newTask = (task_id: string, changes: Partial<AgentTask> = {}): AgentTask =>
  newAgentTask({ task_id, input_data: { text: `hi ${task_id}` }, ...changes });
