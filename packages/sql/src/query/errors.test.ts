import { describe, expect, test, vi } from "vitest";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { connectionError, isTransient, outageOf, retryTransient } from "../index.ts";
import { openNotes } from "../testing/note-migrations.ts";

const withCode = (code: string, message = "no"): Error => Object.assign(new Error(message), { code });
const lost = withCode("57P01");

describe("transient errors", () => {
  test.each([
    "08000",
    "08006",
    "53300",
    "40001",
    "40P01",
    "57P01",
    "57P02",
    "57P03",
    "57014",
    "25006",
    "ECONNREFUSED",
    "EAI_AGAIN",
  ])("%s is transient", (code) => expect(isTransient(withCode(code))).toBe(true));

  test.each(["28P01", "28000", "3D000", "42P01", "23505", "22021", "53100", "ERR_INVALID_URL"])(
    "%s is permanent",
    (code) => expect(isTransient(withCode(code))).toBe(false),
  );

  test("SQLite's busy code is transient, including its extended codes; a corrupt file is not", () => {
    expect([5, 261, 517, 15].map((errcode) => isTransient(Object.assign(new Error(), { errcode })))).not.toContain(
      false,
    );
    expect(isTransient(Object.assign(new Error(), { errcode: 11 }))).toBe(false);
  });

  test("a cause counts; a value that is no error does not", () => {
    expect(isTransient(new Error("the store did not answer", { cause: lost }))).toBe(true);
    expect([undefined, null, "57P01", { code: "57P01" }].some(isTransient)).toBe(false);
  });

  test("a pooler that refuses our parameters is a permanent error", () => {
    expect(isTransient(withCode("08P01", "unsupported startup parameter: options"))).toBe(false);
    expect(isTransient(withCode("08P01", "server_login_retry"))).toBe(true);
  });
});

test("only a transient failure is retried, for as long as the budget lasts", async () => {
  const attempts: number[] = [];
  const operation = vi.fn<() => Promise<string>>().mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
  operation.mockResolvedValue("done");
  await expect(retryTransient(operation, { onRetry: (_error, next) => attempts.push(next.attempt) })).resolves.toBe(
    "done",
  );
  expect(attempts).toEqual([2, 3]);
  const refused = vi.fn<() => Promise<void>>().mockRejectedValue(withCode("23505"));
  await expect(retryTransient(refused)).rejects.toMatchObject({ code: "23505" });
  expect(refused).toHaveBeenCalledTimes(1);
  const away = vi.fn<() => Promise<void>>().mockRejectedValue(lost);
  await expect(retryTransient(away, { budgetMs: 0 })).rejects.toBe(lost);
  expect(away).toHaveBeenCalledTimes(1);
});

test("a full database is reported as full, and is not retried immediately", async () => {
  const { db } = await openNotes(await newSqliteDatabase());
  await sql`pragma max_page_count = 1`.execute(db);
  const error: unknown = await db
    .insertInto("note")
    .values({ id: "1", at: 1, text: "x".repeat(100_000) })
    .execute()
    .catch((thrown: unknown) => thrown);
  expect(outageOf(error)).toEqual({ what: "the database's disk is full: free up space", passes: false });
});

test.each([
  [withCode("53100", "no room"), "the database's disk is full: free up space"],
  [new Error("wrapped", { cause: withCode("53200") }), "the database is out of memory"],
  [withCode("58030"), "the database's disk fails or is full"],
  [withCode("53300"), "the database has too many connections"],
  [withCode("57P03"), "the database is starting or stopping"],
  [withCode("ECONNREFUSED"), "the database is unreachable"],
  [withCode("08006"), "the database is unreachable"],
  [new Error("Connection terminated unexpectedly"), "the database is unreachable"],
  [withCode("40P01"), "the database is busy"],
  // The extended codes of a full disk under SQLite's log and its shared memory.
  [Object.assign(new Error(), { errcode: 778 }), "the database's disk fails or is full"],
  [Object.assign(new Error(), { errcode: 4874 }), "the database's disk fails or is full"],
  [Object.assign(new Error(), { errcode: 8 }), "the database's disk or file is read-only"],
  [Object.assign(new Error(), { errcode: 14 }), "the database's file can't be opened"],
  [withCode("42P01", "no table"), undefined],
  [withCode("23505", "twice"), undefined],
  ["full", undefined],
])("O2: %o is an outage in words: %s", (error, what) => {
  expect(outageOf(error)?.what).toBe(what);
});

const ofConnection = (code: string, message?: string): unknown => connectionError(withCode(code, message));

test.each([
  [withCode("28P01"), "the database refuses the zone's password"],
  [withCode("28000"), "the database refuses the zone's user"],
  [withCode("3D000"), "the database does not exist"],
  [withCode("42501"), "the database refuses the zone's user a right"],
  [withCode("57P04"), "the database was dropped"],
  [withCode("08P01", "unsupported startup parameter: options"), "a pooler in front of the database refuses"],
  [ofConnection("SELF_SIGNED_CERT_IN_CHAIN"), "the database's certificate is of an authority"],
  [ofConnection("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "the database's certificate is of an authority"],
  [ofConnection("CERT_HAS_EXPIRED"), "the database's certificate has expired"],
  [ofConnection("ERR_TLS_CERT_ALTNAME_INVALID"), "the database's certificate is for another host"],
  [ofConnection("CERT_REVOKED"), "the database's certificate is not accepted"],
  [ofConnection("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"), "the TLS handshake with the database fails"],
  [connectionError(new Error("The server does not support SSL connections")), "the database's server does not support"],
  // Codes of a class that nobody has listed.
  [withCode("28XYZ"), "the database refuses the zone's user"],
  [withCode("53999"), "the database lacks a resource"],
  [withCode("58P09"), "the database's server fails"],
  [withCode("08999"), "the database is unreachable"],
  [withCode("57000"), "the database is starting or stopping"],
  [Object.assign(new Error(), { errcode: 26 }), "the database's file is not a SQLite database"],
  [Object.assign(new Error(), { errcode: 11 }), "the database is damaged"],
])("O16: %o is told as what it is: %s", (error, what) => {
  expect(outageOf(error)?.what).toContain(what);
  expect(outageOf(error)?.what.length).toBeLessThan(120);
});

test("O16: the certificate of another server is no outage of the database", () => {
  expect(outageOf(withCode("CERT_HAS_EXPIRED"))).toBeUndefined();
  expect(outageOf(new Error("The server does not support SSL connections"))).toBeUndefined();
});
