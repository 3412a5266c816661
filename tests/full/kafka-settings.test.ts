import { BusUnavailableError } from "@crosszone/kafka-gateway";
import { MissingTopicsError } from "@crosszone/kafka-gateway/kafka";
import { consume, drained, newKafkaStore, soon, taskMessage } from "@crosszone/kafka-gateway/testing";
import { createPrivateCa, type PrivateCa } from "@crosszone/testkit";
import { kafkaIsHere, saslMechanisms, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { inspect } from "node:util";
import { Admin } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const [username, password] = ["bus", "a-password-of-the-bus"];

describe.skipIf(!(await kafkaIsHere()))("the bus and the settings of a broker", { timeout: 120_000 }, () => {
  let kafka: KafkaServer;
  let authority: PrivateCa;
  beforeAll(async () => {
    authority = await createPrivateCa();
    kafka = await startKafka({
      security: { certificate: await authority.issue({ subject: "CN=kafka" }), username, password },
    });
  }, 120_000);
  afterAll(() => kafka.stop());

  test.for(saslMechanisms)("TLS with a private authority and %s carries messages", async (mechanism) => {
    const store = await newKafkaStore(kafka.brokers);
    const tls = { ca: authority.ca };
    const bus = await store.newBus({ brokers: kafka.secureBrokers, tls, sasl: { mechanism, username, password } });
    await bus.publish([taskMessage("secure")]);
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(1);
    expect(consumed.done[0]?.value.task_id).toBe("secure");
  });

  test("a wrong password or certificate keeps the bus out; the error does not have the password", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const wrong = { mechanism: "SCRAM-SHA-512", username, password: "not-the-password" } as const;
    const refused = await store
      .newBus({ brokers: kafka.secureBrokers, tls: { ca: authority.ca }, sasl: wrong })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BusUnavailableError);
    expect(inspect(refused)).not.toContain("not-the-password");
    const stranger = await createPrivateCa("CN=Another authority");
    const untrusted = store.newBus({
      brokers: kafka.secureBrokers,
      tls: { ca: stranger.ca },
      sasl: { ...wrong, password },
    });
    await expect(untrusted).rejects.toThrow(BusUnavailableError);
  });

  test("missing topics are all reported at the start, with the command that creates each", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const none = { createTopics: undefined } as never;
    const problem = (await store.newBus(none).catch((error: unknown) => error)) as Error;
    expect(problem).toBeInstanceOf(MissingTopicsError);
    for (const topic of Object.values(store.topics)) {
      expect(problem.message).toContain(`--create --topic ${topic} `);
      expect(problem.message).toContain(`--create --topic ${topic}.dead-letters `);
    }
    await Promise.all([store.newBus(), store.newBus()]);
    await store.newBus(none);
  });

  test("a message that is too large is refused by name, and others of its batch are accepted", async () => {
    const bus = await (await newKafkaStore(kafka.brokers)).newBus();
    const sending = ["a", "b", "c"].map((key) => bus.publish([taskMessage(key)]));
    const large = bus.publish([taskMessage("large", "x".repeat(2_000_000))]);
    await expect(large).rejects.toThrow(/2000\d+ bytes .*max\.message\.bytes/);
    await Promise.all(sending);
    await bus.publish(Array.from({ length: 8 }, (_, key) => taskMessage(`big-${key}`, "é".repeat(400_000))));
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(11);
    await drained(bus, "agent_tasks");
    expect(consumed.done).toHaveLength(11);
  });

  test("created topics accept messages of the configured size", async () => {
    const bus = await (await newKafkaStore(kafka.brokers)).newBus({ messageBytes: 3_000_000 });
    await bus.publish([taskMessage("large", "x".repeat(2_000_000))]);
    const consumed = await consume(bus, "agent_tasks");
    await consumed.until(1);
    expect(consumed.done[0]?.value.input_data).toHaveLength(2_000_000);
  });

  test("messages that a topic accepts only one by one are sent one by one", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus();
    const admin = new Admin({ clientId: "operator", bootstrapBrokers: [...kafka.brokers] });
    const configs = [{ name: "max.message.bytes", value: "150000", configOperation: 0 as const }];
    const resource = { resourceType: 2, resourceName: store.topics.agent_tasks, configs } as const;
    await admin.incrementalAlterConfigs({ resources: [{ ...resource, configs: [...configs] }] });
    await admin.close();
    // Brokers learn of the change a little later.
    const isTooLarge = () =>
      bus.publish([taskMessage("probe", "x".repeat(200_000))]).then(
        () => false,
        () => true,
      );
    await expect.poll(isTooLarge, soon).toBe(true);
    const keys = ["a", "b", "c", "d"];
    const tooLarge = bus.publish([taskMessage("large", "x".repeat(200_000))]);
    const sending = bus.publish(keys.map((key) => taskMessage(key, "x".repeat(100_000))));
    await expect(tooLarge).rejects.toThrow(RangeError);
    await sending;
    const consumed = await consume(bus, "agent_tasks");
    await expect
      .poll(() => consumed.done.map(({ value }) => value.task_id), soon)
      .toEqual(expect.arrayContaining(keys));
  });

  test("B25: a queue reports the number and age of its messages, with and without a consumer", async () => {
    const bus = await (await newKafkaStore(kafka.brokers)).newBus();
    const tasks = async () => (await bus.readQueues()).find(({ channel }) => channel === "agent_tasks");
    expect(await tasks()).toMatchObject({ group: "agent-bridge", waiting: 0, oldestMs: 0 });
    await bus.publish(Array.from({ length: 7 }, (_, key) => taskMessage(`key-${key}`)));
    expect((await tasks())?.waiting).toBe(7);
    await expect.poll(async () => (await tasks())?.oldestMs, soon).toBeGreaterThan(300);
    const goOn = Promise.withResolvers<void>();
    let begun = 0;
    await consume(bus, "agent_tasks", {
      handle: async () => {
        begun += 1;
        await goOn.promise;
      },
    });
    await expect.poll(() => begun, soon).toBe(7);
    const whileHandled = await tasks();
    expect(whileHandled?.waiting).toBe(7);
    expect(whileHandled?.oldestMs).toBeGreaterThan(300);
    goOn.resolve();
    await drained(bus, "agent_tasks");
    expect(await tasks()).toMatchObject({ waiting: 0, oldestMs: 0 });
  });
});
