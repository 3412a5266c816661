import { sql } from "kysely";
import type { Database } from "./database.ts";
import { outageOf } from "./errors.ts";

/** Timeout of a health check query, milliseconds. */
const withinMs = 2_000;

/** Rejects when the database does not respond in time. The query itself is not canceled. */
export async function answerInTime(ask: () => Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the database has not responded for ${withinMs} ms`)), withinMs);
  try {
    await Promise.race([ask(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A write without a change for each engine. SQLite skips an unchanged row, but always writes its header. */
const writes = {
  sqlite: sql`pragma user_version = 0`,
  postgres: sql`update kysely_migration_lock set is_locked = is_locked`,
};

/**
 * Writes to a migrated database without changing a value, for health checks: a database on a full disk still answers reads. Returns what the
 * outage is. Rejects if the database refuses the write for another reason or does not answer in two seconds.
 */
export async function checkWritable<Tables>({ engine, unflushed }: Database<Tables>): Promise<string | undefined> {
  try {
    await answerInTime(() => unflushed((db) => writes[engine].execute(db)));
    return undefined;
  } catch (error) {
    const outage = outageOf(error);
    if (outage === undefined) throw error;
    return outage.what;
  }
}
