import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { DeadLetterError } from "../dead-letter-error.ts";
import { taskMessage } from "../testing/bus-under-test.ts";
import { consume, drained, soon } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

onBothEngines("dead letters of the embedded bus", (newDatabase) => {
  test("are forgotten when they were kept long enough, younger ones are not", async () => {
    const url = await newDatabase();
    const { bus, database } = await openEmbedded(url);
    await consume(bus, "agent_tasks", { handle: () => Promise.reject(new DeadLetterError("never")) });
    await bus.publish(Array.from({ length: 1_100 }, (_, at) => taskMessage(`${at}`, at)));
    await drained(bus, "agent_tasks");
    const [young] = await bus.deadLetters.list("agent_tasks", 1);
    await database.db
      .updateTable("bus_dead_letter")
      .set((is) => ({ dead_at: is("dead_at", "-", 3_600_000) }))
      .where("id", "!=", Number(young?.id))
      .execute();
    const { bus: next } = await openEmbedded(url, { deadLetterMs: 3_000_000 });
    await consume(next, "agent_tasks");
    const left = async (): Promise<string[]> => (await bus.deadLetters.list("agent_tasks", 2_000)).map(({ id }) => id);
    await expect.poll(left, soon).toEqual([young?.id]);
  });
});
