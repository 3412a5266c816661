import { readCases } from "@crosszone/contracts/corpus";
import type { Admin } from "@platformatic/kafka";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientOptions, type KafkaSettings } from "./create-kafka-bus.ts";
import type { BusMessage, ChannelName } from "./kafka-bus.ts";
import { problemOfTopics, readTopics } from "./kafka-topics.ts";
import { keyOf, readBusMessage } from "./read-messages.ts";

const settings: KafkaSettings = { brokers: ["kafka.example.com:9093"], clientId: "zone" };

const plain = { mechanism: "PLAIN", username: "bus", password: "secret" } as const;

const schemas: Readonly<Record<ChannelName, string>> = {
  agent_tasks: "agent-task",
  agent_results: "agent-result",
  agent_cancellations: "agent-cancellation",
};

const messages = (channel: ChannelName, valid: boolean): Uint8Array[] =>
  readCases(`bus/${schemas[channel]}`)
    .filter((one) => one.valid === valid)
    .map(({ value }) => new TextEncoder().encode(JSON.stringify(value)));

const names = Object.keys(schemas) as ChannelName[];

/** Returns why a task can't be read; an empty text if it can. */
function refusalOf(bytes: Uint8Array): string {
  const read = readBusMessage("agent_tasks", bytes);
  return "value" in read ? "" : read.reason;
}

describe("create kafka bus", () => {
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
});

test("O14: a partition without a leader is named, although the library makes it an error of all topics", async () => {
  // As two brokers answered, after one of them was killed.
  const partitions = [1, -1, 1].map((leaderId, partitionIndex) => ({
    partitionIndex,
    leaderId,
    errorCode: leaderId < 0 ? 5 : 0,
  }));
  const topics = ["tasks", "results"].map((name) => ({ name, topicId: name, errorCode: 0, partitions }));
  const failure = new AggregateError([Object.assign(new Error("LEADER_NOT_AVAILABLE"), { response: { topics } })]);
  const admin = { metadata: () => Promise.reject(failure) } as unknown as Admin;
  const found = await readTopics(admin, ["tasks"]);
  expect([...found.keys()]).toEqual(["tasks"]);
  const says = "1 of 3 partitions of tasks have no leader: start the brokers that have them";
  expect(problemOfTopics(["tasks"], found)).toBe(says);
  expect(problemOfTopics(["tasks", "gone"], found)).toBe("Kafka has no topic gone any more: create it again");
});

describe("message codec", () => {
  test.each(names)("%s: every valid case can be published and read, and no invalid one", (channel) => {
    for (const bytes of messages(channel, true)) {
      const read = readBusMessage(channel, bytes);
      if (!("value" in read)) throw new Error(read.reason);
      expect(keyOf({ channel, value: read.value })).toBe(read.value.task_id);
    }
    for (const bytes of messages(channel, false)) {
      const read = readBusMessage(channel, bytes);
      if ("value" in read) throw new Error("it was read");
      expect(() => keyOf({ channel, value: read.json } as BusMessage)).toThrow(TypeError);
    }
  });

  test("B8: any bytes are a message or a dead letter that does not quote them", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void refusalOf(bytes)));
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        refusalOf(new TextEncoder().encode(JSON.stringify(json)));
      }),
    );
    expect(refusalOf(new TextEncoder().encode('{"secret": xoxb-1}'))).toBe("the message is not JSON");
    expect(refusalOf(new Uint8Array([0x22, 0xff, 0x22]))).toBe("the message is not UTF-8");
  });

  test.each([
    ['{"input_data":{"id":12345678901234567890}}', "/input_data/id is 12345678901234567890, which would become"],
    ['{"task_id":"a","task_id":"b"}', "/task_id is there twice"],
  ])("O1: a value of a message was changed: %s", (text, words) => {
    const read = readBusMessage("agent_tasks", Buffer.from(text));
    expect(read).toMatchObject({ changed: true, reason: expect.stringContaining(words) as unknown });
  });
});
