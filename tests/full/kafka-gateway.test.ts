// inputs: packages/{agent-bridge,agent-calls,contracts,jobs,kafka-gateway}/** dev/testkit/src/kafka/**
import type { AuditEventList, BulkAction, DeadLetterList } from "@crosszone/contracts";
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
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseEnv, startOnDatabase } from "@crosszone/testkit/process";
import { adminToken, runsApi } from "../harness/runs-api.ts";

const names = (count: number, of = "task"): string[] => Array.from({ length: count }, (_, index) => `${of}-${index}`);

describe.skipIf(!(await kafkaIsHere()))("the gateway on a real broker", () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  });
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

  test("B8: an operator lists, redelivers and discards them through the API", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const database = await newSqliteDatabase();
    const env = {
      ...databaseEnv(database),
      KAFKA_BROKERS: kafka.brokers.join(","),
      KAFKA_TOPIC_PREFIX: store.settings.topicPrefix,
      ADMIN_TOKENS: adminToken,
    };
    const zone = await startOnDatabase(database, env);
    const { get, post } = runsApi(zone.url);
    const letters = async () => ((await get("/dead-letters")) as DeadLetterList).dead_letters;
    const act = async (action: string, id: string): Promise<BulkAction> => {
      const { bulk_action_id } = (await post("/bulk-actions", { action, ids: [id] })) as BulkAction;
      const read = async () => (await get(`/bulk-actions/${bulk_action_id}`)) as BulkAction;
      await expect.poll(async () => (await read()).state, soon).toBe("finished");
      return read();
    };
    await store.publishText("agent_tasks", "key", '"a word of hers"');
    const idAfter = async (before: string): Promise<string> => {
      await expect.poll(async () => (await letters()).filter(({ id }) => id !== before), soon).toHaveLength(1);
      return (await letters()).map(({ id }) => id).join();
    };

    const id = await idAfter("");
    expect(await letters()).toMatchObject([{ id, group: "agent-bridge", attempts: 1 }]);
    expect(JSON.stringify(await get("/dead-letters"))).not.toContain("a word of hers");
    expect(await act("dead_letter.replay", id)).toMatchObject({ done: 1, skipped: 0, failed: 0 });
    // It is still unreadable, so it becomes another dead letter.
    const next = await idAfter(id);
    const problems = [{ id, outcome: "skipped", reason: "There is no such dead letter." }];
    expect(await act("dead_letter.replay", id)).toMatchObject({ done: 0, skipped: 1, problems });
    expect(await act("dead_letter.discard", next)).toMatchObject({ done: 1 });
    expect(await letters()).toEqual([]);
    const { events } = (await get("/audit/events?limit=20")) as AuditEventList;
    const acts = events.map(({ event }) => `${event.action} ${event.target.id} ${event.actor.type}`);
    expect(acts).toEqual(
      expect.arrayContaining([`dead_letter.replay ${id} bootstrap`, `dead_letter.discard ${next} bootstrap`]),
    );
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
