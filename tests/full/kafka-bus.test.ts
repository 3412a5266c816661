import { busContract, newKafkaStore } from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { afterAll, beforeAll, describe } from "vitest";

describe.skipIf(!(await kafkaIsHere()))("the bus on a real broker", () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  busContract("Kafka", () => newKafkaStore(kafka.brokers));
});
