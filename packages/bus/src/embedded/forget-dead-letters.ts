import { deleteOlder, now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { BusTables } from "./bus-tables.ts";

const everyMs = 3_600_000;
const mostAtOnce = 500;

/** Deletes dead letters that were kept for `keepMs` milliseconds, at once and every hour, until the function that it gives is called. */
export function forgetDeadLetters({ db, engine }: Database<BusTables>, keepMs: number): () => Promise<void> {
  const before = sql<number>`(select ${now(engine)} - ${keepMs})`;
  const old = { table: "bus_dead_letter", key: "id", column: "dead_at", before };
  const stopped = new AbortController();
  async function forget(): Promise<void> {
    let gone: number;
    do gone = await deleteOlder(db, old, mostAtOnce);
    while (gone === mostAtOnce && !stopped.signal.aborted);
  }
  // What keeps the database from it shows in the bus itself; the next hour comes.
  const begin = (): Promise<void> => forget().catch(() => undefined);
  let running = begin();
  const timer = setInterval(() => {
    running = begin();
  }, everyMs).unref();
  return async () => {
    stopped.abort();
    clearInterval(timer);
    await running;
  };
}
