// suite: both
import { readFileSync, existsSync } from "node:fs";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { createOwnedData, openDatabase, type Database, type Migrations } from "./index.ts";
import type { Vault } from "@crosszone/service-kit";
import type { OwnedTable } from "./owned-data.ts";

interface Tables {
  note: { id: string; part: number; team_id: string; text: string; token: string | null };
  mark: { id: string; team_id: string | null };
}

const migrations: Migrations = {
  "0001_notes": {
    up: async (db) => {
      await db.schema
        .createTable("note")
        .addColumn("id", "text", (column) => column.notNull())
        .addColumn("part", "integer", (column) => column.notNull())
        .addColumn("team_id", "text", (column) => column.notNull())
        .addColumn("text", "text", (column) => column.notNull())
        .addColumn("token", "text")
        .addPrimaryKeyConstraint("note_key", ["id", "part"])
        .execute();
      await db.schema
        .createTable("mark")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("team_id", "text")
        .execute();
    },
    down: async () => undefined,
  },
};

const tables: readonly OwnedTable[] = [
  {
    name: "note",
    owner: "team_id",
    key: ["id", "part"],
    holds: "notes",
    content: { text: "record" },
    sealed: { text: ({ id }) => `text ${id}`, token: ({ id }) => `token ${id}` },
  },
  { name: "mark", owner: "team_id", ownerValue: (id) => `#${id}`, key: ["id"], holds: "marks" },
];

/** Reverses text: enough to recognize the key. */
const sealerOf = (key: string, known = [key]): Vault => ({
  prefix: `v1.${key}.`,
  seal: (text, context) => `v1.${key}.${Buffer.from(context + "|" + text).toString("base64url")}`,
  open: (sealed, context) => {
    const [, id = "", body = ""] = sealed.split(".");
    const [was, ...text] = Buffer.from(body, "base64url").toString().split("|");
    if (was !== context || !known.includes(id)) throw new Error("does not open");
    return text.join("|");
  },
});

onBothEngines("an owner's data", (newDatabase, engine) => {
  const start = async () => {
    const url = await newDatabase();
    const database = await openDatabase<Tables>({ url, schema: "owned", migrations });
    onTestFinished(() => database.close());
    return { url, database };
  };

  const fill = async ({ db }: Database<Tables>, team: string, count: number): Promise<void> => {
    const text = JSON.stringify({ said: `words of ${team}` });
    const rows = Array.from({ length: count }, (_, at) => ({
      id: `${team}-${at >> 1}`,
      part: at & 1,
      team_id: team,
      text,
      token: null,
    }));
    for (const row of rows) await db.insertInto("note").values(row).execute();
    await db
      .insertInto("mark")
      .values([{ id: team, team_id: `#${team}` }])
      .execute();
  };

  test("every row of an owner is read once across all pages, and no row of another", async () => {
    const { database } = await start();
    await fill(database, "T1", 501);
    await fill(database, "T2", 3);
    const data = createOwnedData(database, { tables });
    const read = [];
    for await (const { table, row } of data.rows("T1")) read.push([table, row]);
    expect(read).toHaveLength(502);
    expect(new Set(read.map((row) => JSON.stringify(row))).size).toBe(502);
    expect(read[0]).toEqual([
      "note",
      { id: "T1-0", part: 0, team_id: "T1", text: { said: "words of T1" }, token: null },
    ]);
    expect((await data.count("T2")).map(({ rows }) => rows)).toEqual([3, 1]);
  });

  test("sealed values are shown if they are declared as records, otherwise omitted", async () => {
    const { database } = await start();
    const sealer = sealerOf("k");
    await database.db
      .insertInto("note")
      .values({
        id: "a",
        part: 1,
        team_id: "T1",
        text: sealer.seal("[1]", "text a"),
        token: sealer.seal("x", "token a"),
      })
      .execute();
    const rowsWith = async (given?: Vault) => {
      const read = [];
      for await (const one of createOwnedData(database, { tables, sealer: given }).rows("T1")) read.push(one);
      return read;
    };
    expect(await rowsWith(sealer)).toEqual([
      { table: "note", row: { id: "a", part: 1, team_id: "T1", text: [1] }, left_out: ["token"] },
    ]);
    expect(await rowsWith()).toMatchObject([{ left_out: ["text", "token"] }]);
  });

  test("a purge deletes all rows of the owner and no others", async () => {
    const { database, url } = await start();
    await fill(database, "T1", 300);
    await fill(database, "T2", 3);
    // Deleted before the purge without erasing its bytes.
    await database.db.deleteFrom("note").where("id", "=", "T1-7").execute();
    const data = createOwnedData(database, { tables });
    const purged = await data.purge("T1");
    expect(purged).toEqual({
      deleted: [
        { table: "note", rows: 298 },
        { table: "mark", rows: 1 },
      ],
      erased: true,
    });
    expect((await data.count("T1")).map(({ rows }) => rows)).toEqual([0, 0]);
    expect((await data.count("T2")).map(({ rows }) => rows)).toEqual([3, 1]);
    expect((await data.purge("T1")).deleted.map(({ rows }) => rows)).toEqual([0, 0]);
    if (engine === "postgres") return;
    const path = url.slice("sqlite:".length);
    const bytes = [path, `${path}-wal`, `${path}-journal`]
      .filter(existsSync)
      .map((file) => readFileSync(file, "latin1"));
    expect(bytes.join("")).not.toContain("words of T1");
    expect(bytes.join("")).toContain("words of T2");
  });

  test("values that are plain or sealed with an old key are sealed with the current key; unreadable ones stay", async () => {
    const { database } = await start();
    const [old, today] = [sealerOf("old"), sealerOf("new", ["old", "new"])];
    const lost = sealerOf("lost").seal("x", "token c");
    const row = { part: 0, team_id: "T1", text: "[]" };
    await database.db
      .insertInto("note")
      .values([
        { ...row, id: "a", token: old.seal("secret a", "token a") },
        { ...row, id: "b", token: null, text: old.seal("[2]", "text b") },
        { ...row, id: "c", token: lost, text: today.seal("[3]", "text c") },
      ])
      .execute();
    const data = createOwnedData(database, { tables, sealer: today });
    expect(await data.reseal()).toEqual([
      { table: "note", sealed: 3, failed: 1 },
      { table: "mark", sealed: 0, failed: 0 },
    ]);
    const rows = await database.db.selectFrom("note").selectAll().orderBy("id").execute();
    const alone = sealerOf("new");
    expect(rows.map(({ id, text }) => alone.open(text, `text ${id}`))).toEqual(["[]", "[2]", "[3]"]);
    expect(rows.map(({ token }) => token)).toEqual([alone.seal("secret a", "token a"), null, lost]);
    expect(await data.reseal()).toEqual([
      { table: "note", sealed: 0, failed: 1 },
      { table: "mark", sealed: 0, failed: 0 },
    ]);
  });
});
