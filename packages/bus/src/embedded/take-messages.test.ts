import { contractOnBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openBusDatabase } from "../testing/open-bus-database.ts";
import { insertMessages } from "./insert-messages.ts";
import { createMessageStore, type MessageStore } from "./message-store.ts";

const place = { channel: "agent_tasks", group: "agent-bridge" } as const;

contractOnBothEngines("taking messages", (newDatabase) => {
  /** Creates a store with messages of these keys. The value of each is its number. */
  const storeOf = async (keys: readonly string[], consumer_group: string = place.group): Promise<MessageStore> => {
    const database = await openBusDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const row = { channel: place.channel, headers: "{}", team: null };
    const rows = keys.map((key, at) => ({ ...row, consumer_group, key, value: `${at}` }));
    const others = rows.map((other) => ({ ...other, consumer_group: "another", key: `another ${other.key}` }));
    await insertMessages(database.db, database.engine, { rows: [...rows, ...others] });
    await database.db.updateTable("bus_message").set({ published_at: 1 }).execute();
    return createMessageStore(database, 60_000);
  };

  test("messages of one key and one millisecond come one at a time, in the order in which they were accepted", async () => {
    const store = await storeOf(Array.from({ length: 12 }, () => "key"));
    const order: string[] = [];
    for (let rows = await store.take(place, 5); rows.length > 0; rows = await store.take(place, 5)) {
      expect(rows).toHaveLength(1);
      for (const row of rows) {
        order.push(row.value);
        await store.done(row);
      }
    }
    expect(order).toEqual(Array.from({ length: 12 }, (_, at) => `${at}`));
  });

  test("many keys behind a long one are all found, once each, and each in its own order", async () => {
    const keys = Array.from({ length: 30 }, (_, at) => `key ${at}`);
    const store = await storeOf([...Array.from({ length: 300 }, () => "long"), ...keys, ...keys]);
    const first = [...(await store.take(place, 20)), ...(await store.take(place, 100))];
    expect(first.map(({ key }) => key).toSorted()).toEqual([...keys, "long"].toSorted());
    expect(await store.take(place, 100)).toEqual([]);
    for (const row of first) await store.done(row);
    const second = await store.take(place, 100);
    expect(second.map(({ value }) => Number(value))).toEqual([1, ...keys.map((_, at) => 330 + at)]);
  });
});
