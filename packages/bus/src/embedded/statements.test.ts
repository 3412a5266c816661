import { setTimeout as delay } from "node:timers/promises";
import { onBothEngines } from "@crosszone/testkit/postgres";
import type { Transaction } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import type { BusTables } from "./bus-tables.ts";
import { transactAndSend } from "../outbox.ts";
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
  }, 60_000);

  test("hundreds of messages at once are far fewer statements, from the first to the last", async () => {
    const { bus, statements } = await openEmbedded(await newDatabase());
    const consumed = await consume(bus, "agent_tasks", { concurrency: 200 });
    await Promise.all(Array.from({ length: 400 }, (_, at) => bus.publish([taskMessage(`${at}`)])));
    await consumed.until(400);
    expect(statements()).toBeLessThan(200);
    await drained(bus, "agent_tasks");
  }, 60_000);

  test("what this process publishes is handled without a further look at the clock", async () => {
    // No consumer polls: the timers are frozen.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { bus, database, quiet } = await openEmbedded(await newDatabase());
    const handled = new Map<string, PromiseWithResolvers<void>>();
    for (const key of ["published", "decided"]) handled.set(key, Promise.withResolvers());
    const { done } = await consume(bus, "agent_tasks", {
      handle: async ({ value: { task_id, input_data } }) => {
        if (input_data === "last") handled.get(task_id)?.resolve();
      },
    });
    await bus.publish([taskMessage("published"), taskMessage("published", "last")]);
    // Not polled: Vitest would advance the timers.
    await handled.get("published")?.promise;
    // Until its commit has been checked.
    await quiet();
    await database.transaction((tx) => bus.outbox.add(tx, [taskMessage("decided", "last")]));
    bus.outbox.wake();
    await handled.get("decided")?.promise;
    vi.useRealTimers();
    await drained(bus, "agent_tasks");
    expect(done).toHaveLength(3);
  }, 60_000);

  test("a commit has nobody look who cannot have got a message by it", async () => {
    // No consumer polls: the timers are frozen.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { bus, statements, quiet } = await openEmbedded(await newDatabase());
    await consume(bus, "agent_tasks");
    await quiet();
    bus.outbox.wake();
    await quiet();
    // One query for expired dead letters, and one for messages, which found none.
    expect(statements()).toBe(2);
  }, 60_000);

  test("what a transaction has sent is handled without a look whether it has committed, by who names it", async () => {
    // No consumer polls: the timers are frozen.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { bus, database, statements, quiet } = await openEmbedded(await newDatabase());
    const asked: number[] = [];
    const began = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await consume(bus, "agent_tasks", {
      handle: async () => {
        asked.push(statements());
        began[asked.length - 1]?.resolve();
      },
    });
    const add = (key: string) => (tx: Transaction<BusTables>) => bus.outbox.add(tx, [taskMessage(key)]);
    // Only a message without earlier ones is handed over.
    await quiet();
    const before = statements();
    await transactAndSend(database, bus.outbox, add("named"));
    await began[0]?.promise;
    await quiet();
    const between = statements();
    await database.transaction(add("unnamed"));
    bus.outbox.wake();
    await began[1]?.promise;
    const [named = 0, unnamed = 0] = asked;
    expect(unnamed - between).toBe(named - before + 1);
  }, 60_000);
});
