// suite: both
import { newVault } from "../../testing/new-task.ts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { createSqlThreadSummaries } from "../conversations.ts";

const summary = (text: string) => ({ text, covered: [{ ts: "1.0", digest: "d" }], author: "U1" });
const thread = { team_id: "T1", context_id: "thread-1" };

onBothEngines("summaries of threads", (newDatabase) => {
  async function open(agent = "assistant", vault = newVault(), url?: string) {
    const database = await openExecutionDatabase({ url: url ?? (await newDatabase()) });
    onTestFinished(() => database.close());
    const summaries = createSqlThreadSummaries(database, agent, { vault, retentionMs: 60_000 });
    return { database, summaries, memory: (of: typeof thread) => summaries.memoryOf(of) };
  }

  test("a summary is kept for its thread, replaced and deleted, in any process", async () => {
    const [url, vault] = [await newDatabase(), newVault()];
    const [one, other] = [await open("assistant", vault, url), await open("assistant", vault, url)];
    expect(await one.memory(thread)?.find()).toBeUndefined();
    for (const text of ["first", "second"]) await one.memory(thread)?.keep(summary(text));
    expect(await other.memory(thread)?.find()).toEqual(summary("second"));
    await other.memory(thread)?.drop();
    expect(await one.memory(thread)?.find()).toBeUndefined();
  });

  test("G6: no other thread, team or agent finds or replaces it; without a team nothing is stored", async () => {
    const [url, vault] = [await newDatabase(), newVault()];
    const mine = await open("assistant", vault, url);
    const another = await open("another", vault, url);
    await mine.memory(thread)?.keep(summary("mine"));
    const others = [
      mine.memory({ ...thread, team_id: "T2" }),
      mine.memory({ ...thread, context_id: "thread-2" }),
      another.memory(thread),
    ];
    for (const memory of others) {
      expect(await memory?.find()).toBeUndefined();
      await memory?.keep(summary("theirs"));
      await memory?.drop();
    }
    expect(await mine.memory(thread)?.find()).toEqual(summary("mine"));
    expect(mine.summaries.memoryOf({ context_id: "thread-1" })).toBeUndefined();
    expect(mine.summaries.memoryOf({ team_id: "T1" })).toBeUndefined();
  });

  test("a summary is deleted some time after the thread's last question, not after it was written", async () => {
    const { database, memory, summaries } = await open();
    const other = { ...thread, context_id: "thread-2" };
    for (const one of [thread, other]) await memory(one)?.keep(summary("old"));
    await database.db
      .updateTable("thread_summary")
      .set({ updated_at: sql<number>`updated_at - 90000` })
      .execute();
    expect(await memory(other)?.find()).toEqual(summary("old"));
    expect(await summaries.purge.purge(100)).toBe(1);
    expect(await memory(thread)?.find()).toBeUndefined();
    expect(await memory(other)?.find()).toEqual(summary("old"));
  });

  test("no text of it is readable in the database, and without its key it counts as missing", async () => {
    const url = await newDatabase();
    const { database, memory } = await open("assistant", newVault(), url);
    const planted = { team_id: "planted-team", context_id: "planted-thread" };
    await memory(planted)?.keep(summary("planted words"));
    expect(JSON.stringify(await database.db.selectFrom("thread_summary").selectAll().execute())).not.toMatch(/planted/);
    const { memory: later } = await open("assistant", newVault(), url);
    expect(await later(planted)?.find()).toBeUndefined();
    await later(planted)?.keep(summary("new"));
    expect(await later(planted)?.find()).toEqual(summary("new"));
  });
});
