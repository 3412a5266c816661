import type { Admin } from "@platformatic/kafka";
import { expect, test } from "vitest";
import { checkTopics, topicNames } from "./kafka-topics.ts";

const limits = { messageBytes: 20_000_000 };

interface Created {
  readonly topics: readonly string[];
  readonly configs: readonly object[];
}

/** Returns the admin client of a broker without topics. */
function emptyBroker(): { readonly admin: Admin; readonly created: readonly Created[] } {
  const created: Created[] = [];
  const admin = {
    listTopics: async () => created.flatMap(({ topics }) => topics),
    createTopics: async (options: Created) => void created.push(options),
  };
  return { admin: admin as unknown as Admin, created };
}

test("created topics accept messages of the given size, and dead-letter topics delete messages after two weeks", async () => {
  const { admin, created } = emptyBroker();
  await checkTopics(admin, topicNames(), { ...limits, create: { partitions: 3 } });
  expect(created).toHaveLength(6);
  const size = { name: "max.message.bytes", value: "20000000" };
  const retention = { name: "retention.ms", value: "1209600000" };
  for (const { topics, configs } of created)
    expect(configs).toEqual(topics[0]?.endsWith(".dead-letters") ? [size, retention] : [size]);
});

test("the command that creates a missing topic also sets the message size", async () => {
  const { admin } = emptyBroker();
  await expect(checkTopics(admin, topicNames(), { ...limits, create: undefined })).rejects.toThrow(
    /--create --topic results\.topic --partitions 12 --config max\.message\.bytes=20000000$/m,
  );
});
