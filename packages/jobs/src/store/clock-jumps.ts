import { type Database, now } from "@crosszone/sql";
import { type RawBuilder, sql } from "kysely";
import { jobStates, type JobTables } from "../table/job-tables.ts";

/** A jump of the database's clock: by a correction, or because the machine slept. */
export interface ClockJump {
  /** Forward, or backward if negative; milliseconds. */
  readonly ms: number;
  /** Whether a time in a column was stored before the jump. */
  readonly isBefore: (column: string) => RawBuilder<boolean>;
}

export interface ClockJumpsOptions {
  readonly database: Database<JobTables>;
  readonly leaseMs: number;
  /** Returns statements that move the stored deadlines of other tables by the jump. */
  readonly moving?: ((jump: ClockJump) => readonly RawBuilder<unknown>[]) | undefined;
  /** Called in the one process that has moved the deadlines. */
  readonly onJump?: ((ms: number) => void) | undefined;
}

/** The database's time, Unix milliseconds; when it was asked for and how long that took, by `performance.now()`. */
interface Reading {
  readonly at: number;
  readonly askedAt: number;
  readonly tookMs: number;
}

/** Room for the time between a reading and a statement, milliseconds. */
const slackMs = 1_000;

/**
 * Returns a function that compares the database's clock with the time that has passed in this process. After a jump of more than two
 * leases, it moves the leases and deadlines of open work, so that each keeps the time that it had left. Of several processes, one does.
 * On SQLite, a call costs nothing. On PostgreSQL, only a call with `asks` reads the server's clock.
 */
export function createClockJumps(options: ClockJumpsOptions): (how?: { readonly asks?: boolean }) => Promise<void> {
  const { database, leaseMs, onJump } = options;
  let last: Reading | undefined;
  let settling: Promise<void> | undefined;

  async function settle(): Promise<void> {
    const reading = await readClock(database);
    const elapsedMs = last === undefined ? 0 : reading.askedAt - last.askedAt;
    const ms = last === undefined ? 0 : Math.round(reading.at - last.at - elapsedMs);
    const hasJumped = Math.abs(ms) > 2 * leaseMs + reading.tookMs + (last?.tookMs ?? 0);
    if (hasJumped && (await moveDeadlines(options, { ms, at: reading.at, elapsedMs }))) onJump?.(ms);
    last = reading;
  }

  return async ({ asks = false } = {}) => {
    if (database.engine === "postgres" && !asks && settling === undefined) return;
    await (settling ??= settle().finally(() => {
      settling = undefined;
    }));
  };
}

async function readClock({ db, engine }: Database<JobTables>): Promise<Reading> {
  const askedAt = performance.now();
  // SQLite's clock is that of the process.
  if (engine === "sqlite") return { at: Date.now(), askedAt, tookMs: 0 };
  const { rows } = await sql<{ at: number }>`select ${now(engine)} as at`.execute(db);
  return { at: rows[0]?.at ?? 0, askedAt, tookMs: performance.now() - askedAt };
}

/** The longest lease, in parts of its usual length: leases vary, so that a steady rhythm of kills does not meet the same jobs again. */
export const mostLease = 1.25;

/** Resolves with false if another process has done so: then no lease is from before the jump. */
function moveDeadlines(
  { database, leaseMs, moving }: ClockJumpsOptions,
  { ms, at, elapsedMs }: { readonly ms: number; readonly at: number; readonly elapsedMs: number },
): Promise<boolean> {
  const since = sql.lit(Math.floor(at - elapsedMs - slackMs));
  const by = sql.lit(ms);
  const isBefore = (column: string, laterMs = 0): RawBuilder<boolean> =>
    sql`not ${sql.ref(column)} between ${since} and ${sql.lit(Math.ceil(at + laterMs + slackMs))}`;
  return database.transaction(async (transaction) => {
    const leases = await sql`
      update job_worker set alive_until = alive_until + ${by} where ${isBefore("alive_until", mostLease * leaseMs)}`.execute(
      transaction,
    );
    if (leases.numAffectedRows === 0n) return false;
    const isOpen = sql`state <> ${sql.lit(jobStates.ended)}`;
    await sql`
      update job set deadline_at = deadline_at + ${by}
      where ${isOpen} and deadline_at is not null and ${isBefore("created_at")}`.execute(transaction);
    // After a jump forward, sleeping jobs wake early, and look for themselves.
    if (ms < 0)
      await sql`
        update job set due_at = due_at + ${by}
        where state = ${sql.lit(jobStates.ready)} and ${isBefore("due_at")}`.execute(transaction);
    for (const statement of moving?.({ ms, isBefore }) ?? []) await statement.execute(transaction);
    return true;
  });
}
