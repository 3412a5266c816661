import { BusUnavailableError, type KafkaBus } from "@crosszone/kafka-gateway";
import { consume, drained, newKafkaStore, soon, taskMessage } from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `task-${index}`);

/** Publishes with retries until the bus confirms the message. */
async function retryCall(bus: KafkaBus, key: string): Promise<void> {
  for (;;) {
    try {
      await bus.publish([taskMessage(key)]);
      return;
    } catch (error) {
      if (!(error instanceof BusUnavailableError)) throw error;
      await delay(100);
    }
  }
}

describe.skipIf(!(await kafkaIsHere()))("the bus when its broker or its group changes", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("a broker that does not answer is reported in time, and the bus recovers with it", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus({ publishMs: 1_500 });
    await retryCall(bus, "before");
    kafka.halt();
    try {
      // It may answer once more, since a signal takes time to reach all threads.
      const refused = () => expect(bus.publish([taskMessage("meanwhile")])).rejects.toThrow(BusUnavailableError);
      await vi.waitFor(refused, soon);
      const startedAt = performance.now();
      await refused();
      await expect(bus.readQueues()).rejects.toThrow(BusUnavailableError);
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      await expect(bus.ping()).rejects.toThrow(BusUnavailableError);
    } finally {
      kafka.resume();
    }
    await retryCall(bus, "after");
    const consumed = await consume(bus, "agent_tasks");
    await expect.poll(() => consumed.done.map(({ value }) => value.task_id), soon).toContain("after");
    expect(consumed.done.map(({ value }) => value.task_id)).toContain("before");
  });

  test("of 2,000 messages, none is lost while consumers join and leave the group", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const [publisher, ...others] = [await store.newBus(), await store.newBus(), await store.newBus()];
    const keys = names(2_000);
    const handled: string[] = [];
    const handle = async ({ value }: { readonly value: { readonly task_id: string } }): Promise<void> => {
      await delay(5);
      handled.push(value.task_id);
    };
    const all = { handle, concurrency: 8 };
    await consume(publisher, "agent_tasks", all);
    const publishing = (async () => {
      for (let at = 0; at < keys.length; at += 25) {
        await publisher.publish(keys.slice(at, at + 25).map((key) => taskMessage(key)));
        await delay(40);
      }
    })();
    let changes = 0;
    const published = new AbortController();
    void publishing.finally(() => published.abort());
    while (!published.signal.aborted) {
      const guests = [];
      for (const bus of others) guests.push(await consume(bus, "agent_tasks", all));
      await delay(500);
      for (const guest of guests) await guest.subscription.close(changes % 2 === 0 ? 5_000 : 0);
      changes += 2 * guests.length;
    }
    await publishing;
    await expect.poll(() => new Set(handled).size, { timeout: 120_000 }).toBe(2_000);
    await drained(publisher, "agent_tasks");
    expect(changes).toBeGreaterThanOrEqual(4);
    process.stderr.write(`${changes} changes of the group, ${handled.length - 2_000} messages handled again\n`);
  });

  test("a process that joins gets its share of the messages; the others learn of it and keep the rest", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const [one, other] = [await store.newBus(), await store.newBus()];
    const goOn = Promise.withResolvers<void>();
    const begun = { here: [] as string[], there: [] as string[] };
    const aborted = new Set<string>();
    await consume(one, "agent_tasks", {
      concurrency: 40,
      handle: async ({ value, signal }) => {
        begun.here.push(value.task_id);
        signal.addEventListener("abort", () => aborted.add(value.task_id));
        await goOn.promise;
      },
    });
    const keys = names(40);
    await one.publish(keys.map((key) => taskMessage(key)));
    await expect.poll(() => begun.here.length, soon).toBe(40);
    await consume(other, "agent_tasks", {
      concurrency: 40,
      handle: async ({ value }) => void begun.there.push(value.task_id),
    });
    await expect.poll(() => aborted.size, soon).toBeGreaterThan(0);
    await expect.poll(() => new Set(begun.there), soon).toEqual(aborted);
    expect(aborted.size).toBeLessThan(40);
    goOn.resolve();
    await drained(one, "agent_tasks");
    // Messages that stayed at their process are not delivered twice.
    expect(begun.here).toHaveLength(40);
  });
});
