import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { writeStatement } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

const add = writeStatement({
  table: "note",
  key: "id",
  columns: { id: "text", at: "bigint", text: "text" },
  text: (rows) => `insert into note (id, at, text) select id, at, text from ${rows} where true on conflict do nothing`,
});

test("a connection to a server that became read-only is not used again, so the zone finds a writable one", async () => {
  const url = await newPostgresDatabase();
  const name = new URL(url).pathname.slice(1);
  const { db, write, batch } = await openNotes(url, { connections: 1 });
  const admin = await openNotes(Object.assign(new URL(url), { pathname: "/postgres" }).href, { connections: 1 });
  const set = (mode: "on" | "off"): Promise<unknown> =>
    sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.raw(mode)}`.execute(admin.db);
  /** From now on, new connections are read-only, and existing ones are closed. */
  const becomeReadOnly = async (): Promise<void> => {
    await set("on");
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(admin.db);
    const mode = async (): Promise<unknown> => (await sql`show default_transaction_read_only`.execute(db)).rows[0];
    await vi.waitFor(async () => expect(await mode()).toEqual({ default_transaction_read_only: "on" }), 10_000);
  };
  const row = { at: 1, text: null };

  await becomeReadOnly();
  await expect(write(add, [{ id: "1", ...row }])).rejects.toMatchObject({ code: "25006" });
  await set("off");
  expect(await write(add, [{ id: "1", ...row }])).toEqual([true]);

  await becomeReadOnly();
  const insert = db.insertInto("note").values({ id: "2", ...row });
  await expect(insert.execute()).rejects.toMatchObject({ code: "25006" });
  await set("off");
  await insert.execute();

  await becomeReadOnly();
  const two = ["3", "4"].map((id) =>
    db
      .insertInto("note")
      .values({ id, ...row })
      .compile(),
  );
  await expect(batch(two)).rejects.toMatchObject({ code: "25006" });
  await set("off");
  await batch(two);
  const ids = (await db.selectFrom("note").select("id").orderBy("id").execute()).map(({ id }) => id);
  expect(ids).toEqual(["1", "2", "3", "4"]);
});
