import {
  type ColumnKind,
  type Engine,
  notifyText,
  nowText,
  rowsFromJson,
  writeStatement,
  type WriteStatement,
} from "@crosszone/sql";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { endedPrefix, frontPrefix, jobChannel, notifying, notifyingChanged } from "../table/job-events.ts";
import { type JobSchema, jobStates, type LeaseId, type NewJob } from "../table/job-tables.ts";
import {
  endColumns,
  endText,
  insertColumns,
  insertRow,
  insertText,
  isLeasedText,
  leaseColumns,
} from "../table/job-texts.ts";

/** Statements that write many jobs at once. */
export function jobStatements<Own extends string>(schema: JobSchema<Own>, engine: Engine) {
  const { own } = schema;
  const update = (
    columns: Record<string, ColumnKind>,
    set: string,
    notified?: { readonly returning: string; readonly payload: string; readonly where: string },
  ): WriteStatement<string> => {
    const text = (rows: string): string => `update job set ${set} from ${rows} where ${isLeasedText}`;
    return writeStatement<string>({
      table: "job",
      key: "id",
      columns: { ...leaseColumns, ...columns },
      text,
      postgresText: notified && ((rows) => notifying(`${text(rows)} returning ${notified.returning}`, notified)),
    });
  };
  const insert = {
    table: "job",
    key: "id",
    columns: insertColumns(schema),
    text: (rows: string) => insertText(schema, rows, engine),
  } as const;
  return {
    /** For jobs that other processes cannot take. */
    insert: writeStatement<string>(insert),
    /** Notifies other processes of jobs to take. */
    insertReady: writeStatement<string>({
      ...insert,
      postgresText: (rows) =>
        notifying(`${insertText(schema, rows, "postgres")} returning id, share, state`, {
          payload: "share",
          where: `state = ${jobStates.ready}`,
        }),
    }),
    end: update(endColumns(schema), endText(schema, engine)),
    /** Notifies other processes of the ends that they wait for. */
    endNotifying: update({ ...endColumns(schema), notifies: "bigint" }, endText(schema, engine), {
      returning: "job.id, new.notifies",
      payload: `'${endedPrefix}' || id`,
      where: "notifies = 1",
    }),
    release: update({ after_ms: "bigint", counted: "bigint" }, releaseText(schema, engine), {
      returning: "job.id, job.share, new.after_ms",
      payload: schema.uncounted === undefined ? "share" : atFront,
      where: "after_ms = 0",
    }),
    /** Sets own columns of leased jobs. */
    set: (columns: readonly string[]) => {
      const kinds = Object.fromEntries(columns.map((column) => [column, own[column as Own]]));
      return update(kinds, columns.map((column) => `${column} = new.${column}`).join(", "));
    },
  };
}

/**
 * Returns the `set` clause that makes leased jobs ready, at once if they were woken meanwhile. In lanes they stay heads: those that are due at once keep their place before jobs
 * that came later.
 */
function releaseText<Own extends string>({ uncounted }: JobSchema<Own>, engine: Engine): string {
  const ready = `state = ${jobStates.ready}, owner = null, woken = 0`;
  const later = `${nowText[engine]} + case when job.woken = 1 then 0 else new.after_ms end`;
  if (uncounted === undefined) return `${ready}, attempt = job.attempt - 1 + new.counted, due_at = ${later}`;
  return `${ready}, ${uncounted} = job.${uncounted} + 1 - new.counted,
    due_at = case when new.after_ms = 0 then job.created_at else ${later} end`;
}

const { ready, leased, behind, waiting, parked } = jobStates;

/** A lane's head is in one of these states, which the condition of the index `job_lane` names too. */
const isHead: string = `state in (${ready}, ${leased}, ${waiting})`;

/** The payload of the notification about a job that keeps its place. */
const atFront: string = `'${frontPrefix}' || share`;

/**
 * Locks lanes until the end of the transaction, before a statement reads them: otherwise a job could enter behind a head that ends at the
 * same time. In one order, so that two transactions never wait for each other. SQLite locks the whole database.
 */
export const lockLanes = (lanes: readonly string[]): RawBuilder<unknown> => sql`
  select pg_advisory_xact_lock(hash) from (
    select distinct hashtextextended(lane, 0) as hash from unnest(${lanes}::text[]) as of(lane) order by hash) as hashes`;

/** Makes the oldest job of each lane without a head its head, and notifies other processes of them. Returns the shares of those jobs. */
export const promoteHeads = (engine: Engine, lanes: readonly string[]): RawBuilder<{ readonly share: string }> => {
  const rows = [...new Set(lanes)].map((lane) => ({ lane }));
  const next = sql`
    select (select min(sequence) from job as next where next.lane = lanes.lane and next.state = ${sql.lit(behind)}) as sequence
    from ${rowsFromJson(engine, rows, { alias: "lanes", columns: { lane: "text" } })}
    where not exists (select 1 from job as head where head.lane = lanes.lane and head.${sql.raw(isHead)})`;
  const promoted = sql<{ readonly share: string }>`
    update job set state = ${sql.lit(ready)} where sequence ${isOneOf(engine, next)} returning share`;
  if (engine === "sqlite") return promoted;
  const notified = notifyingChanged({ payload: atFront, where: "true", answer: "share" });
  return sql`with changed as (${promoted}), ${sql.raw(notified)}`;
};

/** Compares with the rows of a query. PostgreSQL reads an array from the index; an `in` it may join with the whole table. */
const isOneOf = (engine: Engine, query: RawBuilder<unknown>): RawBuilder<unknown> =>
  engine === "postgres" ? sql`= any(array(${query}))` : sql`in (${query})`;

/** Returns the lanes with jobs but without a head. Jumps from lane to lane, so that a long one costs no more than a short one. */
export const headlessLanes: RawBuilder<{ readonly lane: string }> = sql`
  with recursive lanes(lane) as (
    select min(lane) from job where state = ${sql.lit(behind)}
    union all
    select (select min(lane) from job where state = ${sql.lit(behind)} and lane > lanes.lane) from lanes
    where lanes.lane is not null)
  select lane from lanes
  where lane is not null and not exists (select 1 from job where job.lane = lanes.lane and ${sql.raw(isHead)})`;

/** The rows of leases, as a table expression. */
const leaseRows = (engine: Engine, jobs: readonly LeaseId[]): RawBuilder<unknown> =>
  rowsFromJson(
    engine,
    jobs.map(({ id, attempt }) => ({ id, attempt })),
    { alias: "leases", columns: { id: "text", attempt: "bigint" } },
  );

const isLeasedBy = (engine: Engine, owner: string, jobs: readonly LeaseId[]): RawBuilder<unknown> => sql`
  id ${isOneOf(engine, sql`select id from ${leaseRows(engine, jobs)}`)} and owner = ${owner} and +state = ${sql.lit(leased)}
  and exists (select 1 from ${leaseRows(engine, jobs)} where leases.id = job.id and leases.attempt = job.attempt)`;

/** Deletes jobs that `owner` has leased. Returns their ids. */
export const deleteLeased = (
  engine: Engine,
  owner: string,
  jobs: readonly LeaseId[],
): RawBuilder<{ readonly id: string }> => sql`delete from job where ${isLeasedBy(engine, owner, jobs)} returning id`;

/** Parks a job that `owner` has leased, and sets own columns. Returns its id. */
export const parkLeased = (
  engine: Engine,
  owner: string,
  { job, set }: { readonly job: LeaseId; readonly set: Readonly<Record<string, string | number | null>> },
): RawBuilder<{ readonly id: string }> => {
  const sets = Object.entries(set).map(([name, value]) => sql`, ${sql.ref(name)} = ${value}`);
  return sql`
    update job set state = ${sql.lit(parked)}, owner = null, ended_at = ${sql.raw(nowText[engine])}${sql.join(sets, sql``)}
    where ${isLeasedBy(engine, owner, [job])} returning id`;
};

/** Which jobs may not enter: a condition on `new`, a job with the columns of `insertColumns` and these. */
export interface LaneGuard {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly refused: string;
}

/**
 * Returns the text that inserts jobs, each of another lane: behind, if its lane has jobs. Notifies other processes of those that they may take.
 * Returns the ids and states of those that were stored.
 */
export function enterText<Own extends string>(
  schema: JobSchema<Own>,
  rows: string,
  { engine, refused }: { readonly engine: Engine; readonly refused: string },
): string {
  const inLane = (state: string): string => `exists (select 1 from job where job.lane = new.lane and job.${state})`;
  const values: Readonly<Record<string, string>> = {
    state: `case when is_behind then ${behind} else state end`,
    owner: "case when is_behind then null else owner end",
    attempt: "case when is_behind then 0 else attempt end",
  };
  const names = Object.keys(insertColumns(schema));
  const placed = `(
    select ${names.map((name) => `${values[name] ?? name} as ${name}`).join(", ")}
    from (
      select new.*, ${inLane(isHead)} or ${inLane(`state = ${behind}`)} as is_behind
      from ${rows} where not (${refused})) as found) as new`;
  const text = insertText(schema, placed, engine);
  if (engine === "sqlite") return `${text} returning id, state`;
  const answer = "id, state";
  return notifying(`${text} returning share, ${answer}`, { payload: "share", where: `state = ${ready}`, answer });
}

/** Queries about jobs that belong to the transaction of what they are for. */
export function createJobQueries<Own extends string>(schema: JobSchema<Own>, engine: Engine) {
  const { insertReady } = jobStatements(schema, engine);
  return {
    /** Stores a job that is not leased. A job that exists stays as it is. */
    add: (job: NewJob<Own>): CompiledQuery => {
      const row = insertRow(schema, job, "");
      const values = insertReady.columns.map((column) => row[column] ?? null);
      if (engine === "sqlite") return CompiledQuery.raw(insertReady.sqlite, values);
      const arrays = values.map((value) => [value]);
      return CompiledQuery.raw(insertReady.postgres.text, arrays);
    },
    /**
     * Makes sleeping jobs due now. A job that is leased is due at once when it is released next, so that it sees what changed before. A job that is
     * due stays so, but is locked: nobody takes it until the transaction of the change is over. Others are left alone. `ids` can't be empty.
     * `only`: a condition of SQL.
     */
    wake: (ids: readonly string[], only: RawBuilder<unknown> = sql`1 = 1`): RawBuilder<unknown> =>
      wakeJobs(engine, ids, only),
    /** Takes back a job that the same transaction has added, if a condition of SQL holds. */
    takeBack: (id: string, only: RawBuilder<unknown>): RawBuilder<unknown> =>
      sql`delete from job where id = ${id} and ${only}`,
  };
}

function wakeJobs(engine: Engine, ids: readonly string[], only: RawBuilder<unknown>): RawBuilder<unknown> {
  const time = sql.raw(nowText[engine]);
  const isLeased = sql`state = ${sql.lit(leased)}`;
  const isSleeping = sql`state = ${sql.lit(ready)} and due_at > ${time}`;
  return sql`
    update job set woken = case when ${isLeased} then 1 else woken end, due_at = case when ${isSleeping} then ${time} else due_at end
    where id in (${sql.join(ids)}) and state in (${sql.lit(ready)}, ${sql.lit(leased)}) and ${only}
    returning id, ${sql.raw(notifyText(engine, jobChannel, "share"))} as notified`;
}
