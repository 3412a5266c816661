import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectFaultSentences } from "../harness/fault-agents.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";

describe.skipIf(!(await kafkaIsHere()))("agents behind Kafka", { timeout: 240_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("R8.6, R3.1: questions in Slack go over a real broker to working and failing agents of both protocols", async () => {
    const env = { KAFKA_BROKERS: kafka.brokers.join(","), KAFKA_CREATE_TOPICS: "true", KAFKA_REPLICAS: "1" };
    const zones = await startWithAgents({ env, timeoutMs: 5_000 });
    expect(await zones.ask("keywords", "the agent asks the other agent")).toContain("agent, 2 times");
    expect(await zones.ask("fingerprint", "abc")).toContain("ba7816bf8f01cfea");
    await expectFaultSentences(zones);
  });
});
