import type { RecordCodec } from "@crosszone/service-kit";
import { forUpdateSkipLocked, indexRange, now, walkLanes, type Engine } from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { VerificationDatabase } from "../database/open-verification-database.ts";
import { UnreadableRecordError, type InboxRecord, type Progress, type TakenEntry } from "./inbox.ts";
import { sealContexts, type InboxTable } from "./inbox-table.ts";

export interface TakeOptions {
  readonly owner: string;
  readonly leaseMs: number;
  /** Maximum number of attempts per record. */
  readonly attempts: number;
  readonly codec: RecordCodec;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: unique_violation */
const uniqueViolation = "23505";

/**
 * Leases the head of a lane, in one statement. On PostgreSQL it skips rows that other processes are leasing; on SQLite it runs alone. On
 * PostgreSQL, a record that became visible late can enter a lane that another process is leasing: a unique index rejects it, and the
 * function tries again.
 */
export async function takeRecord<K extends InboxRecord["kind"]>(
  database: Pick<VerificationDatabase, "db" | "engine">,
  kind: K,
  options: TakeOptions,
): Promise<TakenEntry<K> | undefined> {
  for (;;) {
    try {
      const row = await lease(database, kind, options);
      return row && toEntry<K>(row, options);
    } catch (error) {
      if ((error as { code?: string }).code !== uniqueViolation) throw error;
    }
  }
}

type TakenRow = Pick<InboxTable, "request_id" | "record" | "placeholder" | "answer"> & {
  attempt: number;
  uncounted: number;
  attached: number;
};

/** Number of records that a lease reads in order. */
const looked = 100;

/** Number of additional lanes to look for, because other processes may lease from some of them. */
const spare = 10;

/** Leases a record. When none of the first records can be leased, walks lanes instead of records, which skips a long lane in one step. */
async function lease(
  { db, engine }: Pick<VerificationDatabase, "db" | "engine">,
  kind: InboxRecord["kind"],
  { owner, leaseMs }: TakeOptions,
): Promise<TakenRow | undefined> {
  // Evaluated once for all rows and compared in index order, so that even a planner without statistics uses the index.
  const time = sql`(select ${now(engine)})`;
  const isDue = indexRange(engine, { "head.kind": kind }, { upTo: { "head.due_at": time } });
  const upToEdge = {
    "head.due_at": sql`coalesce((select due_at from edge), ${time})`,
    "head.sequence": sql`coalesce((select sequence from edge), ${Number.MAX_SAFE_INTEGER})`,
  };
  const turnOf = turnsOn(engine);
  const skipLocked = forUpdateSkipLocked(engine, "head");
  const laneAfter = (lane: RawBuilder<string>) => sql<string>`select min(lane) from inbox where lane > ${lane}`;
  const { rows } = await sql<TakenRow>`
    with recursive
    edge as materialized (
      select head.due_at, head.sequence from inbox head where ${isDue}
      order by head.kind, head.due_at, head.sequence limit 1 offset ${looked}),
    front as materialized (
      select head.sequence from inbox head
      where ${indexRange(engine, { "head.kind": kind }, { upTo: upToEdge })} and head.sequence = ${turnOf(sql`head.lane`)}
      order by head.kind, head.due_at, head.sequence limit 1 ${skipLocked}),
    lanes(lane, round) as (${walkLanes(laneAfter, sql`exists (select 1 from edge) and not exists (select 1 from front)`)}),
    turns as materialized (
      select sequence from (select (
        select head.sequence from inbox head where ${isDue} and head.sequence = ${turnOf(sql`lanes.lane`)}) as sequence
        from lanes) as found
      where sequence is not null limit ${spare}),
    beyond as materialized (
      select head.sequence from inbox head
      where head.sequence in (select sequence from turns) and head.due_at <= ${time} limit 1 ${skipLocked})
    update inbox set state = 'in_work', owner = ${owner}, attempt = attempt + 1, due_at = ${now(engine)} + ${leaseMs}
    where sequence in (select sequence from front union all select sequence from beyond)
    returning request_id, record, attempt, uncounted, placeholder, answer, attached`.execute(db);
  return rows[0];
}

/** The record of a lane that can be leased once it is due: the one that a worker processes, or else the oldest waiting one. */
function turnsOn(engine: Engine): (lane: RawBuilder<string>) => RawBuilder<number> {
  return (lane) => sql<number>`coalesce(
    (select busy.sequence from inbox busy where busy.lane = ${lane} and busy.state = 'in_work'),
    (select oldest.sequence from inbox oldest
      where ${indexRange(engine, { "oldest.lane": lane }, { after: { "oldest.sequence": 0 } })} and oldest.state = 'waiting'
      order by oldest.lane, oldest.sequence limit 1))`;
}

function toEntry<K extends InboxRecord["kind"]>(
  { request_id, record, attempt, uncounted, placeholder, answer, attached }: TakenRow,
  { attempts, codec }: TakeOptions,
): TakenEntry<K> {
  const triesLeft = attempts - (attempt - uncounted);
  try {
    return {
      record: codec.fromColumn(record, sealContexts.record({ request_id })) as TakenEntry<K>["record"],
      attempt,
      triesLeft,
      progress: {
        ...(placeholder !== null && { placeholder }),
        ...(answer !== null && {
          answer: codec.fromColumn(answer, sealContexts.answer({ request_id })) as NonNullable<Progress["answer"]>,
        }),
        ...(attached === 1 && { attached: true }),
      },
    };
  } catch (error) {
    throw new UnreadableRecordError({ record: { request_id }, attempt, triesLeft }, error);
  }
}
