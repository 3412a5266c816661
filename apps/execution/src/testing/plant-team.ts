import { randomUUID } from "node:crypto";
import { createCallIntake } from "@crosszone/agent-bridge";
import { callOutputContext, callProgressContext, callRemoteIdContext } from "@crosszone/agent-calls";
import { messageContext } from "@crosszone/kafka-gateway";
import { createLogger, createMetrics, createRecordCodec, type Vault } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { createWorkflows, runContext, stepContext } from "@crosszone/workflow";
import { createSqlThreadSummaries } from "../agents/assistant/sql-thread-summaries.ts";
import { contextIdOf, createSqlConversations } from "../agents/conversations.ts";
import { type ExecutionDatabase, teamKey, type ZoneJobs } from "../database/open-execution-database.ts";
import { createSqlFileLinks } from "../files/file-links.ts";
import { createZoneEmit } from "../observers/create-emit.ts";
import { eventContext } from "../tasks/sql/task-log.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import type { LeasedTask } from "../tasks/task.ts";
import { requestIdOf } from "../inputs/input-record.ts";
import { openInputs } from "../roles/open-inputs.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";
import { newInput } from "./new-input.ts";
import { endTask } from "./new-task.ts";

/** The text in everything that `plantTeam` stores. */
export const plantedWords = (team: string): string => `only-${team}-wrote-this`;

export interface PlantedZone {
  readonly store: TaskStore;
  readonly jobs: ZoneJobs;
  readonly database: ExecutionDatabase;
  /** Seals the stored rows other than tasks. */
  readonly vault?: Vault;
}

/**
 * Stores two tasks of a team: a running one, which it returns, and an answered one. The running task waits for an
 * agent, so it is in every table that a task passes through. Also starts a run of a workflow.
 */
export async function plantTeam(zone: PlantedZone, team: string): Promise<LeasedTask> {
  const words = plantedWords(team);
  const [running, ended] = await Promise.all([plantTask(zone.store, team), plantTask(zone.store, team)]);
  const { task_id } = ended.task;
  const answer = { status: "success", response_text: words, task_id, agent: "builtin" } as const;
  await endTask(zone, ended, { state: "success", outcome: { answer } });
  await plantAgentTask(zone, team, running.task.task_id);
  await plantEvent(zone, team, running.task.task_id);
  await plantInput(zone, team, running.task.task_id);
  await plantRun(zone, team);
  return running;
}

async function plantEvent({ database, vault }: PlantedZone, team: string, task_id: string): Promise<void> {
  const shown = { type: "text", task_id, seq: 1, offset: 0, delta: plantedWords(team) };
  const event = createRecordCodec(vault).toColumn(shown, eventContext(task_id));
  await database.db
    .insertInto("task_event")
    .values({ task_id, seq: 1, at: 0, team: teamKey(team), event })
    .execute();
}

async function plantInput({ database, jobs, vault }: PlantedZone, team: string, task_id: string): Promise<void> {
  const { requests } = await openInputs({ database, jobs, vault, retentionMs: 60_000, emit: () => undefined });
  const words = plantedWords(team);
  const by = { team_id: team, decide: { ...newInput().decide, people: [words] } };
  await requests.ask(newInput({ request_id: requestIdOf(task_id, "1"), task_id, title: words, ...by }));
}

async function plantAgentTask(zone: PlantedZone, team: string, task_id: string): Promise<void> {
  const { database, jobs, vault } = zone;
  const { db } = database;
  const words = plantedWords(team);
  const codec = createRecordCodec(vault);
  const owner = teamKey(team);
  const files = [{ name: words, media_type: "text/plain", size: 1, bytes: "eA==" }];
  const task = { run_id: task_id, task_id, agent_name: "A", input_data: words, correlation_id: "c", files };
  const headers = { "data-owner": owner };
  const { enter } = createCallIntake({ store: jobs.store, vault });
  const { job } = await enter({ task, headers, deadlineMs: 60_000, parent: task_id });
  await jobs.store.add(job);
  const columns = {
    handle: codec.toColumn({ id: words }, callRemoteIdContext(job.id)),
    output: codec.toColumn(words, callOutputContext(job.id)),
    progress: codec.toColumn(words, callProgressContext(job.id)),
  };
  await db.updateTable("job").set(columns).where("id", "=", job.id).execute();
  await plantMessages(zone, team);
  const conversations = createSqlConversations(database, { vault, retentionMs: 60_000 });
  await conversations.keep({ contextId: contextIdOf(task_id, "A"), conversation: { openTaskId: words }, team: owner });
  const summaries = createSqlThreadSummaries(database, "assistant", { vault, retentionMs: 60_000 });
  await summaries.memoryOf({ team_id: team, context_id: task_id })?.keep({ text: words, covered: [], author: null });
  const budgets = [{ scope: "person", period: "day", unit: "tokens", limit: 1_000 }] as const;
  const used = { model: "m", tokens: 2, cost: null, input: 1, output: 1, cached: 0, estimated: false };
  const payer = { task_id, team: owner, person: "U1", channel: "C1", agent: "assistant" };
  await createSqlUsage(database, { budgets, now: () => new Date() }).reserve(payer, used, () => undefined);
  await createSqlFileLinks(database).add({ task_id, file_id: "F1", team: owner, forMs: 60_000 });
}

/** A message to Kafka, and one that could not be processed. */
async function plantMessages({ database, jobs, vault }: PlantedZone, team: string): Promise<void> {
  const channel = "agent_tasks";
  const [key, owner] = [randomUUID(), teamKey(team)];
  const context = messageContext({ channel, key });
  const value = createRecordCodec(vault).toColumn(plantedWords(team), context);
  const record = JSON.stringify({ key, headers: {} });
  const message = { id: randomUUID(), kind: "publish", share: `publish ${channel}`, as: "ready" } as const;
  await jobs.store.add({ ...message, team: owner, record, input: value });
  const { db } = database;
  const columns = { channel, value, headers: "{}", team: owner };
  const elsewhere = { consumer_group: "agent-bridge", reason: "planted", attempts: 1, dead_at: 0 };
  await db
    .insertInto("bus_dead_letter")
    .values({ ...columns, ...elsewhere, key })
    .execute();
}

async function plantRun({ database, jobs, vault }: PlantedZone, team: string): Promise<void> {
  const words = plantedWords(team);
  const codec = createRecordCodec(vault);
  const metrics = createMetrics();
  const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
  const limits = {
    deadlineMs: 60_000,
    stepTimeoutMs: 60_000,
    maxRunning: 1,
    maxRunBytes: 10_000,
    retentionMs: 60_000,
  };
  const intake = createCallIntake({ store: jobs.store, vault });
  const emit = createZoneEmit({ logger, metrics });
  const workflows = createWorkflows({ jobs, intake, database, vault, limits, emit });
  const step = { id: "ask", type: "agent", agent_name: "A", input_mapping: "${workflow.input}" } as const;
  await workflows.createVersion({ workflow_id: "w", name: "W", version: "1", start_step: "ask", steps: { ask: step } });
  const headers = { "data-owner": teamKey(team) };
  const started = await workflows.startRun({ workflow_id: "w", input: { words } }, { headers });
  if (started.outcome !== "started") throw new Error(`the run was not started: ${started.outcome}`);
  const { run_id } = started.run;
  const key = { run_id, path: "ask", attempt: 1 };
  const { db } = database;
  const of = (column: "output" | "error") => codec.toColumn(words, runContext(column, run_id));
  const ofStep = (column: "output" | "error") => codec.toColumn(words, stepContext(column, key));
  await db
    .updateTable("workflow_run")
    .set({ output: of("output"), error: of("error") })
    .where("run_id", "=", run_id)
    .execute();
  await db
    .updateTable("workflow_step")
    .set({ output: ofStep("output"), error: ofStep("error") })
    .where("run_id", "=", run_id)
    .execute();
}

async function plantTask(store: TaskStore, team: string): Promise<LeasedTask> {
  const words = plantedWords(team);
  const params = { channel: words, text: words, team_id: team };
  const fresh = {
    task_id: randomUUID(),
    caller: "verification",
    key: JSON.stringify(randomUUID()),
    fingerprint: "print",
    correlation_id: randomUUID(),
    agent: "builtin",
    params,
    deadline_ms: 60_000,
    handle: `czh_${words}`,
  };
  const { task } = await store.create(fresh);
  return { task: { ...task, params }, attempt: 1 };
}
