import { type Database, notifyText } from "@crosszone/sql";
import type { JobTables } from "./job-tables.ts";

/** The channel of `Database.listen` on which processes notify each other of jobs. */
export const jobChannel = "job";

/** Precedes the id of a job in the payload about its end; that of a job to take is its share. */
export const endedPrefix = "ended ";

/** Precedes the share of a job to take that keeps its place before jobs that may have been taken. */
export const frontPrefix = "front ";

interface Notified {
  /** The payload of the notification about a row. */
  readonly payload: string;
  /** The rows to notify about. */
  readonly where: string;
  /** The column to return (default `id`). */
  readonly answer?: string;
}

/** Returns the statement of PostgreSQL that runs `change`, which returns columns, and notifies other processes of some rows. */
export const notifying = (change: string, notified: Notified): string =>
  `with changed as (${change}), ${notifyingChanged(notified)}`;

/** Returns the rest of such a statement, after a part named `changed`. */
export const notifyingChanged = ({ payload, where, answer = "id" }: Notified): string => `
  notified as materialized (
    select ${notifyText("postgres", jobChannel, "payload")}
    from (select distinct ${payload} as payload from changed where ${where}) as news)
  select ${answer} from changed where (select count(*) from notified) >= 0`;

/**
 * Returns the statement of PostgreSQL that runs `change`, which returns `id`, and notifies other processes of the ends of
 * `rows`, a table expression named `new` with a column `id`.
 */
export const notifyingEnds = (change: string, rows: string): string => `
  with changed as (${change}),
  notified as materialized (select ${notifyText("postgres", jobChannel, `'${endedPrefix}' || new.id`)} from ${rows})
  select id from changed where (select count(*) from notified) >= 0`;

/** Notifications of other processes. They are hints that can be missed, so workers also poll the tables. */
export function createJobEvents({ listen }: Database<JobTables>) {
  const ready = new Set<(share: string | undefined, atFront: boolean) => void>();
  const ended = new Set<(id: string | undefined) => void>();
  let stopListening: (() => Promise<void>) | undefined;

  function receive(payload: string | undefined): void {
    const isEnd = payload?.startsWith(endedPrefix) === true;
    const atFront = payload?.startsWith(frontPrefix) === true;
    const share = atFront ? payload?.slice(frontPrefix.length) : payload;
    if (!isEnd) for (const listener of ready) listener(share, atFront || payload === undefined);
    if (isEnd || payload === undefined) for (const listener of ended) listener(payload?.slice(endedPrefix.length));
  }

  const adding =
    <Listener>(listeners: Set<Listener>) =>
    (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };

  return {
    /**
     * Called with the share that has a job to take; with undefined when any may have one. `atFront`: the job may be before others that were
     * taken. Returns a function that stops it.
     */
    onReady: adding(ready),
    /** Called with the id of a job that ended or was canceled elsewhere; with undefined when any may have. */
    onEnded: adding(ended),
    start: async (): Promise<void> => {
      stopListening = await listen(jobChannel, receive);
    },
    stop: async (): Promise<void> => stopListening?.(),
  };
}
