// inputs: packages/{agent-bridge,agent-calls,contracts,jobs,kafka-gateway}/** dev/testkit/src/kafka/**
import { BusUnavailableError } from "@crosszone/kafka-gateway";
import { MissingTopicsError } from "@crosszone/kafka-gateway/kafka";
import { consume, newKafkaStore, soon, taskMessage } from "@crosszone/kafka-gateway/testing";
import { createPrivateCa, type PrivateCa } from "@crosszone/testkit";
import { kafkaIsHere, saslMechanisms, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { inspect } from "node:util";
import { Admin } from "@platformatic/kafka";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const [username, password] = ["bus", "a-password-of-the-bus"];

describe.skipIf(!(await kafkaIsHere()))("the bus and the settings of a broker", () => {
  let kafka: KafkaServer;
  let authority: PrivateCa;
  beforeAll(async () => {
    authority = await createPrivateCa();
    kafka = await startKafka({
      security: { certificate: await authority.issue({ subject: "CN=kafka" }), username, password },
    });
  });
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
    for (const topic of Object.values(store.topics)) expect(problem.message).toContain(`--create --topic ${topic} `);
    await Promise.all([store.newBus(), store.newBus()]);
    await store.newBus(none);
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
    const isTooLarge = async () =>
      (await bus.publish([taskMessage("probe", "x".repeat(200_000))]))[0] instanceof RangeError;
    await expect.poll(isTooLarge, soon).toBe(true);
    const keys = ["a", "b", "c", "d"];
    const small = keys.map((key) => taskMessage(key, "x".repeat(100_000)));
    const problems = await bus.publish([taskMessage("large", "x".repeat(200_000)), ...small]);
    expect(problems).toEqual([expect.any(RangeError), undefined, undefined, undefined, undefined]);
    const consumed = await consume(bus, "agent_tasks");
    await expect
      .poll(() => consumed.done.map(({ value }) => value.task_id), soon)
      .toEqual(expect.arrayContaining(keys));
  });
});
