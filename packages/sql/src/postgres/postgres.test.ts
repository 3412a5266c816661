// suite: rest
import { inspect } from "node:util";
import { newPostgresDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { Client } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DatabaseUnavailableError, writeStatement } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";
import { readPostgresUrl } from "./connection-url.ts";

const password = "s3cret-pässword";

const withPassword = (url: string): string => Object.assign(new URL(url), { password }).href;

/** Returns everything that a log could show of an error. */
async function failureOf(opening: Promise<unknown>): Promise<{ readonly error: unknown; readonly text: string }> {
  const error = await opening.then(
    () => expect.unreachable("opened"),
    (reason: unknown) => reason,
  );
  return { error, text: inspect(error, { depth: 10, showHidden: true }) };
}

const add = writeStatement({
  table: "note",
  key: "id",
  columns: { id: "text", at: "bigint", text: "text" },
  text: (rows) => `insert into note (id, at, text) select id, at, text from ${rows} where true on conflict do nothing`,
});

describe("connection url", () => {
  // The driver warns only once, and this test is the first.
  test("requested TLS verifies the server, and the driver warns about none of the forms", () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const sslOf = (query: string): unknown => {
      const client = new Client({
        connectionString: readPostgresUrl(`postgres://me@127.0.0.1:1/x${query}`).connectionString,
      });
      return (client as unknown as { readonly ssl: unknown }).ssl;
    };
    for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) expect(sslOf(`?sslmode=${mode}`)).toEqual({});
    expect(sslOf("?sslmode=no-verify")).toEqual({ rejectUnauthorized: false });
    expect(sslOf("?sslmode=disable")).toBe(false);
    expect(sslOf("")).toBe(false);
    expect(warn).not.toHaveBeenCalled();
  });

  test("a wrong password, database or URL is reported immediately with advice, and no error contains the password", async () => {
    const url = await newPostgresDatabase();
    const cases = [
      { url: withPassword(url), says: ["password authentication failed", "Check the user and the password"] },
      { url: Object.assign(new URL(withPassword(url)), { username: "nobody" }).href, says: ["nobody"] },
      {
        url: Object.assign(new URL(url), { pathname: "/nowhere" }).href,
        says: ["nowhere", "Create the database first"],
      },
      { url: `postgres://me:${password}@host:port/x`, says: ["is not valid"] },
      { url: `${url}?sslmode=require`, says: ["SSL"] },
      { url: `${url}?sslmode=allow`, says: ["sslmode=allow", "verify-full"] },
      { url: `${url}?sslrootcert=/nowhere/ca.pem`, says: ["/nowhere/ca.pem"] },
    ];
    for (const { url: wrong, says } of cases) {
      const onWait = vi.fn<(error: unknown) => void>();
      const { error, text } = await failureOf(openNotes(wrong, { onWait }));
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      for (const words of says) expect((error as Error).message).toContain(words);
      expect(text).not.toContain(password);
      expect(text).not.toContain(encodeURIComponent(password));
      expect(onWait).not.toHaveBeenCalled();
    }
  });

  test("an unreachable server is named without the password", async () => {
    const { error, text } = await failureOf(openNotes(`postgres://me:${password}@127.0.0.1:1/x`, { waitMs: 1 }));
    expect((error as Error).message).toContain('PostgreSQL at 127.0.0.1:1, database "x", cannot be used');
    expect(text).not.toContain(password);
  });

  test("options in the URL are kept together with ours", async () => {
    const url = `${await newPostgresDatabase()}?options=-c%20geqo%3Doff&application_name=mine`;
    const { db } = await openNotes(url, { statementTimeoutMs: 4_000 });
    const { rows } = await sql`
    select current_schema() as schema, current_setting('geqo') as geqo, current_setting('statement_timeout') as time,
           current_setting('application_name') as name`.execute(db);
    expect(rows).toEqual([{ schema: "notes", geqo: "off", time: "4s", name: "mine" }]);
  });
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
    await vi.waitFor(async () => expect(await mode()).toEqual({ default_transaction_read_only: "on" }));
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
