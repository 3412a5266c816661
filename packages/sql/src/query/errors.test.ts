import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { isOutOfRoom, isTransient } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

test("a full database is reported as full, and is not retried immediately", async () => {
  const { db } = await openNotes(await newSqliteDatabase());
  await sql`pragma max_page_count = 1`.execute(db);
  const error: unknown = await db
    .insertInto("note")
    .values({ id: "1", at: 1, text: "x".repeat(100_000) })
    .execute()
    .catch((thrown: unknown) => thrown);
  expect(isOutOfRoom(error)).toBe(true);
  expect(isTransient(error)).toBe(false);
});

test.each([
  [Object.assign(new Error("no room"), { code: "53100" }), true],
  [new Error("wrapped", { cause: Object.assign(new Error("no memory"), { code: "53200" }) }), true],
  [Object.assign(new Error("no table"), { code: "42P01" }), false],
  ["full", false],
])("%o is out of space: %s", (error, outOfRoom) => {
  expect(isOutOfRoom(error)).toBe(outOfRoom);
});
