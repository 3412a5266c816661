// @module-tag judge
// inputs: packages/{agent-bridge,agent-calls,contracts,jobs,kafka-gateway}/** dev/testkit/src/kafka/**
import { setTimeout as delay } from "node:timers/promises";
import { BusUnavailableError, type KafkaBus } from "@crosszone/kafka-gateway";
import {
  consume,
  drained,
  newAgentTask,
  newKafkaStore,
  openProcess,
  soon,
  taskMessage,
} from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { Admin, Consumer } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

/** More than a broker accepts by default. */
const large = "x".repeat(1_500_000);

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

describe.skipIf(!(await kafkaIsHere()))("the bus at the limits of its broker", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(() => kafka.stop());

  test("N5: a message that Kafka rejects is parked once, its caller learns of it, and the others are sent once", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const process = await openProcess({ url: await newSqliteDatabase(), bus: await store.newBus(), answers: true });
    await process.call(newAgentTask("a"));
    await process.call(newAgentTask("b", { input_data: large }));
    await process.call(newAgentTask("c"));
    await expect.poll(() => process.results.length, soon).toBe(3);
    const outcomes = process.results.map(({ task_id, error }) => [task_id, error?.kind]);
    expect(new Map(outcomes as never)).toEqual(
      new Map([
        ["a", undefined],
        ["b", "invalid_task"],
        ["c", undefined],
      ]),
    );
    expect(process.begun.map(({ task }) => task.task_id).toSorted()).toEqual(["a", "c"]);
    const letters = process.database.db.selectFrom("bus_dead_letter").select("reason");
    await expect.poll(() => letters.execute(), soon).toHaveLength(1);
    expect((await letters.execute())[0]?.reason).toMatch(/exceeds Kafka's limit on .*max\.message\.bytes/);
  });

  test("a lag is at most the number of messages in the topic", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus();
    const consumed = await consume(bus, "agent_tasks");
    await bus.publish([taskMessage("key", 1)]);
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    await consumed.subscription.close();
    for (const input of [2, 3, 4]) await bus.publish([taskMessage("key", input)]);
    const waiting = async () => (await bus.readQueues()).find(({ channel }) => channel === "agent_tasks")?.waiting;
    await expect.poll(waiting, soon).toBe(3);
    const admin = new Admin({ clientId: "somebody", bootstrapBrokers: [...kafka.brokers] });
    onTestFinished(() => admin.close());
    const name = store.topics.agent_tasks;
    for (const partition of [0, 1, 2, 3])
      await admin.deleteRecords({ topics: [{ name, partitions: [{ partition, offset: 3n }] }] }).catch(() => undefined);
    await expect.poll(waiting, soon).toBe(1);
    // A group whose offset is gone continues with the existing messages.
    const again = await consume(bus, "agent_tasks");
    await again.until(1);
    expect(again.inputs()).toEqual([4]);
  });

  // The last test: its broker does not restart.
  test("a bus that closes while the broker is away commits nothing later", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus({ publishMs: 1_000 });
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const consumed = await consume(bus, "agent_tasks", {
      handle: async () => {
        begun.resolve();
        await goOn.promise;
      },
    });
    await bus.publish([taskMessage("key")]);
    await begun.promise;
    const commits = vi.spyOn(Consumer.prototype, "commit");
    onTestFinished(() => commits.mockRestore());
    await kafka.kill();
    goOn.resolve();
    await consumed.subscription.close(5_000);
    expect(commits).toHaveBeenCalled();
    await Promise.allSettled(commits.mock.results.map(({ value }): unknown => value));
    const tried = commits.mock.calls.length;
    await delay(2_000);
    expect(commits.mock.calls.length).toBe(tried);
  });
});

describe.skipIf(!(await kafkaIsHere()))("the bus when its broker or its group changes", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  });
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
      if (Math.random() < 0.02) await delay(50);
      handled.push(value.task_id);
    };
    const all = { handle };
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
  });

  test("a process that joins gets its share of the messages, and nothing waits for ever", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const [one, other] = [await store.newBus(), await store.newBus()];
    const here = await consume(one, "agent_tasks");
    await one.publish(names(40).map((key) => taskMessage(key)));
    await here.until(40);
    const there = await consume(other, "agent_tasks");
    await vi.waitFor(async () => {
      await one.publish(names(40).map((key) => taskMessage(key)));
      expect(there.done.length).toBeGreaterThan(0);
    }, soon);
    await drained(one, "agent_tasks");
    expect(here.letters).toEqual([]);
  });
});
