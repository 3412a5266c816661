// suite: both
import { randomBytes } from "node:crypto";
import { createHealth, vaultOf } from "@crosszone/service-kit";
import { type Database, openDatabase, type SealedTable, sqlStep } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createKeyCommands, dataKeysStep, type DataKeyTables, openDataKeys } from "./data-keys.ts";

interface Tables extends DataKeyTables {
  note: { id: string; text: string | null };
}

const migrations = {
  "0001_notes": sqlStep("create table note (id text primary key, text text)"),
  "0002_add_data_keys": dataKeysStep,
};
const tables: readonly SealedTable[] = [{ name: "note", key: ["id"], sealed: { text: ({ id }) => String(id) } }];

const newKey = (id: string): string => `${id}:${randomBytes(32).toString("base64")}`;
const [k1, k2] = [newKey("k1"), newKey("k2")];

onBothEngines("the keys of a zone", (newDatabase) => {
  const open = async (url: string): Promise<Database<Tables>> => {
    const database = await openDatabase<Tables>({ url, schema: "keys", migrations });
    onTestFinished(database.close);
    return database;
  };
  /** Starts a process with these keys. `begun` is true once it may work. */
  const start = async (url: string, keys: readonly string[]) => {
    const [database, health] = [await open(url), createHealth()];
    const [events, process] = [[] as unknown[], { begun: false, held: false }];
    const emit = (event: string, fields?: object): void => void events.push({ event, ...fields });
    const hold = async () => ((process.held = true), async () => (process.held = false));
    const opening = openDataKeys({
      database,
      DATA_KEYS: keys.length === 0 ? undefined : keys,
      tables,
      health,
      emit,
      hold,
      everyMs: 20,
    });
    opening.then(
      () => (process.begun = true),
      () => undefined,
    );
    const readiness = async () => (await health.ready()).checks["keys"]?.reason;
    const stop = async (): Promise<void> => (await opening)();
    onTestFinished(async () => {
      health.markStopping();
      await stop().catch(() => undefined);
    });
    const write = (id: string): Promise<unknown> => {
      const text = vaultOf({ DATA_KEYS: [...keys] })?.seal("secret", id) ?? "plain";
      return database.db.insertInto("note").values({ id, text }).execute();
    };
    return { database, process, readiness, stop, write, events };
  };
  const soon = { timeout: 30_000 };

  test("O31: of two processes that start at once with different keys, one works; the other says which key it lacks", async () => {
    const url = await newDatabase();
    await open(url);
    const both = await Promise.all([start(url, [k1]), start(url, [k2])]);
    await expect.poll(() => both.filter(({ process }) => process.begun).length, soon).toBe(1);
    const [wrong, right] = both.toSorted((a, b) => Number(a.process.begun) - Number(b.process.begun));
    const id = right === both[0] ? "k1" : "k2";
    const because = `another process of the zone seals with the key "${id}", which DATA_KEYS of this process lacks`;
    await expect.poll(() => wrong?.readiness(), soon).toBe(because);
    expect([wrong?.process.held, await right?.readiness()]).toEqual([true, undefined]);
    expect(wrong?.events).toEqual([{ event: "data_key_missing", because }]);
  });

  test("O31: a key with the id of another one is told apart, and a process without keys waits too", async () => {
    const url = await newDatabase();
    const right = await start(url, [k1]);
    await expect.poll(() => right.process.begun, soon).toBe(true);
    const [other, none] = [await start(url, [newKey("k1")]), await start(url, [])];
    const says = 'another process of the zone seals with another key "k1" than DATA_KEYS of this process has';
    await expect.poll(other.readiness, soon).toBe(says);
    await expect.poll(none.readiness, soon).toMatch(/lacks$/);
    expect([other.process.begun, none.process.begun]).toEqual([false, false]);
  });

  test("O31: the order of the docs makes no process unready; a process that lacks the new first key says so until it has it", async () => {
    const url = await newDatabase();
    const first = await start(url, [k1]);
    await expect.poll(() => first.process.begun, soon).toBe(true);
    const second = await start(url, [k1, k2]);
    await expect.poll(() => second.process.begun, soon).toBe(true);
    expect([await first.readiness(), await second.readiness()]).toEqual([undefined, undefined]);
    const hasty = await start(url, [k2, k1]);
    await expect.poll(() => hasty.process.begun, soon).toBe(true);
    await expect.poll(first.readiness, soon).toMatch(/seals with the key "k2"/);
    expect([await second.readiness(), await hasty.readiness()]).toEqual([undefined, undefined]);
    await hasty.stop();
    await expect.poll(first.readiness, soon).toBeUndefined();
    expect(first.events.at(-1)).toEqual({ event: "data_keys_complete" });
  });

  test("O34: a lost key keeps the zone unready while stored data needs it; when it is back, gone or given up, the zone works", async () => {
    const url = await newDatabase();
    const before = await start(url, [k1]);
    await expect.poll(() => before.process.begun, soon).toBe(true);
    await before.write("1");
    await before.stop();
    const [after, other] = [await start(url, [k2]), await start(url, [k2])];
    const because = 'stored data is sealed with the key "k1", which DATA_KEYS of this process lacks';
    await expect.poll(after.readiness, soon).toBe(because);
    const whole = await start(url, [k1, k2]);
    await expect.poll(() => whole.process.begun, soon).toBe(true);
    expect(after.process.begun).toBe(false);
    await whole.stop();
    await whole.database.db.deleteFrom("note").execute();
    await expect.poll(() => [after.process.begun, other.process.begun], soon).toEqual([true, true]);
    await after.write("2");
    await Promise.all([after.stop(), other.stop()]);
    const last = await start(url, [k1]);
    await expect.poll(last.readiness, soon).toContain('"k2"');
    const keys = createKeyCommands(last.database);
    expect([await keys.giveUp("k9"), await keys.giveUp("k2")]).toEqual([false, true]);
    await expect.poll(() => last.process.begun, soon).toBe(true);
    expect(await keys.inUse()).toEqual(["k1"]);
  });

  test("O34: keys of data that is older than the table are known", async () => {
    const url = await newDatabase();
    const database = await open(url);
    const text = vaultOf({ DATA_KEYS: [k1] })?.seal("secret", "1") ?? "";
    await database.db.insertInto("note").values({ id: "1", text }).execute();
    const wrong = await start(url, [k2]);
    await expect.poll(wrong.readiness, soon).toContain('sealed with the key "k1"');
    const right = await start(url, [k1]);
    await expect.poll(() => right.process.begun, soon).toBe(true);
  });
});
