import { expect, test } from "vitest";
import { taskMessage, type BusStore } from "./bus-under-test.ts";
import { consume, drained } from "./consume.ts";

/** Messages of a transaction exist if and only if it commits. */
export function outboxContract(newStore: () => Promise<BusStore>): void {
  test("B7: a message of the outbox is delivered after the commit, none of a transaction that was rolled back", async () => {
    const store = await newStore();
    const bus = await store.newBus();
    const consumed = await consume(bus, "agent_tasks");
    const committed = Promise.withResolvers<void>();
    const running = store.transaction(async (tx) => {
      await bus.outbox.add(tx, [taskMessage("a", 1), taskMessage("b", 2), taskMessage("a", 3)]);
      bus.outbox.wake();
      await committed.promise;
    });
    committed.resolve();
    await running;
    bus.outbox.wake();
    const failing = store.transaction(async (tx) => {
      await bus.outbox.add(tx, [taskMessage("c", "never")]);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    bus.outbox.wake();
    await consumed.until(3);
    // Any other message would have been delivered earlier.
    await bus.publish([taskMessage("c", "last")]);
    await consumed.until(4);
    await drained(bus, "agent_tasks");
    expect(consumed.inputs().filter((input) => input === 1 || input === 3)).toEqual([1, 3]);
    expect(new Set(consumed.inputs())).toEqual(new Set([1, 2, 3, "last"]));
    expect(consumed.done.every(({ headers }) => headers["data-owner"] === "team")).toBe(true);
  });

  test("what a transaction left without a word is found all the same, by any process", async () => {
    const store = await newStore();
    const [here, there] = [await store.newBus(), await store.newBus()];
    const consumed = await consume(there, "agent_tasks");
    await store.transaction((tx) => here.outbox.add(tx, [taskMessage("a")]));
    await consumed.until(1);
    await store.transaction((tx) => here.outbox.add(tx, []));
    await drained(here, "agent_tasks");
    expect(consumed.done).toHaveLength(1);
  });
}
