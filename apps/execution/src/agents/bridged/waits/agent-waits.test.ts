import { createSecretKey, randomBytes, randomUUID } from "node:crypto";
import type { BusMessage, Outbox } from "@crosszone/bus";
import type { AgentTask } from "@crosszone/contracts";
import { createVault } from "@crosszone/service-kit";
import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../../database/open-execution-database.ts";
import { openTaskStore } from "../../../tasks/sql/open-task-store.ts";
import { agentResult } from "../../../testing/agent-result.ts";
import { heldTask, succeeded } from "../../../testing/new-task.ts";
import { createSqlAgentWaits, type SqlAgentWaitsOptions } from "./sql-agent-wait-store.ts";

const taskWith = (task_id: string = randomUUID()): AgentTask => ({
  run_id: task_id,
  task_id,
  agent_name: "A",
  input_data: { text: "hi" },
  correlation_id: "c-1",
});

contractOnBothEngines("the waits for results of the bus", (newDatabase) => {
  const open = async (url: string, options: Pick<SqlAgentWaitsOptions, "vault"> = {}) => {
    const database = await openExecutionDatabase({ url });
    onTestFinished(() => database.close());
    const published: BusMessage[] = [];
    const fails: unknown[] = [];
    const outbox: Outbox = {
      // A statement of the transaction, as that of a real one is: it fails when the transaction has.
      add: async (transaction, messages) => {
        await sql`select 1`.execute(transaction);
        const failure = fails.pop();
        if (failure !== undefined) throw failure;
        published.push(...messages);
      },
      wake: () => undefined,
    };
    return { database, published, fails, waits: createSqlAgentWaits(database, { outbox, ...options }) };
  };
  const start = async (options?: Pick<SqlAgentWaitsOptions, "vault">) => open(await newDatabase(), options);

  test("a task is published once, whoever sends it how often, with its team and its span", async () => {
    const url = await newDatabase();
    const [one, other] = [await open(url), await open(url)];
    const task = taskWith();
    const sent = { task, team: "digest", traceparent: "00-1-2-01" };
    await Promise.all([one.waits.send(sent), one.waits.send(sent), other.waits.send(sent)]);
    await other.waits.send(sent);
    expect([...one.published, ...other.published]).toEqual([
      {
        channel: "agent_tasks",
        value: task,
        headers: { "reply-to": "execution", "data-owner": "digest", traceparent: "00-1-2-01" },
      },
    ]);
  });

  test("B7: what is not published does not wait either, and can be sent again", async () => {
    const { waits, published, fails, database } = await start();
    const task = taskWith();
    fails.push(new Error("the bus says no"));
    await expect(waits.send({ task })).rejects.toThrow("the bus says no");
    expect(await database.db.selectFrom("agent_wait").selectAll().execute()).toEqual([]);
    await waits.send({ task });
    expect(published).toEqual([{ channel: "agent_tasks", value: task, headers: { "reply-to": "execution" } }]);
  });

  test("N5, B11: the first result of a task counts; a second one and those of others change nothing", async () => {
    const { waits } = await start();
    const [task, silent] = [taskWith(), taskWith()];
    await Promise.all([waits.send({ task }), waits.send({ task: silent })]);
    const first = agentResult(task.task_id);
    expect(await waits.keep(first)).toBe(true);
    expect(await waits.keep({ ...first, status: "FAILURE" })).toBe(false);
    const strangers = [randomUUID(), "step\u0000", "half \ud800", "x".repeat(255)].map((id) => agentResult(id));
    const ofAnotherRun = agentResult(silent.task_id, { run_id: randomUUID() });
    for (const stranger of [...strangers, ofAnotherRun]) expect(await waits.keep(stranger)).toBe(false);
    expect(await waits.results([task.task_id, silent.task_id, randomUUID()])).toEqual([first]);
  });

  test("results that come together are kept together, each for its own task", async () => {
    const { waits } = await start();
    const tasks = Array.from({ length: 250 }, () => taskWith());
    await Promise.all(tasks.map((task) => waits.send({ task })));
    const results = tasks.map(({ task_id }) => agentResult(task_id));
    const kept = await Promise.all([...results, ...results].map((result) => waits.keep(result)));
    expect(kept.filter(Boolean)).toHaveLength(250);
    const found = await waits.results(tasks.map(({ task_id }) => task_id));
    expect(new Map(found.map((result) => [result.task_id, result]))).toEqual(
      new Map(results.map((result) => [result.task_id, result])),
    );
  });

  test("that nobody waits any more is said once, and not of what has its result", async () => {
    const url = await newDatabase();
    const [one, other] = [await open(url), await open(url)];
    const [task, done] = [taskWith(), taskWith()];
    await Promise.all([one.waits.send({ task, team: "digest" }), one.waits.send({ task: done })]);
    await one.waits.keep(agentResult(done.task_id));
    one.published.length = 0;
    const cancellation = (id: string) => ({
      run_id: id,
      task_id: id,
      correlation_id: "c-1",
      timestamp: "2026-03-01T10:00:00Z",
    });
    const all = [task.task_id, done.task_id, randomUUID()].map(cancellation);
    await Promise.all(all.flatMap((each) => [one.waits.cancel(each), other.waits.cancel(each)]));
    expect([...one.published, ...other.published]).toEqual([
      { channel: "agent_cancellations", value: all[0], headers: { "reply-to": "execution", "data-owner": "digest" } },
    ]);
  });

  test("a wait is forgotten when its task has ended or is gone, and not before", async () => {
    const url = await newDatabase();
    const { waits, database } = await open(url);
    const { store, database: tasks } = await openTaskStore({ url });
    onTestFinished(() => tasks.close());
    const [open_, ended] = [await heldTask(store), await heldTask(store)];
    for (const task of [taskWith(open_.task.task_id), taskWith(ended.task.task_id), taskWith()])
      await waits.send({ task });
    await store.end(ended, "success", succeeded());
    expect(await waits.forget(1)).toBe(1);
    expect(await waits.forget(10)).toBe(1);
    expect(await waits.forget(10)).toBe(0);
    expect(await database.db.selectFrom("agent_wait").select("task_id").execute()).toEqual([
      { task_id: open_.task.task_id },
    ]);
  });

  test("T5: the wait of a call that a task's agent made stays until that task has ended, and can be canceled", async () => {
    const url = await newDatabase();
    const { waits, published } = await open(url);
    const { store, database: tasks } = await openTaskStore({ url });
    onTestFinished(() => tasks.close());
    const parent = await heldTask(store);
    const [task, ended] = [taskWith(), taskWith()];
    await waits.send({ task, parentTaskId: parent.task.task_id });
    await waits.send({ task: ended, parentTaskId: randomUUID() });
    expect(await waits.forget(10)).toBe(1);
    published.length = 0;
    const { task_id, correlation_id } = task;
    await waits.cancel({ run_id: task_id, task_id, correlation_id, timestamp: "2026-03-01T10:00:00Z" });
    expect(published).toMatchObject([{ channel: "agent_cancellations", value: { task_id } }]);
    await store.end(parent, "success", succeeded());
    expect(await waits.forget(10)).toBe(1);
  });

  test("S14: a result is sealed when there are keys; without its key it is a failure that keeps no other from being read", async () => {
    const url = await newDatabase();
    const newVault = (id: string) => createVault([{ id, key: createSecretKey(randomBytes(32)) }]);
    const { waits, database } = await open(url, { vault: newVault("old") });
    const task = taskWith();
    await waits.send({ task });
    const result = agentResult(task.task_id, { output_data: "only the asker reads this" });
    await waits.keep(result);
    expect(JSON.stringify(await database.db.selectFrom("agent_wait").selectAll().execute())).not.toContain("only the");
    expect(await waits.results([task.task_id])).toEqual([result]);
    const late = await open(url, { vault: newVault("new") });
    const readable = taskWith();
    await late.waits.send({ task: readable });
    await late.waits.keep(agentResult(readable.task_id));
    const found = await late.waits.results([task.task_id, readable.task_id]);
    expect(found.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([
      { status: "FAILURE", error: { kind: "internal" } },
      { status: "SUCCESS" },
    ]);
  });
});
