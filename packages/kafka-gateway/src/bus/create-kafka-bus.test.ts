import { expect, test } from "vitest";
import { errorNames, isTooLarge } from "./kafka-errors.ts";
import { clientOptions, type KafkaSettings } from "./create-kafka-bus.ts";
import { deadLetterTopic, topicNames } from "./kafka-topics.ts";

const settings: KafkaSettings = { brokers: ["kafka.example.com:9093"], clientId: "zone" };
const plain = { mechanism: "PLAIN", username: "bus", password: "secret" } as const;

test("a password is not sent unencrypted to another machine", () => {
  expect(() => clientOptions({ ...settings, sasl: plain })).toThrow(/TLS/);
  expect(() => clientOptions({ ...settings, brokers: ["127.0.0.1.example.com:9092"], sasl: plain })).toThrow(/TLS/);
  expect(clientOptions({ ...settings, sasl: plain, tls: true })).toMatchObject({ sasl: plain, tls: {} });
  expect(clientOptions({ ...settings, brokers: ["127.0.0.1:9092"], sasl: plain })).not.toHaveProperty("tls");
  expect(clientOptions({ ...settings, sasl: { ...plain, mechanism: "SCRAM-SHA-512" } })).toHaveProperty("sasl");
});

test("certificates are always checked", () => {
  const { tls } = clientOptions({ ...settings, tls: { ca: "a CA" } });
  expect(tls).toEqual({ ca: "a CA", minVersion: "TLSv1.2" });
});

test("without a broker nothing is probed", () => {
  expect(() => clientOptions({ ...settings, brokers: [] })).toThrow(/at least one broker/);
});

test("topics have the contract's names, after an installation's prefix", () => {
  expect(topicNames()).toEqual({
    agent_tasks: "orchestrator.tasks.http",
    agent_results: "results.topic",
    agent_cancellations: "orchestrator.tasks.cancel",
  });
  expect(topicNames("mine.").agent_results).toBe("mine.results.topic");
  expect(deadLetterTopic("mine")).toBe("mine.dead-letters");
});

test("Kafka's error names are found at any depth, even in a circular error", () => {
  const inner = Object.assign(new Error("too large"), { apiId: "MESSAGE_TOO_LARGE" });
  const outer = new AggregateError([new Error("first"), new Error("second", { cause: inner })]);
  Object.assign(inner, { cause: outer });
  expect([...errorNames(outer)]).toEqual(["MESSAGE_TOO_LARGE"]);
  expect(isTooLarge(outer)).toBe(true);
  expect(isTooLarge("MESSAGE_TOO_LARGE")).toBe(false);
});
