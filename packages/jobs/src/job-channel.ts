import { notifyText } from "@crosszone/sql";

/** The channel of `Database.listen` on which processes tell each other of jobs. */
export const jobChannel = "job";

/** Precedes the id of a job in the payload that tells of its end; that of a job to take is its share. */
export const endedPrefix = "ended ";

/** Precedes the share of a job to take that keeps its place before jobs that may have been taken. */
export const frontPrefix = "front ";

export interface Told {
  /** The payload of the notification about a row. */
  readonly payload: string;
  /** Of which rows. */
  readonly where: string;
  /** The column to return (default `id`). */
  readonly answer?: string;
}

/** Returns the statement of PostgreSQL that runs `change`, which returns columns, and tells other processes of some rows. */
export const telling = (change: string, told: Told): string => `with changed as (${change}), ${tellingChanged(told)}`;

/** Returns the rest of such a statement, after a part named `changed`. */
export const tellingChanged = ({ payload, where, answer = "id" }: Told): string => `
  told as materialized (
    select ${notifyText("postgres", jobChannel, "payload")}
    from (select distinct ${payload} as payload from changed where ${where}) as news)
  select ${answer} from changed where (select count(*) from told) >= 0`;

/**
 * Returns the statement of PostgreSQL that runs `change`, which returns `id`, and tells other processes of the ends of
 * `rows`, a table expression named `new` with a column `id`.
 */
export const tellingEnds = (change: string, rows: string): string => `
  with changed as (${change}),
  told as materialized (select ${notifyText("postgres", jobChannel, `'${endedPrefix}' || new.id`)} from ${rows})
  select id from changed where (select count(*) from told) >= 0`;
