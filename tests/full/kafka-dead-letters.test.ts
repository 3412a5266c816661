import { newKafkaStore } from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, startKafka, type KafkaServer } from "@crosszone/testkit/kafka";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runData } from "../harness/run-program.ts";
import { databaseEnv, startTaskProcess } from "../harness/start-task-process.ts";

describe.skipIf(!(await kafkaIsHere()))("dead letters of a zone on a real broker", () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  test("B8: an operator lists and redelivers them with the commands of a zone without Kafka", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus();
    const database = await newSqliteDatabase();
    const env = {
      ...databaseEnv(database),
      KAFKA_BROKERS: kafka.brokers.join(","),
      KAFKA_TOPIC_PREFIX: store.settings.topicPrefix,
    };
    const zone = await startTaskProcess(database, env);
    await store.publishText("agent_tasks", "key", '"a word of hers"');
    const idAfter = (before: string): Promise<string> =>
      vi.waitFor(
        async () => {
          const ids = (await bus.deadLetters.list("agent_tasks", 10)).map(({ id }) => id);
          expect(ids.filter((id) => id !== before)).toHaveLength(1);
          return ids.join();
        },
        { timeout: 60_000, interval: 500 },
      );

    const id = await idAfter("");
    const { code, out, err } = await runData(env, "dead-letters");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(new RegExp(`^agent_tasks/${id} {2}agent-bridge {2}.* not a message of agent_tasks: .*\\n$`));
    expect(out).not.toContain("hers");
    const again = { code: 0, out: "Delivered again: 1.\n", err: "" };
    expect(await runData(env, "replay", `agent_tasks/${id}`)).toEqual(again);
    // It is still unreadable, so it becomes another dead letter.
    await idAfter(id);
    const none = { code: 1, out: "", err: `No dead letter has the id agent_tasks/${id}.\n` };
    expect(await runData(env, "replay", `agent_tasks/${id}`)).toEqual(none);
    const metrics = await (await fetch(`${zone.url}/metrics`)).text();
    for (const shown of [
      /^bus_deliveries_total\{(?=.*channel="agent_tasks")(?=.*group="agent-bridge")(?=.*outcome="dead_letter").*\} 2$/m,
      /^bus_messages_refused_total\{(?=.*channel="agent_tasks").*\} 2$/m,
      /^bus_queue_messages\{(?=.*channel="agent_tasks")(?=.*group="agent-bridge").*\} 0$/m,
      /^bus_queue_oldest_age_seconds\{(?=.*channel="agent_results")(?=.*group="workflow").*\} 0$/m,
    ])
      expect(metrics).toMatch(shown);
  }, 180_000);
});
