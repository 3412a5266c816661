import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { consume, drained, soon, taskMessage, type KafkaStore } from "./bus-under-test.ts";

/** Messages of one key are handled in sequence, those of different keys concurrently. */
export function orderContract(newStore: () => Promise<KafkaStore>): void {
  test("messages of one key are handled in order and one at a time, even after a failure, and across two processes", async () => {
    const store = await newStore();
    const [one, other] = [await store.newBus(), await store.newBus()];
    const [keys, each] = [5, 20];
    const underWay = new Set<string>();
    const seen = new Map<string, unknown[]>();
    const failed = new Set<string>();
    const handle = async ({
      value,
    }: {
      readonly value: { readonly task_id: string; readonly input_data: unknown };
    }) => {
      const { task_id: key, input_data: input } = value;
      expect(underWay.has(key)).toBe(false);
      underWay.add(key);
      await delay(Math.random() * 4);
      underWay.delete(key);
      const name = `${key} ${String(input)}`;
      if (input === 7 && !failed.has(name)) {
        failed.add(name);
        throw new Error("the first time");
      }
      seen.set(key, [...(seen.get(key) ?? []), input]);
    };
    const both = [await consume(one, "agent_tasks", { handle }), await consume(other, "agent_tasks", { handle })];
    for (let input = 0; input < each; input += 1)
      await one.publish(Array.from({ length: keys }, (_, key) => taskMessage(`key-${key}`, input)));
    await expect.poll(() => both.reduce((sum, { done }) => sum + done.length, 0), soon).toBe(keys * each);
    await drained(one, "agent_tasks");
    expect(failed.size).toBe(keys);
    expect(seen.size).toBe(keys);
    for (const inputs of seen.values()) expect(inputs).toEqual(Array.from({ length: each }, (_, input) => input));
  });

  test("B4: messages of different keys are handled concurrently, up to the configured number", async () => {
    const bus = await (await newStore()).newBus();
    const goOn = Promise.withResolvers<void>();
    let [underWay, most] = [0, 0];
    const consumed = await consume(bus, "agent_tasks", {
      concurrency: 8,
      handle: async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        if (underWay === 8) setTimeout(goOn.resolve, 100);
        await goOn.promise;
        underWay -= 1;
      },
    });
    await bus.publish(Array.from({ length: 30 }, (_, key) => taskMessage(`key-${key}`)));
    await consumed.until(30);
    expect(most).toBe(8);
  });

  test("B3, N5: a slow message delays no other key", async () => {
    const bus = await (await newStore()).newBus();
    const goOn = Promise.withResolvers<void>();
    const consumed = await consume(bus, "agent_tasks", {
      concurrency: 4,
      handle: async ({ value }) => {
        if (value.input_data === "slow") await goOn.promise;
      },
    });
    const rest = Array.from({ length: 100 }, (_, key) => taskMessage(`key-${key}`, "fast"));
    await bus.publish([taskMessage("slow", "slow"), taskMessage("slow", "behind it"), ...rest]);
    await expect.poll(() => consumed.done.length, soon).toBe(100);
    expect(new Set(consumed.inputs())).toEqual(new Set(["fast"]));
    goOn.resolve();
    await consumed.until(102);
    expect(consumed.inputs().slice(100)).toEqual(["slow", "behind it"]);
    await drained(bus, "agent_tasks");
  });
}
