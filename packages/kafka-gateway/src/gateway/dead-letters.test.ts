// suite: both
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openZoneDatabase } from "../testing/open-process.ts";
import { createDeadLetterPurge } from "./dead-letters.ts";

const days = 86_400_000;

onBothEngines("dead letters", (newDatabase) => {
  test("are deleted after two weeks, oldest first, and not before", async () => {
    const database = await openZoneDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const letter = (key: string, ageMs: number) => ({
      channel: "agent_tasks",
      consumer_group: "outbox",
      key,
      value: "{}",
      headers: "{}",
      reason: "never",
      attempts: 1,
      dead_at: Date.now() - ageMs,
    });
    const ages: readonly [string, number][] = [
      ["young", 13 * days],
      ["old", 15 * days],
      ["older", 16 * days],
      ["oldest", 17 * days],
    ];
    const letters = ages.map(([key, age]) => letter(key, age));
    await database.db.insertInto("bus_dead_letter").values(letters).execute();
    const { table, purge } = createDeadLetterPurge(database);
    const left = async () =>
      (await database.db.selectFrom("bus_dead_letter").select("key").orderBy("id").execute()).map(({ key }) => key);
    expect([table, await purge(2), await left()]).toEqual(["bus_dead_letter", 2, ["young", "old"]]);
    expect([await purge(2), await purge(2), await left()]).toEqual([1, 0, ["young"]]);
  });
});
