// inputs: packages/{agent-bridge,agent-calls,contracts,jobs,kafka-gateway}/** dev/testkit/src/kafka/**
import type { BusEmit } from "@crosszone/kafka-gateway";
import { newAgentTask, newKafkaStore, openProcess, consume, soon, taskMessage } from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { Admin, Producer, stringSerializers } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

const names = (count: number, of = "task"): string[] => Array.from({ length: count }, (_, index) => `${of}-${index}`);

describe.skipIf(!(await kafkaIsHere()))("the bus when its topics change", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(() => kafka.stop());

  const newAdmin = (): Admin => {
    const admin = new Admin({ clientId: "operator", bootstrapBrokers: [...kafka.brokers] });
    onTestFinished(() => admin.close());
    return admin;
  };

  /** What a program of the organization writes to one partition. */
  async function publishTo(topic: string, partition: number, ids: readonly string[]): Promise<void> {
    const options = { clientId: "somebody", bootstrapBrokers: [...kafka.brokers], serializers: stringSerializers };
    const producer = new Producer<string, string, string, string>(options);
    const messages = ids.map((id) => ({ topic, partition, key: id, value: JSON.stringify(taskMessage(id).value) }));
    await producer.send({ messages, acks: -1 });
    await producer.close();
  }

  test("O14: 12 partitions become 16 while 200 calls run: each is read within 30 s, and each has one result", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const emit = vi.fn<BusEmit>();
    const newBus = () => store.newBus({ createTopics: { partitions: 12 }, emit });
    const bridge = await openProcess({
      url: await newSqliteDatabase(),
      bus: await newBus(),
      roles: ["bridge"],
      answers: true,
    });
    const second = await openProcess({
      url: await newSqliteDatabase(),
      bus: await newBus(),
      roles: ["bridge"],
      answers: true,
    });
    const caller = await openProcess({ url: await newSqliteDatabase(), bus: await newBus(), roles: ["rpc"] });
    const callAll = (ids: readonly string[]) => Promise.all(ids.map((id) => caller.call(newAgentTask(id))));
    await callAll(names(100));
    await newAdmin().createPartitions({
      topics: Object.values(store.topics).map((name) => ({
        name,
        count: 16,
        assignments: [12, 13, 14, 15].map(() => ({ brokerIds: [1] })),
      })),
    });
    await callAll(names(100, "later"));
    const foreign = [12, 13, 14, 15].map((partition) => ({ partition, ids: names(5, `in-${partition}`) }));
    for (const { partition, ids } of foreign) await publishTo(store.topics.agent_tasks, partition, ids);
    const begun = () => new Set([...bridge.begun, ...second.begun].map(({ task }) => task.task_id));
    await expect.poll(() => begun().size, { timeout: 30_000 }).toBe(220);
    const called = () => caller.results.filter(({ task_id }) => !task_id.startsWith("in-"));
    await expect.poll(() => new Set(called().map(({ task_id }) => task_id)).size, { timeout: 30_000 }).toBe(200);
    expect(called()).toHaveLength(200);
    expect(called().filter(({ status }) => status !== "SUCCESS")).toEqual([]);
    expect(emit).toHaveBeenCalledWith("bus_topic_changed", { channel: "agent_tasks", partitions: 16, before: 12 });
  });

  test("O14: a deleted topic is named by the ping, and one that is made again with fewer partitions is read", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus();
    const consumed = await consume(bus, "agent_tasks");
    await bus.publish([taskMessage("before")]);
    await consumed.until(1);
    expect(await bus.ping()).toBeUndefined();
    const topic = store.topics.agent_tasks;
    await newAdmin().deleteTopics({ topics: [topic] });
    await expect.poll(() => bus.ping(), soon).toBe(`Kafka has no topic ${topic} any more: create it again`);
    await newAdmin().createTopics({ topics: [topic], partitions: 2, replicas: 1 });
    await expect.poll(() => bus.ping(), soon).toBeUndefined();
    await publishTo(topic, 0, ["zero"]);
    await publishTo(topic, 1, ["one"]);
    const read = () => consumed.done.map(({ value }) => value.task_id);
    await expect.poll(read, { timeout: 30_000 }).toEqual(expect.arrayContaining(["zero", "one"]));
  });

  test("O27: markers of transactions are no waiting messages, and messages that expired unread are counted once", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const emit = vi.fn<BusEmit>();
    const bus = await store.newBus({ emit });
    const waiting = async () => (await bus.readQueues()).find(({ channel }) => channel === "agent_tasks")?.waiting;
    const first = await consume(bus, "agent_tasks");
    const topic = store.topics.agent_tasks;
    for (const [id, end] of [
      ["kept", "commit"],
      ["dropped", "abort"],
    ] as const) {
      const producer = new Producer({
        clientId: "somebody",
        bootstrapBrokers: [...kafka.brokers],
        idempotent: true,
        transactionalId: `${topic}-${id}`,
      });
      const transaction = await producer.beginTransaction();
      const value = Buffer.from(JSON.stringify(taskMessage(id).value));
      await transaction.send({ messages: [{ topic, partition: 1, key: Buffer.from(id), value }] });
      await transaction[end]();
      await producer.close(true);
    }
    await first.until(1);
    await expect.poll(waiting, soon).toBe(0);
    expect(first.done.map(({ value }) => value.task_id)).toEqual(["kept"]);
    await first.subscription.close();
    await publishTo(topic, 1, names(7));
    expect(await waiting()).toBe(7);
    await newAdmin().deleteRecords({ topics: [{ name: topic, partitions: [{ partition: 1, offset: 9n }] }] });
    const again = await consume(bus, "agent_tasks");
    await again.until(2);
    const lost = () =>
      emit.mock.calls.filter(([event]) => event === "bus_messages_expired").map(([, fields]) => fields);
    await expect.poll(lost, soon).toEqual([{ channel: "agent_tasks", group: "agent-bridge", count: 5 }]);
    await expect.poll(waiting, soon).toBe(0);
  });
});
