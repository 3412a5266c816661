import {
  busContract,
  newAgentTask,
  newKafkaStore,
  openProcess,
  soon,
  type ZoneProcess,
} from "@crosszone/kafka-gateway/testing";
import { kafkaIsHere, type KafkaServer, startKafka } from "@crosszone/testkit/kafka";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

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

  test("N5: a broker that is killed and restarted loses no call", async () => {
    const store = await newKafkaStore(kafka.brokers);
    const bus = await store.newBus({ publishMs: 2_000 });
    const process = await openProcess({ url: await newPostgresDatabase(), bus, answers: true });
    await process.call(newAgentTask("before"));
    await expect.poll(() => process.results.length, soon).toBe(1);
    await kafka.kill();
    for (const id of names(20)) await process.call(newAgentTask(id));
    await kafka.start();
    await expect.poll(() => new Set(process.results.map(({ task_id }) => task_id)).size, { timeout: 90_000 }).toBe(21);
    expect(process.begun).toHaveLength(21);
  });
});

describe.skipIf(!(await kafkaIsHere()))("the bus on a real broker", () => {
  let kafka: KafkaServer;
  beforeAll(async () => {
    kafka = await startKafka();
  }, 120_000);
  afterAll(() => kafka.stop());

  busContract("Kafka", () => newKafkaStore(kafka.brokers));
});
