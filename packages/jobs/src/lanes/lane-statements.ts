import {
  nowText,
  rowsFromJson,
  writeStatement,
  type ColumnKind,
  type Engine,
  type WriteStatement,
} from "@crosszone/sql";
import { sql, type RawBuilder } from "kysely";
import type { LeaseId } from "../table/job.ts";
import { notifying } from "../table/job-events.ts";
import { leaseColumns, insertColumns, insertText, isLeasedText } from "../table/job-texts.ts";
import { jobStates } from "../table/job-tables.ts";
import { atFront, isHead, isOneOf } from "./lane-heads.ts";
import type { LaneJob, LaneSchema } from "./lane-store.ts";

const { ready, leased, behind, parked } = jobStates;

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
  jobs: readonly LaneJob[],
): RawBuilder<{ readonly id: string }> => sql`delete from job where ${isLeasedBy(engine, owner, jobs)} returning id`;

/** Sets own columns of a job that `owner` has leased. Returns its id. */
export const setLeased = (
  engine: Engine,
  owner: string,
  { job, set }: { readonly job: LeaseId; readonly set: Readonly<Record<string, string | number | null>> },
): RawBuilder<{ readonly id: string }> => {
  const sets = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  return sql`update job set ${sql.join(sets)} where ${isLeasedBy(engine, owner, [job])} returning id`;
};

/** Parks a job that `owner` has leased, and sets own columns. Returns its id. */
export const parkLeased = (
  engine: Engine,
  owner: string,
  { job, set }: { readonly job: LaneJob; readonly set: Readonly<Record<string, string | number | null>> },
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
  return notifying(`${text} returning share, state`, { payload: "share", where: `state = ${ready}`, answer: "state" });
}

/**
 * Returns the statement that makes leased jobs ready. They stay the heads of their lanes. Those that are due at once keep their place
 * before jobs that came later, and other processes are notified of them.
 */
export function releaseStatement<Own extends string>(
  { uncounted }: LaneSchema<Own>,
  engine: Engine,
): WriteStatement<string> {
  const columns: Readonly<Record<string, ColumnKind>> = { ...leaseColumns, after_ms: "bigint", counted: "bigint" };
  const text = (rows: string): string => `
    update job set state = ${ready}, owner = null, ${uncounted} = job.${uncounted} + 1 - new.counted,
      due_at = case when new.after_ms = 0 then job.created_at else ${nowText[engine]} + new.after_ms end
    from ${rows}
    where ${isLeasedText}`;
  const notified = { payload: atFront, where: "after_ms = 0" };
  const postgresText = (rows: string): string =>
    notifying(`${text(rows)} returning job.id, job.share, new.after_ms`, notified);
  return writeStatement<string>({ table: "job", key: "id", columns, text, postgresText });
}
