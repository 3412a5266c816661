import { sql } from "kysely";
import { answerInTime } from "./answer-in-time.ts";
import type { Database } from "./database.ts";
import { isOutOfRoom } from "./is-out-of-room.ts";

/** What each engine writes anew although its value stays: SQLite leaves out a row that does not change, but no header. */
const writes = {
  sqlite: sql`pragma user_version = 0`,
  postgres: sql`update kysely_migration_lock set is_locked = is_locked`,
};

/**
 * Writes to a migrated database, for a health check: a full disk still answers reads. Returns a sentence if there is no room; rejects if the
 * database refuses the write for another reason, or does not answer in two seconds. No value changes.
 */
export async function checkWritable<Tables>({
  engine,
  unflushed,
}: Pick<Database<Tables>, "engine" | "unflushed">): Promise<string | undefined> {
  try {
    await answerInTime(() => unflushed((db) => writes[engine].execute(db)));
    return undefined;
  } catch (error) {
    if (isOutOfRoom(error)) return "the database has no room to write: make room on its disk";
    throw error;
  }
}
