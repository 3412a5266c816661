import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { plainColumns } from "../codec/column-codec.ts";
import { taskMessage } from "../testing/bus-under-test.ts";
import { openBusDatabase } from "../testing/open-bus-database.ts";
import type { KafkaPublisher, OutgoingRecord } from "./kafka-publisher.ts";
import { topicNames } from "./kafka-topics.ts";
import { startOutboxRelay } from "./outbox-relay.ts";
import { createOutboxRows, type OutboxRow } from "./outbox-rows.ts";

const inputs = (rows: readonly OutboxRow[]): unknown[] =>
  rows.map(({ value }) => (JSON.parse(value) as { readonly input_data: unknown }).input_data);

const firstId = sql<number>`(select min(id) from bus_outbox)`;

onBothEngines("the outbox of Kafka", (newDatabase) => {
  async function open() {
    const database = await openBusDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const rows = createOutboxRows(database, plainColumns);
    const add = (...given: number[]): Promise<void> =>
      database.transaction((tx) =>
        rows.add(
          tx,
          given.map((input) => taskMessage("key", input)),
        ),
      );
    return { database, rows, add };
  }

  test("rows come in their order, to one process at a time, and are gone when they were sent", async () => {
    const { rows, add } = await open();
    expect(await rows.take("nobody", 60_000)).toEqual([]);
    await add(1, 2, 3);
    const first = await rows.take("first", 60_000);
    await add(4);
    expect(inputs(first)).toEqual([1, 2, 3]);
    expect(await rows.take("second", 60_000)).toEqual([]);
    await rows.remove("second", first);
    await rows.giveBack("second", first);
    expect(await rows.take("second", 60_000)).toEqual([]);
    await rows.giveBack("first", first);
    const third = await rows.take("third", 60_000);
    expect(inputs(third)).toEqual([1, 2, 3, 4]);
    await rows.remove("third", third);
    expect(await rows.take("fourth", 60_000)).toEqual([]);
  });

  test("B5: what a process took that is gone is taken by another one when the lease is over", async () => {
    const { rows, add } = await open();
    await add(1, 2);
    const gone = await rows.take("gone", 0);
    expect(gone).toHaveLength(2);
    await expect.poll(async () => inputs(await rows.take("next", 60_000))).toEqual([1, 2]);
    await rows.remove("gone", gone);
    await rows.giveBack("next", gone);
    expect(await rows.take("again", 60_000)).toHaveLength(2);
  });

  test("no more is taken at once than memory holds, and always one row", async () => {
    const { database, rows } = await open();
    const megabytes = (count: number) => taskMessage("key", "x".repeat(count * 1024 * 1024));
    await database.transaction((tx) => rows.add(tx, [megabytes(9), megabytes(9), megabytes(20), megabytes(0)]));
    for (const count of [2, 1, 1]) {
      const taken = await rows.take("lease", 60_000);
      expect(taken).toHaveLength(count);
      await rows.remove("lease", taken);
    }
  });

  test("of many that take at the same time, one gets rows", async () => {
    const { rows, add } = await open();
    await add(...Array(50).keys());
    const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => rows.take(`lease-${index}`, 60_000)));
    expect(taken.map((some) => some.length).toSorted((a, b) => b - a)).toEqual([50, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("a row that cannot be opened is put aside with its reason; what is behind it is sent, and again after a failure", async () => {
    const { database, rows, add } = await open();
    await add(1, 2, 3);
    await database.db.updateTable("bus_outbox").set({ value: "{sealed" }).where("id", "=", firstId).execute();
    const sent: OutgoingRecord[] = [];
    let failures = 2;
    const publisher: KafkaPublisher = {
      publish: async (records) => {
        if ((failures -= 1) >= 0) throw new Error("away");
        sent.push(...records);
      },
      close: async () => undefined,
    };
    const reasons: string[] = [];
    const relay = startOutboxRelay({
      rows,
      codec: plainColumns,
      topics: topicNames(),
      publisher,
      observer: { deadLettered: ({ reason }) => void reasons.push(reason) },
      leaseMs: 60_000,
    });
    onTestFinished(() => relay.close());
    await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(2);
    expect(sent.map(({ topic, key }) => [topic, key?.toString()])).toEqual(
      sent.map(() => ["orchestrator.tasks.http", "key"]),
    );
    expect(sent.map(({ headers }) => headers)).toEqual(sent.map(() => ({ "data-owner": "team" })));
    expect(reasons).toEqual(["the message of the outbox cannot be read or unsealed"]);
    const kept = await database.db.selectFrom("bus_dead_letter").selectAll().execute();
    expect(kept).toMatchObject([{ consumer_group: "outbox", value: "{sealed", team: "team", attempts: 1 }]);
    await expect.poll(async () => (await database.db.selectFrom("bus_outbox").selectAll().execute()).length).toBe(0);
  });
});
