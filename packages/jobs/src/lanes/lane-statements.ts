import {
  nowText,
  rowsFromJson,
  writeStatement,
  type ColumnKind,
  type Engine,
  type WriteStatement,
} from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { HeldJob } from "../job.ts";
import { frontPrefix, telling, tellingChanged } from "../job-channel.ts";
import { heldColumns, insertColumns, insertText, isHeldText } from "../job-texts.ts";
import { jobStates } from "../job-tables.ts";
import type { LaneJob, LaneSchema } from "./lane-job.ts";

const { ready, leased, behind, waiting, parked } = jobStates;

/** A lane's head is in one of these states, which the condition of the index `job_lane` names too. */
const isHead = `state in (${ready}, ${leased}, ${waiting})`;

/**
 * Locks lanes until the end of the transaction, before a statement reads them: otherwise a job could enter behind a head that ends at the
 * same time. In one order, so that two transactions never wait for each other. SQLite locks the whole database.
 */
export const lockLanes = (lanes: readonly string[]): RawBuilder<unknown> => sql`
  select pg_advisory_xact_lock(hash) from (
    select distinct hashtextextended(lane, 0) as hash from unnest(${lanes}::text[]) as of(lane) order by hash) as hashes`;

/** The payload of the notification about a job that keeps its place. */
const atFront = `'${frontPrefix}' || share`;

/** Makes the oldest job of each lane without a head its head, and tells of them. Returns the shares of those jobs. */
export const promoteHeads = (engine: Engine, lanes: readonly string[]): RawBuilder<{ readonly share: string }> => {
  const rows = [...new Set(lanes)].map((lane) => ({ lane }));
  const next = sql`
    select (select min(sequence) from job as next where next.lane = lanes.lane and next.state = ${sql.lit(behind)}) as sequence
    from ${rowsFromJson(engine, rows, { alias: "lanes", columns: { lane: "text" } })}
    where not exists (select 1 from job as head where head.lane = lanes.lane and head.${sql.raw(isHead)})`;
  const promoted = sql<{ readonly share: string }>`
    update job set state = ${sql.lit(ready)} where sequence ${isOneOf(engine, next)} returning share`;
  if (engine === "sqlite") return promoted;
  const told = tellingChanged({ payload: atFront, where: "true", answer: "share" });
  return sql`with changed as (${promoted}), ${sql.raw(told)}`;
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

const held = { id: "text", attempt: "bigint" } as const;

/** The rows of leases, as a table expression. */
const heldRows = (engine: Engine, jobs: readonly HeldJob[]): RawBuilder<unknown> =>
  rowsFromJson(
    engine,
    jobs.map(({ id, attempt }) => ({ id, attempt })),
    { alias: "leases", columns: held },
  );

const isHeldBy = (engine: Engine, owner: string, jobs: readonly HeldJob[]): RawBuilder<unknown> => sql`
  id ${isOneOf(engine, sql`select id from ${heldRows(engine, jobs)}`)} and owner = ${owner} and +state = ${sql.lit(leased)}
  and exists (select 1 from ${heldRows(engine, jobs)} where leases.id = job.id and leases.attempt = job.attempt)`;

/** Deletes jobs that `owner` holds. Returns their ids. */
export const deleteHeld = (
  engine: Engine,
  owner: string,
  jobs: readonly LaneJob[],
): RawBuilder<{ readonly id: string }> => sql`delete from job where ${isHeldBy(engine, owner, jobs)} returning id`;

/** Sets own columns of a job that `owner` holds. Returns its id. */
export const setHeld = (
  engine: Engine,
  owner: string,
  { job, set }: { readonly job: HeldJob; readonly set: Readonly<Record<string, string | number | null>> },
): RawBuilder<{ readonly id: string }> => {
  const sets = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  return sql`update job set ${sql.join(sets)} where ${isHeldBy(engine, owner, [job])} returning id`;
};

/** Parks a job that `owner` holds, and sets own columns. Returns its id. */
export const parkHeld = (
  engine: Engine,
  owner: string,
  { job, set }: { readonly job: LaneJob; readonly set: Readonly<Record<string, string | number | null>> },
): RawBuilder<{ readonly id: string }> => {
  const sets = Object.entries(set).map(([name, value]) => sql`, ${sql.ref(name)} = ${value}`);
  return sql`
    update job set state = ${sql.lit(parked)}, owner = null, ended_at = ${sql.raw(nowText[engine])}${sql.join(sets, sql``)}
    where ${isHeldBy(engine, owner, [job])} returning id`;
};

/** Which jobs may not enter: a condition on `new`, a job with the columns of `insertColumns` and these. */
export interface LaneGuard {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly refused: string;
}

/**
 * Returns the text that inserts jobs, each of another lane: behind, if its lane has jobs. Tells other processes of those that they may take.
 * Returns the states.
 */
export function enterText<Own extends string>(
  schema: LaneSchema<Own>,
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
  if (engine === "sqlite") return `${text} returning state`;
  return telling(`${text} returning share, state`, { payload: "share", where: `state = ${ready}`, answer: "state" });
}

/**
 * Returns the statement that makes held jobs ready again. They stay the heads of their lanes. Those that are due at once keep their place
 * before jobs that came later, and a notification tells other processes of them.
 */
export function releaseStatement<Own extends string>(
  { uncounted }: LaneSchema<Own>,
  engine: Engine,
): WriteStatement<string> {
  const columns: Readonly<Record<string, ColumnKind>> = { ...heldColumns, after_ms: "bigint", counted: "bigint" };
  const text = (rows: string): string => `
    update job set state = ${ready}, owner = null, ${uncounted} = job.${uncounted} + 1 - new.counted,
      due_at = case when new.after_ms = 0 then job.created_at else ${nowText[engine]} + new.after_ms end
    from ${rows}
    where ${isHeldText}`;
  const told = { payload: atFront, where: "after_ms = 0" };
  const postgresText = (rows: string): string =>
    telling(`${text(rows)} returning job.id, job.share, new.after_ms`, told);
  return writeStatement<string>({ table: "job", key: "id", columns, text, postgresText });
}
