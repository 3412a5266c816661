import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { taskMessage } from "../testing/bus-under-test.ts";
import { consume, drained } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

onBothEngines("what the embedded bus asks its database", (newDatabase) => {
  test("who waits for messages asks ever more rarely", async () => {
    const { bus, statements } = await openEmbedded(await newDatabase(), { idlePollMs: 500 });
    await consume(bus, "agent_tasks");
    await delay(3_000);
    // 20, 40, 80, 160, 320 ms, then two a second.
    expect(statements()).toBeLessThan(13);
  });

  test("hundreds of messages at once are a few dozen statements, from the first to the last", async () => {
    const { bus, statements } = await openEmbedded(await newDatabase());
    const consumed = await consume(bus, "agent_tasks", { concurrency: 200 });
    await Promise.all(Array.from({ length: 400 }, (_, at) => bus.publish([taskMessage(`${at}`)])));
    await consumed.until(400);
    expect(statements()).toBeLessThan(80);
    await drained(bus, "agent_tasks");
  });

  test("what this process publishes is not waited for", async () => {
    const { bus } = await openEmbedded(await newDatabase(), { idlePollMs: 3_600_000 });
    const consumed = await consume(bus, "agent_tasks");
    // Long enough for the next look to be seconds away.
    await delay(2_500);
    await bus.publish([taskMessage("published")]);
    await consumed.until(1);
    const { bus: other, database } = await openEmbedded(await newDatabase(), { idlePollMs: 3_600_000 });
    const there = await consume(other, "agent_tasks");
    await delay(2_500);
    await database.transaction((tx) => other.outbox.add(tx, [taskMessage("decided")]));
    other.outbox.wake();
    await there.until(1);
    expect([consumed.done.length, there.done.length]).toEqual([1, 1]);
  });
});
