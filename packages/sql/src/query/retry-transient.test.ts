import { describe, expect, test, vi } from "vitest";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { isTransient, retryTransient, isOutOfRoom } from "../index.ts";
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

describe("retryTransient", () => {
  test("a transient failure is retried, and the final result is returned", async () => {
    const repeats: number[] = [];
    const operation = vi.fn<() => Promise<string>>().mockRejectedValueOnce(lost).mockRejectedValueOnce(lost);
    operation.mockResolvedValue("done");
    await expect(retryTransient(operation, { onRetry: ({ attempt }) => repeats.push(attempt) })).resolves.toBe("done");
    expect(repeats).toEqual([1, 2]);
  });

  test("any other error is thrown immediately", async () => {
    const operation = vi.fn<() => Promise<void>>().mockRejectedValue(withCode("23505"));
    await expect(retryTransient(operation)).rejects.toMatchObject({ code: "23505" });
    expect(operation).toHaveBeenCalledTimes(1);
  });

  test("after the time budget the last error is thrown, and the backoff grows until then", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const waits: number[] = [];
    let attempts = 0;
    const ended = retryTransient(
      () => {
        attempts += 1;
        vi.advanceTimersByTime(100);
        return Promise.reject(withCode("57P03", `attempt ${attempts}`));
      },
      { budgetMs: 1_000, onRetry: ({ waitMs }) => waits.push(waitMs) },
    ).finally(() => vi.useRealTimers());
    await expect(ended).rejects.toThrow("attempt 10");
    expect(waits).toHaveLength(9);
    expect(waits.slice(0, 5).every((wait, index) => wait <= 20 * 2 ** index && wait >= 10 * 2 ** index)).toBe(true);
  });

  test("after an abort nothing is retried, and the error of the operation is thrown", async () => {
    const stop = new AbortController();
    const operation = vi.fn<() => Promise<void>>().mockRejectedValue(lost);
    await expect(
      retryTransient(operation, { signal: stop.signal, onRetry: ({ attempt }) => attempt === 2 && stop.abort() }),
    ).rejects.toBe(lost);
    expect(operation).toHaveBeenCalledTimes(2);
    await expect(retryTransient(operation, { signal: stop.signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(operation).toHaveBeenCalledTimes(2);
  });
});

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
