import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, test } from "vitest";
import { contractRedelivery, taskMessage } from "../testing/bus-under-test.ts";
import { consume, drained, soon } from "../testing/consume.ts";
import { openEmbedded } from "../testing/open-embedded.ts";

onBothEngines("a message that is handled", (newDatabase) => {
  test("B3: for longer than its lease stays with who handles it, and is handled once", async () => {
    const url = await newDatabase();
    const { bus } = await openEmbedded(url, { leaseMs: 3_000 });
    const { bus: other } = await openEmbedded(url, { leaseMs: 3_000 });
    const deliveries: string[] = [];
    const handle = async () => {
      deliveries.push("begun");
      await delay(7_000);
    };
    const both = [await consume(bus, "agent_tasks", { handle }), await consume(other, "agent_tasks", { handle })];
    await bus.publish([taskMessage("long")]);
    await expect.poll(() => both.reduce((sum, { done }) => sum + done.length, 0), soon).toBe(1);
    await drained(bus, "agent_tasks");
    expect(deliveries).toEqual(["begun"]);
  }, 60_000);

  test("B11: by who has lost it is aborted, and its end changes nothing", async () => {
    const { bus, database } = await openEmbedded(await newDatabase(), { leaseMs: 300 });
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const told: string[] = [];
    await consume(bus, "agent_tasks", {
      handle: async ({ signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        begun.resolve();
        await aborted.promise;
      },
    });
    await bus.publish([taskMessage("lost")]);
    await begun.promise;
    await database.db
      .updateTable("bus_message")
      .set({ lease: "another", visible_at: 2 ** 52 })
      .execute();
    await aborted.promise;
    await bus.close();
    told.push(
      ...(await database.db.selectFrom("bus_message").select("lease").execute()).map(({ lease }) => `${lease}`),
    );
    expect(told).toEqual(["another"]);
  }, 60_000);

  test("B6: and ends the process each time is given up after the last attempt, without being handled", async () => {
    const { bus, database } = await openEmbedded(await newDatabase());
    await bus.publish([taskMessage("key", "deadly"), taskMessage("key", "next")]);
    // One attempt for each crashed process.
    await database.db
      .updateTable("bus_message")
      .set({ attempt: contractRedelivery.mostAttempts })
      .where("id", "=", (all) => all.selectFrom("bus_message").select((of) => of.fn.min("id").as("id")))
      .execute();
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(consumed.inputs()).toEqual(["next"]);
    const [letter] = await bus.deadLetters.list("agent_tasks", 2);
    expect(letter?.reason).toBe("it was delivered 5 times and never handled");
  }, 60_000);

  test("is not asked for by a group that nobody declared, and not published where nobody would get it", async () => {
    const { bus } = await openEmbedded(await newDatabase(), { groups: { agent_tasks: ["agent-bridge"] } });
    await expect(consume(bus, "agent_tasks", { group: "others" })).rejects.toThrow(/others is not declared/);
    const cancellation = { run_id: "r", task_id: "t", correlation_id: "c", timestamp: "2026-01-01T00:00:00Z" };
    const published = bus.publish([{ channel: "agent_cancellations", value: cancellation }]);
    await expect(published).rejects.toThrow(/no group is declared for agent_cancellations/);
  }, 60_000);
});
