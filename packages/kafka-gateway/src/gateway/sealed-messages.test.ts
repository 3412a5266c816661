// suite: both
import { callId } from "@crosszone/agent-calls";
import { reapJobs } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createMemoryTopics } from "../testing/memory-bus.ts";
import { jobsOf, newAgentTask, openProcess } from "../testing/open-process.ts";
import { startEndingOverdue } from "./end-calls.ts";

/** A codec that seals with a word and checks the row. */
function sealedWith(word: string): RecordCodec {
  const form = (context: string): string => `sealed.${Buffer.from(`${word} ${context}`).toString("base64url")}.`;
  return {
    toColumn: (record, context) => `${form(context)}${Buffer.from(JSON.stringify(record)).toString("base64url")}`,
    fromColumn: (text, context) => {
      if (!text.startsWith(form(context))) throw new Error("sealed with another key, or for another row");
      return JSON.parse(Buffer.from(text.slice(form(context).length), "base64url").toString()) as unknown;
    },
  };
}

onBothEngines("messages in the outbox", (newDatabase) => {
  test("are sealed in every column; any process with the key publishes them unchanged", async () => {
    const [topics, url] = [createMemoryTopics(), await newDatabase()];
    const start = () => openProcess({ url, bus: topics.newBus(), codec: sealedWith("today"), roles: [] });
    const dying = await start();
    topics.isAway = true;
    topics.mostSize = 5_000;
    const files = [{ name: "hers.txt", media_type: "text/plain", size: 4, bytes: "aGVycw==" }];
    const tasks = [
      newAgentTask("t1", { input_data: "what she wrote", files }),
      newAgentTask("t2", { input_data: `what she wrote ${"x".repeat(5_000)}` }),
    ];
    const headers = { "reply-to": "execution", "data-owner": "team" };
    for (const task of tasks) await dying.call(task, headers);
    await dying.gateway.intake.cancel(tasks[0] as never, "what she wrote");
    const stored = async (): Promise<string> =>
      JSON.stringify([
        await dying.database.db.selectFrom("job").selectAll().execute(),
        await dying.database.db.selectFrom("outbox").selectAll().execute(),
        await dying.database.db.selectFrom("bus_dead_letter").selectAll().execute(),
      ]);
    const secrets = /what she wrote|hers|aGVycw/;
    expect(await stored()).not.toMatch(secrets);
    expect(await stored()).toMatch(/"team":"team"/);

    await dying.crash();
    const other = await start();
    await reapJobs(other.database);
    await dying.gateway.close(0);
    topics.isAway = false;
    const published = (channel: string) => topics.published.find((message) => message.channel === channel);
    await expect.poll(() => published("agent_tasks")).toEqual({ channel: "agent_tasks", value: tasks[0], headers });
    const cancellation = { value: { reason: "what she wrote" }, headers };
    await expect.poll(() => published("agent_cancellations")).toMatchObject(cancellation);
    const failure = { value: { task_id: "t2", error: { kind: "invalid_task" } } };
    await expect.poll(() => published("agent_results")).toMatchObject(failure);
    await expect.poll(stored).toContain("max.message.bytes");
    expect(await stored()).not.toMatch(secrets);
  });
});

onBothEngines("overdue calls", (newDatabase) => {
  test("a call without a result ends an hour after its deadline", async () => {
    const url = await newDatabase();
    const bus = createMemoryTopics().newBus();
    const process = await openProcess({ url, bus, roles: ["rpc"] });
    for (const name of ["old", "young"]) await process.call(newAgentTask(name));
    const waiting = ["agent_call agent", 3, null];
    await expect.poll(() => jobsOf(process)).toEqual([waiting, waiting]);
    const deadline_at = Date.now() - 2 * 3_600_000;
    const id = callId(newAgentTask("old"));
    await process.database.db.updateTable("job").set({ deadline_at }).where("id", "=", id).execute();
    onTestFinished(startEndingOverdue(process.store));
    await expect.poll(() => jobsOf(process)).toEqual([["agent_call agent", 4, "failed"], waiting]);
  });
});
