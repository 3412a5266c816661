import { openExecutionDatabase } from "@crosszone/execution";
import { newSqliteDatabase, onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { runData } from "../harness/run-data.ts";
import { databaseEnv, startTaskProcess } from "../harness/start-task-process.ts";

// Each command is a process of its own.
vi.setConfig({ testTimeout: 90_000 });

/** The database of a zone that `databaseEnv` leads to `url`. Closed with the test. */
async function openDatabaseOf(url: string) {
  const database = await openExecutionDatabase({ url: url.replace(/^(sqlite:.*\/).*/, "$1execution.sqlite") });
  onTestFinished(() => database.close());
  return database;
}

onBothEngines("dead letters", (newDatabase) => {
  test("B8: an operator lists them without a word of theirs, has one or all delivered again, and the zone goes on", async () => {
    const url = await newDatabase();
    const env = databaseEnv(url);
    const zone = await startTaskProcess(url);
    const { db } = await openDatabaseOf(url);
    // What no program of ours would publish.
    const poison = { channel: "agent_tasks", consumer_group: "agent-bridge", key: "k", headers: "{}", value: '"hers"' };
    const waits = { published_at: Date.now(), attempt: 0, visible_at: 0 };
    await db
      .insertInto("bus_message")
      .values({ ...poison, ...waits })
      .execute();
    const letterAfter = ({ dead_at }: { readonly dead_at: number }) =>
      vi.waitFor(async () => {
        const letters = db.selectFrom("bus_dead_letter").select(["id", "dead_at"]).where("dead_at", ">", dead_at);
        return letters.executeTakeFirstOrThrow();
      }, 30_000);

    const first = await letterAfter({ dead_at: 0 });
    const { code, out, err } = await runData(env, "dead-letters");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(
      /^agent_tasks\/\d+ {2}agent-bridge {2}\d+ \w+ {2}attempts: 1 {2}not a message of agent_tasks: .*\n$/,
    );
    expect(out).toContain(`agent_tasks/${first.id} `);
    expect(out).not.toContain("hers");

    // It is as unreadable as before, so each time it comes back, as another letter.
    const again = { code: 0, out: "Delivered again: 1.\n", err: "" };
    expect(await runData(env, "replay", `agent_tasks/${first.id}`)).toEqual(again);
    const second = await letterAfter(first);
    expect(await runData(env, "replay", "all")).toEqual(again);
    await letterAfter(second);
    const none = { code: 1, out: "", err: "No dead letter has the id agent_tasks/999.\n" };
    expect(await runData(env, "replay", "agent_tasks/999")).toEqual(none);
    const task = await zone.accept("2+2");
    expect(await zone.result(task)).toMatchObject({ status: "success" });
  });
});

test("B8: where Kafka is configured and cannot be reached, listing says so in words, and other commands do not need it", async () => {
  const url = await newSqliteDatabase();
  await openDatabaseOf(url);
  const env = { ...databaseEnv(url), KAFKA_BROKERS: "127.0.0.1:1" };
  const { code, err } = await runData(env, "dead-letters");
  expect([code, err]).toEqual([1, expect.stringContaining("KAFKA_BROKERS names brokers that can't be used right now")]);
  expect(await runData(env, "reseal")).toMatchObject({ err: expect.stringContaining("DATA_KEYS") });
});
