import { randomUUID } from "node:crypto";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { createSqlConversations } from "../../agents/conversations.ts";
import { openExecutionDatabase } from "../../database/open-execution-database.ts";
import { openJobs } from "../../database/open-jobs.ts";
import { newTask } from "../../testing/new-task.ts";
import { createSqlTaskStore } from "./sql-task-store.ts";

test("Z8: a statement timeout counts as an outage: the same request can be repeated, and takes effect once", async () => {
  const url = await newPostgresDatabase();
  const database = await openExecutionDatabase({ url, statementTimeoutMs: 100 });
  const other = await openExecutionDatabase({ url });
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  const { store: jobs, endTogether } = openJobs(database, { leaseMs: 10_000 });
  const conversations = createSqlConversations(database, { retentionMs: 60_000 });
  const store = createSqlTaskStore({ database, jobs, endTogether, conversations, retentionMs: 86_400_000 });
  const tasks = Array.from({ length: 3 }, () => newTask({ key: `"${randomUUID()}"` }));
  const away = { kind: "agent_unavailable", retryable: true };

  await other.transaction(async (holder) => {
    await sql`lock table job in access exclusive mode`.execute(holder);
    for (const made of await Promise.allSettled(tasks.map((task) => store.create(task))))
      expect(made).toMatchObject({ status: "rejected", reason: away });
    await expect(store.get(randomUUID())).rejects.toMatchObject(away);
  });

  const [task = newTask()] = tasks;
  expect(await store.create(task)).toMatchObject({ created: true });
  expect(await store.get(task.task_id)).toMatchObject({ state: "working" });
});
