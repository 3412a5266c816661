import {
  busContract,
  newAgentTask,
  newKafkaStore,
  openProcess,
  soon,
  type ZoneProcess,
} from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { newPostgresDatabase, newSqliteDatabase } from "@crosszone/testkit/postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { databaseEnv, startOnDatabase } from "@crosszone/testkit/process";
import { runData } from "../harness/run-program.ts";

const names = (count: number, of = "task"): string[] => Array.from({ length: count }, (_, index) => `${of}-${index}`);

describe.skipIf(!(await kafkaIsHere()))("the gateway on a real broker", { timeout: 120_000 }, () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  const ended = async ({ database }: ZoneProcess): Promise<number> => {
    const rows = database.db.selectFrom("job").select("id").where("state", "=", 4).where("outcome", "=", "succeeded");
    return (await rows.execute()).length;
  };

  test.for(["one database", "databases of their own"])(
    "B7, N5: with callers and bridges on %s, every call is performed once and has one result",
    async (where) => {
      const store = await newKafkaStore(kafka.brokers);
      const shared = await newPostgresDatabase();
      const other = where === "one database" ? shared : await newPostgresDatabase();
      const start = async (url: string, roles: readonly ("rpc" | "bridge")[]) =>
        openProcess({ url, bus: await store.newBus(), roles, answers: true });
      const bridges = [await start(other, ["bridge"]), await start(other, ["bridge"])];
      const callers = [await start(shared, ["rpc"]), await start(shared, ["rpc"])];
      await Promise.all(
        callers.flatMap((caller, of) => names(150, `of ${of}`).map((id) => caller.call(newAgentTask(id)))),
      );
      const results = () => callers.flatMap((caller) => caller.results.map(({ task_id }) => task_id));
      await expect.poll(() => new Set(results()).size, soon).toBe(300);
      for (const process of [...callers, ...bridges]) await expect.poll(() => ended(process), soon).toBe(300);
      expect(results()).toHaveLength(300);
      expect(bridges.flatMap(({ begun }) => begun)).toHaveLength(300);
    },
  );

  busContract(() => newKafkaStore(kafka.brokers));

  test("B8: an operator lists and redelivers them with the commands of a zone without Kafka", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const database = await newSqliteDatabase();
    const env = {
      ...databaseEnv(database),
      KAFKA_BROKERS: kafka.brokers.join(","),
      KAFKA_TOPIC_PREFIX: store.settings.topicPrefix,
    };
    const zone = await startOnDatabase(database, env);
    await store.publishText("agent_tasks", "key", '"a word of hers"');
    const idAfter = (before: string): Promise<string> =>
      vi.waitFor(
        async () => {
          const { out } = await runData(env, "dead-letters");
          const ids = [...out.matchAll(/^agent_tasks\/(\d+) /gm)].map(([, id]) => id);
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
