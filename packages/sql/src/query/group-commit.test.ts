// suite: both
import { statSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { onBothEngines, newSqliteDatabase } from "@crosszone/testkit/postgres";
import * as fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createGroupCommit } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";
import { createDatabaseCheck } from "./database.ts";

const ignored = (): void => undefined;

const lost = Object.assign(new Error("lost"), { code: "57P01" });

describe("group commit", () => {
  describe("items", () => {
    test("each item gets its own result, whatever others of its batch do, and none waits forever", async () => {
      const item = fc.record({ poisoned: fc.boolean(), afterTurns: fc.nat(4) });
      const property = fc.asyncProperty(
        fc.array(item, { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(3),
        async (items, most, commitTurns) => {
          let underWay = 0;
          const commit = createGroupCommit<number, string>(
            async (group) => {
              underWay += 1;
              expect(underWay).toBe(1);
              expect(group.length).toBeLessThanOrEqual(most);
              for (let left = commitTurns; left > 0; left -= 1) await turn();
              underWay -= 1;
              if (group.some((index) => items[index]?.poisoned)) throw new Error("poisoned");
              return group.map((index) => `result ${index}`);
            },
            { most },
          );
          const ended = await Promise.allSettled(
            items.map(async ({ afterTurns }, index) => {
              for (let left = afterTurns; left > 0; left -= 1) await turn();
              return commit(index);
            }),
          );
          expect(ended.map((end) => (end.status === "fulfilled" ? end.value : "rejected"))).toEqual(
            items.map(({ poisoned }, index) => (poisoned ? "rejected" : `result ${index}`)),
          );
        },
      );
      await fc.assert(property, { numRuns: 200 });
    });

    test("with two transactions under way, items of one key are never in both, and keep their order", async () => {
      const written: string[] = [];
      const busy: string[] = [];
      let most = 0;
      const commit = createGroupCommit<string, void>(
        async (group) => {
          const keys = group.map(([key]) => key as string);
          expect(keys.filter((key) => busy.includes(key))).toEqual([]);
          busy.push(...keys);
          most = Math.max(most, busy.length);
          for (let left = group.length; left > 0; left -= 1) await turn();
          for (const key of keys) busy.splice(busy.indexOf(key), 1);
          written.push(...group);
          return group.map(() => undefined);
        },
        { most: 2, concurrency: 2, keysOf: ([key = ""]) => [key] },
      );
      const items = ["a1", "a2", "a3", "b1", "a4", "c1", "b2", "a5", "c2"];
      await Promise.all(items.map(commit));
      expect(most).toBeGreaterThan(1);
      for (const key of "abc")
        expect(written.filter((item) => item.startsWith(key))).toEqual(items.filter((item) => item.startsWith(key)));
    });

    test("items that share a key and are apart are in different transactions, in their order", async () => {
      const groups: string[][] = [];
      const commit = createGroupCommit<string, void>(
        async (group) => {
          groups.push([...group]);
          return group.map(() => undefined);
        },
        { keysOf: (item) => item.split(""), areApart: true },
      );
      await Promise.all(["ab", "cd", "b", "ae", "f"].map(commit));
      expect(groups).toEqual([
        ["ab", "cd", "f"],
        ["b", "ae"],
      ]);
    });

    test("items are written in order of arrival", async () => {
      const written: number[] = [];
      const commit = createGroupCommit<number, void>(
        async (group) => {
          await turn();
          if (group.length > 1 && group.includes(5)) throw new Error("not together");
          written.push(...group);
          return group.map(() => undefined);
        },
        { most: 8 },
      );
      await Promise.all(Array.from({ length: 30 }, (_, index) => commit(index)));
      expect(written).toEqual(Array.from({ length: 30 }, (_, index) => index));
    });

    test("a single item is written immediately; items that arrive meanwhile share the next batch", async () => {
      const groups: number[] = [];
      const first = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const commit = createGroupCommit<number, void>(async (group) => {
        groups.push(group.length);
        begun.resolve();
        await first.promise;
        return group.map(() => undefined);
      });
      const all = [commit(1)];
      await begun.promise;
      all.push(commit(2), commit(3), commit(4));
      first.resolve();
      await Promise.all(all);
      expect(groups).toEqual([1, 3]);
    });

    test("if the database is lost, the whole batch is rejected, and the next one works", async () => {
      let attempts = 0;
      const commit = createGroupCommit<number, number>(async (group) => {
        attempts += 1;
        if (attempts === 1) throw lost;
        return group;
      });
      const ended = await Promise.allSettled([commit(1), commit(2), commit(3)]);
      expect(ended.map((end) => end.status === "rejected" && end.reason)).toEqual([lost, lost, lost]);
      expect(attempts).toBe(1);
      await expect(commit(4)).resolves.toBe(4);
    });

    test("a commit that throws synchronously, or returns too few results, rejects its items", async () => {
      const throwing = createGroupCommit<number, number>(() => {
        throw new Error("at once");
      });
      await expect(throwing(1)).rejects.toThrow("at once");
      const short = createGroupCommit<number, number>(async () => []);
      await expect(short(1)).rejects.toThrow("0 results for 1 items");
    });
  });

  test("large items share a transaction up to a size limit; the item that exceeds it is still included", async () => {
    const groups: number[][] = [];
    const commit = createGroupCommit(
      async (items: readonly number[]) => {
        groups.push([...items]);
        return items;
      },
      { most: 3, sizeOf: (item) => item * 1_000_000 },
    );
    expect(await Promise.all([1, 9, 9, 2, 2, 1, 0, 0, 0, 0].map(commit))).toEqual([1, 9, 9, 2, 2, 1, 0, 0, 0, 0]);
    expect(groups).toEqual([[1, 9], [9], [2, 2, 1], [0, 0, 0], [0]]);
  });
});

describe("ping", () => {
  onBothEngines("checking that a database is writable", (newDatabase) => {
    test("a successful check changes no data", async () => {
      const database = await openNotes(await newDatabase());
      const locks = () => sql`select * from kysely_migration_lock`.execute(database.db);
      const { rows: before } = await locks();
      expect(before).toHaveLength(1);
      await Promise.all([createDatabaseCheck(database, ignored)(), createDatabaseCheck(database, ignored)()]);
      expect((await locks()).rows).toEqual(before);
    });

    test("a database that answers reads but refuses writes is not writable until it accepts them again", async () => {
      const database = await openNotes(await newDatabase(), { connections: 1 });
      const { db, engine, ping } = database;
      const refuse = (on: boolean) =>
        sql
          .raw(engine === "sqlite" ? `pragma query_only = ${on}` : `set default_transaction_read_only = ${on}`)
          .execute(db);
      await refuse(true);
      await ping();
      expect(await createDatabaseCheck(database, ignored)()).toMatch(/read-?only/);
      await refuse(false);
      expect(await createDatabaseCheck(database, ignored)()).toBeUndefined();
    });
  });

  test("each check of SQLite writes to its log", async () => {
    const url = await newSqliteDatabase();
    const database = await openNotes(url);
    const logSize = () => statSync(`${url.slice("sqlite:".length)}-wal`).size;
    const before = logSize();
    for (let checks = 0; checks < 3; checks += 1) await createDatabaseCheck(database, ignored)();
    expect(logSize()).toBeGreaterThan(before);
  });

  test("a full disk is reported with advice", async () => {
    const database = await openNotes("sqlite::memory:");
    const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
    const broken = { ...database, unflushed: () => Promise.reject(full) };
    expect(await createDatabaseCheck(broken, ignored)()).toBe("the database's disk is full: free up space");
  });
});
