import { setTimeout as delay } from "node:timers/promises";
import type { DeadLetter } from "@crosszone/kafka-gateway";
import {
  consume,
  drained,
  newAgentTask,
  newKafkaStore,
  openProcess,
  soon,
  taskMessage,
} from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { Admin, ConfigResourceTypes, Consumer, IncrementalAlterConfigOperationTypes } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

/** More than a broker accepts by default. */
const large = "x".repeat(1_500_000);

describe.skipIf(!(await kafkaIsHere()))("the bus at the limits of its broker", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
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

  test("B8: an unreadable message that is too large for the dead letter topic is a dead letter without its bytes", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus();
    const admin = new Admin({ clientId: "somebody", bootstrapBrokers: [...kafka.brokers] });
    onTestFinished(() => admin.close());
    const configs = [
      {
        name: "max.message.bytes",
        value: "10000000",
        configOperation: IncrementalAlterConfigOperationTypes.SET,
      },
    ];
    const resourceType = ConfigResourceTypes.TOPIC;
    await admin.incrementalAlterConfigs({
      resources: [{ resourceType, resourceName: store.topics.agent_tasks, configs }],
    });
    // The broker applies a new limit a moment after it has answered.
    await vi.waitFor(() => store.publishText("agent_tasks", "key", large), soon);
    await bus.publish([taskMessage("key", "next")]);
    const letters: DeadLetter[] = [];
    const consumed = await consume(bus, "agent_tasks", { onDeadLetter: async (letter) => void letters.push(letter) });
    await consumed.until(1);
    await drained(bus, "agent_tasks");
    expect(letters.map(({ bytes }) => bytes.length)).toEqual([large.length]);
    const [kept] = await bus.deadLetters.list("agent_tasks", 10);
    expect([kept?.bytes.length, kept?.reason]).toEqual([0, expect.stringMatching(/not JSON.*1500000 bytes/)]);
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
