// suite: both
import { createAppendAudit } from "@crosszone/audit";
import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import {
  createLogger,
  createMetrics,
  createRecordCodec,
  createVault,
  type Vault,
  type VaultKey,
} from "@crosszone/service-kit";
import { createOwnedData } from "@crosszone/sql";
import { listTables } from "@crosszone/sql/testing";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { AgentCallCounts, createCallIntake } from "@crosszone/agent-bridge";
import { callOutputContext, callProgressContext, callRemoteIdContext } from "@crosszone/agent-calls";
import { messageContext, outboxContext } from "@crosszone/kafka-gateway";
import { executionEvents } from "@crosszone/telemetry";
import { createWorkflows, runContext, stepContext } from "@crosszone/workflow";
import { openTaskStore, type TaskStore } from "../../tasks/store/task-store.ts";
import { endTask, type HeldTask, releaseTask, takeTasks } from "../../testing/new-task.ts";
import { executionTables, tablesOfTheZone } from "./data.ts";
import { authorChanger } from "../../fires/changer.ts";
import { Schedules } from "../../fires/schedule-store.ts";
import { contextIdOf, createSqlConversations, createSqlThreadSummaries } from "../../agents/conversations.ts";
import { type ExecutionDatabase, teamKey, type ZoneJobs } from "../../store/open-execution-database.ts";
import { createMessageStore } from "../../tasks/store/message-store.ts";
import { createSqlFileLinks } from "../../tasks/file-links.ts";
import { createZoneEmit } from "../open-store.ts";
import { eventContext } from "../../tasks/store/task-log.ts";
import { inputIdOf } from "../../people/input-record.ts";
import { openInputs } from "../open-inputs.ts";
import { createSqlUsage } from "../../usage/sql-usage.ts";
import { newInput } from "../../testing/new-input.ts";

/** The text in everything that `plantTeam` stores. */
const plantedWords = (team: string): string => `only-${team}-wrote-this`;

interface PlantedZone {
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
async function plantTeam(zone: PlantedZone, team: string): Promise<HeldTask> {
  const words = plantedWords(team);
  const [running, ended] = await Promise.all([plantTask(zone.store, team), plantTask(zone.store, team)]);
  const { task_id } = ended.task;
  const answer = { status: "success", response_text: words, task_id, agent: "builtin" } as const;
  await endTask(zone, ended, { state: "success", outcome: { answer } });
  await plantAgentTask(zone, team, running.task.task_id);
  await plantEvent(zone, team, running.task.task_id);
  await plantInput(zone, team, running.task.task_id);
  await plantRun(zone, team);
  await plantReport(zone, team);
  await plantSchedule(zone, team);
  await plantFailedCall(zone, team);
  return running;
}

async function plantSchedule({ database, vault }: PlantedZone, team: string): Promise<void> {
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(vault) });
  const schedules = new Schedules(database, { append, vault, emit: () => undefined, retentionMs: 60_000 });
  const question = {
    owner: { team_id: team, user_id: "U1" },
    agent: "builtin",
    text: plantedWords(team),
    cap: { fires: 1 },
  };
  const name = `of-${team.toLowerCase()}`;
  const by = authorChanger({ actor: "token:ops", correlationId: "c" }, "api");
  await schedules.save({ name, settings: { ...question, every_ms: 86_400_000 } }, by);
  const fire = { ...question, name, fire_id: randomUUID(), source: "schedule", scheduledAt: 0 } as const;
  await database.transaction((tx) => schedules.fires.insert(tx, fire, { state: "skipped" }));
}

async function plantReport({ database, vault }: PlantedZone, team: string): Promise<void> {
  const author = { user_id: `U${team}`, user_name: plantedWords(team) };
  const where = { team_id: team, channel: "C1", thread_ts: "1.1", ...author };
  const report = { ...where, reference: `c-${team}`, revision: 1, state: "answered" as const, attempts: 1 };
  const { report: store } = createMessageStore(database, {
    retentionMs: 60_000,
    vault,
  });
  await store([{ ...report, received_at: "2026-11-21T09:30:00Z" }], "verification");
}

async function plantEvent({ database, vault }: PlantedZone, team: string, task_id: string): Promise<void> {
  const shown = { type: "text", task_id, seq: 1, offset: 0, delta: plantedWords(team) };
  const event = createRecordCodec(vault).toColumn(shown, eventContext(task_id));
  await database.db
    .insertInto("task_event")
    .values({ task_id, seq: 1, at: 0, team: teamKey(team), event })
    .execute();
}

async function plantFailedCall({ database }: PlantedZone, team: string): Promise<void> {
  const counts = new AgentCallCounts(database, () => undefined);
  const ids = { run_id: team, task_id: team, correlation_id: team, attempts: 1 };
  counts.count({ agent: "A", kind: "task_failed", made_by: "task", team: teamKey(team), ...ids });
  await counts.close();
}

async function plantInput({ database, jobs, vault }: PlantedZone, team: string, task_id: string): Promise<void> {
  const { requests } = openInputs({ database, jobs, vault, retentionMs: 60_000, emit: () => undefined });
  const words = plantedWords(team);
  const by = { team_id: team, decide: { ...newInput().decide, people: [words] } };
  await requests.ask(newInput({ request_id: inputIdOf(task_id, "1"), task_id, title: words, ...by }));
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
  const { enter } = createCallIntake({ jobs, vault });
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
  const codec = createRecordCodec(vault);
  const value = codec.toColumn(plantedWords(team), messageContext({ channel, key }));
  const record = JSON.stringify({ ids: { run_id: "r", task_id: key, correlation_id: "c" }, headers: {} });
  const leaving = codec.toColumn(plantedWords(team), outboxContext({ channel, record }));
  await jobs.store.outbox.add([{ channel, record, value: leaving, team: owner }]);
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
  const limits = { deadlineMs: 60_000, stepTimeoutMs: 60_000, maxRunning: 1, maxRunBytes: 10_000, retentionMs: 60_000 };
  const intake = createCallIntake({ jobs, vault });
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

async function plantTask(store: TaskStore, team: string): Promise<HeldTask> {
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

const newKey = (id: string): VaultKey => ({ id, key: createSecretKey(randomBytes(32)) });

onBothEngines("the data of a team in the execution zone", (newDatabase, engine) => {
  const start = async (vault?: Vault) => {
    const url = await newDatabase();
    const open = async (by?: Vault) => {
      const { store, jobs, database } = await openTaskStore({ url, leaseMs: 60_000, vault: by });
      onTestFinished(() => database.close());
      return { store, jobs, database, data: createOwnedData(database, { tables: executionTables, sealer: by }) };
    };
    const opened = await open(vault);
    const running = await plantTeam({ ...opened, vault }, "T1");
    await plantTeam({ ...opened, vault }, "T2");
    const bytes = (): string => {
      const path = url.slice("sqlite:".length);
      return [path, `${path}-wal`]
        .filter(existsSync)
        .map((file) => readFileSync(file, "latin1"))
        .join("");
    };
    return { ...opened, open, running, bytes };
  };

  const exported = async ({ data }: Awaited<ReturnType<typeof start>>, team = "T1") => {
    const rows = [];
    for await (const row of data.rows(team)) rows.push(row);
    return rows;
  };

  test("every table is known to the data commands, or is listed with a reason", async () => {
    const { database } = await start();
    const known = [...executionTables.map(({ name }) => name), ...Object.keys(tablesOfTheZone)];
    expect(await listTables(database as never)).toEqual(known.toSorted());
  });

  test("after a purge no row and no byte of the team is left, and its worker finds its task gone", async () => {
    const zone = await start();
    await zone.data.purge("T1");
    expect(await exported(zone)).toEqual([]);
    expect(await exported(zone, "T2")).toHaveLength(24);
    expect(new Set((await exported(zone, "T2")).map(({ table }) => table)).size).toBe(executionTables.length);
    expect(await endTask(zone, zone.running)).toBeUndefined();
    if (engine === "postgres") return;
    expect(zone.bytes()).not.toContain(plantedWords("T1"));
    expect(zone.bytes()).toContain(plantedWords("T2"));
  });

  test("with keys no question or answer is readable in the database, and an export opens it", async () => {
    const zone = await start(createVault([newKey("k")]));
    const stored = await Promise.all(
      executionTables.map(({ name }) =>
        zone.database.db
          .selectFrom(name as "job")
          .selectAll()
          .execute(),
      ),
    );
    expect(stored.map(({ length }) => length)).toEqual([10, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 6, 2, 2, 2, 2, 2]);
    expect(JSON.stringify(stored)).not.toContain("wrote-this");
    expect(engine === "sqlite" ? zone.bytes() : "").not.toContain("wrote-this");
    const rows = await exported(zone);
    expect(new Set(rows.flatMap(({ left_out }) => left_out))).toEqual(new Set(["handle"]));
    expect(JSON.stringify(rows)).toContain(plantedWords("T1"));
    expect(JSON.stringify(rows)).not.toContain("czh_");
    expect(await zone.store.get(zone.running.task.task_id)).toMatchObject({ params: { text: plantedWords("T1") } });
  });

  test("a key rotation: everything is sealed with the new key, and the old key can be removed", async () => {
    const [old, today] = [newKey("old"), newKey("today")];
    const zone = await start(createVault([old]));
    const both = await zone.open(createVault([today, old]));
    const columns = [
      ["job", 22],
      ["task_event", 2],
      ["failed_agent_call", 0],
      ["workflow_step", 6],
      ["workflow_run", 6],
      ["schedule", 2],
      ["fire", 2],
      ["input_request", 2],
      ["agent_conversation", 2],
      ["thread_summary", 2],
      ["agent_file_link", 0],
      ["message", 0],
      ["message_person", 2],
      ["model_call", 0],
      ["budget_use", 0],
      ["outbox", 2],
      ["bus_dead_letter", 2],
      ["audit_content", 2],
    ] as const;
    expect(await both.data.reseal()).toEqual(columns.map(([table, sealed]) => ({ table, sealed, failed: 0 })));
    const alone = await zone.open(createVault([today]));
    expect(JSON.stringify(await exported({ ...zone, ...alone }))).toContain(plantedWords("T1"));
    expect(await alone.store.get(zone.running.task.task_id)).toMatchObject({ params: { text: plantedWords("T1") } });
    const late = await zone.open(createVault([old]));
    expect(await late.data.reseal()).toEqual(columns.map(([table, failed]) => ({ table, sealed: 0, failed })));
  });

  test("O31: a process without a task's key neither ends nor answers it; after its deadline, it ends", async () => {
    const zone = await start(createVault([newKey("lost")]));
    await releaseTask(zone, zone.running);
    const opened = await zone.open(createVault([newKey("other")]));
    const { store, database } = opened;
    await expect(takeTasks(opened)).rejects.toThrow('sealed with the key "lost"');
    const [ended] = await database.db.selectFrom("job").select("id").where("outcome", "=", "success").execute();
    await expect(store.get(ended?.id ?? "")).rejects.toThrow('sealed with the key "lost"');
    expect(await store.settled([ended?.id ?? ""])).toEqual([]);
    await database.db
      .updateTable("job")
      .set({ deadline_at: 1, state: 0, owner: null })
      .where("state", "<", 4)
      .execute();
    const [over] = await takeTasks(opened);
    expect(over?.remainingMs).toBeLessThan(0);
  });
});
