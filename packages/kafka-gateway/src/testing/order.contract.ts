import { expect, test } from "vitest";
import { consume, drained, type KafkaStore, soon, taskMessage } from "./bus-under-test.ts";

/** Messages of one key are stored in order, and those that are fetched together at once. */
export function orderContract(newStore: () => Promise<KafkaStore>): void {
  test("messages of one key are stored in order, even after a failure, and across two processes", async () => {
    const store = await newStore();
    const [one, other] = [await store.newBus(), await store.newBus()];
    const [keys, each] = [5, 20];
    const failed = new Set<unknown>();
    const seen = new Map<string, unknown[]>();
    const handle = async ({
      value,
    }: {
      readonly value: { readonly task_id: string; readonly input_data: unknown };
    }) => {
      const { task_id: key, input_data: input } = value;
      if (input === 7 && !failed.has(key)) {
        failed.add(key);
        throw Object.assign(new Error("the first time"), { code: "ECONNREFUSED" });
      }
      // What is delivered again is known.
      const before = seen.get(key) ?? [];
      if (!before.includes(input)) seen.set(key, [...before, input]);
    };
    await consume(one, "agent_tasks", { handle });
    await consume(other, "agent_tasks", { handle });
    for (let input = 0; input < each; input += 1)
      await one.publish(Array.from({ length: keys }, (_, key) => taskMessage(`key-${key}`, input)));
    await expect.poll(() => [...seen.values()].flat().length, soon).toBe(keys * each);
    await drained(one, "agent_tasks");
    expect(failed.size).toBe(keys);
    for (const inputs of seen.values()) expect(inputs).toEqual(Array.from({ length: each }, (_, input) => input));
  });

  test("B4: messages that wait are stored together, few times", async () => {
    const bus = await (await newStore()).newBus();
    await bus.publish(Array.from({ length: 300 }, (_, key) => taskMessage(`key-${key}`)));
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(300);
    await drained(bus, "agent_tasks");
    expect(consumed.done).toHaveLength(300);
    expect(consumed.fetches.length).toBeLessThan(20);
  });
}
