import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { consume, soon } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

onBothEngines("dead letters of the embedded bus", (newDatabase) => {
  test("are forgotten when they were kept long enough, younger ones are not", async () => {
    const url = await newDatabase();
    const { bus, database } = await openEmbedded(url);
    const letter = (at: number, dead_at: number) => ({
      channel: "agent_tasks",
      consumer_group: "agent-bridge",
      key: `${at}`,
      value: "{}",
      headers: "{}",
      reason: "never",
      attempts: 1,
      dead_at,
    });
    // More than one batch.
    const old = Array.from({ length: 1_100 }, (_, at) => letter(at, Date.now() - 3_600_000));
    await database.db.insertInto("bus_dead_letter").values(old).execute();
    await database.db.insertInto("bus_dead_letter").values(letter(-1, Date.now())).execute();
    const young = (await bus.deadLetters.list("agent_tasks", 2_000)).at(-1);
    const { bus: next } = await openEmbedded(url, { deadLetterMs: 3_000_000 });
    await consume(next, "agent_tasks");
    const left = async (): Promise<string[]> => (await bus.deadLetters.list("agent_tasks", 2_000)).map(({ id }) => id);
    await expect.poll(left, soon).toEqual([young?.id]);
  }, 60_000);
});
