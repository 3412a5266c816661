import { deleteOlder, now, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import type { BusTables } from "./bus-tables.ts";

const everyMs = 3_600_000;
const mostAtOnce = 500;

/** Deletes dead letters older than `keepMs` milliseconds, now and every hour. Returns a function that stops it. */
export function forgetDeadLetters({ db, engine }: Database<BusTables>, keepMs: number): () => Promise<void> {
  const before = sql<number>`(select ${now(engine)} - ${keepMs})`;
  const old = { table: "bus_dead_letter", key: "id", column: "dead_at", before };
  const stopped = new AbortController();
  async function forget(): Promise<void> {
    let gone: number;
    do gone = await deleteOlder(db, old, mostAtOnce);
    while (gone === mostAtOnce && !stopped.signal.aborted);
  }
  // The bus reports a database error itself; retry in an hour.
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
