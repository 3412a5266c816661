import { createSecretKey, randomBytes } from "node:crypto";
import type { AgentRecord } from "@crosszone/contracts";
import { callId } from "@crosszone/jobs";
import { messageInputContext } from "@crosszone/kafka-gateway";
import { createLogger, createRecordCodec, createVault, type Vault } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test, vi } from "vitest";
import { createBridgedAgent } from "../agents/bridged/bridged-agent.ts";
import { createSqlConversations } from "../agents/conversations.ts";
import { takeLeftMessages } from "../roles/take-left-messages.ts";
import {
  type DatabaseBeforeJobs,
  dead,
  free,
  migrateBack,
  openBeforeJobs,
  taskOf,
} from "../testing/database-before-jobs.ts";
import { agentResult, startFakeBridge } from "../testing/fake-bridge.ts";
import { startExecutor, stepResult, storeWorkflow, type TestExecutor } from "../testing/start-executor.ts";
import { startRunner } from "../testing/start-runner.ts";

const newVault = (id = "k"): Vault => createVault([{ id, key: createSecretKey(randomBytes(32)) }]);
const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });

/** Makes jobs of the left messages, as a process does when it starts. */
const takeLeft = ({ database, jobs, workflows }: TestExecutor, vault: Vault | undefined) =>
  takeLeftMessages({ database, jobs, logger, vault, runs: workflows, deadlineMs: 60_000 });

/** Stores tasks at every stage on the way to an agent and back. */
async function plantTasks({ task, call, endedCall, message, db }: DatabaseBeforeJobs, codecOf: Vault | undefined) {
  const alive = { owner: "alive", lease_until: Date.now() + 1_500, attempt: 1 };
  const [onTheWay, waiting, called, answered, received, canceled, ended] = [
    await task(free),
    await task(dead),
    await task(alive),
    await task(dead),
    await task(dead),
    await task(free, "canceled"),
    await task(free, "success"),
  ];
  const headers = { "reply-to": "execution" };
  await message(["agent_tasks", "agent-bridge"], taskOf(onTheWay), headers);
  await call(taskOf(waiting), "execution", free);
  await call(taskOf(called), "execution", alive);
  await endedCall(taskOf(answered), "execution");
  await message(["agent_results", "execution"], agentResult(answered), headers);
  const result = createRecordCodec(codecOf).toColumn(agentResult(received), `agent_wait result ${received}`);
  await db.updateTable("agent_wait").set({ result, finished_at: 1 }).where("task_id", "=", received).execute();
  await call(taskOf(canceled), "execution", dead);
  const unwanted = { run_id: canceled, task_id: canceled, correlation_id: "c-1", timestamp: "2026-03-01T10:00:00Z" };
  await message(["agent_cancellations", "agent-bridge"], { ...unwanted, reason: "canceled" }, headers);
  return { asked: [onTheWay, waiting, called], known: [answered, received], canceled, ended };
}

/** Starts two runs; for one, the previous version has published the first step's result. */
async function plantRuns(url: string, vault: Vault | undefined) {
  const executor = await startExecutor(url, { isStarted: false, vault });
  await storeWorkflow(executor);
  const runs: string[] = [];
  for (const input of ["one", "other"]) {
    const started = await executor.workflows.startRun({ workflow_id: "publish", input });
    if (started.outcome === "started") runs.push(started.run.run_id);
  }
  return runs;
}

onBothEngines("a database of the previous version", (newDatabase) => {
  test.each([
    ["", undefined],
    [", sealed", newVault()],
  ])("everything unfinished ends once, and nothing is lost%s", async (_, vault) => {
    const url = await newDatabase();
    const [midway = "", first = ""] = await plantRuns(url, vault);
    await migrateBack(url);
    const before = await openBeforeJobs(url, createRecordCodec(vault));
    const step = await before.db.selectFrom("agent_call").select(["record"]).execute();
    const steps = step.map(({ record }) => (JSON.parse(String(record)) as { task: ReturnType<typeof taskOf> }).task);
    const midwayStep = steps.find(({ run_id }) => run_id === midway) as ReturnType<typeof taskOf>;
    await before.db.deleteFrom("agent_call").where("id", "=", callId(midwayStep)).execute();
    await before.endedCall({ ...midwayStep, input_data: null }, "workflow");
    await before.message(["agent_results", "workflow"], stepResult(midwayStep, {}), { "reply-to": "workflow" });
    const { asked, known, canceled, ended } = await plantTasks(before, vault);
    await before.close();

    const executor = await startExecutor(url, { vault });
    const { database, calls } = executor;
    await takeLeft(executor, vault);
    await takeLeft(executor, vault);
    expect(await database.db.selectFrom("left_message").selectAll().execute()).toEqual([]);
    const { tasks } = await startFakeBridge(executor, (task) => agentResult(task.task_id, { run_id: task.run_id }));
    const conversations = createSqlConversations(database, { retentionMs: 60_000 });
    const agent = createBridgedAgent({ name: "A", description: "" } as AgentRecord, { calls, conversations });
    const { runner, store } = await startRunner({ url, leaseMs: 300, vault, agents: [agent] });
    for (const id of [...asked, ...known]) {
      const task = await store.get(id);
      expect(task && (await runner.waitUntilFinal(task, 20_000))).toMatchObject({
        state: "success",
        outcome: { answer: { response_text: `done ${id}`, agent: "A" } },
      });
    }
    expect(await store.get(canceled)).toMatchObject({ state: "canceled" });
    expect(await store.get(ended)).toMatchObject({ state: "success", outcome: { answer: { response_text: "done" } } });
    for (const id of [midway, first])
      await vi.waitFor(async () => expect((await executor.workflows.getRun(id))?.run.state).toBe("succeeded"), 20_000);

    const ofTasks = tasks.map(({ run_id }) => run_id).filter((id) => id !== midway && id !== first);
    expect(ofTasks.toSorted()).toEqual(asked.toSorted());
    expect(tasks.filter(({ run_id }) => run_id === midway).map(({ agent_name }) => agent_name)).toEqual(["B"]);
    expect(tasks.filter(({ run_id }) => run_id === first).map(({ agent_name }) => agent_name)).toEqual(["A", "B"]);
    const open = () => database.db.selectFrom("job").select(["kind", "id"]).where("state", "<", 4).execute();
    await vi.waitFor(async () => expect(await open()).toEqual([]), 10_000);
  });

  test("messages whose key is missing wait for a process that has the key; messages to Kafka keep their order", async () => {
    const url = await newDatabase();
    const vault = newVault();
    const before = await openBeforeJobs(url, createRecordCodec(vault));
    const { asked } = await plantTasks(before, vault);
    const [sent, later] = [await before.task(free), await before.task(free)];
    for (const id of [sent, later]) await before.message(["agent_tasks", "kafka"], taskOf(id), { traceparent: "00-1" });
    await before.close();

    const keyless = await startExecutor(url, { vault: newVault("other") });
    await takeLeft(keyless, newVault("other"));
    const left = () => keyless.database.db.selectFrom("left_message").select("channel").execute();
    expect(await left()).toHaveLength(4);
    await takeLeft(keyless, vault);
    expect(await left()).toEqual([]);
    const call = keyless.database.db
      .selectFrom("job")
      .selectAll()
      .where("id", "=", callId(taskOf(asked[0] ?? "")));
    expect(await call.executeTakeFirst()).toMatchObject({
      kind: "agent_call",
      share: "agent_call A",
      parent: asked[0],
    });

    const outgoing = keyless.database.db.selectFrom("job").selectAll().where("kind", "=", "publish");
    const rows = await outgoing.orderBy("sequence").execute();
    const codec = createRecordCodec(vault);
    expect(rows.map((row) => codec.fromColumn(row.input ?? "", messageInputContext(row)))).toEqual([
      taskOf(sent),
      taskOf(later),
    ]);
    expect(rows[0]).toMatchObject({ share: "publish agent_tasks", state: 0 });
    expect(JSON.parse(rows[0]?.record ?? "")).toMatchObject({ headers: { traceparent: "00-1" } });
  });

  test("after the step is undone, tasks, calls and messages are restored", async () => {
    const url = await newDatabase();
    const codec = createRecordCodec(undefined);
    const before = await openBeforeJobs(url, codec);
    await plantTasks(before, undefined);
    await before.message(["agent_tasks", "kafka"], taskOf("1"), { traceparent: "00-1" });
    const tables = ["task", "agent_call", "bus_message", "bus_outbox"];
    const rowsOf = async (opened: DatabaseBeforeJobs) => {
      const found: Record<string, string | number | null>[][] = [];
      for (const name of tables) found.push(await opened.db.selectFrom(name).selectAll().execute());
      // Processes have crashed meanwhile, so messages are published again.
      const stays = (row: object) =>
        JSON.stringify({ ...row, id: undefined, lease_until: 0, published_at: 0, created_at: 0 });
      return found.map((rows) => rows.map(stays).toSorted());
    };
    const planted = await rowsOf(before);
    await before.close();
    const newer = await startExecutor(url, { isStarted: false });
    await newer.database.close();
    await migrateBack(url);
    const after = await openBeforeJobs(url, codec);
    expect(await rowsOf(after)).toEqual(planted);
    await after.close();
  });
});
