import { sql } from "kysely";
import { answerInTime } from "./answer-in-time.ts";
import type { Database } from "./database.ts";
import { isOutOfRoom } from "./is-out-of-room.ts";

/** A write without a change for each engine. SQLite skips an unchanged row, but always writes its header. */
const writes = {
  sqlite: sql`pragma user_version = 0`,
  postgres: sql`update kysely_migration_lock set is_locked = is_locked`,
};

/**
 * Writes to a migrated database without changing a value, for health checks: a database on a full disk still answers reads. Returns a
 * message if the disk is full. Rejects if the database refuses the write for another reason or does not answer in two seconds.
 */
export async function checkWritable<Tables>({
  engine,
  unflushed,
}: Pick<Database<Tables>, "engine" | "unflushed">): Promise<string | undefined> {
  try {
    await answerInTime(() => unflushed((db) => writes[engine].execute(db)));
    return undefined;
  } catch (error) {
    if (isOutOfRoom(error)) return "the database's disk is full: free up space";
    throw error;
  }
}
